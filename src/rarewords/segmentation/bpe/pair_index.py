"""An index of all pairs of neighbouring symbols, for learning byte pair encoding.

An open-addressing table leads from a pair to its count and to its block of `occurrences`, the cells where it starts, in
ascending order. Counts are exact. Blocks are not cleaned when an occurrence disappears: whoever reads them checks the
cells. Nothing is freed either: when the space is used up, the index is built anew from the cells.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rarewords.compiled import compiled
from rarewords.segmentation.bpe.cells import BOUNDARY, next_symbol

EMPTY = -1
PAIRS, OCCURRENCES, ENTRIES = 0, 1, 2  # what `used` counts
SMALLEST_TABLE = 1000


class Index(NamedTuple):
    """The table (keys to lengths), the blocks, the heap and how much of them is used."""

    keys: np.ndarray  # int64, EMPTY or left << 32 | right
    counts: np.ndarray  # int64
    starts: np.ndarray  # int32, of the block in `occurrences`
    lengths: np.ndarray  # int32
    occurrences: np.ndarray  # int32
    heap_counts: np.ndarray  # int64
    heap_places: np.ndarray  # int32, a place that is not after the first occurrence; 0 if places do not break ties
    heap_keys: np.ndarray  # int64
    used: np.ndarray  # int64


def build_index(cells: np.ndarray, frequencies: np.ndarray, minimum: int, symbols: int, pairs: int) -> Index:
    """Count and list all pairs of this many symbols; `pairs` is a guess of how many pairs there are.

    The heap is empty. It has space for the pairs that occur `minimum` times or more, and for the changes of a merge.
    """
    index = _new_index(cells, 1 << (3 * pairs + SMALLEST_TABLE).bit_length())
    while not count_pairs(cells, frequencies, index):
        index = _new_index(cells, 2 * index.keys.size)
    list_occurrences(cells, index)
    entries = 2 * int(np.count_nonzero(index.counts >= minimum)) + 2 * symbols
    return index._replace(
        heap_counts=np.empty(entries, np.int64),
        heap_places=np.empty(entries, np.int32),
        heap_keys=np.empty(entries, np.int64),
    )


def _new_index(cells: np.ndarray, size: int) -> Index:
    """An empty index with a table of the given size, a power of two, and no heap."""
    return Index(
        keys=np.full(size, EMPTY, np.int64),
        counts=np.zeros(size, np.int64),
        starts=np.zeros(size, np.int32),
        lengths=np.zeros(size, np.int32),
        occurrences=np.empty(cells.size + cells.size // 4, np.int32),
        heap_counts=np.empty(0, np.int64),
        heap_places=np.empty(0, np.int32),
        heap_keys=np.empty(0, np.int64),
        used=np.zeros(3, np.int64),
    )


@compiled
def find_slot(keys: np.ndarray, key: int) -> int:
    """The slot of a key, or the empty slot where it belongs."""
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    mask = np.uint64(keys.size - 1)
    slot = (mixed >> np.uint64(32)) & mask
    while keys[slot] != key and keys[slot] != EMPTY:
        slot = (slot + np.uint64(1)) & mask
    return np.int64(slot)  # type: ignore[return-value]


@compiled
def add_pair(index: Index, key: int) -> int:
    """The slot of a pair, which is added if it is new."""
    slot = find_slot(index.keys, key)
    if index.keys[slot] == EMPTY:
        index.keys[slot] = key
        index.used[PAIRS] += 1
    return slot


@compiled
def is_crowded(index: Index) -> bool:
    """Whether the table is so full that look-ups become slow."""
    return 3 * index.used[PAIRS] > 2 * index.keys.size


@compiled
def count_pairs(cells: np.ndarray, frequencies: np.ndarray, index: Index) -> bool:
    """Count the pairs of all words in an empty table; returns False if the table is too small."""
    word = -1
    at = 0
    while at < cells.size:
        if cells[at] >= BOUNDARY:
            word += 1
            at += 1
            continue
        following = next_symbol(cells, at)
        if cells[following] < BOUNDARY:
            slot = add_pair(index, np.int64(cells[at]) << 32 | np.int64(cells[following]))
            index.counts[slot] += frequencies[word]
            index.lengths[slot] += 1
            if is_crowded(index):
                return False
        at = following
    return True


@compiled
def list_occurrences(cells: np.ndarray, index: Index) -> None:
    """Fill the blocks of all pairs."""
    total = 0
    for slot in range(index.keys.size):
        index.starts[slot] = total
        total += index.lengths[slot]
        index.lengths[slot] = 0
    index.used[OCCURRENCES] = total
    at = 1
    while at < cells.size:
        if cells[at] >= BOUNDARY:
            at += 1
            continue
        following = next_symbol(cells, at)
        if cells[following] < BOUNDARY:
            slot = find_slot(index.keys, np.int64(cells[at]) << 32 | np.int64(cells[following]))
            index.occurrences[index.starts[slot] + index.lengths[slot]] = at
            index.lengths[slot] += 1
        at = following
