"""The segmenters that an experiment has made."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rarewords.errors import InputError
from rarewords.experiment.files import config_of_run
from rarewords.segmentation import registry
from rarewords.segmentation.protocol import Segmenter


def experiment_segmenters(name: str) -> list[tuple[str, Segmenter]]:
    """The labels and segmenters of an experiment's systems and of its table 1, as far as they have been made.

    The experiment has been run in the present folder. Raises InputError if it has not, or has no segmenter yet.
    """
    _, config = config_of_run(name)
    found = [(label, registry.load(file)) for label, file in _segmenter_files(config) if file.is_file()]
    if not found:
        raise InputError(f"experiment {name!r} has no segmenters yet; run `snakemake table1`, or the whole experiment.")
    return found


def _segmenter_files(config: dict[str, Any]) -> Iterator[tuple[str, Path]]:
    experiment = config["experiment"]
    definitions = {f"seg/{system}": config["systems"][system] for system in experiment["systems"]}
    definitions |= {f"table1/{row}": config["table1"][row] for row in experiment["table1"]}
    for pair in experiment["pairs"]:
        for folder, definition in definitions.items():
            for language in pair.split("-"):
                file = Path("data") / experiment["corpus"] / pair / folder / f"segmenter.{language}.json"
                yield definition["label"], file
