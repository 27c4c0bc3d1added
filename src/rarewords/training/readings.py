"""Loss and gradient norm of the last updates, which stay on the device until they are read."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from rarewords.errors import InputError
from rarewords.training.checkpoint import State
from rarewords.training.progress import Progress

MAX_BROKEN_IN_A_ROW = 50


class Readings:
    """Hands the numbers of every update to the progress, in order, and counts updates without a usable gradient.

    With `at_once` each update is read when it is added. On a GPU the host would wait for it, so `read` takes all
    together, before a report.
    """

    def __init__(self, state: State, clip_norm: float, progress: Progress, at_once: bool) -> None:
        self._state, self._clip_norm, self._progress, self._at_once = state, clip_norm, progress, at_once
        self._waiting: list[tuple[int, Tensor, Tensor]] = []
        self._broken_in_a_row = 0

    def add(self, tokens: int, loss: Tensor, norm: Tensor) -> None:
        """The real target positions of an update, its summed loss and its gradient's norm before clipping.

        Raises as `read`.
        """
        self._waiting.append((tokens, loss.detach(), norm))
        if self._at_once:
            self.read()

    def read(self) -> None:
        """Read what waits; raises InputError if the gradient was not a number many times in a row."""
        if not self._waiting:
            return
        tokens, losses, norms = zip(*self._waiting, strict=True)
        first = self._state.updates - len(tokens) + 1
        self._waiting = []
        pairs = zip(torch.stack(losses).tolist(), torch.stack(norms).tolist(), strict=True)
        for number, (count, (loss, norm)) in enumerate(zip(tokens, pairs, strict=True), first):
            self._progress.count(count, loss, norm, norm >= self._clip_norm)
            self._broken_in_a_row = 0 if math.isfinite(norm) else self._broken_in_a_row + 1
            self._state.broken += self._broken_in_a_row > 0
            if self._broken_in_a_row >= MAX_BROKEN_IN_A_ROW:
                raise InputError(
                    f"the gradient was not a number in {self._broken_in_a_row} updates in a row (at update {number}): "
                    "the training run has diverged; lower training.clip_norms."
                )
