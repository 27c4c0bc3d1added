"""The words of a failed step, for runs of which Snakemake shows nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

LINES = 15  # shown of a log
ERRORS = ("rarewords: ", "Usage: ", "Error: ", "Traceback")  # what a line of a failed command begins with

State = tuple[int, int, int]


class Logs:
    """The logs of a folder as they were when this was made."""

    def __init__(self, folder: str = "logs") -> None:
        self.folder = Path(folder)
        self._before = {path: _state(path) for path in self._files()}

    def failures(self) -> Iterator[str]:
        """The last lines of every log that has been written since and has an error in it, below its name."""
        for path in self._files():
            if _state(path) == self._before.get(path):
                continue
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
            if any(line.startswith(ERRORS) for line in lines):
                yield "\n  ".join([f"{path}:", *lines[-LINES:]])

    def _files(self) -> list[Path]:
        return sorted(self.folder.rglob("*.log"))


def _state(path: Path) -> State:
    """A value that changes when a file is written again, whatever the clock says."""
    status = path.stat()
    return status.st_ino, status.st_size, status.st_mtime_ns
