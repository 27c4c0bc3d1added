"""Checksums of text files, beside them: `.train.en.sha256` belongs to `train.en`, in the format of `sha256sum`.

A text has no place for a checksum in itself, as our JSON files have. The workflow asks for these files by an
environment variable; whoever reads a text that has one compares it. A .gz and a .json have a checksum of their own.

The workflow's JSON files also say where they belong, so that a whole and valid one in the place of another is noticed.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from rarewords.errors import InputError

SWITCH = "RAREWORDS_CHECKSUMS"
ALL, JSON_ONLY = "1", "json"  # its values in the workflow
_WITH_THEIR_OWN = (".gz", ".json")


def is_on() -> bool:
    """Whether this process is a step of the workflow, whose files all have a place."""
    return os.environ.get(SWITCH) in (ALL, JSON_ONLY)


def place_of(path: str | os.PathLike[str], levels: int) -> str:
    """The last `levels` parts of a path, which say where a file belongs wherever the whole experiment lies."""
    return "/".join(Path(os.path.normpath(path)).parts[-levels:])


def seal_of(path: Path) -> Path:
    """Where the checksum of a file lies."""
    return path.with_name(f".{path.name}.sha256")


def is_wanted(path: Path) -> bool:
    """Whether a file that is written now gets a checksum beside it."""
    return os.environ.get(SWITCH) == ALL and path.suffix not in _WITH_THEIR_OWN


def write(path: Path, checksum: str) -> None:
    """Write the checksum of a file beside it; half of one is never left."""
    seal = seal_of(path)
    try:
        seal.write_text(f"{checksum}  {path.name}\n", encoding="utf-8")
    except OSError:
        seal.unlink(missing_ok=True)
        raise


def recorded(path: str | os.PathLike[str]) -> str | None:
    """The first word beside a file, which should be its SHA-256; None without a checksum. Raises InputError."""
    if str(path) == "-":
        return None
    seal = seal_of(Path(path))
    try:
        return seal.read_bytes()[:64].decode("ascii", "replace")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise InputError(f"{seal}: cannot be read ({error.strerror or error}).") from error


def check(path: str | os.PathLike[str], expected: str, digest: hashlib._Hash) -> None:
    """Raise InputError if what was read of a file is not what its checksum says."""
    if digest.hexdigest() != expected:
        seal = seal_of(Path(path))
        raise InputError(
            f"{path}: damaged, or changed since the workflow wrote it (its checksum in {seal} differs); make it again, "
            f"or remove {seal.name} if the change is intended."
        )
