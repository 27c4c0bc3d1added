"""Checkpoints: the whole state of a training run in one file that is either complete or absent.

Tensors are safetensors, the rest is JSON in the same file's metadata, with a checksum over both. Each one is written
under a temporary name, flushed to the disk and renamed; the previous one stays until then. Nothing in it depends on the
clock: identical training runs have identical files.
"""

from __future__ import annotations

import json
import os
import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import safetensors.torch
import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor

from rarewords.errors import InputError
from rarewords.machine.product_ways import BLAS, WAYS
from rarewords.model.parameters import Parameters
from rarewords.text.documents import Kind, fitted, parse_json
from rarewords.text.files import PathLike
from rarewords.text.shapes import anything, list_of, map_of, number, optional, record, text, whole

COUNTERS = Kind(
    "a checkpoint of rarewords",
    record(
        {
            **{name: whole() for name in ("updates", "epoch", "position", "broken")},
            "fingerprint": map_of(anything(3)),
        },
        {
            "products": text("|".join(WAYS)),
            "seconds": number(0),
            "dev_losses": list_of(optional(number())),
            "saved_at": list_of(whole()),
        },
    ),
    "go back to an earlier one",
)
KEPT = 2  # newest checkpoints that stay besides the saved models


@dataclass
class State:
    """Everything that a training run carries from one update to the next.

    `epoch` and `position` name the next minibatch; the order of the data follows from the seed and the epoch.
    """

    parameters: Parameters
    squares: dict[str, Tensor]
    deltas: dict[str, Tensor]
    updates: int = 0
    epoch: int = 0
    position: int = 0
    seconds: float = 0.0
    broken: int = 0  # updates whose gradient norm was NaN or infinite
    fingerprint: dict[str, Any] = field(default_factory=dict)
    products: str = BLAS  # how float32 matrices are multiplied, which decides the last bits (see `product_ways`)
    dev_losses: list[float | None] = field(default_factory=list)  # for patience; None: not a number
    saved_at: list[int] = field(default_factory=list)  # updates of the last saved models

    def counters(self) -> dict[str, Any]:
        """The part that is not tensors."""
        names = ("updates", "epoch", "position", "broken", "fingerprint", "products")  # seconds are in the reports
        counted = {name: getattr(self, name) for name in names}
        lists = {"dev_losses": self.dev_losses, "saved_at": self.saved_at}
        return counted | {name: values for name, values in lists.items() if values}


def save_state(path: PathLike, state: State) -> None:
    """Write a checkpoint atomically; raises InputError if it cannot be written (the previous one stays)."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    tensors = _tensors(state)
    counters = json.dumps(state.counters())
    checksum = _checksum(counters, sorted(tensors), tensors.__getitem__)
    metadata = {"state": f"{checksum} {counters}"}  # one key: safetensors writes several in any order
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.touch()
        mode = temporary.stat().st_mode  # as for any new file here; safetensors makes files that nobody else can read
        safetensors.torch.save_file(tensors, temporary, metadata)
        temporary.chmod(mode)
        _flush(temporary)
        os.replace(temporary, path)
        _flush(path.parent)
    except (OSError, SafetensorError) as error:
        raise InputError(
            f"{path}: the checkpoint cannot be written ({error}); earlier checkpoints are intact, "
            "make room and start again."
        ) from error
    finally:
        temporary.unlink(missing_ok=True)


def load_state(path: PathLike, device: torch.device | str = "cpu") -> State:
    """Read a checkpoint; raises InputError if it is missing, cut short or damaged."""
    with _opened(path) as (stream, counters, checksum):
        # clones, because these lie unaligned in a mapping of the file: slower, and rounded otherwise in products
        tensors = {name: stream.get_tensor(name).clone() for name in stream.keys()}  # noqa: SIM118 - no dictionary
        if checksum != _checksum(counters, sorted(tensors), tensors.__getitem__):
            raise _damaged(path)
    groups: dict[str, dict[str, Tensor]] = {"parameter": {}, "squares": {}, "deltas": {}}
    for key, value in tensors.items():
        group, name = key.split("/", 1)
        groups[group][name] = value.to(device)
    return State(groups["parameter"], groups["squares"], groups["deltas"], **_counters(path, counters))


def load_counters(path: PathLike) -> dict[str, Any]:
    """What a checkpoint holds besides tensors, see State.counters; its tensors are neither read nor checked.

    Raises InputError if it is missing, cut short or not a checkpoint.
    """
    with _opened(path) as (_, counters, _):
        return _counters(path, counters)


def check_state(path: PathLike) -> dict[str, Any]:
    """The counters of a checkpoint; takes the memory of one tensor at a time.

    Raises InputError if it is missing, cut short or damaged.
    """
    with _opened(path) as (stream, counters, checksum):
        if checksum != _checksum(counters, sorted(stream.keys()), stream.get_tensor):
            raise _damaged(path)
        return _counters(path, counters)


class CheckpointFolder:
    """The checkpoints of a training run, named by their update; the run continues from the newest complete one.

    `metrics.jsonl` beside them holds the run's reports.
    """

    def __init__(self, folder: PathLike) -> None:
        self.folder = Path(folder)

    def path(self, updates: int) -> Path:
        """The path of the checkpoint after this many updates."""
        return self.folder / f"update-{updates:09d}.safetensors"

    def updates(self) -> list[int]:
        """Updates of the existing checkpoints, ascending."""
        found = (re.fullmatch(r"update-(\d{9,})\.safetensors", path.name) for path in self.folder.glob("update-*"))
        return sorted(int(match[1]) for match in found if match)

    def newest(self, device: torch.device | str, at_most: int) -> tuple[State | None, list[str]]:
        """The newest undamaged state of at most this many updates (or None), and what was wrong with others."""
        complaints: list[str] = []
        for updates in reversed([there for there in self.updates() if there <= at_most]):
            try:
                state = load_state(self.path(updates), device)
                _check_name(self.path(updates), state.updates, updates)
                return state, complaints
            except InputError as error:
                complaints.append(f"{error} Going back to the one before.")
        return None, complaints

    def save(self, state: State, keep: set[int]) -> None:
        """Write the state, then drop older checkpoints but the last two and those at the updates in `keep`.

        A checkpoint beyond the state (a damaged one that was passed over, say) is not one of the two.
        """
        save_state(self.path(state.updates), state)
        so_far = [updates for updates in self.updates() if updates <= state.updates]
        for updates in so_far[:-KEPT]:
            if updates not in keep:
                self.path(updates).unlink()

    def is_whole(self, updates: int) -> bool:
        """Whether there is an undamaged checkpoint after this many updates; reads all of it."""
        try:
            _check_name(self.path(updates), check_state(self.path(updates))["updates"], updates)
        except InputError:
            return False
        return True

    def tidy(self) -> None:
        """Remove the half-written files of a process that was killed while it wrote a checkpoint."""
        for pattern in (".update-*.tmp", ".tmp??????"):  # the second is safetensors' own, before it renames it
            for path in self.folder.glob(pattern):
                path.unlink()

    def clear(self) -> None:
        """Remove the checkpoints of a finished training run; its metrics stay."""
        for updates in self.updates():
            self.path(updates).unlink()

    def set_aside(self) -> Path:
        """Rename the folder out of the way, so that a different training run can begin; nothing is deleted."""
        number = 1
        while (aside := self.folder.with_name(f"{self.folder.name}.old-{number}")).exists():
            number += 1
        self.folder.rename(aside)
        return aside


def difference(old: dict[str, Any], new: dict[str, Any]) -> str | None:
    """Name what differs between two fingerprints, e.g. `clip_norm was 50, is 20`; None if they are equal."""
    changed = [
        f"{key} was {old.get(key)}, is {new.get(key)}" for key in sorted({*old, *new}) if old.get(key) != new.get(key)
    ]
    return "; ".join(changed) or None


def _tensors(state: State) -> dict[str, Tensor]:
    groups = {"parameter": state.parameters, "squares": state.squares, "deltas": state.deltas}
    return {
        f"{group}/{name}": value.detach().cpu().contiguous()
        for group, tensors in groups.items()
        for name, value in tensors.items()
    }


@contextmanager
def _opened(path: PathLike) -> Iterator[tuple[Any, str, str]]:
    """The open file of a checkpoint, its counters as JSON, and its checksum."""
    try:
        with safe_open(path, framework="pt", device="cpu") as stream:
            metadata = stream.metadata() or {}
            if "checksum" in metadata:  # of an earlier version, which had two keys
                checksum, counters = metadata["checksum"], metadata.get("state", "")
            else:
                checksum, _, counters = metadata.get("state", "").partition(" ")
            yield stream, counters, checksum
    except (OSError, SafetensorError) as error:
        raise InputError(f"{path}: not a complete checkpoint ({error}).") from error


def _counters(path: PathLike, content: str) -> dict[str, Any]:
    """The counters of their JSON, without the seconds of an earlier version."""
    counters: dict[str, Any] = fitted(parse_json(content, str(path)), COUNTERS, str(path))
    return {name: value for name, value in counters.items() if name != "seconds"}


def _check_name(path: Path, found: int, named: int) -> None:
    if found != named:
        raise InputError(f"{path}: it is the checkpoint of update {found:,}, under the name of another one.")


def _damaged(path: PathLike) -> InputError:
    return InputError(f"{path}: not a checkpoint of rarewords, or a damaged one (its checksum does not match).")


def _checksum(counters: str, names: list[str], read: Callable[[str], Tensor]) -> str:
    """A checksum over counters and tensors, of which `read` gives one by its name."""
    checksum = zlib.crc32(counters.encode())
    for name in names:
        value = read(name)
        checksum = zlib.crc32(f"{name} {value.dtype} {list(value.shape)}".encode(), checksum)
        checksum = zlib.crc32(value.view(torch.uint8).numpy().data, checksum)
    return f"{checksum:08x}"


def _flush(path: Path) -> None:
    """Wait until a file's content, or a folder's list of names, is on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
