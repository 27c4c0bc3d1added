"""A training from files to files: find its checkpoint, check that it is its own, train, write the result."""

from __future__ import annotations

import os
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from rarewords import __version__
from rarewords.errors import InputError
from rarewords.model.parameters import NetworkSize
from rarewords.saved_model import SavedModel, save_model
from rarewords.textio import PathLike, sha256
from rarewords.training.batches import Corpus, read_corpus
from rarewords.training.checkpoint import CheckpointFolder, State, difference, load_state
from rarewords.training.progress import Progress
from rarewords.training.trainer import Schedule, TrainingSettings, initial_state, keep_freed_memory, run
from rarewords.vocabulary import Vocabulary


@dataclass(frozen=True)
class TrainingData:
    """Segmented text and vocabularies of both sides."""

    source: PathLike
    target: PathLike
    source_vocabulary: PathLike
    target_vocabulary: PathLike

    def checksums(self) -> dict[str, str]:
        """SHA-256 of each file, by its role."""
        return {name: sha256(path) for name, path in asdict(self).items()}


@dataclass(frozen=True)
class Machine:
    """Where to compute: `device` is auto, cpu or cuda; `threads` is the number of CPU threads of one training."""

    device: str = "auto"
    threads: int = 1

    def prepare(self) -> torch.device:
        """Set up torch and return the device; raises InputError if there is no such device."""
        torch.set_num_threads(self.threads)
        keep_freed_memory()
        available = torch.cuda.is_available()
        if self.device.startswith("cuda") and not available:
            raise InputError("device: cuda was asked for, but torch sees no GPU here; use device: auto or cpu.")
        return torch.device("cuda" if self.device == "auto" and available else self.device.replace("auto", "cpu"))


def train(
    data: TrainingData,
    settings: TrainingSettings,
    updates: int,
    save_every: int,
    saved: list[PathLike],
    checkpoint_folder: PathLike,
    machine: Machine,
    label: str,
    set_aside_changed: bool = False,
) -> None:
    """Train from scratch, or go on from a checkpoint, and leave the last len(saved) saved models in `saved`.

    A model is saved every `save_every` updates, counted back from the last update, oldest first. Raises InputError
    when the checkpoints belong to another training, unless they may be set aside.
    """
    points = [updates - save_every * (len(saved) - 1 - k) for k in range(len(saved))]
    if points[0] < 1:
        raise InputError(
            f"training.updates: {updates} updates cannot hold {len(saved)} saved models {save_every} updates apart."
        )
    device = machine.prepare()
    corpus, vocabularies = _load(data, settings)
    fingerprint = {**asdict(settings), **data.checksums()}
    checkpoints = CheckpointFolder(checkpoint_folder)
    progress = Progress(label, 0, updates, checkpoints.folder / "metrics.jsonl")
    progress.line(f"{len(corpus):,} pairs, {corpus.skipped:,} longer than {settings.max_length} units skipped")
    state = _resume(checkpoints, fingerprint, device, [*points, updates], set_aside_changed, progress)
    if state is None:
        size = NetworkSize(*(len(v) for v in vocabularies), settings.embedding, settings.hidden)
        state = initial_state(settings, size, device)
        state.fingerprint = fingerprint
    run(state, corpus, settings, Schedule(updates, frozenset(points)), checkpoints, progress)
    for point, path in zip(points, saved, strict=True):
        _publish(checkpoints.path(point), Path(path))
    progress.line(f"done after {state.updates:,} updates in {state.seconds:,.0f} s: {', '.join(map(str, saved))}")


def finetune(
    data: TrainingData,
    saved: PathLike,
    updates: int,
    member: PathLike,
    checkpoint_folder: PathLike,
    machine: Machine,
    label: str,
    set_aside_changed: bool = False,
) -> None:
    """Continue a saved model for `updates` updates with the vocabulary-sized tensors fixed; write a member's folder.

    Parameters, both Adadelta accumulators and the position in the data carry over (paper, section 4).
    """
    device = machine.prepare()
    start = load_state(saved, device)
    settings = TrainingSettings(**{name: start.fingerprint[name] for name in TrainingSettings.__annotations__})
    corpus, (source_vocabulary, target_vocabulary) = _load(data, settings)
    fingerprint = {**asdict(settings), **data.checksums()}
    if (changed := difference(start.fingerprint, fingerprint)) is not None:
        raise InputError(f"{saved} was trained on other data ({changed}); train again before continuing.")
    fingerprint["continued_from"] = f"{start.updates} updates of {sha256(saved)}"
    total = start.updates + updates
    checkpoints = CheckpointFolder(checkpoint_folder)
    progress = Progress(label, start.updates, total, checkpoints.folder / "metrics.jsonl")
    state = _resume(checkpoints, fingerprint, device, [total], set_aside_changed, progress) or start
    state.fingerprint = fingerprint
    run(state, corpus, settings, Schedule(total, frozenset()), checkpoints, progress, fixed_embeddings=True)
    size = NetworkSize(len(source_vocabulary), len(target_vocabulary), settings.embedding, settings.hidden)
    description = _description(state, start, updates, device)
    save_model(member, SavedModel(state.parameters, size, source_vocabulary, target_vocabulary, description))
    shutil.rmtree(checkpoints.folder)
    progress.line(f"done: {member}")


def _load(data: TrainingData, settings: TrainingSettings) -> tuple[Corpus, tuple[Vocabulary, Vocabulary]]:
    vocabularies = Vocabulary.load(data.source_vocabulary), Vocabulary.load(data.target_vocabulary)
    return read_corpus(data.source, data.target, *vocabularies, settings.max_length), vocabularies


def _resume(
    checkpoints: CheckpointFolder,
    fingerprint: dict[str, Any],
    device: torch.device,
    points: list[int],
    set_aside_changed: bool,
    progress: Progress,
) -> State | None:
    """The state to go on from, or None to begin.

    A state beyond the first of `points` that was not kept is of no use: that saved model has to be made again.
    """
    there = checkpoints.updates()
    wanted = next((point for point in points if point not in there), points[-1])
    state, complaints = checkpoints.newest(device, at_most=wanted)
    for complaint in complaints:
        progress.line(complaint)
    if state is None:
        return None
    changed = difference(state.fingerprint, fingerprint)
    if changed is None:
        progress.line(f"going on from update {state.updates:,} ({checkpoints.path(state.updates)})")
        progress.start = state.updates
        return state
    if not set_aside_changed:
        raise InputError(
            f"{checkpoints.folder} holds checkpoints of another training ({changed}); "
            "remove or rename the folder, or give another one."
        )
    progress.line(f"the checkpoints are of another training ({changed}): kept as {checkpoints.set_aside()}")
    return None


def _publish(checkpoint: Path, path: Path) -> None:
    """Give a checkpoint its declared name, as a second link to the same data where the file system can."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.tmp")
    temporary.unlink(missing_ok=True)
    try:
        os.link(checkpoint, temporary)
    except OSError:
        shutil.copyfile(checkpoint, temporary)
    os.replace(temporary, path)


def _description(state: State, start: State, updates: int, device: torch.device) -> dict[str, Any]:
    return {
        "updates": start.updates,
        "fixed_embedding_updates": updates,
        "epochs": state.epoch,
        "seconds": round(state.seconds, 1),
        "broken_updates": state.broken,
        "device": str(device),
        "versions": {"rarewords": __version__, "torch": torch.__version__},
        "fingerprint": state.fingerprint,
    }
