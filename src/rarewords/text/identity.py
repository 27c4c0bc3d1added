"""Is a file the one that was written? Its size and SHA-256, taken while it is written and compared when it is read."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import IO, Any

from rarewords.errors import InputError
from rarewords.text.files import sha256
from rarewords.text.shapes import SHA256, record, text, whole

IDENTITY = record({"bytes": whole(), "sha256": text(SHA256)})


class HashedStream:
    """A binary stream that is written to once, from its beginning, and what was written to it so far."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream, self._bytes, self._digest = stream, 0, hashlib.sha256()

    def write(self, content: bytes | memoryview) -> None:
        """Write bytes."""
        self._stream.write(content)
        self._digest.update(content)
        self._bytes += len(content)

    def identity(self) -> dict[str, Any]:
        """The `bytes` and `sha256` of what was written."""
        return {"bytes": self._bytes, "sha256": self._digest.hexdigest()}


def identity(path: Path) -> dict[str, Any]:
    """The `bytes` and `sha256` of a file."""
    return {"bytes": path.stat().st_size, "sha256": sha256(path)}


def check_identity(path: Path, expected: dict[str, Any], advice: str) -> None:
    """Read a file once; raises InputError, which ends in the advice, if it is not the one with the identity."""
    try:
        same = path.stat().st_size == expected["bytes"] and sha256(path) == expected["sha256"]
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}); {advice}.") from error
    if not same:
        raise InputError(f"{path}: damaged, or not the file that belongs here (its checksum differs); {advice}.")
