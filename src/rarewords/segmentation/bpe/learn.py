"""Learning byte pair encoding (paper section 3.2, Algorithm 1) from a dictionary of words.

At each step the pair of neighbouring symbols with the largest count is merged; of equally frequent pairs, the larger
(left, right) by code-point order. Counts are over overlapping positions (`a a a` holds the pair `a a` twice), weighted
by the frequency of the word, never across words.

Only words that contain the merged pair change. An index from pairs to words finds them, and a heap finds the next pair,
so that the work is that of the changes and the memory is bounded by the dictionary, not by the text.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable, Mapping
from itertools import pairwise

from rarewords.segmentation.bpe.symbols import Merge, merge_pair, word_symbols


def learn_merges(
    word_counts: Mapping[str, int],
    merges: int,
    minimum_frequency: int = 2,
    version: str = "0.2",
    progress: Callable[[int, int], None] | None = None,
) -> list[Merge]:
    """Learn at most `merges` merges, in order; fewer if no further pair occurs `minimum_frequency` times.

    `version` is the rule for the end of a word, see `symbols.py`. `progress` is called after each merge with how many
    there are and how many there can be. Empty words are ignored.
    """
    table = _PairTable(word_counts, version)
    learned: list[Merge] = []
    while len(learned) < merges:
        pair = table.most_frequent(minimum_frequency)
        if pair is None:
            break
        table.merge(pair)
        learned.append(pair)
        if progress is not None:
            progress(len(learned), merges)
    return learned


class _Candidate:
    """An entry of the heap: a pair and its count at the time of the entry. The best candidate is the smallest."""

    __slots__ = ("count", "pair")

    def __init__(self, pair: Merge, count: int) -> None:
        self.pair = pair
        self.count = count

    def __lt__(self, other: _Candidate) -> bool:
        if self.count != other.count:
            return self.count > other.count
        return self.pair > other.pair


class _PairTable:
    """The words as symbols, the count of each pair and the words it occurs in."""

    def __init__(self, word_counts: Mapping[str, int], version: str) -> None:
        self._words = [word_symbols(word, version) for word in word_counts if word]
        self._frequencies = [count for word, count in word_counts.items() if word]
        self._counts: dict[Merge, int] = defaultdict(int)
        self._occurs_in: dict[Merge, set[int]] = defaultdict(set)
        for number, (symbols, frequency) in enumerate(zip(self._words, self._frequencies, strict=True)):
            for pair in pairwise(symbols):
                self._counts[pair] += frequency
                self._occurs_in[pair].add(number)
        self._heap = [_Candidate(pair, count) for pair, count in self._counts.items()]
        heapq.heapify(self._heap)

    def most_frequent(self, minimum: int) -> Merge | None:
        """The next pair to merge, or None if none occurs `minimum` times.

        Entries are deleted lazily. Each pair has an entry with its present count or a larger one, so an entry on top
        that is up to date is the best pair; one that is too large goes back with the present count.
        """
        while self._heap:
            top = heapq.heappop(self._heap)
            count = self._counts.get(top.pair, 0)
            if count == top.count:
                return top.pair if count >= minimum else None
            if 0 < count < top.count:
                heapq.heappush(self._heap, _Candidate(top.pair, count))
        return None

    def merge(self, pair: Merge) -> None:
        """Merge the pair in every word that contains it."""
        changes: dict[Merge, int] = defaultdict(int)
        for number in self._occurs_in.pop(pair):
            self._merge_in_word(number, pair, changes)
        for changed, difference in changes.items():
            count = self._counts[changed] + difference
            if count == 0:
                del self._counts[changed]
                continue
            self._counts[changed] = count
            if difference > 0:
                heapq.heappush(self._heap, _Candidate(changed, count))

    def _merge_in_word(self, number: int, pair: Merge, changes: dict[Merge, int]) -> None:
        frequency = self._frequencies[number]
        old = list(pairwise(self._words[number]))
        self._words[number] = merge_pair(self._words[number], pair)
        new = list(pairwise(self._words[number]))
        for gone in old:
            changes[gone] -= frequency
        for come in new:
            changes[come] += frequency
            self._occurs_in[come].add(number)
        for gone in set(old).difference(new):
            if gone != pair:
                self._forget(gone, number)

    def _forget(self, pair: Merge, number: int) -> None:
        words = self._occurs_in[pair]
        words.discard(number)
        if not words:
            del self._occurs_in[pair]
