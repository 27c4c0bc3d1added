"""What a table is: typed columns and cells, its JSON, and how people see it. formats.py writes the other formats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from rarewords.errors import InputError
from rarewords.evaluation.registry import METRICS
from rarewords.text.documents import Kind, read_json, write_json
from rarewords.text.files import PathLike
from rarewords.text.shapes import Misfit, list_of, map_of, record, text

MISSING = "-"
OURS, PAPER, EXTERNAL = "ours", "paper", "external"
ELSEWHERE = "paper, newstest2015"  # printed for a test set other than that of our rows

# A difference with a p below this is marked.
LEVEL = 0.05
MARK = "*"

# What a column is for; of a metric: the scores of one output, the p of its difference, the spread of the single models.
ORIGIN = "origin"
SINGLE, ENSEMBLE, P = "single", "ensemble", "p"
SPREAD = MEAN, MINIMUM, MAXIMUM = "mean", "minimum", "maximum"
SCORES = (SINGLE, ENSEMBLE, MEAN)
P_DIGITS = 3


class Column(NamedTuple):
    """A column: the heading that it shares with others (or none), its name, the metric of its numbers and its role."""

    group: str
    name: str
    metric: str = ""
    role: str = ""

    @property
    def header(self) -> str:
        """The name with the group in front."""
        return f"{self.group} {self.name}".strip()

    @property
    def digits(self) -> int:
        """Digits behind the decimal point of the numbers that are no whole ones."""
        if self.role == P:
            return P_DIGITS
        return METRICS[self.metric].digits if self.metric in METRICS else 1

    @property
    def is_score(self) -> bool:
        """True for scores of a known metric, which can be compared with those of the paper."""
        return self.metric in METRICS and self.role in SCORES


FROM = Column("", "from", role=ORIGIN)


@dataclass(frozen=True)
class Score:
    """A number with what people see beside it: a mark, or the range that it is the mean of."""

    value: float
    marked: bool = False
    range: tuple[float, float] | None = None


Cell = str | int | float | Score | None


@dataclass(frozen=True)
class Table:
    """Caption sentences, columns, and rows of cells.

    None is a missing value; int and float are numbers, shown with the column's digits if float; a row whose cell in the
    column FROM is PAPER or ELSEWHERE is printed in the paper.
    """

    caption: list[str]
    columns: list[Column]
    rows: list[list[Cell]]

    def header(self) -> list[str]:
        """Column names with their group in front."""
        return [column.header for column in self.columns]

    def is_text(self, column: int) -> bool:
        """True if a column holds text, not only numbers (with marks or ranges)."""
        cells = [row[column] for row in self.rows]
        return any(isinstance(cell, str) and any(map(str.isalpha, cell)) for cell in cells)

    def origin(self, row: list[Cell]) -> Cell:
        """Where the numbers of a row come from, in a table that says so: OURS, EXTERNAL, PAPER or ELSEWHERE."""
        return next((cell for column, cell in zip(self.columns, row, strict=True) if column.role == ORIGIN), None)

    def is_paper(self, row: list[Cell]) -> bool:
        """True for a row of numbers printed in the paper."""
        return self.origin(row) in (PAPER, ELSEWHERE)

    def texts(self, row: list[Cell], thousands: str = ",") -> list[str]:
        """The cells of a row as shown."""
        return [cell_text(cell, thousands, column.digits) for column, cell in zip(self.columns, row, strict=True)]


def columns(*names: str) -> list[Column]:
    """Columns without groups, metrics and roles."""
    return [Column("", name) for name in names]


def cell_text(cell: Cell, thousands: str = ",", digits: int = 1) -> str:
    """A cell as shown: numbers with a separator of thousands, or with digits; `-` if missing; text on one line."""
    if cell is None:
        return MISSING
    if isinstance(cell, Score):
        numbers = [f"{value:.{digits}f}" for value in (cell.value, *(cell.range or ()))]
        return numbers[0] + (f" ({numbers[1]}–{numbers[2]})" if cell.range else "") + (MARK if cell.marked else "")
    if isinstance(cell, int):
        return f"{cell:,}".replace(",", thousands)
    return f"{cell:.{digits}f}" if isinstance(cell, float) else " ".join(cell.split())


def number(cell: Cell) -> float | None:
    """The number of a cell; None for text and missing values."""
    if isinstance(cell, Score):
        return cell.value
    return float(cell) if isinstance(cell, int | float) else None


def for_people(table: Table) -> Table:
    """The table with fewer columns: p becomes a mark on its score, mean, minimum and maximum become one cell.

    p marks the ensemble or, where there is none, the single model, else the mean.
    """
    kept = [k for k, column in enumerate(table.columns) if column.role not in (P, MINIMUM, MAXIMUM)]
    if len(kept) == len(table.columns):
        return table
    shown = [table.columns[k] for k in kept]
    shown = [column._replace(name="mean (range)") if column.role == MEAN else column for column in shown]
    rows = [_row_for_people(table.columns, row) for row in table.rows]
    return Table(table.caption, shown, [[row[k] for k in kept] for row in rows])


def _row_for_people(found: Sequence[Column], row: Sequence[Cell]) -> list[Cell]:
    places = {(column.metric, column.role): k for k, column in enumerate(found) if column.metric}
    shown = list(row)
    for column, k in zip(found, range(len(row)), strict=True):
        value = number(row[k])
        if column.role == MEAN and value is not None:
            least, most = (number(row[places[column.metric, role]]) for role in (MINIMUM, MAXIMUM))
            shown[k] = value if least is None or most is None else Score(value, range=(least, most))
    for marked in marks(found, row):
        cell = shown[marked]
        score = cell if isinstance(cell, Score) else Score(number(cell) or 0.0)
        shown[marked] = replace(score, marked=True)
    return shown


def marks(found: Sequence[Column], row: Sequence[Cell]) -> list[int]:
    """The places of the scores in a row that differ from the baseline's."""
    places = {(column.metric, column.role): k for k, column in enumerate(found) if column.metric}
    result = []
    for column, cell in zip(found, row, strict=True):
        p = number(cell)
        if column.role == P and p is not None and p < LEVEL:
            scores = (places.get((column.metric, role)) for role in (ENSEMBLE, SINGLE, MEAN))
            result += [k for k in scores if k is not None and number(row[k]) is not None][:1]
    return result


def _cell(value: Any, where: str) -> None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, str | int | float)):
        raise Misfit(f"{where}: not a number, a text or null")


_COLUMN = record({key: text() for key in ("group", "name", "metric", "role")}, open_=True)
_ROW = record({"cells": map_of(_cell)}, open_=True)
TABLE = Kind(
    "a table",
    record({"caption": list_of(text()), "columns": list_of(_COLUMN), "rows": list_of(_ROW)}, open_=True),
    "write it with `rarewords report`",
)


def write_table(path: PathLike, table: Table) -> None:
    """Write the table as JSON: caption, columns with their metrics, and rows.

    A row has its origin, its cells by the name of the column (numbers with all digits, null if missing), and the names
    of the columns in which it is marked.
    """
    header = table.header()
    rows = [
        {
            "origin": table.origin(row),
            "cells": dict(zip(header, row, strict=True)),
            "marked": [header[k] for k in marks(table.columns, row)],
        }
        for row in table.rows
    ]
    content = {"caption": table.caption, "columns": [column._asdict() for column in table.columns], "rows": rows}
    write_json(path, content)


def read_table(path: PathLike) -> Table:
    """Read a table written by `write_table`; raises InputError for any other file."""
    content = read_json(path, TABLE)
    found = [Column(*(one[key] for key in Column._fields)) for one in content["columns"]]
    rows = []
    for number_of_row, row in enumerate(content["rows"], 1):
        cells = row["cells"]
        if list(cells) != [column.header for column in found]:
            raise InputError(f"{path}: the cells of row {number_of_row} are not those of the columns; {TABLE.advice}.")
        rows.append(list(cells.values()))
    return Table(content["caption"], found, rows)
