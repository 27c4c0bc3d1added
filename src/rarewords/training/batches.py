"""Training pairs as integers, and the order in which they are seen (docs/reproduction/training.md, section Batches)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from rarewords.model.padding import pad
from rarewords.vocabulary import EOS

POOL = 20  # minibatches that are read and sorted by length together


@dataclass(frozen=True)
class Batch:
    """A minibatch: ids (positions, sentences) padded with EOS, masks of the same shape true at real positions.

    `target_tokens` is how many positions of the target are real, counted before the batch goes to a device.
    """

    source: Tensor
    source_mask: Tensor
    target: Tensor
    target_mask: Tensor
    target_tokens: int

    def to(self, device: torch.device) -> Batch:
        """The same batch on a device; the host does not wait until it is there."""

        def moved(tensor: Tensor) -> Tensor:
            return (tensor.pin_memory() if device.type == "cuda" else tensor).to(device, non_blocking=True)

        return Batch(
            moved(self.source),
            moved(self.source_mask),
            moved(self.target),
            moved(self.target_mask),
            self.target_tokens,
        )


@dataclass(frozen=True)
class Corpus:
    """Encoded pairs: all ids of a side in one array, pair k at offsets[k]:offsets[k+1], EOS included.

    `kept` (ascending) are the pairs that are trained on. There may be several copies of the text one after the other,
    each segmented at random; every pass takes the next one.
    """

    source: NDArray[np.int32]
    source_offsets: NDArray[np.int64]
    target: NDArray[np.int32]
    target_offsets: NDArray[np.int64]
    kept: NDArray[np.int64]
    copies: int = 1

    def __len__(self) -> int:
        return len(self.kept)

    @property
    def skipped(self) -> int:
        """How many pairs are not trained on."""
        return len(self.source_offsets) - 1 - len(self.kept)

    def kept_in(self, epoch: int) -> NDArray[np.int64]:
        """The pairs of a pass: those of copy `epoch` modulo the number of copies that are trained on."""
        size = (len(self.source_offsets) - 1) // self.copies
        first = epoch % self.copies * size
        start, end = np.searchsorted(self.kept, [first, first + size])
        return self.kept[start:end]

    def pair(self, index: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Source and target ids of pair `index` of the text, each with its closing EOS."""
        return (
            self.source[self.source_offsets[index] : self.source_offsets[index + 1]],
            self.target[self.target_offsets[index] : self.target_offsets[index + 1]],
        )

    def usual_source_length(self) -> int:
        """A number of source units (without EOS) that 99 of 100 pairs that are trained on do not exceed."""
        lengths = np.diff(self.source_offsets)[self.kept] - 1
        return int(np.quantile(lengths, 0.99, method="higher"))

    def lengths(self) -> NDArray[np.int64]:
        """Length of the longer side of every pair of the text, EOS included."""
        return np.maximum(np.diff(self.source_offsets), np.diff(self.target_offsets))


def epoch_batches(corpus: Corpus, batch_size: int, seed: int, epoch: int) -> list[NDArray[np.int64]]:
    """Pair indices of every minibatch of one pass, in order.

    The pairs are permuted anew for every epoch; pools of 20 minibatches are sorted by the longer side and cut in
    ascending order. The same seed and epoch give the same batches, so a training run can be resumed at any batch.
    """
    kept = corpus.kept_in(epoch)
    order = kept[np.random.default_rng([seed, epoch]).permutation(len(kept))]
    lengths = corpus.lengths()
    batches = []
    for start in range(0, len(order), POOL * batch_size):
        pool = order[start : start + POOL * batch_size]
        pool = pool[np.argsort(lengths[pool], kind="stable")]
        batches += [pool[i : i + batch_size] for i in range(0, len(pool), batch_size)]
    return batches


def batch_stream(
    corpus: Corpus, batch_size: int, seed: int, epoch: int, position: int
) -> Iterator[tuple[Batch, int, int]]:
    """Batches without end from batch `position` of `epoch`; each with the (epoch, position) that comes after it."""
    while True:
        indices = epoch_batches(corpus, batch_size, seed, epoch)
        for number in range(position, len(indices)):
            last = number + 1 == len(indices)
            yield make_batch(corpus, indices[number]), epoch + last, 0 if last else number + 1
        epoch, position = epoch + 1, 0


def make_batch(corpus: Corpus, indices: NDArray[np.int64]) -> Batch:
    """Padded tensors of some pairs."""
    pairs = [corpus.pair(int(index)) for index in indices]
    tokens = sum(len(target) for _, target in pairs)
    source, source_mask = pad([source for source, _ in pairs], EOS)
    target, target_mask = pad([target for _, target in pairs], EOS)
    return Batch(source, source_mask, target, target_mask, tokens)
