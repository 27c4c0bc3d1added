"""Unigram F1 against the training frequency of words: the points and curves of figures 2 and 3 of the paper."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewords.report.scores import ScoreRow, common, unigram_scores
from rarewords.report.table import Table, columns

KEYS = ("frequency", "first_rank", "last_rank", "types", "matches", "hypothesis_tokens", "reference_tokens")
SCORES = ("precision", "recall", "f1")


@dataclass(frozen=True)
class Distribution:
    """What all systems of a figure share: types of the training text, and the rank above which words are rare.

    `cut_frequency` is the training count at this rank, None if there are fewer types.
    """

    types: int
    rare_rank: int
    cut_frequency: int | None

    def unseen_rank(self) -> float:
        """The position of unseen words on the axis of ranks, behind the last rank: 7 % further on a log axis."""
        return max(1.5 * self.types, self.types**1.07)

    def rank(self, frequency_bin: dict[str, Any]) -> float:
        """The position of a bin on the axis: the middle of its ranks, on a log axis."""
        if frequency_bin["frequency"] == 0:
            return self.unseen_rank()
        return math.sqrt(frequency_bin["first_rank"] * frequency_bin["last_rank"])


def distribution(rows: Sequence[ScoreRow]) -> Distribution:
    """The training counts that the rows share; raises InputError if they do not."""
    unigrams = [unigram_scores(row) for row in rows]
    common(unigrams, "n of unigram F1", lambda f1: f1["classes"]["all"]["n"])
    return Distribution(
        common(unigrams, "number of training types", lambda f1: f1["training_types"]),
        common(unigrams, "rank of rare words", lambda f1: f1["rare_rank"]),
        common(unigrams, "training frequency of rare words", lambda f1: f1["cut_frequency"]),
    )


def bins_table(rows: Sequence[ScoreRow]) -> Table:
    """The bins that the figure draws, one per line; `rank` is the position of a bin."""
    shared = distribution(rows)
    cells = [
        [row.label, *(found[key] for key in KEYS), shared.rank(found), *(float(found[key]) for key in SCORES)]
        for row in rows
        for found in unigram_scores(row)["by_frequency"]
    ]
    caption = [
        "Unigram F1 in percent for words of one frequency in the training text; frequency 0: unseen words. Tokens: "
        "those of the translation and of the reference; matches are clipped within sentences."
    ]
    return Table(caption, columns("system", *KEYS, "rank", *SCORES), cells)


def bezier(points: NDArray[np.float64], samples: int = 300) -> NDArray[np.float64]:
    """The Bézier curve with all points ([n, 2]) as control points, at equally spaced parameters: [samples, 2].

    This is what gnuplot calls `smooth bezier`. The Bernstein polynomials are summed through logarithms, since their
    binomial coefficients are too large for numbers with a few thousand points.
    """
    degree = len(points) - 1
    number = np.arange(degree + 1)
    log_factorial = np.array([math.lgamma(k + 1) for k in number])
    log_binomial = log_factorial[-1] - log_factorial - log_factorial[::-1]
    t = np.linspace(0, 1, samples)[1:-1, None]
    weights = np.exp(log_binomial + number * np.log(t) + (degree - number) * np.log1p(-t))
    weights /= weights.sum(axis=1, keepdims=True)
    return np.vstack([points[:1], weights @ points, points[-1:]])


def curve(row: ScoreRow, shared: Distribution) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The points of a system and its smoothed curve, both as (rank, F1); smoothed over the logarithm of the rank."""
    bins = unigram_scores(row)["by_frequency"]
    points = np.array([[math.log10(shared.rank(found)), found["f1"]] for found in bins])
    smooth = bezier(points)
    return _from_logarithm(points), _from_logarithm(smooth)


def _from_logarithm(points: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.column_stack([10 ** points[:, 0], points[:, 1]])
