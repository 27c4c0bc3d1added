"""The merge of a pair wherever it occurs, for learning byte pair encoding.

Occurrences are visited from left to right, so that `a a a` becomes `aa a`. Counts are not changed one by one: they are
added up for each neighbouring symbol first, because neighbours repeat.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rarewords.compiled import compiled
from rarewords.segmentation.bpe.cells import BOUNDARY, next_symbol, previous_symbol, word_end
from rarewords.segmentation.bpe.pair_heap import Order, push_pair
from rarewords.segmentation.bpe.pair_index import ENTRIES, OCCURRENCES, Index, add_pair, find_slot, is_crowded


class Scratch(NamedTuple):
    """Space for one merge: a number for each symbol, and the symbols for which it is not zero."""

    weights: np.ndarray  # int64
    tallies: np.ndarray  # int32
    cursors: np.ndarray  # int32
    touched: np.ndarray  # int32
    slots: np.ndarray  # int64


def new_scratch(symbols: int) -> Scratch:
    """Cleared space for this many symbols."""
    return Scratch(
        np.zeros(symbols, np.int64),
        np.zeros(symbols, np.int32),
        np.zeros(symbols, np.int32),
        np.zeros(symbols, np.int32),
        np.zeros(symbols, np.int64),
    )


@compiled
def merge_everywhere(
    cells: np.ndarray,
    frequencies: np.ndarray,
    index: Index,
    order: Order,
    scratch: Scratch,
    key: int,
    merged: int,
) -> bool:
    """Merge a pair into the symbol `merged` wherever it occurs.

    Returns False if there is no space for the new pairs; the cells are then right, but the index must be rebuilt.
    """
    left, right = key >> 32, key & 0xFFFFFFFF
    own = find_slot(index.keys, key)
    block = index.occurrences[index.starts[own] : index.starts[own] + index.lengths[own]]
    places = np.empty(block.size, np.int32)
    before = np.empty(block.size, np.int32)
    before_places = np.empty(block.size, np.int32)
    after = np.empty(block.size, np.int32)
    weights = np.empty(block.size, np.int64)
    found = 0
    word_ends_at = frequency = -1
    for at in block:
        if cells[at] != left:
            continue
        second = next_symbol(cells, at)
        if cells[second] != right:
            continue
        end = next_symbol(cells, second)
        places[found] = at
        before_places[found] = previous_symbol(cells, at)
        before[found] = cells[before_places[found]]
        after[found] = cells[end]
        if end > word_ends_at:  # the first occurrence in its word
            word_ends_at = word_end(cells, end)
            frequency = frequencies[cells[word_ends_at] - BOUNDARY]
        weights[found] = frequency
        found += 1
        cells[at] = merged
        cells[second] = at - end
        cells[at + 1] = at - end
        cells[end - 1] = at - end
    after, before, before_places = after[:found], before[:found], before_places[:found]
    places, weights = places[:found], weights[:found]
    fits = move_counts(index, order, scratch, after, places, weights, right, merged, False) and move_counts(
        index, order, scratch, before, before_places, weights, left, merged, True
    )
    index.counts[own] = 0
    index.lengths[own] = 0
    return fits


@compiled
def move_counts(
    index: Index,
    order: Order,
    scratch: Scratch,
    neighbours: np.ndarray,
    places: np.ndarray,
    weights: np.ndarray,
    old: int,
    new: int,
    neighbour_is_left: bool,
) -> bool:
    """Move counts from the pairs of `old` with its neighbours on one side to the pairs of `new` with them.

    `places` are where the new pairs start. Returns False if there is no space for them.
    """
    touched = tally(scratch, neighbours, weights)
    if index.used[ENTRIES] + touched > index.heap_keys.size:
        return clear(scratch, touched)
    for number in range(touched):
        neighbour = np.int64(scratch.touched[number])
        gone = neighbour << 32 | old if neighbour_is_left else old << 32 | neighbour
        come = neighbour << 32 | new if neighbour_is_left else new << 32 | neighbour
        index.counts[find_slot(index.keys, gone)] -= scratch.weights[neighbour]
        slot = add_pair(index, come)
        index.counts[slot] += scratch.weights[neighbour]
        if is_crowded(index) or not reserve(index, slot, scratch.tallies[neighbour]):
            return clear(scratch, touched)
        scratch.slots[number] = slot
        scratch.cursors[neighbour] = index.starts[slot] + index.lengths[slot] - scratch.tallies[neighbour]
    for number in range(neighbours.size):
        neighbour = neighbours[number]
        if neighbour < BOUNDARY:
            index.occurrences[scratch.cursors[neighbour]] = places[number]
            scratch.cursors[neighbour] += 1
    for number in range(touched):
        slot = scratch.slots[number]
        if index.lengths[slot] != scratch.tallies[scratch.touched[number]]:
            index.occurrences[index.starts[slot] : index.starts[slot] + index.lengths[slot]].sort()
        if index.counts[slot] >= order.minimum:
            push_pair(index, order, slot)
    clear(scratch, touched)
    return True


@compiled
def tally(scratch: Scratch, neighbours: np.ndarray, weights: np.ndarray) -> int:
    """Add up occurrences and weights of each neighbour; returns how many different ones there are."""
    touched = 0
    for number in range(neighbours.size):
        neighbour = neighbours[number]
        if neighbour < BOUNDARY:
            if scratch.tallies[neighbour] == 0:
                scratch.touched[touched] = neighbour
                touched += 1
            scratch.tallies[neighbour] += 1
            scratch.weights[neighbour] += weights[number]
    return touched


@compiled
def reserve(index: Index, slot: int, more: int) -> bool:
    """Move a pair's block to the end of the occurrences, with space for `more`; returns False if there is none."""
    start, length = index.starts[slot], index.lengths[slot]
    end = index.used[OCCURRENCES]
    if end + length + more > index.occurrences.size:
        return False
    index.occurrences[end : end + length] = index.occurrences[start : start + length]
    index.starts[slot] = end
    index.lengths[slot] = length + more
    index.used[OCCURRENCES] = end + length + more
    return True


@compiled
def clear(scratch: Scratch, touched: int) -> bool:
    """Clear the scratch space; returns False for the caller to return."""
    for number in range(touched):
        scratch.tallies[scratch.touched[number]] = 0
        scratch.weights[scratch.touched[number]] = 0
    return False
