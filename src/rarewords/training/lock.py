"""One process per training run: a lock beside the checkpoint folder, with a note that says who holds it.

The lock itself is the operating system's (`flock`), which vanishes with its process. The note is for the message, and
for the case that `flock` cannot decide: a process on another host, if the file system does not carry locks. As a sign
of life the owner touches the file every minute, because Slurm cannot be asked everywhere.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rarewords.errors import InputError
from rarewords.text.documents import Kind, fitted, parse_json
from rarewords.text.shapes import optional, record, text, whole

SECONDS_BETWEEN_SIGNS = 60.0
# what is no note says nothing of an owner
NOTE = Kind(
    "a note",
    record({}, {"host": text(), "process": whole(1), "slurm_job": optional(text(r"\d{1,18}(_\d+)?"))}),
    "remove it",
)
SECONDS_UNTIL_GONE = 1800.0  # seconds without a sign of life: longer than any file system hesitates


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a checkpoint folder, the file `<folder>.lock`, within the block.

    Raises InputError if another process holds it. A note left by a process that is gone is ignored: a process on this
    host that no longer lives, an earlier run of this Slurm job, a Slurm job that has ended, or a process on another
    host without a sign of life for half an hour (if its last one is in the future, without one when it is due).
    """
    path = folder.with_name(f"{folder.name}.lock")
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "a+", encoding="utf-8") as stream:
        free = _try_lock(stream.fileno())
        stream.seek(0)
        owner = _read_note(stream.read())
        if free is False or (owner and _may_be_alive(owner, free, path)):
            raise InputError(_refusal(folder, path, owner))
        _write_note(stream.fileno(), _own_note())
        try:
            with _signs_of_life(stream.fileno()):
                yield
        finally:
            _write_note(stream.fileno(), "")


@contextlib.contextmanager
def _signs_of_life(descriptor: int) -> Iterator[None]:
    """Within the block, give the file a new time every minute."""
    ended = threading.Event()

    def touch() -> None:
        while not ended.wait(SECONDS_BETWEEN_SIGNS):
            with contextlib.suppress(OSError):  # a file system that hesitates: the next time will do
                os.utime(descriptor)

    thread = threading.Thread(target=touch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _try_lock(descriptor: int) -> bool | None:
    """Whether the lock is ours now; None if the file system knows no locks."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def _may_be_alive(owner: dict[str, Any], free: bool | None, path: Path) -> bool:
    if owner.get("host") == socket.gethostname():
        return free is None and _lives(int(owner.get("process", 0)))
    if not 0 <= _silence(path) <= SECONDS_UNTIL_GONE and not _gives_a_sign(path):
        return False
    job = owner.get("slurm_job")
    if job is None:
        return True
    # Slurm starts a job again under its number only after its earlier run has ended
    return job != os.environ.get("SLURM_JOB_ID") and not _slurm_job_has_ended(str(job))


def _silence(path: Path) -> float:
    """Seconds since the last sign of life, by the clock of the file system: hosts may differ about the time."""
    with tempfile.TemporaryFile(dir=path.parent) as now:
        os.utime(now.fileno())
        return os.fstat(now.fileno()).st_mtime - path.stat().st_mtime


def _gives_a_sign(path: Path) -> bool:
    """Whether the owner touches the file while we look: a clock that was set may have made it seem silent."""
    before, end = path.stat().st_mtime_ns, time.monotonic() + 1.5 * SECONDS_BETWEEN_SIGNS
    while time.monotonic() < end:
        time.sleep(SECONDS_BETWEEN_SIGNS / 60)
        if path.stat().st_mtime_ns != before:
            return True
    return False


def _lives(process: int) -> bool:
    if process <= 0 or process == os.getpid():
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _slurm_job_has_ended(job: str) -> bool:
    """Whether Slurm says so; where it cannot be asked, the answer is no."""
    try:
        asked = subprocess.run(
            ["squeue", "--noheader", "--jobs", job], capture_output=True, text=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    if asked.returncode == 0:
        return not asked.stdout.strip()
    return "Invalid job id" in asked.stderr


def _own_note() -> str:
    note = {"host": socket.gethostname(), "process": os.getpid(), "slurm_job": os.environ.get("SLURM_JOB_ID")}
    return json.dumps(note) + "\n"


def _read_note(text: str) -> dict[str, Any]:
    """The owner's note, empty if the lock was given back (or its owner was killed while it wrote the note)."""
    try:
        note = fitted(parse_json(text or "{}", "lock"), NOTE, "lock")
    except InputError:
        return {}
    return dict(note)


def _write_note(descriptor: int, text: str) -> None:
    os.ftruncate(descriptor, 0)
    os.write(descriptor, text.encode())


def _refusal(folder: Path, path: Path, owner: dict[str, Any]) -> str:
    who = f"process {owner.get('process', '?')} on host {owner.get('host', '?')}"
    if owner.get("slurm_job"):
        who += f", Slurm job {owner['slurm_job']}"
    return (
        f"{folder} is in use by another training run ({who}); wait for it, or remove {path} if it has certainly ended."
    )
