"""fast_align's model from its equations, in plain Python: every sum is written out (docs/reproduction/alignment.md).

Two defects of the program are part of the model here, because its users' results have them: the position of a target
word counts from 0 where the posterior of the distance is summed up, and the derivative divides by a Z whose lengths are
exchanged. Both only bend the tension.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence

import torch

NULL = None
P_NULL = 0.08
ALPHA = 0.01
Pair = tuple[Sequence[str], Sequence[str]]


def digamma(x: float) -> float:
    return float(torch.digamma(torch.tensor(x, dtype=torch.float64)))


def distance(i: int, j: int, n: int, m: int) -> float:
    """h(j, i) for source position i of n and target position j of m."""
    return -abs(i / n - j / m)


def z(j: int, n: int, m: int, tension: float) -> float:
    return sum(math.exp(tension * distance(i, j, n, m)) for i in range(1, n + 1))


def exchanged_z(j: int, n: int, m: int, tension: float) -> float:
    """Z of the program's derivative: lengths exchanged, so that j may lie beyond the end.

    The program sums geometric series from the diagonal at j·m/n: down to 1, and up to m, or without end if the diagonal
    is beyond m.
    """
    split = int(j * m / n)
    down = sum(math.exp(tension * distance(i, j, m, n)) for i in range(1, split + 1))
    end = m if split <= m else split + 5000
    return down + sum(math.exp(tension * distance(i, j, m, n)) for i in range(split + 1, end + 1))


class Reference:
    """Translation probabilities t[source][target] and the tension, estimated by so many M-steps."""

    def __init__(self, pairs: Sequence[Pair], iterations: int) -> None:
        self.tension = 4.0
        self.pairs = pairs
        self.t: dict[str | None, dict[str, float]] = defaultdict(dict)
        for source, target in pairs:
            for word in [NULL, *source]:
                self.t[word].update(dict.fromkeys(target, 1.0))
        for iteration in range(iterations):
            counts, distance_sum = self.expect()
            if iteration > 0:
                self.optimise_tension(distance_sum / self.target_words)
            self.maximise(counts)

    @property
    def target_words(self) -> int:
        return sum(len(target) for _, target in self.pairs)

    def prior(self, j: int, n: int, m: int) -> list[float]:
        """p(a_j = 0), …, p(a_j = n)."""
        total = z(j, n, m, self.tension)
        rest = [math.exp(self.tension * distance(i, j, n, m)) / total for i in range(1, n + 1)]
        return [P_NULL, *((1 - P_NULL) * value for value in rest)]

    def joint(self, source: Sequence[str], target: Sequence[str], j: int) -> list[float]:
        prior = self.prior(j, len(source), len(target))
        return [p * self.t[word][target[j - 1]] for p, word in zip(prior, [NULL, *source])]

    def expect(self) -> tuple[dict[str | None, dict[str, float]], float]:
        counts: dict[str | None, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        distance_sum = 0.0
        for source, target in self.pairs:
            for j in range(1, len(target) + 1):
                joint = self.joint(source, target, j)
                for i, (value, word) in enumerate(zip(joint, [NULL, *source])):
                    posterior = value / sum(joint)
                    counts[word][target[j - 1]] += posterior
                    if i > 0:
                        distance_sum += posterior * distance(i, j - 1, len(source), len(target))
        return counts, distance_sum

    def optimise_tension(self, observed: float) -> None:
        for _ in range(8):
            expected = 0.0
            for source, target in self.pairs:
                n, m = len(source), len(target)
                for j in range(1, m + 1):
                    terms = [distance(i, j, n, m) for i in range(1, n + 1)]
                    weighted = sum(h * math.exp(self.tension * h) for h in terms)
                    expected += weighted / exchanged_z(j, n, m, self.tension)
            self.tension += 20 * (observed - expected / self.target_words)
            self.tension = min(max(self.tension, 0.1), 14.0)

    def maximise(self, counts: dict[str | None, dict[str, float]]) -> None:
        for word, row in counts.items():
            total = digamma(sum(count + ALPHA for count in row.values()))
            self.t[word] = {other: math.exp(digamma(count + ALPHA) - total) for other, count in row.items()}

    def align(self, source: Sequence[str], target: Sequence[str]) -> list[tuple[int, int]]:
        """Links (source, target) from 0; the first maximum wins, and the empty word comes first."""
        links = []
        for j in range(1, len(target) + 1):
            joint = self.joint(source, target, j)
            best = joint.index(max(joint))
            if best:
                links.append((best - 1, j - 1))
        return links
