"""Check the existing archives and texts of a corpus."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from rarewords.corpus.checksums import LockFile, complaint, digests
from rarewords.corpus.sources import Text, archive_path, archives, text_path
from rarewords.errors import InputError, plural
from rarewords.text.files import read_lines


@dataclass(frozen=True)
class Finding:
    """The result of checking a file. `state` is right, unknown, missing, warning or wrong."""

    path: Path
    state: str
    detail: str = ""
    failed: bool = False


def verify(corpus: dict[str, Any], wanted: list[Text], folder: Path, lock: LockFile) -> Iterator[Finding]:
    """Check the archives that the texts come from, then the texts; nothing is changed."""
    needed = {text.archive for text in wanted}
    for name, archive in archives(corpus).items():
        path = archive_path(folder, name)
        if name not in needed:
            continue
        if not path.exists():
            yield Finding(path, "missing")
            continue
        wrong = complaint(archive, digests(path), lock)
        if wrong is not None:
            yield Finding(path, "wrong", wrong, failed=True)
        elif archive.md5 or archive.sha256 or lock.recorded(name):
            yield Finding(path, "right")
        else:
            yield Finding(path, "unknown", "its checksum is not known; `rarewords corpus fetch` records one")
    for _, sides in groupby(wanted, lambda text: (text.pair, text.name)):
        yield from _verify_sides(sides, folder)


def _verify_sides(sides: Iterable[Text], folder: Path) -> Iterator[Finding]:
    """Check both sides of a text: existing, UTF-8, of the expected length; if so, equally long."""
    counts: dict[Path, int] = {}
    failed = False
    for text in sides:
        path = text_path(folder, text)
        finding = _verify_text(path, text, counts)
        failed = failed or finding.failed
        yield finding
    if not failed and len(set(counts.values())) > 1:
        path = max(counts, key=lambda path: counts[path])
        yield Finding(path, "wrong", "it has more lines than its other side", failed=True)


def _verify_text(path: Path, text: Text, counts: dict[Path, int]) -> Finding:
    """Check one side; its lines are added to the counts."""
    if not path.exists():
        return Finding(path, "missing", failed=True)
    try:
        lines = counts[path] = sum(1 for _ in read_lines(path))
    except InputError as error:
        return Finding(path, "wrong", str(error), failed=True)
    if text.lines is not None and lines != text.lines:
        return Finding(path, "wrong", f"{lines:,} lines, but {text.lines:,} are expected", failed=True)
    if text.approximate_lines is not None and lines != text.approximate_lines:
        return Finding(path, "warning", f"{lines:,} lines; from memory it should be {text.approximate_lines:,}")
    return Finding(path, "right", plural(lines, "line"))
