"""Saved models are put in place when a training run is done."""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path

from rarewords.errors import InputError


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
