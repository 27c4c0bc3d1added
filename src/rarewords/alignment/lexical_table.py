"""Translation probabilities from aligned text (docs/reproduction/alignment.md)."""

from __future__ import annotations

from array import array
from collections.abc import Container, Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from rarewords.alignment.lexicon import Entry
from rarewords.alignment.links import AlignedPair

LINKS_AT_ONCE = 1 << 22
NULL = ""  # stands for the empty word, with which a source unit without links is linked; no unit is empty
Numbers = NDArray[np.int64]


class PairCounts:
    """Counts of (source number, target number) pairs: 16 bytes for each distinct pair, and a block of new ones."""

    def __init__(self, at_once: int = LINKS_AT_ONCE) -> None:
        self._at_once = at_once
        self._new = array("q")
        self._keys: Numbers = np.empty(0, dtype=np.int64)
        self._counts: Numbers = np.empty(0, dtype=np.int64)

    def add(self, source: int, target: int) -> None:
        """Count a pair; numbers are below 2^31."""
        self._new.append(source << 32 | target)
        if len(self._new) == self._at_once:
            self._merge()

    def table(self) -> tuple[Numbers, Numbers, Numbers]:
        """Source numbers, target numbers and counts, sorted by source, then target."""
        self._merge()
        return self._keys >> 32, self._keys & 0xFFFFFFFF, self._counts

    def _merge(self) -> None:
        keys, counts = np.unique(np.array(self._new, dtype=np.int64), return_counts=True)
        self._new = array("q")
        self._keys, places = np.unique(np.concatenate([self._keys, keys]), return_inverse=True)
        both = np.concatenate([self._counts, counts])
        self._counts = np.zeros(len(self._keys), dtype=np.int64)
        np.add.at(self._counts, places, both)


def lexical_entries(
    pairs: Iterable[AlignedPair], most: int, vocabulary: Container[str] | None = None
) -> Iterator[Entry]:
    """The `most` most probable translations of each source unit that has links.

    With a target `vocabulary` these are the most probable ones in it, and besides the most probable one of all, which
    is the dictionary's: candidate lists are cut after translations outside the vocabulary have been left out.

    p(target | source) = links between both / links of the source unit, where an occurrence without a link counts as one
    with the empty word, which is no entry. Source units come in the order of their first occurrence in the text; of
    equally probable targets the one that occurs first in the text comes first.
    """
    source_numbers: dict[str, int] = {}
    target_numbers: dict[str, int] = {NULL: 0}
    counts = PairCounts()
    for source, target, links in pairs:
        sources = [source_numbers.setdefault(unit, len(source_numbers)) for unit in source]
        targets = [target_numbers.setdefault(unit, len(target_numbers)) for unit in target]
        for i, j in links:
            counts.add(sources[i], targets[j])
        for i in set(range(len(source))).difference(i for i, _ in links):
            counts.add(sources[i], target_numbers[NULL])
    known = np.array([vocabulary is None or unit in vocabulary for unit in target_numbers], dtype=bool)
    yield from _most_probable(counts, list(source_numbers), list(target_numbers), most, known)


def _most_probable(
    counts: PairCounts, sources: list[str], targets: list[str], most: int, known: NDArray[np.bool_]
) -> Iterator[Entry]:
    source, target, count = counts.table()
    totals = np.zeros(len(sources), dtype=np.int64)
    np.add.at(totals, source, count)
    kept = target != 0
    source, target, count = source[kept], target[kept], count[kept]
    order = np.lexsort((target, -count, source))
    source, target, count = source[order], target[order], count[order]
    first = np.searchsorted(source, source)  # the place of each entry's source unit
    inside = known[target]
    before = np.cumsum(inside) - inside  # entries in the vocabulary before each place
    rank = before - before[first]  # among those of the source unit
    for place in np.flatnonzero((first == np.arange(len(source))) | (inside & (rank < most))):
        s, t = source[place], target[place]
        yield sources[s], targets[t], float(count[place] / totals[s])
