"""The one exception for mistakes in the user's input."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping


class InputError(Exception):
    """Something the user gave is wrong.

    The message is one sentence that names the file, the line or the configuration key, says what is wrong and what to
    do. The command line prints it and exits with code 2.
    """


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
