"""One process at a time: several jobs of a workflow may want the same archive, or write to the same lock file."""

from __future__ import annotations

import contextlib
import fcntl
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Within the block no other process is in a block for the same path; waits for others to leave theirs.

    The lock is the operating system's and vanishes with its process. A file system without locks (rare) gives none.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path.with_name(f".{path.name}.lock"), "a", encoding="utf-8") as stream:
        with contextlib.suppress(OSError):
            fcntl.flock(stream.fileno(), fcntl.LOCK_EX)
        yield
