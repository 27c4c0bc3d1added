"""Output files of a command: checked before the work begins, put in place when it is done."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from rarewords.errors import InputError
from rarewords.text.files import PathLike


def check_files(paths: Iterable[PathLike]) -> None:
    """Raise InputError if a file cannot be written at one of the paths; makes the folders above them."""
    for path in map(Path, paths):
        if path.is_dir():
            raise InputError(f"{path}: cannot be written (it is a folder); name a file.")
        check_folder(path.parent)


def check_folder(folder: PathLike) -> None:
    """Make a folder if it does not exist; raises InputError if that fails or no file can be written in it."""
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise InputError(
            f"{folder}: files cannot be written in this folder ({error.strerror or error}); name another."
        ) from error


def publish(checkpoint: Path, path: Path) -> None:
    """Give a checkpoint its declared name, as a second link to the same data if the file system allows.

    Raises InputError if it cannot be written there; then nothing half-written is left.
    """
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.unlink(missing_ok=True)
        try:
            os.link(checkpoint, temporary)
        except OSError:
            shutil.copyfile(checkpoint, temporary)
        os.replace(temporary, path)
    except OSError as error:
        raise InputError(
            f"{path}: cannot be written ({error.strerror or error}); the training run is done and its checkpoints are "
            "intact; solve the problem (for example, make room) and start again."
        ) from error
    finally:
        # also there after success if both were links to the same data: then renaming does nothing
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
