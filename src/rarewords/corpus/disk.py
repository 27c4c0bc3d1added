"""Room on the disk, checked before it is needed."""

from __future__ import annotations

import shutil
from pathlib import Path

from rarewords.errors import InputError


def require_space(folder: Path, size: int) -> None:
    """Raise InputError if fewer than `size` bytes are free on the disk of `folder`, which need not exist yet."""
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    if free < size:
        raise InputError(
            f"{folder.resolve()}: {_megabytes(size)} are needed, but only {_megabytes(free)} are free; make room, "
            "or use another folder."
        )


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"
