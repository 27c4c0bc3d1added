"""Settings that are allowed but hardly intended: warnings of a plan and at the start of a run, before they show."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from rarewords.experiment.plan import Experiment

BYTES_OF_WORD = 6  # bytes of a word of running text, its space included
COMPRESSION = 4


def unusual(experiment: Experiment) -> list[str]:
    """Warnings about such settings; empty for most experiments."""
    sentences = []
    for pair in experiment.pairs:
        words = _running_words(experiment, pair)
        for system in experiment.trained:
            definition = experiment.system(system, pair)
            sentences += [f"systems.{system}.{sentence}" for sentence in _of_system(definition, words, pair)]
    device = experiment.config["training"]["device"]
    if device.startswith("cuda") and shutil.which("nvidia-smi") is None:
        sentences.append(
            f"training.device is {device}, but nvidia-smi finds no GPU on this machine; set it to auto or cpu, "
            "unless training runs on another machine."
        )
    return list(dict.fromkeys(sentences))


def _of_system(definition: dict[str, Any], words: int | None, pair: str) -> list[str]:
    sentences = []
    merges = definition["segmentation"].get("merges")
    if merges == 0 and definition["segmentation"]["method"] not in ("source-bytes", "bpe-bytes"):
        sentences.append("segmentation.merges is 0: words are cut into single characters.")
    if words is None:
        return sentences
    sizes = {"segmentation.merges": merges, **{f"vocabulary.{side}": n for side, n in definition["vocabulary"].items()}}
    return sentences + [
        f"{key} is {size:,}, but the training text of {pair} has only about {words:,} words and cannot reach it."
        for key, size in sizes.items()
        if size is not None and size > words
    ]


def _running_words(experiment: Experiment, pair: str) -> int | None:
    """The approximate number of words of the larger side of the training text; None if its files do not exist yet."""
    sizes = []
    for side in ("source", "target"):
        paths = [Path(path) for path in experiment.parts(pair, "train", side)]
        if not all(path.is_file() for path in paths):
            return None
        sizes.append(sum(path.stat().st_size * (COMPRESSION if path.suffix == ".gz" else 1) for path in paths))
    return max(sizes) // BYTES_OF_WORD
