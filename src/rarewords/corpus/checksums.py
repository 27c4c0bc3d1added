"""Is this archive the right one? MD5 or SHA-256 of the configuration, and SHA-256 of when it was first accepted."""

from __future__ import annotations

import hashlib
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rarewords.corpus.archives import is_tar, what_is_wrong
from rarewords.corpus.exclusive import exclusive
from rarewords.corpus.sources import Archive, is_compressed_file
from rarewords.errors import InputError
from rarewords.text.documents import read_json, write_json

BLOCK = 1 << 20  # bytes read at a time
GZIP_MAGIC = b"\x1f\x8b"


@dataclass(frozen=True)
class Digests:
    """Checksums of a file, hexadecimal, and its size in bytes."""

    md5: str
    sha256: str
    size: int


class LockFile:
    """A JSON file with the SHA-256 and size of every archive that was ever accepted. It belongs to the user."""

    def __init__(self, path: Path) -> None:
        """The file need not exist."""
        self.path = path

    def recorded(self, name: str) -> str | None:
        """The SHA-256 of an archive, or None if it was never seen."""
        entry = self._read().get(name)
        return None if entry is None else str(entry["sha256"])

    def record(self, name: str, digests: Digests) -> None:
        """Add an archive; an existing entry stays as it is."""
        with exclusive(self.path):
            entries = self._read()
            if name not in entries:
                entries[name] = {"sha256": digests.sha256, "bytes": digests.size}
                write_json(self.path, {"archives": dict(sorted(entries.items()))}, sealed=False)

    def _read(self) -> dict[str, Any]:
        if not self.path.exists():
            return {}
        content = read_json(self.path)
        entries = content.get("archives") if isinstance(content, dict) else None
        if not isinstance(entries, dict) or not all(
            isinstance(entry, dict) and isinstance(entry.get("sha256"), str) for entry in entries.values()
        ):
            raise InputError(
                f"{self.path}: expected a map 'archives' with a 'sha256' for each archive; restore the file, or remove "
                "it to record the archives again."
            )
        return entries


def digests(path: Path) -> Digests:
    """Read a file once for all its checksums."""
    md5, sha256, size = hashlib.md5(usedforsecurity=False), hashlib.sha256(), 0
    try:
        with open(path, "rb") as stream:
            while block := stream.read(BLOCK):
                md5.update(block)
                sha256.update(block)
                size += len(block)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}).") from error
    return Digests(md5.hexdigest(), sha256.hexdigest(), size)


def complaint(archive: Archive, found: Digests, lock: LockFile) -> str | None:
    """What is wrong with a file that claims to be the archive, with both checksums; None if nothing is."""
    recorded = lock.recorded(archive.name)
    if archive.md5 is not None and found.md5 != archive.md5:
        return f"its MD5 is {found.md5}, but {archive.md5} is expected"
    if archive.sha256 is not None and found.sha256 != archive.sha256:
        return f"its SHA-256 is {found.sha256}, but {archive.sha256} is expected"
    if recorded is not None and found.sha256 != recorded:
        return (
            f"its SHA-256 is {found.sha256}, but {lock.path} has {recorded} from when it was first seen; if the new "
            "file is the right one, remove its entry there"
        )
    return None


def accept(archive: Archive, path: Path, lock: LockFile) -> str | None:
    """Check a file and record it in the lock file; returns the complaint if it is not the archive, or no archive."""
    found = digests(path)
    wrong = complaint(archive, found, lock)
    if wrong is None and not _is_archive(archive.name, path):
        kind = "gzip file" if is_compressed_file(archive.name) else "tar or zip archive"
        wrong = f"it is not a {kind} ({found.size:,} bytes)"
    if wrong is None and not lock.recorded(archive.name):
        if not (archive.md5 or archive.sha256):  # what is recorded now counts as right from now on
            wrong = what_is_wrong(path, archive.name)
        if wrong is None:
            lock.record(archive.name, found)
    return wrong


def _is_archive(name: str, path: Path) -> bool:
    if not is_compressed_file(name):
        return is_tar(path) or zipfile.is_zipfile(path)
    with open(path, "rb") as stream:
        return stream.read(len(GZIP_MAGIC)) == GZIP_MAGIC


def require_archive(archive: Archive, path: Path, lock: LockFile) -> None:
    """Raise InputError with both checksums if the archive at `path` is not the right one. The file itself stays."""
    wrong = accept(archive, path, lock)
    if wrong is not None:
        raise InputError(f"{path}: {wrong}; remove the file to fetch it again, or put the right one there.")
