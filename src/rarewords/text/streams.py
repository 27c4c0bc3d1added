"""Input that comes slowly: pipes and terminals, whose readers want an answer to each line before they send the next.

Before such an input is waited for, every output that is a stream is flushed, and blocks of lines end. So a command
answers line by line where lines come one by one, and works on many at once where they come fast.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import select
import stat
from collections.abc import Iterable, Iterator
from typing import IO, Any, TextIO, TypeVar

from rarewords.errors import InputError

Line = TypeVar("Line")

_BYTES_AT_ONCE = 1 << 16
_inputs: list[StreamInput] = []  # that are being read
_outputs: list[TextIO] = []  # that are being written


class StreamInput:
    """The lines of a pipe, a terminal or a socket, with their ends; iterate once."""

    def __init__(self, source: HashedInput, longest: int) -> None:
        """A line of more than `longest` bytes is given as far as it has come, and is the last one."""
        self._source, self._longest = source, longest
        self._lines: list[bytes] = []  # complete ones that have been read, the next one last
        self._ended = False

    def __iter__(self) -> Iterator[bytes]:
        rest: list[bytes] = []
        _inputs.append(self)
        try:
            while data := self._read():
                *ended, last = data.split(b"\n")
                if ended:
                    ended[0] = b"".join([*rest, ended[0]])
                    rest = []
                    self._lines = [line + b"\n" for line in reversed(ended)]
                rest.append(last)
                while self._lines:
                    yield self._lines.pop()
                if sum(map(len, rest)) > self._longest:
                    break
            self._ended = True
            if last_line := b"".join(rest):
                yield last_line
        finally:
            _inputs.remove(self)

    def is_idle(self) -> bool:
        """Whether the next line has not come yet."""
        return not self._lines and not self._ended and not self._is_ready(0)

    def _read(self) -> bytes:
        while True:
            if not self._is_ready(0):
                flush_outputs()
                self._is_ready(None)
            with contextlib.suppress(BlockingIOError):
                return self._source.read_some()

    def _is_ready(self, seconds: float | None) -> bool:
        return bool(select.select([self._source.fileno()], [], [], seconds)[0])


def as_lines(stream: IO[bytes], longest: int) -> Iterable[bytes]:
    """The lines of a binary file; those of a pipe or terminal as they come, up to one of more than `longest` bytes."""
    if isinstance(stream, HashedInput) and stream.descriptor is not None:
        return StreamInput(stream, longest)
    return stream


class HashedInput(io.RawIOBase):
    """A binary input that is read once, with the SHA-256 of what was read.

    `descriptor` is that of a pipe, a terminal or a socket, None for what never keeps its reader waiting.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream, self.digest = stream, hashlib.sha256()
        self.descriptor: int | None = None
        with contextlib.suppress(OSError, ValueError):  # in memory
            number = stream.fileno()
            self.descriptor = None if stat.S_ISREG(os.fstat(number).st_mode) else number

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._stream.fileno()

    def read(self, size: int = -1) -> bytes:
        return self._hashed(self._stream.read(size))

    def readline(self, size: int | None = -1) -> bytes:
        return self._hashed(self._stream.readline(-1 if size is None else size))

    def read_some(self) -> bytes:
        """What is there of a pipe, waiting for the first byte; nothing at the end."""
        assert self.descriptor is not None
        return self._hashed(os.read(self.descriptor, _BYTES_AT_ONCE))

    def _hashed(self, data: bytes) -> bytes:
        self.digest.update(data)
        return data


_pipes: set[tuple[int, int]] = set()  # that have been opened, by device and inode


def forget_pipes() -> None:
    """A command begins: what was read before says nothing of its inputs."""
    _pipes.clear()


def once_only(source: Any, name: object) -> None:
    """Raise InputError if a pipe (a path, or an open file) is about to be read again: that would wait for ever.

    Standard input that is a file would be empty the second time.
    """
    try:
        status = os.stat(source) if isinstance(source, str | os.PathLike) else os.fstat(source.fileno())
    except (OSError, ValueError):
        return
    is_pipe = stat.S_ISFIFO(status.st_mode) or stat.S_ISSOCK(status.st_mode)
    if not is_pipe and not (str(name) == "-" and stat.S_ISREG(status.st_mode)):
        return
    if (status.st_dev, status.st_ino) in _pipes:
        what = "a pipe" if is_pipe else "standard input"
        raise InputError(f"{name}: {what} can be read only once, but is needed again; give a file.")
    _pipes.add((status.st_dev, status.st_ino))


def input_is_idle() -> bool:
    """Whether a stream that is being read has nothing to read at the moment."""
    return any(stream.is_idle() for stream in _inputs)


def blocks(lines: Iterable[Line], size: int, whole: bool = False) -> Iterator[list[Line]]:
    """The lines in lists of `size`; unless `whole`, a list also ends where input would be waited for."""
    block: list[Line] = []
    for line in lines:
        block.append(line)
        if len(block) == size or (not whole and input_is_idle()):
            yield block
            block = []
    if block:
        yield block


@contextlib.contextmanager
def flushed_before_waiting(output: TextIO) -> Iterator[None]:
    """Within the block, `output` is flushed whenever input is waited for."""
    _outputs.append(output)
    try:
        yield
    finally:
        _outputs.remove(output)


def flush_outputs() -> None:
    """Flush all outputs that are streams; raises BrokenPipeError, and InputError for other failures."""
    for output in _outputs:
        try:
            output.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise InputError(f"output: cannot be written ({error.strerror or error}).") from error


def is_terminal(stream: Any) -> bool:
    """Whether a standard stream is a terminal; a closed one is not."""
    return stream is not None and not stream.closed and stream.isatty()
