"""The scores of one step of a search, (rows, units): log-probabilities, and the most probable units of each row."""

from __future__ import annotations

import math

import numpy as np
from numba.extending import register_jitable
from numpy.typing import NDArray

from rarewords.model.fused.exponential import power_of_two
from rarewords.model.fused.rows import Array, kernel

LANES = 64  # numbers that are looked at together
LOG2_E = 1 / math.log(2)


@kernel
def log_softmax(first: int, last: int, scores: Array) -> None:
    """Replace the scores of rows first … last - 1 by log-probabilities."""
    units = scores.shape[1]
    lanes, log2_e = np.empty_like(scores[0, :LANES]), scores.dtype.type(LOG2_E)
    for r in range(first, last):
        row = scores[r]
        lanes[:] = row[: lanes.size]
        for start in range(0, units - lanes.size + 1, LANES):
            part = row[start : start + LANES]
            for k in range(lanes.size):
                lanes[k] = part[k] if part[k] > lanes[k] else lanes[k]
        for k in range(units - units % LANES, units):
            lanes[0] = row[k] if row[k] > lanes[0] else lanes[0]
        largest = lanes.max()
        total = 0.0
        for start in range(0, units, LANES):
            part, some = row[start : start + LANES], scores.dtype.type(0)
            for k in range(part.size):
                some += power_of_two((part[k] - largest) * log2_e)
            total += float(some)
        normaliser = scores.dtype.type(largest + math.log(total))
        for k in range(units):
            row[k] -= normaliser


@kernel
def most_probable(first: int, last: int, scores: Array, values: Array, columns: NDArray[np.int64]) -> None:
    """Write the largest scores of each row to values (rows, count), descending, and where they are to columns.

    Of equal ones the first. A row has at least `count` scores.
    """
    units, count = scores.shape[1], values.shape[1]
    for r in range(first, last):
        row, best, place = scores[r], values[r], columns[r]
        for k in range(count):
            _insert(best, place, k, row[k], k)
        for start in range(count, units, LANES):
            part, above = row[start : start + LANES], 0
            for k in range(part.size):
                above += part[k] > best[count - 1]
            if above > 0:
                for k in range(part.size):
                    if part[k] > best[count - 1]:
                        _insert(best, place, count - 1, part[k], start + k)


@register_jitable
def _insert(best: Array, place: NDArray[np.int64], at: int, score: float, column: int) -> None:
    """Put a score into the first `at` ones, which are in descending order, behind those that equal it."""
    while at > 0 and score > best[at - 1]:
        best[at], place[at] = best[at - 1], place[at - 1]
        at -= 1
    best[at], place[at] = score, column
