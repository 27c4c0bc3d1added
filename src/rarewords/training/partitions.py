"""Which units are loaded when: the partitions of one pass over the data.

Source: docs/reproduction/training.md, section Large vocabularies.

A partition is a run of consecutive minibatches whose distinct units fit into the partition vocabulary of each side.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rarewords.compiled import compiled
from rarewords.errors import InputError
from rarewords.training.batches import Corpus


@dataclass(frozen=True)
class Partitions:
    """The partitions of one pass in order.

    Partition k begins with minibatch starts[k]. While it lasts, slot i of a side holds the unit units[side][k][i].
    """

    starts: list[int]
    units: dict[str, list[NDArray[np.int32]]]

    def __len__(self) -> int:
        return len(self.starts)

    def find(self, position: int) -> int:
        """The partition of the minibatch at this position of the pass."""
        return int(np.searchsorted(self.starts, position, side="right")) - 1


def find_partitions(corpus: Corpus, batches: list[NDArray[np.int64]], sizes: dict[str, int], loaded: int) -> Partitions:
    """A dry run over the minibatches (pair indices) of one pass, with `loaded` slots a side.

    `sizes` are the sizes of both vocabularies; one of at most `loaded` units is loaded whole, unit i in slot i. The
    pass begins with the most frequent units, so that the result depends on nothing but the arguments. Raises InputError
    if a minibatch alone has more distinct units than there are slots.
    """
    sides = {
        "source": _Side(corpus.source, corpus.source_offsets, sizes["source"], loaded),
        "target": _Side(corpus.target, corpus.target_offsets, sizes["target"], loaded),
    }
    found = Partitions([0], {name: [] for name in sides})
    for number, pairs in enumerate(batches):
        fits = [side.insert(pairs) for side in sides.values()]
        if not all(fits):
            _close(found, sides)
            found.starts.append(number)
            for name, side in sides.items():
                if not side.insert(pairs):
                    raise InputError(
                        f"training.partition_vocabulary: a minibatch has more than {loaded:,} distinct units on the "
                        f"{name} side; raise it or lower training.batch_size."
                    )
    _close(found, sides)
    return found


def _close(found: Partitions, sides: dict[str, _Side]) -> None:
    """Keep what is loaded as a partition, and begin the next one."""
    for name, side in sides.items():
        found.units[name].append(side.units.copy())
        side.next_partition()


class _Side:
    """The loaded units of one side.

    A unit is needed if it occurs in the current partition. The other loaded units are left over from before; they are
    replaced when a slot is wanted, the rarest one (the largest id) first, so that the frequent ones stay.
    """

    def __init__(self, ids: NDArray[np.int32], offsets: NDArray[np.int64], vocabulary: int, loaded: int) -> None:
        self.ids, self.offsets = ids, offsets
        self.units = np.arange(min(loaded, vocabulary), dtype=np.int32)  # by slot
        self.slots = np.full(vocabulary, -1, dtype=np.int32)  # by unit; -1: not loaded
        self.slots[self.units] = self.units
        self.needed_in = np.zeros(vocabulary, dtype=np.int32)  # by unit; the last partition that needed it
        self.partition = 0
        self.needed = 0  # units of the current partition
        self.rarest = vocabulary - 1  # no unit beyond this one is left over
        self.next_partition()

    def insert(self, pairs: NDArray[np.int64]) -> bool:
        """Load the units of a minibatch; false if they do not fit beside those that are needed already."""
        self.needed, self.rarest, fits = _insert(
            pairs, self.ids, self.offsets, self.units, self.slots, self.needed_in, self.partition, self.needed,
            self.rarest,
        )  # fmt: skip
        return bool(fits)

    def next_partition(self) -> None:
        """Let the units stay, but as left over from before."""
        self.partition += 1
        self.needed, self.rarest = 0, len(self.slots) - 1


@compiled
def _insert(  # type: ignore[no-untyped-def]
    pairs, ids, offsets, units, slots, needed_in, partition, needed, rarest
):
    """See `_Side.insert`; returns the new values of `needed` and `rarest`, and whether all units fit."""
    for pair in pairs:
        for unit in ids[offsets[pair] : offsets[pair + 1]]:
            if needed_in[unit] == partition:
                continue
            if needed == len(units):
                return needed, rarest, False
            if slots[unit] < 0:
                # a unit that is passed here cannot be left over later in this partition: these only become fewer
                while slots[rarest] < 0 or needed_in[rarest] == partition:
                    rarest -= 1
                slot = slots[rarest]
                slots[rarest], slots[unit], units[slot] = -1, slot, unit
            needed_in[unit] = partition
            needed += 1
    return needed, rarest, True
