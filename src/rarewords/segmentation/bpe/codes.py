"""Codes files: the merges of byte pair encoding, in the format of the released tool.

Version 0.2 starts with the line `#version: 0.2`; version 0.1 has no header. Each further line is one merge, most
important first: two symbols separated by one space, `</w>` marking the end of a word (see `symbols.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rarewords.errors import InputError
from rarewords.segmentation.bpe.symbols import END_OF_WORD, VERSIONS, Merge
from rarewords.text.files import PathLike, read_lines, write_lines

HEADER = "#version:"


@dataclass(frozen=True)
class Codes:
    """The merges of a codes file, in order, and its version, "0.1" or "0.2"."""

    version: str
    merges: tuple[Merge, ...]

    def first(self, number: int | None) -> Codes:
        """The codes with only so many merges; all of them for None."""
        return Codes(self.version, self.merges[:number])


def write_codes(path: PathLike, merges: Iterable[Merge], version: str) -> None:
    """Write a codes file; `-` is standard output."""
    header = [] if version == "0.1" else [f"{HEADER} {version}"]
    write_lines(path, [*header, *(f"{left} {right}" for left, right in merges)])


def read_codes(path: PathLike) -> Codes:
    """Read a codes file of either version; `-` is standard input.

    Raises InputError with file and line for a line that is not two symbols, and for a symbol that no earlier merge
    makes: the sign of another kind of file, of a lost header or of lost lines.
    """
    lines = list(read_lines(path))
    while lines and not lines[-1]:
        lines.pop()
    version = _version(lines[0], path) if lines and lines[0].startswith(HEADER) else None
    start = 0 if version is None else 1
    version = version or "0.1"
    merges = list(_merges(lines[start:], path, start + 1))
    _check_symbols(merges, version, path, start + 1)
    return Codes(version, tuple(merges))


def _version(header: str, path: PathLike) -> str:
    version = header.removeprefix(HEADER).strip()
    if version not in VERSIONS:
        raise InputError(
            f"{path}, line 1: codes of version {version!r}, but this program reads {' and '.join(VERSIONS)}; "
            "learn them again."
        )
    return version


def _merges(lines: list[str], path: PathLike, first: int) -> Iterator[Merge]:
    for number, line in enumerate(lines, first):
        fields = line.split(" ")
        if len(fields) != 2 or not all(fields):
            raise InputError(
                f"{path}, line {number}: {line!r} is not a merge; a line of a codes file is two symbols separated by "
                "one space. Is the file complete, and is it a codes file?"
            )
        yield fields[0], fields[1]


def _check_symbols(merges: list[Merge], version: str, path: PathLike, first: int) -> None:
    made: set[str] = set()
    for number, (left, right) in enumerate(merges, first):
        for symbol in (left, right):
            if symbol not in made and not _is_initial(symbol, version):
                raise InputError(
                    f"{path}, line {number}: the symbol {symbol!r} is neither a character nor made by an earlier line; "
                    f"this is no codes file of version {version}, or lines (perhaps the header) are missing."
                )
        made.add(left + right)


def _is_initial(symbol: str, version: str) -> bool:
    if version == "0.1":
        return len(symbol) == 1 or symbol == END_OF_WORD
    return len(symbol.removesuffix(END_OF_WORD)) == 1
