"""Learning one segmentation for each side, or one for all sides together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeVar

Learned = TypeVar("Learned")


def learn_sides(learn: Callable[[dict[str, int]], Learned], counts: list[dict[str, int]], joint: bool) -> list[Learned]:
    """The result of `learn` on the word counts of each side; with `joint`, on their sum, the same for all sides."""
    if joint:
        return [learn(add_counts(counts))] * len(counts)
    return [learn(side) for side in counts]


def add_counts(counts: Sequence[dict[str, int]]) -> dict[str, int]:
    """The union of several dictionaries, counts added."""
    union: Counter[str] = Counter()
    for side in counts:
        union.update(side)
    return union
