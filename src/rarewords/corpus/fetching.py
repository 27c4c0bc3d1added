"""Get an archive from a mirror, sacrebleu's cache or its publisher.

An archive appears under its name only when it is complete and its checksum is right. An existing archive is never
fetched again and never changed.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from rarewords.corpus.checksums import LockFile, accept, require_archive
from rarewords.corpus.disk import require_space
from rarewords.corpus.download import Show, Unavailable, discard, download
from rarewords.corpus.exclusive import exclusive
from rarewords.corpus.sources import Archive
from rarewords.errors import InputError

MIRROR_VARIABLE = "RAREWORDS_MIRROR"

Say = Callable[[str], None]


class Fetcher:
    """Fetches archives. `mirrors` are folders or addresses that are tried before an archive's own, in order.

    `show` gets the progress of downloads, `say` a sentence about what happens.
    """

    def __init__(self, mirrors: Sequence[str], lock: LockFile, show: Show, say: Say) -> None:
        """The lock file need not exist."""
        self.mirrors = mirrors
        self.lock = lock
        self.show = show
        self.say = say

    def fetch(self, archive: Archive, path: Path) -> None:
        """Bring an archive to `path`, verified and recorded in the lock file.

        Raises InputError with what is wrong with the existing file, or with each source.
        """
        if self._is_there(archive, path):  # before the lock, since the folder may be read-only
            return
        with exclusive(path):
            if self._is_there(archive, path):
                return
            known = archive.md5 or archive.sha256 or self.lock.recorded(archive.name)
            failures: list[str] = []
            if not (self._from_files(archive, path, failures) or self._from_addresses(archive, path, failures)):
                raise InputError(_sentence(archive, path, failures))
        if known is None:
            self.say(
                f"no checksum of {archive.name} is known: its SHA-256, {self.lock.recorded(archive.name)}, is now in "
                f"{self.lock.path} and is expected from now on"
            )

    def _is_there(self, archive: Archive, path: Path) -> bool:
        if not path.exists():
            return False
        require_archive(archive, path, self.lock)
        self.say(f"{path} exists and is the right file")
        return True

    def _from_files(self, archive: Archive, path: Path, failures: list[str]) -> bool:
        """Copy from the first place on this machine that has the right file; adds what was wrong elsewhere."""
        for source in _files(archive, self.mirrors):
            if not source.is_file():
                continue
            wrong = accept(archive, source, self.lock)
            if wrong is None:
                _copy(source, path)
                self.say(f"copied {source} to {path}")
                return True
            failures.append(f"{source}: {wrong}")
        return False

    def _from_addresses(self, archive: Archive, path: Path, failures: list[str]) -> bool:
        """Download from the first address that has the right file; adds what was wrong with the others."""
        part = _part(path)
        for url in _addresses(archive, self.mirrors):
            self.say(f"fetching {url}")
            try:
                wrong = self._download(archive, url, part)
            except Unavailable as error:
                failures.append(str(error))
                continue
            if wrong is None:
                os.replace(part, path)
                discard(part)
                self.say(f"fetched {path} ({path.stat().st_size:,} bytes)")
                return True
            failures.append(f"{url}: {wrong}")
        return False

    def _download(self, archive: Archive, url: str, part: Path) -> str | None:
        """Download to `part`; returns what is wrong with it, after which nothing of it is left."""
        continued = part.exists()
        download(url, part, self.show)
        wrong = accept(archive, part, self.lock)
        if wrong is not None:
            discard(part)
            if continued:  # perhaps its beginning was from another file: try once more, from the start
                return self._download(archive, url, part)
        return wrong


def all_mirrors(configured: Sequence[str]) -> list[str]:
    """The mirrors to try: that of the environment variable RAREWORDS_MIRROR before the configured ones."""
    return [mirror for mirror in (os.environ.get(MIRROR_VARIABLE, ""), *configured) if mirror]


def _copy(source: Path, path: Path) -> None:
    part = _part(path)
    discard(part)
    require_space(path.parent, source.stat().st_size)
    try:
        shutil.copyfile(source, part)
        os.replace(part, path)
    except OSError as error:
        raise InputError(f"{path}: {source} cannot be copied there ({error.strerror or error}).") from error


def _files(archive: Archive, mirrors: Sequence[str]) -> list[Path]:
    """Places on this machine where the archive may be; its checksum tells whether it is the right file."""
    folders = [Path(mirror.removeprefix("file://")).expanduser() for mirror in mirrors if not _is_address(mirror)]
    files = [folder / name for folder in folders for name in _names(archive)]
    if archive.sacrebleu:
        cache = Path(os.environ.get("SACREBLEU", "~/.sacrebleu")).expanduser() / archive.sacrebleu / "raw"
        files += [
            cache / f"{archive.sacrebleu.replace('/', '_')}.{Path(urlsplit(url).path).name}" for url in archive.urls
        ]
    return list(dict.fromkeys(files))


def _addresses(archive: Archive, mirrors: Sequence[str]) -> list[str]:
    prefixes = [mirror.rstrip("/") for mirror in mirrors if _is_address(mirror)]
    mirrored = [f"{prefix}/{name}" for prefix in prefixes for name in _names(archive)]
    return list(dict.fromkeys([*mirrored, *archive.urls]))


def _names(archive: Archive) -> list[str]:
    """What a mirror may call the archive: our name, the path at the publisher, the last part of it."""
    paths = [urlsplit(url).path.lstrip("/") for url in archive.urls]
    return list(dict.fromkeys([archive.name, *paths, *(Path(path).name for path in paths)]))


def _is_address(mirror: str) -> bool:
    return mirror.startswith(("http://", "https://"))


def _part(path: Path) -> Path:
    return path.with_name(path.name + ".part")


def _sentence(archive: Archive, path: Path, failures: Sequence[str]) -> str:
    if archive.by_hand:
        tried = f" (tried: {'; '.join(failures)})" if failures else ""
        return f"{path} must be put there by hand{tried}: {archive.by_hand}"
    reasons = "; ".join(failures) or "it has no address"
    return (
        f"{archive.name} could not be fetched: {reasons}; try again later, or put the file at {path}, or set "
        f"{MIRROR_VARIABLE} to a folder that has it (docs/data.md)."
    )
