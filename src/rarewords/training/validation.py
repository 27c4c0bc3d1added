"""How well a network does on the development text during training, and whether to continue.

The paper trains for a fixed time and has no such measure; see docs/reproduction/training.md. Measuring draws no random
numbers and changes no parameter, so training with and without it gives the same models.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from rarewords.errors import InputError
from rarewords.model.parameters import Parameters
from rarewords.model.rnnsearch import loss
from rarewords.text.files import PathLike, read_parallel, sha256, split_words
from rarewords.training.batches import Corpus, make_batch
from rarewords.training.encoded import load_vocabularies
from rarewords.vocabulary import EOS

LONGEST = 1_000  # units of a development sentence; longer ones are left out


@dataclass(frozen=True)
class Validation:
    """The development text of a training. `patience` is after how many measurements without a new best one to stop."""

    corpus: Corpus
    batch_size: int
    every: int | None  # updates, counted back from the last one; None: at every saved model
    patience: int | None = None
    bleu: Callable[[Parameters], float] | None = None

    def measure(self, parameters: Parameters) -> dict[str, float]:
        """`dev_loss_per_token` in nats a target unit, EOS included; `dev_bleu` if requested (0 to 100)."""
        with torch.no_grad():
            found = {"dev_loss_per_token": round(self._loss(parameters), 5)}
            if self.bleu is not None:
                found["dev_bleu"] = round(self.bleu(parameters), 2)
        return found

    def _loss(self, parameters: Parameters) -> float:
        device = next(iter(parameters.values())).device
        order = self.corpus.kept[np.argsort(self.corpus.lengths()[self.corpus.kept], kind="stable")]
        total, tokens = 0.0, 0
        for start in range(0, len(order), self.batch_size):
            batch = make_batch(self.corpus, order[start : start + self.batch_size]).to(device)
            total += loss(parameters, batch.source, batch.source_mask, batch.target, batch.target_mask).item()
            tokens += int(batch.target_mask.sum())
        return total / tokens

    def is_due(self, left: int, saved: bool) -> bool:
        """Whether to measure with this many updates left; `saved` says whether a model is saved now."""
        return saved if self.every is None else left % self.every == 0

    def enough(self, losses: Sequence[float | None]) -> bool:
        """Whether a training with these losses, oldest first, is over: none of the last `patience` is a new best."""
        if self.patience is None or len(losses) <= self.patience:
            return False
        finite = [math.inf if value is None else value for value in losses]
        return len(losses) - 1 - finite.index(min(finite)) >= self.patience


def load_validation(
    source: PathLike,
    target: PathLike,
    data: PathLike,
    batch_size: int,
    every: int | None,
    patience: int | None = None,
    bleu: Callable[[Parameters], float] | None = None,
) -> Validation:
    """The segmented development text, as the training on the encoded pairs in the folder `data` reads it.

    Pairs with an empty side are left out. Raises InputError if none is left, or the sides differ in length.
    """
    sides: list[list[list[int]]] = [[], []]
    vocabularies = load_vocabularies(data)
    for lines in read_parallel(source, target):
        encoded = [vocabulary.encode(split_words(line)) for vocabulary, line in zip(vocabularies, lines, strict=True)]
        if all(0 < len(ids) <= LONGEST for ids in encoded):
            for side, ids in zip(sides, encoded, strict=True):
                side.append([*ids, EOS])
    if not sides[0]:
        raise InputError(f"{source} and {target}: no pair has units on both sides; give the development text.")
    corpus = Corpus(*_flat(sides[0]), *_flat(sides[1]), np.arange(len(sides[0])))
    return Validation(corpus, batch_size, every, patience, bleu)


def _flat(sentences: list[list[int]]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """All ids in one array, and where each sentence begins."""
    ids = np.array([one for sentence in sentences for one in sentence], dtype=np.int32)
    return ids, np.concatenate([[0], np.cumsum([len(sentence) for sentence in sentences])])


def early_stop(patience: int | None, source: PathLike, target: PathLike) -> dict[str, Any]:
    """What patience adds to the fingerprint of a training; nothing without it, since measuring changes no model."""
    if patience is None:
        return {}
    return {"early_stop": {"patience": patience, "source": sha256(source), "target": sha256(target)}}
