"""A training run from files to files: find and check its checkpoint, train, write the result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from rarewords import __version__
from rarewords.errors import InputError, plural
from rarewords.machine.device import choose_device, prepare_cpu, set_precision
from rarewords.machine.product_ways import is_exact, use_way, way_in_use
from rarewords.saved_model import SavedModel, save_model
from rarewords.settings import TrainingLength, TrainingSettings, completed
from rarewords.text.files import PathLike, sha256
from rarewords.text.outputs import check_folder, check_outputs
from rarewords.training.checkpoint import CheckpointFolder, State, difference, load_counters, load_state
from rarewords.training.encoded import load_pairs, load_vocabularies, read_description
from rarewords.training.lock import locked
from rarewords.training.metrics import FILE_NAME, drop_reports_after, seconds_reported
from rarewords.training.outputs import publish
from rarewords.training.progress import Progress, clock
from rarewords.training.schedule import Schedule, make_schedule
from rarewords.training.text_size import describe
from rarewords.training.trainer import initial_state, run
from rarewords.training.validation import Validation


@dataclass(frozen=True)
class Machine:
    """Where to compute: `device` is auto, cpu, cuda or cuda:N; `threads` are the CPU threads of one training run.

    With `capture` updates are replayed as CUDA graphs, on a GPU only.
    """

    device: str = "auto"
    threads: int = 1
    capture: bool = False

    def prepare(self) -> torch.device:
        """Set up torch and return the device; raises InputError if there is no such device."""
        prepare_cpu(self.threads)
        device = choose_device(self.device)
        if self.capture and device.type != "cuda":
            raise InputError("capture: updates can only be captured on a GPU; leave it out, or use device: cuda.")
        return device


@contextmanager
def checkpoint_folder_of_its_own(folder: PathLike) -> Iterator[CheckpointFolder]:
    """The folder, locked and tidied; an error of the file system (a full disk) becomes an InputError."""
    checkpoints = CheckpointFolder(folder)
    try:
        with locked(checkpoints.folder):
            checkpoints.tidy()
            yield checkpoints
    except OSError as error:
        raise InputError(
            f"{error.filename or folder}: {error.strerror or error}; earlier checkpoints in {folder} are intact, "
            "solve the problem (for example, make room) and start again."
        ) from error


def train(
    data: PathLike,
    settings: TrainingSettings,
    length: TrainingLength,
    saved: list[PathLike],
    checkpoint_folder: PathLike,
    machine: Machine,
    label: str,
    set_aside_changed: bool = False,
    validation: Validation | None = None,
    early_stop: Mapping[str, Any] | None = None,
) -> None:
    """Train from scratch, or continue from a checkpoint, and leave the last len(saved) saved models in `saved`.

    `data` is a folder of encoded pairs (`encoded.py`). `early_stop` is the patience and the development text that it
    rests on, see `validation.early_stop`. The `length` (see `make_schedule`) is no part of what the training is: with
    another one it goes on from its checkpoint.
    Raises InputError if the checkpoints belong to another training run, unless they may be set aside, or another
    process trains here, or a file in `saved` cannot be written, or the disk is full; Interrupted after a signal.
    """
    schedule = make_schedule(length, len(saved), bool(early_stop))
    check_outputs(saved)
    check_folder(checkpoint_folder)
    device = machine.prepare()
    set_precision(settings.precision)
    with checkpoint_folder_of_its_own(checkpoint_folder) as checkpoints:
        corpus = load_pairs(data, settings.max_length)
        source_vocabulary, target_vocabulary = load_vocabularies(data)
        fingerprint = {**asdict(settings), **read_description(data)["checksums"], **(early_stop or {})}
        progress = Progress(label, 0, length.updates, checkpoints.folder / FILE_NAME)
        progress.most_seconds = schedule.seconds
        progress.line(describe(corpus, settings.max_length))
        state = _resume(checkpoints, fingerprint, device, schedule, set_aside_changed, progress)
        if state is None:
            size = settings.size(len(source_vocabulary), len(target_vocabulary))
            state = initial_state(settings, size, device)
        state.fingerprint = fingerprint  # that of a checkpoint may have older names and another end
        _settle_products(state, device, progress)
        run(state, corpus, settings, schedule, checkpoints, progress, validation=validation, capture=machine.capture)
        kept = schedule.kept(state.saved_at)
        if len(kept) < len(saved):
            raise InputError(
                f"training.updates: all {length.updates:,} updates were done in {clock(state.seconds)}, which gave "
                f"{len(kept)} of {len(saved)} saved models {length.save_every} apart; raise training.updates, then "
                "start again."
            )
        if state.updates < length.updates:
            late = schedule.is_late(state.seconds)
            reason = f"its {length.hours:g} hours are over" if late else "the development loss has not fallen since"
            progress.line(f"stopped after {state.updates:,} updates: {reason}")
        for point, path in zip(kept, saved, strict=True):
            publish(checkpoints.path(point), Path(path))
        progress.line(
            f"done after {plural(state.updates, 'update')} in {state.seconds:,.0f} s: {', '.join(map(str, saved))}"
        )


def finetune(
    data: PathLike,
    saved: PathLike,
    updates: int,
    member: PathLike,
    checkpoint_folder: PathLike,
    machine: Machine,
    label: str,
    set_aside_changed: bool = False,
    expected: Mapping[str, int] | None = None,
) -> None:
    """Continue a saved model for `updates` updates with the vocabulary-sized tensors fixed; write a member's folder.

    Parameters, both Adadelta accumulators and the position in the data carry over (paper, section 4). The saved model
    has the `expected` number of `updates` and `seed`. Raises as `train` does, and for another saved model.
    """
    check_folder(member)
    check_folder(checkpoint_folder)
    device = machine.prepare()
    with checkpoint_folder_of_its_own(checkpoint_folder) as checkpoints:
        start = load_counters(saved)
        _check_expected(saved, start, expected or {})
        settings = TrainingSettings.of_fingerprint(start["fingerprint"])
        set_precision(settings.precision)
        corpus = load_pairs(data, settings.max_length)
        source_vocabulary, target_vocabulary = load_vocabularies(data)
        fingerprint = {**asdict(settings), **read_description(data)["checksums"]}
        if "early_stop" in start["fingerprint"]:
            fingerprint["early_stop"] = start["fingerprint"]["early_stop"]
        if (changed := difference(completed(start["fingerprint"]), fingerprint)) is not None:
            raise InputError(f"{saved} is from another training run ({changed}); train again before continuing.")
        began_at = start["updates"]
        fingerprint["continued_from"] = f"{began_at} updates of {sha256(saved)}"
        total = began_at + updates
        progress = Progress(label, began_at, total, checkpoints.folder / FILE_NAME)
        schedule = Schedule(total, frozenset([total]))
        state = _resume(checkpoints, fingerprint, device, schedule, set_aside_changed, progress)
        if state is None:
            state = load_state(saved, device)
            state.saved_at = []
        state.fingerprint = fingerprint
        _settle_products(state, device, progress)
        run(state, corpus, settings, schedule, checkpoints, progress, fixed_embeddings=True, capture=machine.capture)
        size = settings.size(len(source_vocabulary), len(target_vocabulary))
        description = _description(state, began_at, device) | {"usual_source_length": corpus.usual_source_length()}
        save_model(member, SavedModel(state.parameters, size, source_vocabulary, target_vocabulary, description))
        checkpoints.clear()
        progress.line(f"done: {member}")


def _check_expected(saved: PathLike, counters: dict[str, Any], expected: Mapping[str, int]) -> None:
    """Raise InputError if a saved model is from another update or run: files may have been exchanged."""
    found = counters["fingerprint"] | {"updates": counters["updates"]}
    for name, value in expected.items():
        if found.get(name) != value:
            raise InputError(
                f"{saved}: it has {name} {found.get(name)}, but the model that belongs here has {name} {value}; copy "
                "or train it again."
            )


def _resume(
    checkpoints: CheckpointFolder,
    fingerprint: dict[str, Any],
    device: torch.device,
    schedule: Schedule,
    set_aside_changed: bool,
    progress: Progress,
) -> State | None:
    """The state from which to continue, or None to begin.

    A state beyond the first checkpoint that `schedule` keeps and that is not there whole is of no use: that model has
    to be made again. Nor is one beyond the last update.
    """
    there = checkpoints.updates()
    if not there:
        drop_reports_after(progress.metrics, progress.first)
        return None
    state, complaints = checkpoints.newest(device, at_most=there[-1])
    for complaint in complaints:
        progress.line(complaint)
    if state is not None and (changed := _another_training(state.fingerprint, fingerprint)) is not None:
        if not set_aside_changed:
            raise InputError(
                f"{checkpoints.folder} holds checkpoints of another training run ({changed}); "
                "remove or rename the folder, or give another one."
            )
        progress.line(f"the checkpoints are from another training run ({changed}): kept as {checkpoints.set_aside()}")
        return None
    if state is not None and state.updates > schedule.updates:
        state, _ = checkpoints.newest(device, at_most=schedule.updates)
    while state is not None:
        _adopt(state, checkpoints, schedule, fingerprint)
        if (missing := _missing(checkpoints, schedule, state)) is None:
            break
        progress.line(f"the model after {plural(missing, 'update')} was not kept: making it again")
        state, _ = checkpoints.newest(device, at_most=missing)
    progress.start = progress.first if state is None else state.updates
    drop_reports_after(progress.metrics, progress.start)
    if state is not None:
        state.seconds = seconds_reported(progress.metrics)
    if state is None:
        progress.line(f"no checkpoint can be used: starting again from update {progress.first:,}")
    else:
        progress.line(f"continuing from update {state.updates:,} ({checkpoints.path(state.updates)})")
    return state


def _another_training(old: dict[str, Any], new: dict[str, Any]) -> str | None:
    """What differs between two training runs, see `difference`; when they end does not count."""
    with_defaults = completed(old)
    return difference(*({**one, "early_stop": None} for one in (with_defaults, new)))


def _settle_products(state: State, device: torch.device, progress: Progress) -> None:
    """Go on with the products that the state was computed with, where they are exact here, and say which they are."""
    if device.type != "cpu":
        return
    if state.updates and state.products != way_in_use():
        if is_exact(state.products):
            use_way(state.products)
        else:
            progress.line(
                f"so far products were computed by {state.products}, which is not exact on this machine: "
                "from here on the numbers are not, bit for bit, those of an uninterrupted run"
            )
    state.products = way_in_use()
    progress.line(f"float32 products: {state.products}")


def _missing(checkpoints: CheckpointFolder, schedule: Schedule, state: State) -> int | None:
    """The first saved model that should exist by now but is missing or incomplete; None if all exist."""
    wanted = schedule.kept(state.saved_at)
    if state.updates >= schedule.updates and len(wanted) < (schedule.latest or 0):  # more are requested than before
        wanted = sorted(schedule.keep)[-(schedule.latest or 0) :]
    return next((point for point in wanted if point < state.updates and not checkpoints.is_whole(point)), None)


def _adopt(state: State, checkpoints: CheckpointFolder, schedule: Schedule, fingerprint: Mapping[str, Any]) -> None:
    """Make a state that was trained under another rule of when to save and when to end one under this rule.

    Checkpoints of earlier versions do not say at which updates models were saved: the files do. Losses on another
    development text say nothing of this one.
    """
    if not state.saved_at:
        there = set(checkpoints.updates())
        state.saved_at = sorted(point for point in schedule.keep & there if point <= state.updates)
    text = [
        {name: value for name, value in found.get("early_stop", {}).items() if name != "patience"}
        for found in (state.fingerprint, fingerprint)
    ]
    if text[0] != text[1]:
        state.dev_losses = []


def _description(state: State, began_at: int, device: torch.device) -> dict[str, Any]:
    return {
        "updates": began_at,
        "fixed_embedding_updates": state.updates - began_at,
        "epochs": state.epoch,
        "broken_updates": state.broken,
        "device": str(device),
        "products": state.products,
        "versions": {"rarewords": __version__, "torch": torch.__version__},
        "fingerprint": state.fingerprint,
    }
