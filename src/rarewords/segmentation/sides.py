"""Learning one segmentation a side, or one for all sides together."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from rarewords.segmentation.bpe.segmenter import add_counts

Learned = TypeVar("Learned")


def learn_sides(learn: Callable[[dict[str, int]], Learned], counts: list[dict[str, int]], joint: bool) -> list[Learned]:
    """What `learn` makes of the word counts of each side; with `joint`, of their sum, the same for all sides."""
    if joint:
        return [learn(add_counts(counts))] * len(counts)
    return [learn(side) for side in counts]
