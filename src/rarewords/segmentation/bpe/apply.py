"""Applying byte pair encoding to words (paper section 3.2).

A word starts as characters; the pair of lowest rank is merged, from left to right, until no pair has a rank. A word of
one character stays as it is. The result depends only on the merges and the word.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from heapq import heapify, heappop, heappush
from itertools import pairwise, repeat

from rarewords.segmentation.bpe.symbols import END_OF_WORD, Merge, word_symbols
from rarewords.segmentation.joiner import JOINER

LONG_WORD = 200  # characters


class Bpe:
    """Merges to apply. With `allowed`, units outside that set are taken apart again.

    `allowed` holds units as they stand in a segmented text, those inside a word with the joiner. A unit that is not in
    it is undone into the two parts of the earliest merge that makes its string, and these again, until they are allowed
    or single characters; a single character is kept, known or not. An empty set takes everything apart.
    """

    def __init__(
        self,
        merges: Iterable[Merge],
        version: str,
        allowed: Collection[str] | None = None,
        joiner: str = JOINER,
    ) -> None:
        self._version = version
        self._allowed = allowed
        self._joiner = joiner
        self._rank: dict[Merge, int] = {}
        self._merged: list[str] = []  # by rank
        self._parts: dict[str, Merge] = {}
        for rank, pair in enumerate(merges):
            self._rank.setdefault(pair, rank)
            self._merged.append(pair[0] + pair[1])
            self._parts.setdefault(pair[0] + pair[1], pair)

    def cut(self, word: str) -> list[str]:
        """The parts of a word, without joiners; together they are the word."""
        if len(word) <= 1:
            return [word]
        symbols = word_symbols(word, self._version)
        merge = self._merge_long if len(symbols) > LONG_WORD else self._merge
        return self._finished(merge(symbols))

    def _merge(self, symbols: list[str]) -> list[str]:
        rank_of = self._rank.get
        none = len(self._merged)
        ranks = list(map(rank_of, pairwise(symbols), repeat(none)))  # of symbols i and i + 1
        while ranks and (best := min(ranks)) < none:
            merged = self._merged[best]
            place = ranks.index(best)
            # All occurrences are merged before a pair that a merge has made, even if that has a lower rank.
            while True:
                symbols[place] = merged
                del symbols[place + 1], ranks[place]
                if place > 0:
                    ranks[place - 1] = rank_of((symbols[place - 1], merged), none)
                if place < len(ranks):
                    ranks[place] = rank_of((merged, symbols[place + 1]), none)
                if best not in ranks:
                    break
                place = ranks.index(best)
        return symbols

    def _merge_long(self, symbols: list[str]) -> list[str]:
        """The same with a queue of pairs: `_merge` is faster for words, but its time is quadratic in their length."""
        end, none = len(symbols), len(self._merged)
        following, before = list(range(1, end + 1)), list(range(-1, end - 1))
        ranks = [*map(self._rank.get, pairwise(symbols), repeat(none)), none]
        queue = [(rank, place) for place, rank in enumerate(ranks) if rank < none]
        heapify(queue)
        while queue:
            best, places = queue[0][0], []
            while queue and queue[0][0] == best:
                places.append(heappop(queue)[1])
            for place in places:
                if ranks[place] != best:  # a merge has changed the pair
                    continue
                gone = following[place]
                symbols[place], symbols[gone], ranks[gone] = self._merged[best], "", none
                following[place] = following[gone]
                if following[place] < end:
                    before[following[place]] = place
                for left in (before[place], place):
                    if left < 0:
                        continue
                    right = following[left]
                    ranks[left] = self._rank.get((symbols[left], symbols[right]), none) if right < end else none
                    if ranks[left] < none:
                        heappush(queue, (ranks[left], left))
        return list(filter(None, symbols))

    def cut_at_random(self, word: str, dropout: float, draw: Callable[[], float]) -> list[str]:
        """Like `cut`, but at every step each pair is passed over with probability `dropout`.

        `draw` gives a random number from 0 to 1, such as `random.random`.

        When all are, the word stays as it is then (BPE-dropout, as in the released tool).
        """
        if len(word) <= 1:
            return [word]
        symbols = word_symbols(word, self._version)
        while kept := self._kept(symbols, dropout, draw):
            best = min(kept)[0]
            # From right to left the places stay valid; of overlapping ones the left one counts.
            for place in reversed(_apart(place for rank, place in kept if rank == best)):
                symbols[place : place + 2] = [self._merged[best]]
        return self._finished(symbols)

    def _kept(self, symbols: list[str], dropout: float, draw: Callable[[], float]) -> list[tuple[int, int]]:
        """Rank and place of the pairs that are not dropped. Random numbers are drawn as by the released tool."""
        return [
            (self._rank[pair], place)
            for place, pair in enumerate(pairwise(symbols))
            if draw() > dropout and pair in self._rank
        ]

    def _finished(self, symbols: list[str]) -> list[str]:
        # The end marker is always the end of the last symbol, whatever else the word contains.
        symbols[-1] = symbols[-1].removesuffix(END_OF_WORD)
        if not symbols[-1]:
            symbols.pop()
        return symbols if self._allowed is None else self._take_apart(symbols, self._allowed)

    def _take_apart(self, parts: list[str], allowed: Collection[str]) -> list[str]:
        inner = [part for unit in parts[:-1] for part in self._undo(unit, False, allowed)]
        return inner + self._undo(parts[-1], True, allowed)

    def _undo(self, part: str, final: bool, allowed: Collection[str]) -> list[str]:
        if (part if final else part + self._joiner) in allowed:
            return [part]
        halves = self._final_halves(part) if final else self._parts.get(part)
        if halves is None:
            return [part]
        return self._undo(halves[0], False, allowed) + self._undo(halves[1], final, allowed)

    def _final_halves(self, part: str) -> Merge | None:
        """The halves of the last part of a word, without the end marker."""
        left, right = self._parts.get(part + END_OF_WORD, ("", ""))
        if right.endswith(END_OF_WORD) and right != END_OF_WORD:
            return left, right.removesuffix(END_OF_WORD)
        # Version 0.1: a merge with the bare marker leaves the same string, which was made inside the word.
        return self._parts.get(part) if self._version == "0.1" else None


def _apart(places: Iterable[int]) -> list[int]:
    """The places without those that overlap the one before."""
    apart: list[int] = []
    for place in places:
        if not apart or place > apart[-1] + 1:
            apart.append(place)
    return apart
