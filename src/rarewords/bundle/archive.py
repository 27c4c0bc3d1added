"""A bundle that was packed into one file, to send it."""

from __future__ import annotations

import contextlib
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from rarewords.bundle.contents import DESCRIPTION
from rarewords.errors import InputError
from rarewords.text.files import PathLike


@contextlib.contextmanager
def unpacked(bundle: PathLike) -> Iterator[Path]:
    """The folder of a bundle: itself, or that of a tar or zip archive, unpacked while the block runs.

    Raises InputError for a file that is not an archive, is damaged, or does not contain exactly one bundle.
    """
    if not Path(bundle).is_file():
        yield Path(bundle)
        return
    with tempfile.TemporaryDirectory(prefix="rarewords-") as folder:
        _unpack(Path(bundle), folder)
        found = [path.parent for path in Path(folder).rglob(DESCRIPTION)]
        if len(found) != 1:
            raise InputError(f"{bundle}: {len(found)} bundles in this archive; pack one folder that `export` wrote.")
        yield found[0]


def _unpack(archive: Path, folder: str) -> None:
    try:
        if tarfile.is_tarfile(archive):
            with tarfile.open(archive) as packed:
                packed.extractall(folder, filter="data")  # nothing outside the folder, no links or devices out of it
        elif zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as zipped:
                zipped.extractall(folder)
        else:
            raise InputError(
                f"{archive} is not a bundle: neither a folder nor a tar or zip archive of one; name a bundle."
            )
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, OSError) as error:
        raise InputError(f"{archive}: cannot be unpacked ({error}); get the file again.") from error
