"""Standard streams that may be closed, or in an encoding that lacks most letters."""

from __future__ import annotations

import io
import os
import sys
from typing import Any

from rarewords.errors import InputError
from rarewords.text.files import OUTPUT_IS_CLOSED


def prepare_standard_streams() -> None:
    """Make messages possible, whatever the standard streams are.

    The null device takes a closed descriptor, so that no file opened later gets its number and with it the messages.
    Standard input and output stay closed for the program, which says so when it needs them. A message that cannot be
    shown in the encoding of the terminal has `?` in it; text is UTF-8 always, see text/files.py.
    """
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free
    if sys.stdout is None:
        sys.stdout = _ClosedOutput()
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    if isinstance(sys.stderr, io.TextIOWrapper) and _descriptor(sys.stderr) == 2:
        messages = io.BufferedWriter(_Messages(sys.stderr))
        sys.stderr = io.TextIOWrapper(messages, sys.stderr.encoding, "replace", line_buffering=True)


def _descriptor(stream: io.TextIOWrapper) -> int | None:
    """The descriptor that a stream writes to; None for a stream in memory."""
    try:
        return stream.fileno()
    except io.UnsupportedOperation:
        return None


class _ClosedOutput(io.TextIOBase):
    """Standard output that is closed: a command that prints its result ends with an error instead of losing it."""

    @property
    def buffer(self) -> Any:
        raise InputError(OUTPUT_IS_CLOSED)

    def write(self, text: str) -> int:
        raise InputError(OUTPUT_IS_CLOSED)


class _Messages(io.FileIO):
    """Standard error, which may be on a full disk or a pipe that nobody reads: no command ends because of that."""

    def __init__(self, stream: io.TextIOWrapper) -> None:
        super().__init__(2, "wb", closefd=False)
        self._stream = stream  # without a reference it would be collected, which closes the descriptor

    def write(self, content: Any) -> int:
        try:
            return super().write(content)
        except OSError:
            return len(content)
