"""The exact permutation test: do the scores of several seeds differ between two settings by more than chance?"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb
from statistics import fmean

MOST_SEEDS = 11  # with each setting; there are then 705,432 ways to deal out the scores
TIE = 1e-9  # sums of the same scores in another order differ by less


def permutation_p(first: Sequence[float], second: Sequence[float]) -> float:
    """Two-sided p of the difference of two means, 0 < p <= 1; the scores of the two settings are not paired.

    If the setting made no difference, every way to deal out all scores to the two settings would be as likely as the
    one that happened: p is the share of those whose means differ at least as much. Source: Fisher's randomisation
    test, with all C(n + m, n) assignments.
    """
    scores = [*first, *second]
    total, size = sum(scores), len(first)
    observed = abs(fmean(first) - fmean(second)) - TIE
    extreme = 0
    for chosen in combinations(scores, size):
        part = sum(chosen)
        extreme += abs(part / size - (total - part) / len(second)) >= observed
    return extreme / comb(len(scores), size)


def least_p(seeds: int) -> float:
    """The smallest p that two settings with as many seeds each can have."""
    return 2 / comb(2 * seeds, seeds)
