"""Input that comes slowly: pipes and terminals, whose readers want an answer to each line before they send the next.

Before such an input is waited for, every output that is a stream is flushed, and blocks of lines end. So a command
answers line by line where lines come one by one, and works on many at once where they come fast.
"""

from __future__ import annotations

import contextlib
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

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
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
                return os.read(self._descriptor, _BYTES_AT_ONCE)

    def _is_ready(self, seconds: float | None) -> bool:
        return bool(select.select([self._descriptor], [], [], seconds)[0])


def as_lines(stream: IO[bytes]) -> Iterable[bytes]:
    """The lines of an open binary file, one by one as they come if it is no regular file."""
    try:
        descriptor = stream.fileno()
        regular = stat.S_ISREG(os.fstat(descriptor).st_mode)
    except (OSError, ValueError):  # in memory
        return stream
    return stream if regular else StreamInput(descriptor)


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
