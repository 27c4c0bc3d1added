"""Minibatches padded to a few shapes, and an update that is recorded once for each shape and then replayed.

Without padding nearly every minibatch has a shape of its own. Padding changes no value, only the order of some sums.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from rarewords.training.batches import Batch
from rarewords.vocabulary import EOS

POSITIONS = 4  # lengths of both sides become multiples of this: at most 13 x 13 shapes for 50 units and EOS

Update = Callable[[Batch], tuple[Tensor, Tensor]]  # a minibatch to summed loss and gradient norm


def padded(batch: Batch, multiple: int = POSITIONS) -> Batch:
    """The same pairs with both lengths filled up to multiples."""
    source, source_mask = _filled(batch.source, batch.source_mask, multiple)
    target, target_mask = _filled(batch.target, batch.target_mask, multiple)
    return Batch(source, source_mask, target, target_mask, batch.target_tokens)


def _filled(ids: Tensor, mask: Tensor, multiple: int) -> tuple[Tensor, Tensor]:
    missing = (-len(ids) % multiple, ids.shape[1])
    return torch.cat([ids, ids.new_full(missing, EOS)]), torch.cat([mask, mask.new_zeros(missing)])


class ReplayedUpdates:
    """An update for each shape: the first one of a shape is plain, the second is recorded, from then on it is replayed.

    The first one lets the libraries prepare what must not happen while an update is recorded. A minibatch of fewer than
    `sentences` pairs, as at the end of the data, stays plain. `record` makes an update for the shape of a minibatch,
    without changing anything. If it raises RuntimeError, all updates from then on are plain; `tell` takes a line then.
    """

    def __init__(self, plain: Update, record: Callable[[Batch], Update], sentences: int, tell: Callable[[str], None]):
        self._plain, self._record, self._sentences, self._tell = plain, record, sentences, tell
        self._recorded: dict[tuple[int, ...], Update | None] = {}  # by shape; None after the plain update

    def __call__(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """The update for a minibatch; returns its summed loss and gradient norm."""
        shape = (*batch.source.shape, len(batch.target))
        if batch.source.shape[1] < self._sentences:
            return self._plain(batch)
        if shape not in self._recorded:
            self._recorded[shape] = None
            return self._plain(batch)
        replay = self._recorded[shape]
        if replay is None:
            try:
                replay = self._recorded[shape] = self._record(batch)
            except RuntimeError as error:
                self._tell(f"updates cannot be recorded here ({error}); continuing without that")
                self._record = lambda _batch: self._plain
                replay = self._plain
        return replay(batch)
