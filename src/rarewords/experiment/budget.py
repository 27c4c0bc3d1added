"""What an experiment needs besides hours: disk and memory (docs/hpc.md, section Before you start).

The estimates assume average sentences and are accurate to about a factor of 1.5.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from rarewords.corpus.sources import text_path, texts
from rarewords.experiment.plan import Experiment
from rarewords.experiment.projection import LENGTH, network_size, of_vocabularies
from rarewords.model.size import NetworkSize
from rarewords.text.files import read_lines

BYTES_A_LINE = 150  # bytes of one side of a training pair; English, German: about 140, Russian in UTF-8: 220
TEXT_STAGES = 4  # raw, tokenised, cleaned, truecased
FLOAT = 4  # bytes
# A training run holds parameters, two accumulators, gradients, and its largest intermediate values.
TRAINING_COPIES = 4.5
CHECKPOINT_COPIES = 3  # parameters and two accumulators


@dataclass(frozen=True)
class Need:
    """Bytes that one kind of file takes, or that one process holds."""

    what: str
    size: float


def training_pairs(experiment: Experiment, pair: str) -> int | None:
    """Sentence pairs of the training text before cleaning; None if neither a file nor the configuration tells."""
    told = {
        str(text_path(experiment.folder, text)): text.lines or text.approximate_lines
        for text in texts(experiment.config["corpora"][experiment.corpus], pair)
    }
    total = 0
    for path in experiment.parts(pair, "train", "source"):
        lines = sum(1 for _ in read_lines(path)) if os.path.isfile(path) else told.get(path)
        if lines is None:
            return None
        total += lines
    return total


def disk(experiment: Experiment, pair: str, pairs: int) -> list[Need]:
    """Files of one language pair, by kind."""
    text = 2 * pairs * BYTES_A_LINE
    shards = 1 if experiment.preprocess("shards") == 1 else 2  # each stage exists in pieces and as a whole
    text *= shards
    integers = 2 * pairs * (LENGTH * 4 + 8)
    systems = [size_of(experiment, system, pair) for system in experiment.trained_in(pair)]
    models = sum(size.count() for size in systems) * FLOAT
    saved = len(experiment.runs) * (experiment.saved_models + 2)  # two checkpoints stay beside the saved models
    return [
        Need("prepared text", TEXT_STAGES * text),
        Need("segmented text and integers", len(systems) * (1.2 * text + integers)),
        Need("saved models and checkpoints", saved * CHECKPOINT_COPIES * models),
        Need("members", len(experiment.members) * models),
    ]


def training_memory(experiment: Experiment, system: str, pair: str) -> float:
    """Bytes that one training run holds: in the GPU's memory if it runs on one.

    With a loaded vocabulary the full tables stay, and the loaded part comes on top.
    """
    full, computed = size_of(experiment, system, pair), network_size(experiment, system, pair)
    if full == computed:
        return TRAINING_COPIES * full.count() * FLOAT
    return (CHECKPOINT_COPIES * full.count() + TRAINING_COPIES * computed.count()) * FLOAT


def size_of(experiment: Experiment, system: str, pair: str) -> NetworkSize:
    """The whole network of a system, with vocabularies as large as the configuration allows."""
    vocabulary = experiment.system(system, pair)["vocabulary"]
    return of_vocabularies(experiment, system, vocabulary["source"], vocabulary["target"])
