"""How much of the training text a network sees. Only systems trained on the same pairs can be compared."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rarewords.errors import plural
from rarewords.text.files import PathLike
from rarewords.training.batches import Corpus
from rarewords.training.encoded import load_pairs
from rarewords.vocabulary import UNK

MOST_LOST = 1.0  # percent of the pairs; beyond that, differences between systems may come from different text


@dataclass(frozen=True)
class TextSize:
    """`pairs` of the text, those that are not longer than the limit in units, mean units of a side of the latter (EOS
    not counted), and the percentage of all target units that are unknown. Of several random segmentations the mean."""

    pairs: int
    trained_on: int
    source_units: float
    target_units: float
    unknown: float


def text_size(folder: PathLike, maximum: int) -> TextSize:
    """The size of the encoded text in a folder, for training on pairs of at most `maximum` units a side."""
    corpus = load_pairs(folder, maximum)
    source, target = (
        np.diff(offsets)[corpus.kept].mean() - 1 for offsets in (corpus.source_offsets, corpus.target_offsets)
    )
    pairs = len(corpus.source_offsets) - 1
    units = len(corpus.target) - pairs
    unknown = int(np.count_nonzero(corpus.target == UNK))
    return TextSize(
        pairs // corpus.copies,
        round(len(corpus) / corpus.copies),
        float(source),
        float(target),
        100.0 * unknown / units if units else 0.0,
    )


def lost_percent(pairs: int, trained_on: int) -> float:
    """The percentage of pairs that are too long in units."""
    return 100.0 * (pairs - trained_on) / pairs


def describe(corpus: Corpus, maximum: int) -> str:
    """For people: how many pairs training uses, and what to do if too many are lost."""
    pairs = len(corpus) + corpus.skipped
    lost = lost_percent(pairs, len(corpus))
    sentence = f"{plural(len(corpus), 'pair')}, {corpus.skipped:,} longer than {maximum} units skipped"
    if lost <= MOST_LOST:
        return sentence
    return (
        f"{sentence} ({lost:.1f} %): systems that lose different pairs cannot be compared; raise training.max_length, "
        "and limit pairs in words with preprocess.maximum of the corpus"
    )
