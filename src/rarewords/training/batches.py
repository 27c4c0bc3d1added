"""Training pairs as integers, and the order in which they are seen (docs/reproduction.md, section Batches)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from rarewords.errors import InputError
from rarewords.model.padding import pad
from rarewords.textio import PathLike, read_parallel, split_words
from rarewords.vocabulary import EOS, Vocabulary

POOL = 20  # minibatches that are read and sorted by length together


@dataclass(frozen=True)
class Batch:
    """A minibatch: ids (positions, sentences) padded with EOS, masks of the same shape true at real positions."""

    source: Tensor
    source_mask: Tensor
    target: Tensor
    target_mask: Tensor

    def to(self, device: torch.device) -> Batch:
        """The same batch on a device."""
        return Batch(*(tensor.to(device) for tensor in (self.source, self.source_mask, self.target, self.target_mask)))


@dataclass(frozen=True)
class Corpus:
    """Encoded pairs: all ids of a side in one array, pair k at offsets[k]:offsets[k+1], EOS included."""

    source: NDArray[np.int32]
    source_offsets: NDArray[np.int64]
    target: NDArray[np.int32]
    target_offsets: NDArray[np.int64]
    skipped: int

    def __len__(self) -> int:
        return len(self.source_offsets) - 1

    def pair(self, index: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Source and target ids of one pair, each with its closing EOS."""
        return (
            self.source[self.source_offsets[index] : self.source_offsets[index + 1]],
            self.target[self.target_offsets[index] : self.target_offsets[index + 1]],
        )

    def lengths(self) -> NDArray[np.int64]:
        """Length of every pair's longer side, EOS included."""
        return np.maximum(np.diff(self.source_offsets), np.diff(self.target_offsets))


def read_corpus(
    source: PathLike, target: PathLike, source_vocabulary: Vocabulary, target_vocabulary: Vocabulary, maximum: int
) -> Corpus:
    """Encode segmented text; a pair with a side of more than `maximum` units (or an empty one) is skipped, not cut."""
    sides: tuple[list[NDArray[np.int32]], list[NDArray[np.int32]]] = ([], [])
    skipped = 0
    for lines in read_parallel(source, target):
        units = [split_words(line) for line in lines]
        if not all(0 < len(side) <= maximum for side in units):
            skipped += 1
            continue
        for ids, side, vocabulary in zip(sides, units, (source_vocabulary, target_vocabulary), strict=True):
            ids.append(np.array([*vocabulary.encode(side), EOS], dtype=np.int32))
    if not sides[0]:
        raise InputError(
            f"{source} and {target}: no pair has 1 to {maximum} units on both sides ({skipped} skipped); "
            "raise training.max_length or check the segmentation."
        )
    (source_ids, source_offsets), (target_ids, target_offsets) = (_flatten(side) for side in sides)
    return Corpus(source_ids, source_offsets, target_ids, target_offsets, skipped)


def epoch_batches(corpus: Corpus, batch_size: int, seed: int, epoch: int) -> list[NDArray[np.int64]]:
    """Pair indices of every minibatch of one pass, in order.

    The pairs are permuted anew for every epoch; pools of 20 minibatches are sorted by the longer side and cut in
    ascending order. The same seed and epoch give the same batches, so a training can be resumed at any batch.
    """
    order = np.random.default_rng([seed, epoch]).permutation(len(corpus))
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
    return Batch(*pad([source for source, _ in pairs], EOS), *pad([target for _, target in pairs], EOS))


def _flatten(sequences: list[NDArray[np.int32]]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    offsets = np.zeros(len(sequences) + 1, dtype=np.int64)
    np.cumsum([len(sequence) for sequence in sequences], out=offsets[1:])
    return np.concatenate(sequences), offsets
