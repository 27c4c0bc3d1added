"""Outputs of a command are checked before its work begins, not when the result is lost."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from rarewords.errors import InputError
from rarewords.text.files import PathLike, is_stream


def check_outputs(outputs: Iterable[PathLike | None], inputs: Iterable[PathLike | None] = ()) -> None:
    """Raise InputError if an output is named twice or is an input, too, or cannot be written; None is no file.

    The `-` of an input is standard input, that of an output standard output.
    """
    taken = {Path(path).resolve(): "an input" for path in inputs if path is not None and str(path) != "-"}
    named = [path for path in outputs if path is not None]
    for path in named:
        place = Path(path).resolve()
        if place in taken:
            raise InputError(f"{path}: this output is also {taken[place]}; give each output a file of its own.")
        taken[place] = "another output"
    for path in named:
        check_file(path)


def check_file(path: PathLike) -> None:
    """Raise InputError if no file can be written at a path; folders that it lacks can be made later."""
    if not str(path):
        raise InputError("an output file has an empty name; give it one, or - for standard output.")
    if is_stream(path):
        return
    if Path(path).is_dir():
        raise InputError(f"{path}: cannot be written (it is a folder); name a file.")
    _check_room(path, Path(os.path.realpath(path)).parent)


def check_folder(folder: PathLike) -> None:
    """Raise InputError if files cannot be written in a folder, which need not exist."""
    _check_room(folder, Path(folder))


def _check_room(path: PathLike, folder: Path) -> None:
    """Raise InputError that names `path` if no file can be made in a folder, or in the nearest that exists above it."""
    nearest = Path(os.path.abspath(folder))
    try:
        while not os.path.lexists(nearest):
            nearest = nearest.parent
        tempfile.TemporaryFile(dir=nearest).close()
    except NotADirectoryError as error:
        raise InputError(f"{path}: cannot be written ({nearest} is not a folder); name another place.") from error
    except OSError as error:
        raise InputError(
            f"{path}: cannot be written ({nearest}: {error.strerror or error}); name another place."
        ) from error
