"""Codes files: the merges of byte pair encoding, in the format of the released tool.

Version 0.2 starts with the line `#version: 0.2`; version 0.1 has no header. Each further line is one merge, most
important first: two symbols separated by one space, `</w>` marking the end of a word (see `symbols.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from rarewords.errors import InputError
from rarewords.segmentation.bpe.symbols import END_OF_WORD, VERSIONS, Merge
from rarewords.text.files import PathLike, decode_lines, read_byte_lines, write_whole_lines

HEADER = "#version:"
BYTE_HEADER = f"{HEADER} 0.2 byte"


@dataclass(frozen=True)
class Codes:
    """The merges of a codes file, in order, its version, "0.1" or "0.2", and whether its symbols are bytes."""

    version: str
    merges: tuple[Merge, ...]
    of_bytes: bool = False

    @property
    def encoding(self) -> str:
        """The encoding that turns a file into the characters of the symbols."""
        return encoding(self.of_bytes)

    def first(self, number: int | None) -> Codes:
        """The codes with only this many merges; all of them for None."""
        return replace(self, merges=self.merges[:number])

    def lines(self) -> Iterator[str]:
        """The lines of the codes file, with their ends."""
        if self.version != "0.1":
            yield (BYTE_HEADER if self.of_bytes else f"{HEADER} {self.version}") + "\n"
        elif self.merges and self.merges[0][0].startswith("\ufeff"):
            yield "\ufeff"  # a reader drops the first one
        for left, right in self.merges:
            yield f"{left} {right}\n"


def encoding(of_bytes: bool) -> str:
    """How text is read: as characters, or with a character for each byte."""
    return "latin-1" if of_bytes else "utf-8"


def write_codes(path: PathLike, codes: Codes) -> None:
    """Write a codes file; `-` is standard output."""
    write_whole_lines(path, codes.lines(), codes.encoding)


def read_codes(path: PathLike) -> Codes:
    """Read a codes file of either version; `-` is standard input.

    Raises InputError with file and line for a line that is not two symbols, and for a symbol that no earlier merge
    makes: the sign of another kind of file, of a lost header or of lost lines.
    """
    return parse_codes(read_byte_lines(path), path)


def parse_codes(content: Iterable[bytes], path: PathLike) -> Codes:
    """The codes of a file that is open; see `read_codes`. `path` is its name in messages."""
    raw = list(content)
    of_bytes = bool(raw) and raw[0].decode("latin-1").rstrip() == BYTE_HEADER
    bare = [line.removesuffix(_line_end(raw)) for line in raw]
    lines = [line.decode("latin-1") for line in bare] if of_bytes else list(decode_lines(bare, path))
    while lines and not lines[-1]:
        lines.pop()
    has_header = bool(lines) and lines[0].startswith(HEADER)
    version = _version(lines[0], of_bytes, path) if has_header else "0.1"
    start = 1 if has_header else 0
    merges = list(_merges(lines[start:], path, start + 1))
    _check_symbols(merges, version, path, start + 1)
    return Codes(version, tuple(merges), of_bytes)


def _line_end(raw: list[bytes]) -> bytes:
    """CR LF if no line ends otherwise and no merge lacks its second symbol without the CR: a symbol may end in CR."""
    ended = [line for line in raw if line.endswith(b"\n")]
    return b"\r\n" if all(line.endswith(b"\r\n") and line[-3:-2] != b" " for line in ended) else b"\n"


def _version(header: str, of_bytes: bool, path: PathLike) -> str:
    version = "0.2" if of_bytes else header.removeprefix(HEADER).strip()
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
                    f"this is not a codes file of version {version}, or lines (perhaps the header) are missing."
                )
        made.add(left + right)


def _is_initial(symbol: str, version: str) -> bool:
    if version == "0.1":
        return len(symbol) == 1 or symbol == END_OF_WORD
    return len(symbol.removesuffix(END_OF_WORD)) == 1
