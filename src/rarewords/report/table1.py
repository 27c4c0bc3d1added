"""Table 1 of the paper: statistics of segmentations of the training text, from `rarewords segment statistics`.

The paper's rows stand below ours, for the pair that the paper has; formats.py writes the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rarewords.errors import InputError
from rarewords.report.figures import Point
from rarewords.report.inputs import StatisticsFile
from rarewords.report.paper import load_paper
from rarewords.report.table import FROM, OURS, PAPER, Cell, Column, Table, columns
from rarewords.text.documents import Kind, read_json
from rarewords.text.shapes import map_of, optional, record, text, whole

PAPER_PAIR = "en-de"
STATISTICS = Kind(
    "statistics",
    record(
        {
            "language": text(),
            **{name: whole(1) for name in ("words", "word_types", "tokens", "types", "types_without_joiner")},
            **{name: whole() for name in ("hapax_units", "split_words")},
            "unknown": map_of(whole()),
            "consistency": optional(record({"common": whole(), "alike": whole()})),
        },
        open_=True,
    ),
    "write them with `rarewords segment statistics`",
)


@dataclass(frozen=True)
class Row:
    """A segmentation: its name, the paper's row beside it (or None), and its statistics as in the JSON file."""

    label: str
    paper: str | None
    statistics: dict[str, Any]


def read_rows(files: Sequence[StatisticsFile]) -> list[Row]:
    """Read the statistics of the segmentations to show; raises InputError if they are not about the same text."""
    rows = [Row(row.label, row.paper, read_json(row.statistics, STATISTICS)) for row in files]
    for key in ("language", "words", "word_types"):
        values = list(dict.fromkeys(row.statistics[key] for row in rows))
        if len(values) > 1:
            raise InputError(
                f"the statistics differ in {key} ({', '.join(map(str, values))}); "
                "make all statistics of a table from one text."
            )
    return rows


def statistics_table(rows: list[Row], pair: str) -> Table:
    """The table of one language pair. Raises InputError for a row that the paper's table does not have."""
    sets = list(rows[0].statistics["unknown"])
    found = [
        Column("", "segmentation"),
        FROM,
        Column("", "tokens"),
        Column("types", "with @@"),
        Column("types", "without"),
        *(Column("unknown", name) for name in sets),
        *columns("units per 100 words", "split %", "once %", "alike %"),
    ]
    cells = []
    for row in rows:
        cells.append(_our_cells(row))
        if pair == PAPER_PAIR and row.paper is not None:
            cells.append(_paper_cells(paper_row(row.paper), len(sets)))
    return Table(_caption(rows, pair), found, cells)


def figure_points(rows: list[Row], pair: str) -> list[Point]:
    """The points of one language pair's figure, in multiples of the unsegmented text."""
    return [_point(row, pair) for row in rows]


def _point(row: Row, pair: str) -> Point:
    numbers = row.statistics
    ours = (numbers["tokens"] / numbers["words"], numbers["types"] / numbers["word_types"])
    if pair != PAPER_PAIR or row.paper is None:
        return Point(row.label, *ours)
    printed, words = paper_row(row.paper), paper_row("words")
    return Point(row.label, *ours, printed["tokens"] / words["tokens"], printed["types"] / words["types"])


def paper_row(name: str) -> dict[str, Any]:
    """A row of the printed table; raises InputError that lists the rows if none has that name."""
    table: dict[str, dict[str, Any]] = load_paper()["table1"]
    if name not in table:
        raise InputError(f"The paper's table 1 has no row '{name}': it has {', '.join(table)}.")
    return table[name]


def _our_cells(row: Row) -> list[Cell]:
    numbers = row.statistics
    consistency = numbers["consistency"]
    return [
        row.label,
        OURS,
        numbers["tokens"],
        numbers["types"],
        numbers["types_without_joiner"],
        *numbers["unknown"].values(),
        100 * numbers["tokens"] / numbers["words"],
        100 * numbers["split_words"] / numbers["words"],
        100 * numbers["hapax_units"] / numbers["types"],
        100 * consistency["alike"] / consistency["common"] if consistency and consistency["common"] else None,
    ]


def _paper_cells(row: dict[str, Any], sets: int) -> list[Cell]:
    """A printed row; its unknown units belong to the first set."""
    longer = 100 * row["tokens"] / paper_row("words")["tokens"]
    missing = [None] * (sets - 1)
    return [row["label"], PAPER, row["tokens"], row["types"], None, row["unknown"], *missing, longer, None, None, None]


def _caption(rows: list[Row], pair: str) -> list[str]:
    numbers = rows[0].statistics
    caption = [
        f"{pair}, {numbers['language']} side of the training text: {numbers['words']} words, "
        f"{numbers['word_types']} of them distinct.",
        "Tokens: running units; types: distinct units. A unit inside a word is marked (@@), so it differs from the "
        "same letters at the end of a word.",
        "Unknown: running units of a development or test set that do not occur in the training text.",
        "Split: words of more than one unit; once: types that occur only once.",
    ]
    consistency = numbers["consistency"]
    if consistency:
        shared = consistency["common"]
        caption.append(f"Alike: of the {shared} words that both languages share, those that are cut alike.")
    if pair == PAPER_PAIR and any(row.paper for row in rows):
        caption.append(
            f"Rows marked '{PAPER}' are printed in Sennrich, Haddow and Birch (2016), table 1: full WMT15 training "
            "data, German side, unknown in newstest2013."
        )
    return caption
