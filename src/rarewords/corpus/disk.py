"""Room on the disk, asked for before it is needed."""

from __future__ import annotations

import shutil
from pathlib import Path

from rarewords.errors import InputError


def require_space(folder: Path, size: int) -> None:
    """Raise InputError if fewer than `size` bytes are free where `folder` is, or will be."""
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    if free < size:
        raise InputError(
            f"{folder.resolve()}: {_megabytes(size)} are needed there, and {_megabytes(free)} are free; make room, or "
            "use another folder."
        )


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"
