"""Tables for the page: columns in groups, the paper's row below ours, and the difference if it is meaningful."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from rarewords.report.formats import ELSEWHERE, MISSING, PAPER, Cell, Table, cell_text

# Columns whose differences are meaningful: scores, which have the same scale here and in the paper.
SCORES = ("BLEU", "chrF3", "F1", "OOV")
# First words of column names that are headings of several columns.
GROUPS = (*SCORES, "vocabulary", "types", "unknown")
MINUS = re.compile(r"^-(?=\d)")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


@dataclass(frozen=True)
class Line:
    """A row of the page: its kind (`ours`, `paper`, `difference` or another origin) and its cells as text."""

    kind: str
    cells: list[str]
    best: list[bool] = field(default_factory=list)


@dataclass(frozen=True)
class PageTable:
    """Caption, headings, whether a column holds text, blocks of rows that belong together, and which columns to show on
    a screen that is too narrow for all: the scores, or all if there are none.

    A heading of several columns has their number, and whether they can be left out."""

    caption: list[str]
    groups: list[tuple[str, int, bool]]
    names: list[str]
    text: list[bool]
    blocks: list[list[Line]]
    scores: list[bool]


def plain(table: Table) -> PageTable:
    """Every row on its own."""
    return _page_table(table, [[_line("ours", row, len(row))] for row in table.rows])


def compared(table: Table) -> PageTable:
    """The paper's row and the differences below our row; a row of the paper without ours above stands alone, and so do
    those of another test set."""
    header = table.header()
    origin = header.index("from") if "from" in header else None
    best = _best_values(table, header)
    blocks: list[list[Line]] = []
    ours: list[Cell] | None = None
    for row in table.rows:
        kind = "ours" if origin is None else str(row[origin])
        if kind == ELSEWHERE:
            blocks.append([_line(PAPER, row, len(row))])
            ours = None
        elif kind != PAPER:
            blocks.append([_line(kind, row, len(row), best)])
            ours = row
        elif ours is None:
            blocks.append([_line(PAPER, row, len(row))])
        else:
            blocks[-1].append(_line(PAPER, row, len(row)))
            differences = _differences(ours, row, header)
            if any(differences):
                blocks[-1].append(Line("difference", differences, [False] * len(row)))
            ours = None
    return _page_table(table, blocks)


def _page_table(table: Table, blocks: list[list[Line]]) -> PageTable:
    header = table.header()
    groups, names = _headings(header)
    scores = [name.split(" ")[0] in SCORES for name in header]
    if not any(scores):
        scores = [True] * len(header)
    marked: list[tuple[str, int, bool]] = []
    for name, width in groups:
        start = sum(before for _, before, _ in marked)
        # columns without a common heading may be left out one by one
        for first, columns in [(start, width)] if name else [(start + k, 1) for k in range(width)]:
            marked.append((name, columns, first > 0 and not scores[first]))
    return PageTable(table.caption, marked, names, [table.is_text(k) for k in range(len(names))], blocks, scores)


def _headings(header: Sequence[str]) -> tuple[list[tuple[str, int]], list[str]]:
    """Headings over several columns with their widths (empty if none of the columns has one), and names below them."""
    groups = []
    for name, members in groupby(header, _group):
        groups.append((name, len(list(members))))
    names = [name.removeprefix(_group(name)).strip() for name in header]
    return groups, names


def _group(name: str) -> str:
    first, _, rest = name.partition(" ")
    return first if rest and first in GROUPS else ""


def _line(kind: str, row: Sequence[Cell], width: int, best: dict[int, float] | None = None) -> Line:
    marks = [best is not None and column in best and number(row[column]) == best[column] for column in range(width)]
    return Line(kind, [MINUS.sub("−", cell_text(cell)) for cell in row], marks)


def _best_values(table: Table, header: Sequence[str]) -> dict[int, float]:
    """The highest of our numbers in each column of scores."""
    best = {}
    for column, name in enumerate(header):
        values = [value for row in table.rows if not _is_paper(row) and (value := number(row[column])) is not None]
        if name.split(" ")[0] in SCORES and len(values) > 1 and max(values) > 0:
            best[column] = max(values)
    return best


def _is_paper(row: Sequence[Cell]) -> bool:
    return PAPER in row or ELSEWHERE in row


def _differences(ours: Sequence[Cell], paper: Sequence[Cell], header: Sequence[str]) -> list[str]:
    """Ours minus the paper's in the columns of scores, empty elsewhere."""
    cells = []
    for left, right, name in zip(ours, paper, header, strict=True):
        first, second = number(left), number(right)
        if first is None or second is None or name.split(" ")[0] not in SCORES:
            cells.append("")
        else:
            cells.append(f"{first - second:+.1f}".replace("-", "−"))
    return cells


def number(cell: Any) -> float | None:
    """The number in a cell, even with a mark behind it as in `24.1*`; None for text and missing values."""
    if isinstance(cell, int | float):
        return float(cell)
    if not isinstance(cell, str) or cell == MISSING:
        return None
    match = NUMBER.match(cell)
    return float(match[0]) if match else None
