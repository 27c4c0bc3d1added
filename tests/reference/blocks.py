"""Blocks of source units from their equations, number by number (docs/reproduction/network.md, section Blocks).

Shares no code with the package. The numbers are Python floats, or tensors with one number each for gradients.
"""

import math


def pooled(rows, kernel, score, bias):
    """The vectors that the encoder reads, for one sentence: rows, kernel, score and bias are (nested) lists."""
    length, e = len(rows), len(score)
    middle = len(kernel) // 2
    units = []
    for t in range(length):
        unit = [0.0] * e
        for k, matrix in enumerate(kernel):
            if 0 <= t + k - middle < length:
                row = rows[t + k - middle]
                unit = [unit[c] + sum(row[r] * matrix[r][c] for r in range(e)) for c in range(e)]
        units.append(unit)
    mixed = []
    for t in range(length):
        means, scores = [], []
        for size in range(1, len(bias) + 1):
            first = t // size * size
            mean = average(units[first : first + size])
            means.append(mean)
            scores.append(sum(m * v for m, v in zip(mean, score)) + bias[size - 1])
        exponentials = [math.e**q for q in scores]
        weights = [x / sum(exponentials) for x in exponentials]
        mixed.append([sum(p * mean[c] for p, mean in zip(weights, means)) for c in range(e)])
    return [average(mixed[first : first + 2]) for first in range(0, length, 2)]


def average(vectors):
    return [sum(column) / len(vectors) for column in zip(*vectors)]
