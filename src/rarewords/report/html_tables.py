"""Tables for the page: columns in groups, the paper's row below ours, and the difference if it is meaningful."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from rarewords.evaluation.registry import METRICS
from rarewords.report.table import ELSEWHERE, OURS, PAPER, Cell, Column, Table, number


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
    return _page_table(table, [[_line("ours", table, row)] for row in table.rows])


def compared(table: Table) -> PageTable:
    """The paper's row and the differences below our row; a row of the paper without ours above stands alone, and so do
    those of another test set."""
    best = _best_values(table)
    blocks: list[list[Line]] = []
    ours: list[Cell] | None = None
    for row in table.rows:
        kind = str(table.origin(row) or OURS)
        if kind == ELSEWHERE:
            blocks.append([_line(PAPER, table, row)])
            ours = None
        elif kind != PAPER:
            blocks.append([_line(kind, table, row, best)])
            ours = row
        elif ours is None:
            blocks.append([_line(PAPER, table, row)])
        else:
            blocks[-1].append(_line(PAPER, table, row))
            differences = _differences(ours, row, table.columns)
            if any(differences):
                blocks[-1].append(Line("difference", differences, [False] * len(row)))
            ours = None
    return _page_table(table, blocks)


def _page_table(table: Table, blocks: list[list[Line]]) -> PageTable:
    scores = [column.is_score for column in table.columns]
    if not any(scores):
        scores = [True] * len(table.columns)
    marked: list[tuple[str, int, bool]] = []
    start = 0
    for name, members in groupby(table.columns, lambda column: column.group):
        width = len(list(members))
        # columns without a common heading may be left out one by one
        for first, columns in [(start, width)] if name else [(start + k, 1) for k in range(width)]:
            marked.append((name, columns, first > 0 and not scores[first]))
        start += width
    names = [column.name for column in table.columns]
    return PageTable(table.caption, marked, names, [table.is_text(k) for k in range(len(names))], blocks, scores)


def _line(kind: str, table: Table, row: list[Cell], best: Mapping[int, float] | None = None) -> Line:
    bold = [best is not None and k in best and _as_shown(row[k], table.columns[k]) == best[k] for k in range(len(row))]
    texts = zip(row, table.texts(row), strict=True)
    return Line(kind, [text.replace("-", "−", 1) if _is_negative(cell) else text for cell, text in texts], bold)


def _is_negative(cell: Cell) -> bool:
    value = number(cell)
    return value is not None and value < 0


def _as_shown(cell: Cell, column: Column) -> float | None:
    """The number that a reader sees, so that what looks equal is equal."""
    value = number(cell)
    return None if value is None else round(value, column.digits)


def _best_values(table: Table) -> dict[int, float]:
    """The best of our numbers in each column of scores."""
    best = {}
    for k, column in enumerate(table.columns):
        found = (_as_shown(row[k], column) for row in table.rows if not table.is_paper(row))
        values = [value for value in found if value is not None]
        if column.is_score and len(values) > 1 and max(values) > 0:
            best[k] = METRICS[column.metric].best(values)
    return best


def _differences(ours: Sequence[Cell], paper: Sequence[Cell], columns: Sequence[Column]) -> list[str]:
    """Ours minus the paper's as shown in the columns of scores, empty elsewhere."""
    cells = []
    for left, right, column in zip(ours, paper, columns, strict=True):
        first, second = _as_shown(left, column), _as_shown(right, column)
        if first is None or second is None or not column.is_score:
            cells.append("")
        else:
            cells.append(f"{first - second:+.{column.digits}f}".replace("-", "−"))
    return cells
