"""The next pair to merge: a heap with lazy deletion, for learning byte pair encoding.

Entries are (count, place, pair), the best on top. A pair has an entry with its present count or a larger one, and with
its first place or an earlier one; entries that are out of date are corrected when they reach the top.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rarewords.compiled import compiled
from rarewords.segmentation.bpe.cells import next_symbol
from rarewords.segmentation.bpe.pair_index import EMPTY, ENTRIES, Index, find_slot

NO_PAIR = -1


class Order(NamedTuple):
    """What decides between two pairs, and the code points of all symbols; symbol s ends before offsets[s + 1]."""

    points: np.ndarray  # uint32
    offsets: np.ndarray  # int64
    minimum: int  # the smallest count of a pair to merge
    by_place: bool  # whether of equally frequent pairs the first one is merged, or the larger one


@compiled
def compare_symbols(order: Order, left: int, right: int) -> int:
    """-1, 0 or 1: the order of two symbols by code points."""
    if left == right:
        return 0
    a, b = order.offsets[left], order.offsets[right]
    a_end, b_end = order.offsets[left + 1], order.offsets[right + 1]
    while a < a_end and b < b_end:
        if order.points[a] != order.points[b]:
            return 1 if order.points[a] > order.points[b] else -1
        a += 1
        b += 1
    return (1 if a < a_end else 0) - (1 if b < b_end else 0)


@compiled
def is_better(index: Index, order: Order, a: int, b: int) -> bool:
    """Whether entry a of the heap comes before entry b: count, then place, then the larger pair of strings."""
    if index.heap_counts[a] != index.heap_counts[b]:
        return index.heap_counts[a] > index.heap_counts[b]
    if index.heap_places[a] != index.heap_places[b]:
        return index.heap_places[a] < index.heap_places[b]
    larger = compare_symbols(order, index.heap_keys[a] >> 32, index.heap_keys[b] >> 32)
    if larger == 0:
        larger = compare_symbols(order, index.heap_keys[a] & 0xFFFFFFFF, index.heap_keys[b] & 0xFFFFFFFF)
    return larger > 0


@compiled
def swap_entries(index: Index, a: int, b: int) -> None:
    """Exchange two entries of the heap."""
    index.heap_counts[a], index.heap_counts[b] = index.heap_counts[b], index.heap_counts[a]
    index.heap_places[a], index.heap_places[b] = index.heap_places[b], index.heap_places[a]
    index.heap_keys[a], index.heap_keys[b] = index.heap_keys[b], index.heap_keys[a]


@compiled
def push_pair(index: Index, order: Order, slot: int) -> None:
    """Add an entry with the present count of a pair."""
    at = index.used[ENTRIES]
    index.used[ENTRIES] += 1
    index.heap_counts[at] = index.counts[slot]
    index.heap_places[at] = index.occurrences[index.starts[slot]] if order.by_place else 0
    index.heap_keys[at] = index.keys[slot]
    while at > 0 and is_better(index, order, at, (at - 1) // 2):
        swap_entries(index, at, (at - 1) // 2)
        at = (at - 1) // 2


@compiled
def drop_top(index: Index, order: Order) -> None:
    """Remove the best entry."""
    last = index.used[ENTRIES] - 1
    index.used[ENTRIES] = last
    swap_entries(index, 0, last)
    at = 0
    while True:
        best = at
        for child in (2 * at + 1, 2 * at + 2):
            if child < last and is_better(index, order, child, best):
                best = child
        if best == at:
            return
        swap_entries(index, at, best)
        at = best


@compiled
def fill_heap(index: Index, order: Order) -> None:
    """Give every pair with a count of `minimum` or more an entry."""
    for slot in range(index.keys.size):
        if index.keys[slot] != EMPTY and index.counts[slot] >= order.minimum:
            push_pair(index, order, slot)


@compiled
def skip_gone(cells: np.ndarray, index: Index, slot: int) -> None:
    """Shorten the block of a pair so that it starts with an occurrence that is still there."""
    left, right = index.keys[slot] >> 32, index.keys[slot] & 0xFFFFFFFF
    while True:
        at = index.occurrences[index.starts[slot]]
        if cells[at] == left and cells[next_symbol(cells, at)] == right:
            return
        index.starts[slot] += 1
        index.lengths[slot] -= 1


@compiled
def most_frequent(cells: np.ndarray, index: Index, order: Order) -> int:
    """The next pair to merge, or NO_PAIR if none occurs `minimum` times."""
    while index.used[ENTRIES] > 0:
        count, place, key = index.heap_counts[0], index.heap_places[0], index.heap_keys[0]
        drop_top(index, order)
        slot = find_slot(index.keys, key)
        present = index.counts[slot]
        if index.keys[slot] == EMPTY or present < order.minimum or present > count:
            continue
        if order.by_place:
            skip_gone(cells, index, slot)
            place -= index.occurrences[index.starts[slot]]
        if present == count and (place == 0 or not order.by_place):
            return key
        push_pair(index, order, slot)
    return NO_PAIR
