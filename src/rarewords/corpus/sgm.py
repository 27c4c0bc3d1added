"""Read the SGM files of the WMT test sets.

They look like XML but are not: entities are written in any way, names of elements and attributes in any case and order.
Only `seg` counts; documents and paragraphs are ignored. docs/reproduction/data.md.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator

from rarewords.errors import InputError
from rarewords.text.files import PathLike

MOST_CHARACTERS = 100_000_000  # thirty times the largest test set
_TAG = re.compile(r"<(/?)seg\b[^>]*?(/?)>", re.IGNORECASE)
# With the semicolon only: "R&D" and "&para" are text.
_ENTITY = re.compile(r"&(?:#[0-9]{1,9}|#[xX][0-9A-Fa-f]{1,8}|[A-Za-z][A-Za-z0-9]*);")
_LINE_ENDS = re.compile(r"[ \t]*[\r\n]+[ \t]*")


def read_segments(lines: Iterable[str], path: PathLike) -> list[str]:
    """The text of each segment, in the order of the file; an empty segment is an empty string.

    Tags and segments may span several lines; lines of a segment are joined by a space. Entities are decoded once
    (`&amp;lt;` is `&lt;`); one that means a line end becomes a space. Spaces at the ends of a segment are dropped,
    nothing else is changed. A test set is small, so the file is held in memory.

    Raises InputError with the line for a segment that does not end, and for a file without segments.
    """
    content = "\n".join(_limited(lines, path))
    segments: list[str] = []
    opened: re.Match[str] | None = None
    for tag in _TAG.finditer(content):
        closing, empty = tag[1] == "/", tag[2] == "/"
        if closing and opened:
            segments.append(_text(content[opened.end() : tag.start()]))
            opened = None
        elif closing or opened:
            raise InputError(_mismatch(content, path, opened or tag))
        elif empty:
            segments.append("")
        else:
            opened = tag
    if opened:
        raise InputError(_mismatch(content, path, opened))
    if not segments:
        raise InputError(f"{path} has no <seg>; give an SGM file of a test set.")
    return segments


def _limited(lines: Iterable[str], path: PathLike) -> Iterator[str]:
    size = 0
    for line in lines:
        size += len(line)
        if size > MOST_CHARACTERS:
            raise InputError(f"{path} is larger than any test set; give the SGM file of a test set.")
        yield line


def _text(raw: str) -> str:
    decoded = _ENTITY.sub(lambda match: html.unescape(match[0]), raw)
    return _LINE_ENDS.sub(" ", decoded).strip(" \t")


def _mismatch(content: str, path: PathLike, tag: re.Match[str]) -> str:
    number = content.count("\n", 0, tag.start()) + 1
    partner = "<seg>" if tag[1] else "</seg>"
    return f"{path}, line {number}: {tag[0]!r} has no {partner}; fetch the file again."
