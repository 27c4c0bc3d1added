"""Line-aligned text: UTF-8 only, one segment a line, plain or gzip, never half-written.

Only LF (or CR LF) ends a line. U+2028, U+0085, form feeds and the like are ordinary characters: a reader that treats
them as line ends silently breaks the alignment of the two sides of a corpus.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import io
import os
import sys
import zlib
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import IO, Any, TextIO

from rarewords.errors import InputError
from rarewords.text import seals
from rarewords.text.streams import HashedInput, as_lines, flushed_before_waiting, once_only

LONGEST_LINE = 16 << 20  # bytes; a line is held in memory
OUTPUT_IS_CLOSED = "standard output is closed; name an output file, or send it to one."

PathLike = str | os.PathLike[str]


def read_lines(path: PathLike) -> Iterator[str]:
    """Yield the lines of a text file without their line ends; `-` is standard input, `*.gz` is decompressed.

    Raises InputError with the file and the line for text that is not UTF-8, for a broken gzip file and for a file that
    cannot be read.
    """
    try:
        with _open_binary(path) as stream:
            yield from decode_lines(as_lines(stream, LONGEST_LINE), path)
    except BrokenPipeError:  # of an output that was flushed
        raise
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}).") from error


def decode_lines(stream: Iterable[bytes], path: PathLike) -> Iterator[str]:
    """Like read_lines, from an open binary stream; `path` is its name in messages."""
    for number, line in enumerate(_undamaged(stream, path), 1):
        yield _decode(line, path, number)


def read_byte_lines(path: PathLike) -> Iterator[bytes]:
    """Yield the lines of a file as bytes, with their line ends; see `read_lines` for names and errors."""
    try:
        with _open_binary(path) as stream:
            yield from _undamaged(as_lines(stream, LONGEST_LINE), path)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}).") from error


def read_whole_lines(path: PathLike, encoding: str = "utf-8") -> Iterator[str]:
    """Yield the lines of a text file with all their characters: line ends, and a byte order mark.

    With the encoding latin-1 every byte is one character. See `read_lines` for names and errors.
    """
    for number, line in enumerate(read_byte_lines(path), 1):
        yield _decode_whole(line, encoding, path, number)


def read_parallel(source: PathLike, target: PathLike) -> Iterator[tuple[str, str]]:
    """Yield aligned lines of two files; raises InputError if one has more lines than the other."""
    missing = object()
    for number, (left, right) in enumerate(zip_longest(read_lines(source), read_lines(target), fillvalue=missing), 1):
        if not isinstance(left, str) or not isinstance(right, str):
            shorter, longer = (source, target) if left is missing else (target, source)
            raise InputError(
                f"{shorter} ends after line {number - 1} but {longer} goes on: "
                "both sides of a parallel text need the same number of lines."
            )
        yield left, right


@contextlib.contextmanager
def atomic_writer(path: PathLike, encoding: str = "utf-8") -> Iterator[TextIO]:
    """Open a text file for writing; it appears under its name only when it is complete.

    `-` is standard output. `*.gz` is compressed, reproducibly (no time stamp). If the block raises, the file that was
    there before stays as it was.
    """
    if str(path) == "-":
        with _standard_output(encoding) as text:
            yield text
        return
    with atomic_file(path, sealed=True) as stream:
        raw: Any = stream
        if str(path).endswith(".gz"):
            raw = gzip.GzipFile(filename="", mode="wb", fileobj=stream, mtime=0)
        text = io.TextIOWrapper(raw, encoding=encoding, newline="\n")
        with flushed_before_waiting(text) if is_stream(path) else contextlib.nullcontext():
            yield text
        text.flush()
        text.detach()
        if raw is not stream:
            raw.close()


@contextlib.contextmanager
def atomic_file(path: PathLike, sealed: bool = False) -> Iterator[IO[bytes]]:
    """Open a binary file for writing that replaces `path` only after the block ended without an error.

    A link is followed; what is there and is no regular file (a device, a pipe) is written to, never replaced. Raises
    InputError that names the file if it cannot be written (no permission, a folder, a full disk). With
    `sealed` a workflow gets its checksum beside it, see `seals`.
    """
    if not str(path):
        raise InputError("an output file has an empty name; give it one, or - for standard output.")
    final = Path(os.path.realpath(path))
    if is_stream(final):
        with open(final, "wb") as stream:
            yield stream
        return
    temporary = final.with_name(f".{final.name}.{os.getpid()}.tmp")
    try:
        final.parent.mkdir(parents=True, exist_ok=True)
        with open(temporary, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        checksum = sha256(temporary) if sealed and seals.is_wanted(final) else None
        seals.seal_of(final).unlink(missing_ok=True)  # never one beside another file than its own
        os.replace(temporary, final)
        if checksum is not None:
            seals.write(final, checksum)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror or error}).") from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def put_in_place(complete: Path, final: Path) -> None:
    """Rename a file that is complete, and the checksum beside it."""
    checksum = seals.recorded(complete)
    seals.seal_of(final).unlink(missing_ok=True)
    os.replace(complete, final)
    if checksum is not None:
        seals.write(final, checksum)
        seals.seal_of(complete).unlink(missing_ok=True)


def is_stream(path: PathLike) -> bool:
    """Whether a path is standard input or output, a pipe, a terminal or another device."""
    place = Path(path)
    return str(path) == "-" or (place.exists() and not (place.is_file() or place.is_dir()))


@contextlib.contextmanager
def _standard_output(encoding: str) -> Iterator[TextIO]:
    """Standard output as text; a closed pipe stays what it is, other failures are an InputError."""
    if sys.stdout is None:
        raise InputError(OUTPUT_IS_CLOSED)
    text = io.TextIOWrapper(sys.stdout.buffer, encoding=encoding, newline="\n")
    try:
        with flushed_before_waiting(text):
            yield text
        text.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise InputError(f"standard output: cannot be written ({error.strerror or error}).") from error
    finally:
        with contextlib.suppress(OSError):
            text.detach()


def split_words(line: str) -> list[str]:
    """The words (or units) of a tokenised line.

    Only U+0020 separates them: a no-break space or U+2028 inside one must not change their number.
    """
    return [word for word in line.split(" ") if word]


def write_lines(path: PathLike, lines: Iterable[str], flush: bool = False) -> int:
    """Write lines, each with an LF, and with `flush` each at once; returns how many."""
    number = 0
    with atomic_writer(path) as out:
        for line in lines:
            out.write(line + "\n")
            if flush:
                out.flush()
            number += 1
    return number


def write_whole_lines(path: PathLike, lines: Iterable[str], encoding: str = "utf-8") -> None:
    """Write lines that hold their line ends, see `read_whole_lines`."""
    with atomic_writer(path, encoding) as out:
        out.writelines(lines)


def sha256(path: PathLike) -> str:
    """Hexadecimal SHA-256 of a file's bytes."""
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@contextlib.contextmanager
def _open_binary(path: PathLike) -> Iterator[IO[bytes]]:
    """Open a file to read it; what is no regular file is hashed while it is read, and can be read once only."""
    if not is_stream(path):
        with gzip.open(path, "rb") if str(path).endswith(".gz") else open(path, "rb") as stream:
            yield stream  # type: ignore[misc]
        return
    if str(path) == "-" and sys.stdin is None:
        raise InputError("standard input is closed; name an input file.")
    once_only(sys.stdin.buffer if str(path) == "-" else path, path)
    with contextlib.nullcontext(sys.stdin.buffer) if str(path) == "-" else open(path, "rb") as raw:
        hashed = HashedInput(raw)
        if str(path).endswith(".gz"):
            with gzip.GzipFile(fileobj=hashed, mode="rb") as unzipped:
                yield unzipped  # type: ignore[misc]
        else:
            yield hashed  # type: ignore[misc]
        _read_streams[str(path)] = hashed.digest.hexdigest()


_read_streams: dict[str, str] = {}  # SHA-256 of what was read from them


def sha256_of_input(path: PathLike) -> str | None:
    """Hexadecimal SHA-256 of an input that has been read to its end; None for a stream of which that is not so."""
    return _read_streams.get(str(path)) if is_stream(path) else sha256(path)


def _decode(line: bytes, path: PathLike, number: int) -> str:
    if line.endswith(b"\n"):
        line = line[:-2] if line.endswith(b"\r\n") else line[:-1]
    text = _decode_whole(line, "utf-8", path, number)
    return text.removeprefix("\ufeff") if number == 1 else text


def _decode_whole(line: bytes, encoding: str, path: PathLike, number: int) -> str:
    try:
        return line.decode(encoding)
    except UnicodeDecodeError as error:
        if number == 1 and line.startswith(b"\x1f\x8b"):
            raise InputError(f"{path}: this is a gzip file; unpack it, or let its name end in .gz.") from error
        raise InputError(
            f"{path}, line {number}: not UTF-8 (byte 0x{line[error.start]:02x} at column {error.start + 1}); "
            "convert the file to UTF-8."
        ) from error


def _undamaged(stream: Iterable[bytes], path: PathLike) -> Iterator[bytes]:
    """The lines of a stream; raises InputError for a damaged gzip file, and for a line that would fill the memory.

    What was read is compared with the checksum beside the file, if there is one.
    """
    number = 0
    expected, digest = seals.recorded(path), hashlib.sha256()
    read_line = getattr(stream, "readline", None)
    lines = iter(stream) if read_line is None else iter(partial(read_line, LONGEST_LINE + 1), b"")
    try:
        for line in lines:
            number += 1
            if len(line) > LONGEST_LINE:
                raise InputError(
                    f"{path}, line {number}: longer than {LONGEST_LINE >> 20} MiB; is it a text, one segment a line?"
                )
            if expected is not None:
                digest.update(line)
            yield line
        if expected is not None:
            seals.check(path, expected, digest)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"{path}, after line {number}: the gzip file is damaged ({error}); fetch it again.") from error
