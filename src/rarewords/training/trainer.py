"""The training loop: one minibatch, one update, and never more than the last few minutes lost."""

from __future__ import annotations

import functools
import math
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from rarewords.model.parameters import VOCABULARY_SIZED, initial_parameters
from rarewords.model.rnnsearch import loss
from rarewords.model.size import NetworkSize
from rarewords.settings import TrainingSettings
from rarewords.training.adadelta import Adadelta
from rarewords.training.batches import Batch, Corpus, batch_stream, epoch_batches
from rarewords.training.buckets import ReplayedUpdates, Update, padded
from rarewords.training.checkpoint import CheckpointFolder, State
from rarewords.training.partition_vocabulary import PartitionVocabulary
from rarewords.training.progress import Progress
from rarewords.training.readings import Readings
from rarewords.training.schedule import Schedule
from rarewords.training.validation import Validation

REPORT_EVERY = 50  # updates
CHECKPOINT_SECONDS = 600.0  # a checkpoint at least so often


class Interrupted(Exception):
    """A signal stopped the training run; its state is in the checkpoint folder."""


def initial_state(settings: TrainingSettings, size: NetworkSize, device: torch.device) -> State:
    """A state before the first update."""
    drawn = initial_parameters(size, settings.seed, settings.init_std)
    parameters = {name: value.to(device) for name, value in drawn.items()}
    squares, deltas = ({name: torch.zeros_like(value) for name, value in parameters.items()} for _ in range(2))
    return State(parameters, squares, deltas)


def run(
    state: State,
    corpus: Corpus,
    settings: TrainingSettings,
    schedule: Schedule,
    checkpoints: CheckpointFolder,
    progress: Progress,
    fixed_embeddings: bool = False,
    validation: Validation | None = None,
    capture: bool = False,
) -> State:
    """Train until `schedule.updates`; with fixed embeddings the four vocabulary-sized tensors stay as they are.

    With `validation` the development text is measured at updates that count back from the last one, and its patience
    may end the training before. With `capture` a GPU replays updates as CUDA graphs, on minibatches of few shapes.

    Raises Interrupted after a checkpoint when SIGTERM, SIGINT or SIGUSR1 arrives, and InputError when the gradient is
    not a number many times in a row, or a minibatch has more distinct units than can be loaded.
    """

    def minibatches(epoch: int) -> list[NDArray[np.int64]]:
        return epoch_batches(corpus, settings.batch_size, settings.seed, epoch)

    loaded = PartitionVocabulary(state, corpus, settings.partition_vocabulary, minibatches, progress.line)
    optimiser = _optimiser(loaded, settings.clip_norm, fixed_embeddings)
    device = next(iter(state.parameters.values())).device
    update_of: Update = functools.partial(update, optimiser=optimiser)
    if capture:
        update_of = ReplayedUpdates(update_of, recorder(update_of, optimiser), settings.batch_size, progress.line)
    batches = batch_stream(corpus, settings.batch_size, settings.seed, state.epoch, state.position)
    readings = Readings(state, settings.clip_norm, progress, at_once=device.type == "cpu")
    record = _Record(state, loaded, schedule, checkpoints, progress, readings, validation)
    with _stop_signals() as stop_requested:
        while not record.is_done():
            batch, epoch, position = next(batches)
            batch = loaded.slots_of(batch, state.epoch, state.position)
            batch = (padded(batch) if capture else batch).to(device)
            state.epoch, state.position = epoch, position
            value, norm = update_of(batch)
            state.updates += 1
            readings.add(batch.target_tokens, value, norm)
            stop = stop_requested()  # read once: a later signal waits for the next update, which is also saved
            record.after_update(stop)
            if stop and not record.is_done():
                raise Interrupted(
                    f"stopped by a signal after update {state.updates}; start again to continue from there"
                )
    return state


def update(batch: Batch, optimiser: Adadelta) -> tuple[Tensor, Tensor]:
    """One update of the parameters; returns the summed loss and the gradient's norm before clipping.

    Both are tensors without dimensions. On a GPU the host waits for nothing here.
    """
    value = loss(optimiser.parameters, batch.source, batch.source_mask, batch.target, batch.target_mask)
    value.backward()
    return value.detach(), optimiser.step()


def recorder(update_of: Update, optimiser: Adadelta) -> Callable[[Batch], Update]:
    """What records updates on a GPU."""
    from rarewords.training.capture import GraphRecorder

    return GraphRecorder(update_of, optimiser)


class _Record:
    """Decides after each update whether a report and a checkpoint are due, and writes them."""

    def __init__(
        self,
        state: State,
        loaded: PartitionVocabulary,
        schedule: Schedule,
        checkpoints: CheckpointFolder,
        progress: Progress,
        readings: Readings,
        validation: Validation | None,
    ) -> None:
        self.state, self.loaded, self.validation = state, loaded, validation
        self.schedule, self.checkpoints = schedule, checkpoints
        self.progress, self.readings = progress, readings
        self.seconds_before = state.seconds
        self.began = self.last_checkpoint = time.monotonic()

    def is_done(self) -> bool:
        """Whether all updates are done, the time is up, or the development text says that more would not help."""
        state, wanted = self.state, self.schedule.latest or 1
        if state.updates >= self.schedule.updates:
            return True
        if len(state.saved_at) < wanted:
            return False
        if self.validation is not None and self.validation.enough(state.dev_losses):
            return True
        return state.saved_at[-1] == state.updates and self.schedule.is_late(state.seconds)

    def after_update(self, stop: bool) -> None:
        """Write what is due; with `stop` a checkpoint in any case."""
        state, schedule, now = self.state, self.schedule, time.monotonic()
        before, state.seconds = state.seconds, self.seconds_before + now - self.began
        due = schedule.is_due(state.updates, before, state.seconds)
        if due:
            state.saved_at = schedule.remembered([*state.saved_at, state.updates])
        save = stop or due or state.updates == schedule.updates or now - self.last_checkpoint > CHECKPOINT_SECONDS
        # a report before every checkpoint, so that a run that continues from there reports each update once
        measured = self._validate(due)
        if self.is_done():
            self.progress.total = state.updates
        if save or measured or state.updates % REPORT_EVERY == 0:
            self.readings.read()
            self.progress.report(state.updates, state.epoch, state.broken, state.seconds, measured)
        if save:
            self.loaded.write_back()
            self.checkpoints.save(state, set(schedule.kept(state.saved_at, spare=1)))
            self.last_checkpoint = now

    def _validate(self, due: bool) -> dict[str, float]:
        """The development text measured, if that is due; its time is not that of the updates.

        That is at every update at which a model could be saved: `due` says so where models are saved by time.
        """
        if self.validation is None or not self.validation.is_due(self.schedule.updates - self.state.updates, due):
            return {}
        began = time.monotonic()
        self.loaded.write_back()
        measured = self.validation.measure(self.state.parameters)
        if self.validation.patience is not None:
            value = measured["dev_loss_per_token"]
            self.state.dev_losses.append(value if math.isfinite(value) else None)
        self.progress.pause(time.monotonic() - began)
        return measured


def _optimiser(loaded: PartitionVocabulary, clip_norm: float, fixed_embeddings: bool) -> Adadelta:
    for value in loaded.parameters.values():
        value.requires_grad_()
    frozen = VOCABULARY_SIZED if fixed_embeddings else ()
    return Adadelta(loaded.parameters, clip_norm, frozen, loaded.squares, loaded.deltas)


@contextmanager
def _stop_signals() -> Iterator[Callable[[], bool]]:
    """Within the block, SIGTERM, SIGINT and SIGUSR1 only leave a note; the function tells whether one came."""
    received: list[int] = []
    signals = (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1)
    before = {number: signal.signal(number, lambda caught, _frame: received.append(caught)) for number in signals}
    try:
        yield lambda: bool(received)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
