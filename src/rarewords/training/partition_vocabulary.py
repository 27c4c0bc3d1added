"""The vocabulary of a partition: the rows of the vocabulary-sized tensors that take part in its updates.

Source: docs/reproduction/training.md, section Large vocabularies.

The training works on copies of the loaded rows and of their accumulators; all rows rest in the state, where nothing
decays. The copies keep their place in memory from one partition to the next.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from rarewords.model.parameters import VOCABULARY_SIZED_OF
from rarewords.training.batches import Batch, Corpus
from rarewords.training.checkpoint import State

if TYPE_CHECKING:
    from rarewords.training.partitions import Partitions


class PartitionVocabulary:
    """What a training computes with: `parameters`, `squares` and `deltas` by name, the loaded rows only.

    A side whose whole vocabulary fits is not copied: its tensors are those of the state, and its units keep their ids.
    With size=None this holds for both sides.
    """

    def __init__(
        self,
        state: State,
        corpus: Corpus,
        size: int | None,
        minibatches: Callable[[int], list[NDArray[np.int64]]],
        tell: Callable[[str], None],
    ) -> None:
        """`minibatches` gives the pair indices of all minibatches of an epoch; `tell` takes a line about each epoch."""
        self.state, self.corpus, self.minibatches, self.tell = state, corpus, minibatches, tell
        self.sizes = {side: len(state.parameters[names[0]]) for side, names in VOCABULARY_SIZED_OF.items()}
        self.size = max(self.sizes.values()) if size is None else size
        self.slots = {side: torch.empty(whole).long() for side, whole in self.sizes.items() if whole > self.size}
        self.units: dict[str, Tensor] = {}  # by slot, of each side in `slots`; none before the first minibatch
        copied = {name for side in self.slots for name in VOCABULARY_SIZED_OF[side]}
        self.parameters, self.squares, self.deltas = (
            {name: self._room(value) if name in copied else value for name, value in tensors.items()}
            for tensors in (state.parameters, state.squares, state.deltas)
        )
        self.epoch = self.partition = -1
        self.partitions: Partitions

    def slots_of(self, batch: Batch, epoch: int, position: int) -> Batch:
        """The minibatch at this position of the data, its ids replaced by slots, after loading what it needs.

        Raises InputError if a minibatch of the epoch has more distinct units than can be loaded.
        """
        if not self.slots:
            return batch
        if epoch != self.epoch:
            self._begin(epoch)
        if (partition := self.partitions.find(position)) != self.partition:
            self.write_back()
            self._load(partition)
        ids = {"source": batch.source, "target": batch.target}
        ids |= {side: slots[ids[side]] for side, slots in self.slots.items()}
        return replace(batch, source=ids["source"], target=ids["target"])

    @torch.no_grad()
    def write_back(self) -> None:
        """Bring the state up to date, which a checkpoint is written from."""
        for side, units in self.units.items():
            for complete, rows in self._tensors(side):
                complete.index_copy_(0, units, rows)

    def _begin(self, epoch: int) -> None:
        from rarewords.training.partitions import find_partitions  # few training runs need it

        batches = self.minibatches(epoch)
        self.partitions = find_partitions(self.corpus, batches, self.sizes, self.size)
        self.epoch, self.partition = epoch, -1
        self.tell(
            f"epoch {epoch + 1}: {len(batches):,} minibatches in {len(self.partitions):,} partitions "
            f"of {self.size:,} units"
        )

    @torch.no_grad()
    def _load(self, partition: int) -> None:
        self.partition = partition
        for side, slots in self.slots.items():
            units = torch.from_numpy(self.partitions.units[side][partition]).long()
            slots.fill_(-1)  # a unit that is not loaded must not pass for one that is
            slots[units] = torch.arange(self.size)
            self.units[side] = units.to(self.parameters[VOCABULARY_SIZED_OF[side][0]].device)
            for complete, rows in self._tensors(side):
                torch.index_select(complete, 0, self.units[side], out=rows)

    def _room(self, complete: Tensor) -> Tensor:
        """Room for the loaded rows of a tensor."""
        return complete.new_empty(self.size, *complete.shape[1:])

    def _tensors(self, side: str) -> list[tuple[Tensor, Tensor]]:
        """Each complete tensor of a side, with its loaded rows."""
        groups = (
            (self.state.parameters, self.parameters),
            (self.state.squares, self.squares),
            (self.state.deltas, self.deltas),
        )
        return [(complete[name], rows[name]) for complete, rows in groups for name in VOCABULARY_SIZED_OF[side]]
