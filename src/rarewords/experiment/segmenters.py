"""The segmenters that an experiment has made."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rarewords.errors import InputError
from rarewords.experiment.config import for_pair
from rarewords.experiment.files import config_of_run
from rarewords.experiment.layout import Layout
from rarewords.experiment.plan import Experiment
from rarewords.segmentation import registry
from rarewords.segmentation.protocol import Segmenter


def experiment_segmenters(name: str) -> list[tuple[str, Segmenter]]:
    """The labels and segmenters of an experiment's systems and of its table 1, as far as they have been made.

    The experiment has been run in the present folder. Raises InputError if it has not, or has no segmenter yet.
    """
    _, config = config_of_run(name)
    files = segmenter_files(Experiment(config))
    segmenters = [(label, registry.load(path)) for label, path in files if Path(path).is_file()]
    if not segmenters:
        raise InputError(f"experiment {name!r} has no segmenters yet; run `snakemake table1`, or the whole experiment.")
    return segmenters


def segmenter_files(experiment: Experiment) -> Iterator[tuple[str, str]]:
    """The files of an experiment's segmenters, each with its label; systems that share a segmenter have one entry."""
    layout = Layout.of(experiment)
    for pair in experiment.pairs:
        languages = pair.split("-")
        for system in dict.fromkeys(map(experiment.text_of, experiment.systems_in(pair))):
            label = experiment.system(system, pair)["label"]
            yield from ((label, layout.segmenter(pair, system, lang)) for lang in languages)
        for row in experiment.table1_rows:
            label = for_pair(experiment.config["table1"][row], pair)["label"]
            yield from ((label, layout.table1_segmenter(pair, row, lang)) for lang in languages)
