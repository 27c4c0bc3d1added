"""Read one member of a tar or zip archive, or the one file in a .gz.

Nothing is ever unpacked under a name from the archive: the caller reads a stream and decides where the text goes.
Archives with unsafe names are refused anyway, since no honest archive has them.
"""

from __future__ import annotations

import contextlib
import gzip
import lzma
import os
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any, cast

from rarewords.corpus.sources import compressed_name, is_compressed_file
from rarewords.errors import InputError

NAMES_SHOWN = 8
MOST_MEMBERS = 100_000
BLOCK = 1 << 20  # bytes read at a time
ENCRYPTED = 0x1  # flag of a zip member
GZIP_SIZE_BYTES = 4
# Python's archive readers also stumble over impossible numbers and kinds of compression.
DAMAGE = (
    gzip.BadGzipFile,
    tarfile.TarError,
    zipfile.BadZipFile,
    EOFError,
    zlib.error,
    lzma.LZMAError,
    NotImplementedError,
    ValueError,
    OverflowError,
    struct.error,
)


@dataclass(frozen=True)
class Member:
    """An open member: its name, its size in bytes, and its bytes."""

    name: str
    size: int
    stream: IO[bytes]


@contextlib.contextmanager
def open_member(path: Path, names: Sequence[str]) -> Iterator[Member]:
    """Open the first of the names that the archive has; folders need not be right if the file name occurs once.

    Raises InputError for an archive that is damaged or has no such member, for a member that is a link or not a file,
    and for an archive with a name that is absolute or leads out of its folder.
    """
    try:
        if is_compressed_file(path.name):
            opened = _open_gzip(path, names)
        else:
            opened = _open_zip(path, names) if zipfile.is_zipfile(path) else _open_tar(path, names)
        with opened as member:
            yield member
    except DAMAGE as error:
        raise InputError(f"{path}: {_in_words(error)}; remove it and fetch it again.") from error
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}).") from error


def _in_words(damage: Exception) -> str:
    return f"the archive is damaged ({str(damage) or 'it is cut short'})"


@contextlib.contextmanager
def _open_tar(path: Path, names: Sequence[str]) -> Iterator[Member]:
    with tarfile.open(path) as archive:
        members = {member.name: member for member in _all_members(archive) if not member.isdir()}
        _read_to_the_end(archive.fileobj)
        chosen = members[_choose(path, list(members), names)]
        stream = archive.extractfile(chosen) if chosen.isreg() else None
        if stream is None:
            raise InputError(_no_file(path, chosen.name))
        with stream:
            yield Member(chosen.name, chosen.size, stream)


def what_is_wrong(path: Path, name: str) -> str | None:
    """Read the whole archive `name`, which compares the checksums in it; None if nothing is wrong with it.

    (While an archive is downloaded its file has another name.)

    A tar archive without compression has no checksums but those of its headers.
    """
    try:
        if is_compressed_file(name):
            with gzip.open(path) as stream:
                _read_to_the_end(stream)
        elif zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                for member in archive.infolist():
                    if not member.flag_bits & ENCRYPTED:
                        with archive.open(member) as stream:
                            _read_to_the_end(stream)
        else:
            with tarfile.open(path) as tar:
                for _ in _all_members(tar):
                    pass
                _read_to_the_end(tar.fileobj)
    except DAMAGE as error:
        return _in_words(error)
    except InputError as error:
        return str(error).rstrip(".")
    except OSError as error:
        return f"it cannot be read ({error.strerror or error})"
    return None


def is_tar(path: Path) -> bool:
    """Whether a file is a tar archive of any compression, as far as its beginning tells."""
    try:
        return tarfile.is_tarfile(path)
    except (OSError, *DAMAGE):  # a compressed file that is cut short
        return False


def _all_members(archive: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    for number, member in enumerate(archive):
        if number == MOST_MEMBERS:
            raise InputError(f"the archive has more than {MOST_MEMBERS:,} members; unpack it by hand.")
        yield member


def _read_to_the_end(stream: Any) -> None:
    """Read the rest: a compressed stream compares its content with its checksum only at its end."""
    while stream is not None and stream.read(BLOCK):
        pass


@contextlib.contextmanager
def _open_zip(path: Path, names: Sequence[str]) -> Iterator[Member]:
    with zipfile.ZipFile(path) as archive:
        members = {member.filename: member for member in archive.infolist() if not member.is_dir()}
        chosen = members[_choose(path, list(members), names)]
        mode = chosen.external_attr >> 16  # zero in archives that were not made on Unix
        if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
            raise InputError(_no_file(path, chosen.filename))
        if chosen.flag_bits & ENCRYPTED:
            raise InputError(f"{path}: {chosen.filename} is encrypted; unpack it by hand.")
        with archive.open(chosen) as stream:
            yield Member(chosen.filename, chosen.file_size, stream)


@contextlib.contextmanager
def _open_gzip(path: Path, names: Sequence[str]) -> Iterator[Member]:
    name = _choose(path, [compressed_name(path.name)], names)
    with open(path, "rb") as compressed:
        if not compressed.seek(0, os.SEEK_END):
            raise EOFError("it is empty")
        compressed.seek(-min(GZIP_SIZE_BYTES, compressed.tell()), os.SEEK_END)
        size = int.from_bytes(compressed.read(GZIP_SIZE_BYTES), "little")  # of the text, modulo 2^32
        compressed.seek(0)
        with gzip.GzipFile(fileobj=compressed) as stream:
            yield Member(name, size, cast(IO[bytes], stream))


def _choose(path: Path, members: list[str], names: Sequence[str]) -> str:
    for member in members:
        if member.startswith(("/", "\\")) or ".." in PurePosixPath(member.replace("\\", "/")).parts:
            raise InputError(f"{path}: the name {member!r} leads out of the archive's folder; do not use this archive.")
    for name in names:
        if name in members:
            return name
        same = [member for member in members if PurePosixPath(member).name == PurePosixPath(name).name]
        if len(same) > 1:
            raise InputError(
                f"{path}: several members are called {name} ({', '.join(same)}); give one with its folder."
            )
        if same:
            return same[0]
    more = f", and {len(members) - NAMES_SHOWN} more" if len(members) > NAMES_SHOWN else ""
    held = f"{', '.join(members[:NAMES_SHOWN]) or 'nothing'}{more}"
    raise InputError(f"{path} does not contain {' or '.join(names)}, but {held}; correct the name of the member.")


def _no_file(path: Path, name: str) -> str:
    return f"{path}: {name} is a link or not an ordinary file, so it is not read; unpack it by hand."
