"""Sufficient statistics of sacrebleu's metrics, a block of sentences at a time.

sacrebleu itself keeps all n-grams of all references in memory, some 30 KB a sentence. Here a sentence leaves nothing
but its row of numbers (matches, n-grams of both sides, lengths), from which every score of it, of the test set and of
any resampled one is computed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sacrebleu.metrics.base import Metric

LINES_AT_ONCE = 500

Statistics = NDArray[np.integer]  # (sentences, numbers of the metric)


class Tally:
    """The statistics of a translation in one metric, added up block by block.

    `totals` are the sums over all sentences. The rows of the sentences stay in memory only if they are asked for, which
    a test of significance does: 4 bytes a number.
    """

    def __init__(self, metric: Metric, keep_sentences: bool = False) -> None:
        self.metric, self.keep_sentences = metric, keep_sentences
        self.totals: Any = 0
        self._blocks: list[NDArray[np.int32]] = []

    def add(self, hypotheses: Sequence[str], references: Sequence[str]) -> None:
        """Count the next sentences."""
        for block in _blocks(self.metric, hypotheses, references):
            self.totals = self.totals + block.sum(axis=0)
            if self.keep_sentences:
                self._blocks.append(block.astype(np.int32))

    def sentences(self) -> Statistics:
        """The rows of all sentences, in order."""
        self._blocks = [np.concatenate(self._blocks)]
        return self._blocks[0]


def sentence_statistics(metric: Metric, hypotheses: Sequence[str], references: Sequence[str]) -> Statistics:
    """The statistics of every sentence, in order."""
    return np.concatenate(list(_blocks(metric, hypotheses, references)))


def corpus_totals(metric: Metric, hypotheses: Sequence[str], references: Sequence[str]) -> Any:
    """The sums over a test set, from which `score_of` makes what `metric.corpus_score` returns."""
    return sum(block.sum(axis=0) for block in _blocks(metric, hypotheses, references))


def score_of(metric: Metric, totals: Any) -> Any:
    """The score for summed statistics, of shape (numbers of the metric,)."""
    return metric._aggregate_and_compute([totals.tolist()])


def _blocks(metric: Metric, hypotheses: Sequence[str], references: Sequence[str]) -> Iterator[Statistics]:
    for start in range(0, len(hypotheses), LINES_AT_ONCE):
        block = slice(start, start + LINES_AT_ONCE)
        yield np.array(metric._extract_corpus_statistics(hypotheses[block], [references[block]]), dtype=np.int64)
