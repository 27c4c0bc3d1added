"""Compilation of number-crunching functions with numba, kept on disk where that is possible.

A compiled function contains those of other files that it calls, but numba renews what it kept only when the function's
own file changes. Therefore the machine code lies in a folder named by a digest of all sources beside the function's; it
may call compiled functions of its own folder only.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba

CONFIG: Any = numba.config


def compiled(function: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    """Compile a function at its first call, with numba's `options` if there are any (`fastmath`, `nogil`).

    The machine code is kept beside the source, or in the user's cache folder, for later runs; with NUMBA_CACHE_DIR set,
    there. Where nothing can be kept every run compiles anew, which takes some seconds.
    """
    folder = cache_folder(Path(function.__code__.co_filename).parent)
    if folder is None:
        return numba.njit(**options)(function)  # type: ignore[no-any-return]
    given = CONFIG.CACHE_DIR
    CONFIG.CACHE_DIR = str(folder)  # read when the function is wrapped, not when it is compiled
    try:
        return numba.njit(cache=True, **options)(function)  # type: ignore[no-any-return]
    except RuntimeError:
        return numba.njit(**options)(function)  # type: ignore[no-any-return]
    finally:
        CONFIG.CACHE_DIR = given


@cache
def cache_folder(sources: Path) -> Path | None:
    """The folder for the machine code of the files in `sources`, created; None if none can be written."""
    user = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    given = CONFIG.CACHE_DIR
    for parent in [given] if given else [sources / "__pycache__", Path(user, "rarewords")]:
        try:
            folder = Path(parent).expanduser() / f"compiled-{source_digest(sources)}"
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
        except (OSError, RuntimeError):  # not writable; no home folder
            continue
        return folder
    return None


def source_digest(folder: Path) -> str:
    """A digest of the names and contents of all Python files in a folder."""
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.py")):
        digest.update(f"{path.name}\n".encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]
