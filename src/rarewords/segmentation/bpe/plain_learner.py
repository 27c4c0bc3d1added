"""Learning byte pair encoding in plain Python, for small dictionaries.

The same merges as `compiled_learner.py`, which takes half a second to load, and some seconds to compile once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from itertools import pairwise

from rarewords.segmentation.bpe.symbols import Merge, word_symbols


class PlainLearner:
    """The words as lists of symbols, the counts of all pairs, and the numbers of the words that hold each pair."""

    def __init__(self, word_counts: Mapping[str, int], minimum: int, version: str, tie_break: str) -> None:
        self._minimum = minimum
        self._by_place = tie_break == "first"
        self._words = [word_symbols(word, version) for word in word_counts if word]
        self._frequencies = [count for word, count in word_counts.items() if word]
        self._counts: dict[Merge, int] = {}
        self._holders: defaultdict[Merge, set[int]] = defaultdict(set)
        for number in range(len(self._words)):
            self._add_pairs(number)

    def merge_best(self) -> Merge | None:
        """Merge the most frequent pair; None if none is frequent enough."""
        highest = max(self._counts.values(), default=0)
        if highest < self._minimum or highest == 0:
            return None
        equal = {pair for pair, count in self._counts.items() if count == highest}
        best = self._first(equal) if self._by_place else max(equal)
        for number in sorted(self._holders[best]):
            self._drop_pairs(number)
            _merge(self._words[number], best)
            self._add_pairs(number)
        return best

    def _first(self, pairs: set[Merge]) -> Merge:
        """The pair that comes first in the dictionary."""
        number = min(min(self._holders[pair]) for pair in pairs)
        return next(pair for pair in pairwise(self._words[number]) if pair in pairs)

    def _add_pairs(self, number: int) -> None:
        for pair in pairwise(self._words[number]):
            self._counts[pair] = self._counts.get(pair, 0) + self._frequencies[number]
            self._holders[pair].add(number)

    def _drop_pairs(self, number: int) -> None:
        pairs = list(pairwise(self._words[number]))
        for pair in pairs:
            self._counts[pair] -= self._frequencies[number]
        for pair in set(pairs):
            self._holders[pair].remove(number)
            if not self._holders[pair]:
                del self._counts[pair], self._holders[pair]


def _merge(symbols: list[str], pair: Merge) -> None:
    """Merge a pair wherever it occurs in a word, from left to right, in place."""
    at = 0
    while at < len(symbols) - 1:
        if (symbols[at], symbols[at + 1]) == pair:
            symbols[at : at + 2] = [pair[0] + pair[1]]
        at += 1
