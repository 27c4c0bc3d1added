"""Learning byte pair encoding with compiled code, for large dictionaries.

The work is that of the changes, not of the dictionary, see `cells.py`, `pair_index.py`, `pair_heap.py`, `merging.py`;
the memory is bounded by the dictionary, not by the text.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from rarewords.segmentation.bpe.cells import word_cells
from rarewords.segmentation.bpe.merging import Scratch, merge_everywhere, new_scratch
from rarewords.segmentation.bpe.pair_heap import NO_PAIR, Order, fill_heap, most_frequent
from rarewords.segmentation.bpe.pair_index import Index, build_index
from rarewords.segmentation.bpe.symbol_table import SymbolTable
from rarewords.segmentation.bpe.symbols import Merge


class CompiledLearner:
    """The words in cells, the symbols by number, and the index of pairs."""

    def __init__(self, word_counts: Mapping[str, int], minimum: int, version: str, tie_break: str) -> None:
        self._minimum = minimum
        self._by_place = tie_break == "first"
        words = [word for word in word_counts if word]
        self._frequencies = np.fromiter((count for word, count in word_counts.items() if word), np.int64, len(words))
        self._cells, strings = word_cells(words, version)
        self.symbols = SymbolTable(strings)
        self._scratch = new_scratch(len(self.symbols))
        self._index = self._built_index(pairs=0)

    def merge_best(self) -> Merge | None:
        """Merge the most frequent pair; None if none is frequent enough."""
        key = most_frequent(self._cells, self._index, self._order())
        if key == NO_PAIR:
            return None
        left, right = self.symbols.strings[key >> 32], self.symbols.strings[key & 0xFFFFFFFF]
        merged = self.symbols.number(left + right)
        fits = merge_everywhere(self._cells, self._frequencies, self._index, self._order(), self._room(), key, merged)
        if not fits:
            self._rebuild_index()
        return left, right

    def _order(self) -> Order:
        return Order(self.symbols.points, self.symbols.offsets, self._minimum, self._by_place)

    def _room(self) -> Scratch:
        """The scratch space, large enough for all symbols."""
        if len(self.symbols) > self._scratch.weights.size:
            self._scratch = new_scratch(2 * len(self.symbols))
        return self._scratch

    def _rebuild_index(self) -> None:
        pairs = int(np.count_nonzero(self._index.counts))
        del self._index  # the old and the new one together might not fit into memory
        self._index = self._built_index(pairs)

    def _built_index(self, pairs: int) -> Index:
        index = build_index(self._cells, self._frequencies, self._minimum, len(self.symbols), pairs)
        fill_heap(index, self._order())
        return index
