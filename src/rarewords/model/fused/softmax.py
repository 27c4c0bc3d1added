"""The softmax of transposed scores, (vocabulary, positions), whose columns are independent."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rarewords.model.fused.exponential import narrowed, power_of_two, widened
from rarewords.model.fused.rows import Array, kernel

UNITS = 64  # whose exponentials are summed before the sum is added to the others, so that small ones are not lost


@kernel
def exponentials(
    first: int,
    last: int,
    scores: Array,
    bias: Array,
    targets: NDArray[np.int64],
    totals: Array,
    wanted: Array,
) -> None:
    """Replace scores s_vk, in bits, by 2^(s_vk + bias_v - m_k), m_k the largest of position k.

    Writes their sums to totals (positions) and, in bits below the largest, the score of each position's target to
    wanted (positions). Positions are columns first … last - 1. Scores may be the bits of bfloat16; the powers are
    rounded to it then, after they were summed.
    """
    largest, part = np.full_like(totals[first:last], -np.inf), np.zeros_like(totals[first:last])
    for v in range(scores.shape[0]):
        row = scores[v, first:last]
        for k in range(row.size):
            score = widened(row[k]) + bias[v]
            largest[k] = score if score > largest[k] or score != score else largest[k]
    for k in range(first, last):
        wanted[k] = widened(scores[targets[k], k]) + bias[targets[k]] - largest[k - first]
        totals[k] = 0
    for start in range(0, scores.shape[0], UNITS):
        part[:] = 0
        for v in range(start, min(start + UNITS, scores.shape[0])):
            row = scores[v, first:last]
            for k in range(row.size):
                power = power_of_two(widened(row[k]) + bias[v] - largest[k])
                row[k] = narrowed(power, row[k])
                part[k] += power
        for k in range(part.size):
            totals[first + k] += part[k]
