"""The one exception for mistakes in the user's input, and help in its messages."""

from __future__ import annotations

import contextlib
import difflib
import re
from collections.abc import Iterable, Iterator, Mapping


class InputError(Exception):
    """Something the user gave is wrong.

    The message is one sentence that names the file, the line or the configuration key, says what is wrong and what to
    do. The command line prints it and exits with code 2.
    """


_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    """Text that others wrote, for a terminal: what would move its cursor or change its colours is shown as a code."""
    return _CONTROL.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def nearest(name: str, known: Iterable[str]) -> str:
    """Text that offers the known name most like `name`, or lists all where none is alike."""
    names = list(known)
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    return f"did you mean '{close[0]}'?" if close else f"known: {', '.join(names)}."


def plural(number: int, noun: str) -> str:
    """A number with its noun, for a sentence: `1 run`, `4,000 updates`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


@contextlib.contextmanager
def named_for_user(names: Mapping[str, str]) -> Iterator[None]:
    """Within the block, an InputError about a temporary path (a key of `names`) names the user's path (the value)."""
    try:
        yield
    except InputError as error:
        message = str(error)
        for temporary in sorted(names, key=len, reverse=True):  # what lies in a folder before the folder
            message = message.replace(temporary, names[temporary])
        raise InputError(message) from error
