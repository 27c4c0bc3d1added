"""config/ablations/segmentations.yaml over the demo."""

from pathlib import Path
from typing import Any

import yaml

from rarewords.experiment.plan import Experiment
from rarewords.segmentation.registry import METHODS

CONFIG = Path(__file__).parents[2] / "config"


def merged(old: Any, new: Any) -> Any:
    """As Snakemake does it: maps are merged, everything else is replaced."""
    if not isinstance(old, dict) or not isinstance(new, dict):
        return new
    return old | {key: merged(old.get(key), value) for key, value in new.items()}


def test_it_is_valid():
    config: dict[str, Any] = {}
    for name in ("corpora", "systems", "config", "ablations/segmentations"):
        config = merged(config, yaml.safe_load((CONFIG / f"{name}.yaml").read_text(encoding="utf-8")))
    experiment = Experiment(config)
    assert experiment.sampling("bpe-dropout", "en-de") == ("dropout", 0.1, 10)
    assert experiment.segmentation("wordpiece", "en-de") == ("wordpiece", '{"vocabulary": 1250}')
    assert set(experiment.forms()) == {"raw", "clean-hashtags-clean-mentions-clean-strip-diacritics-clean-urls"}


def test_it_has_every_segmentation_of_the_project():
    definition = yaml.safe_load((CONFIG / "ablations/segmentations.yaml").read_text(encoding="utf-8"))
    overlay = {system["segmentation"]["method"] for system in definition["systems"].values()}
    paper = {"words", "bpe", "bpe-joint", "bpe-joint-iso9"}  # in config/systems.yaml; the last for pairs with Russian
    only_part = {"compound-splitting", "raw-bytes"}  # cannot be undone; the source side of source-bytes
    assert overlay | paper | only_part == set(METHODS)
