"""A table in the terminal, at most 120 columns wide."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table as RichTable
from rich.text import Text

from rarewords.report.formats import read_tsv
from rarewords.report.table import Table, for_people, read_table
from rarewords.text.documents import read_json
from rarewords.text.files import PathLike

WIDTH = 120
# Columns to leave out of a table that is too wide, in this order: the name of a system says most of it.
DISPENSABLE = ("shortlist", "segmentation", "vocabulary source", "vocabulary target")
# Column names that are longer than the numbers below them.
SHORT_NAMES = {"ensemble": "ens.", "vocabulary": "vocab", "shortlist": "short-\nlist"}


def show(table: Table, console: Console | None = None) -> None:
    """Print a table with its caption; the paper's rows are dim."""
    console = console or Console()
    # In a narrow terminal wrapped lines are better than columns that rich would cut off.
    console.width = WIDTH
    console.print(_rich_table(_narrow(for_people(table), console)))
    for sentence in table.caption:
        console.print(Text(sentence))


def table_of(tsv: PathLike) -> Table:
    """A table by its TSV file: from the JSON beside it or, if there is none that holds a table, as the TSV has it."""
    typed = Path(tsv).with_suffix(".json")
    is_typed = typed.is_file() and "columns" in read_json(typed)
    return read_table(typed) if is_typed else read_tsv(tsv)


def _narrow(table: Table, console: Console) -> Table:
    """The table without DISPENSABLE columns, as many as must go so that the rest has room."""
    for name in DISPENSABLE:
        unlimited = console.options.update(max_width=10 * WIDTH)
        if Measurement.get(console, unlimited, _rich_table(table)).maximum <= WIDTH:
            break
        kept = [number for number, other in enumerate(table.header()) if other != name]
        rows = [[row[number] for number in kept] for row in table.rows]
        table = Table(table.caption, [table.columns[number] for number in kept], rows)
    return table


def _rich_table(table: Table) -> RichTable:
    rich_table = RichTable(box=None, pad_edge=False, padding=(0, 1, 0, 0), show_edge=False)
    texts = [table.texts(row) for row in table.rows]
    for number, name in enumerate(table.header()):
        heading = "\n".join(SHORT_NAMES.get(word, word) for word in name.split())
        cells = [row[number] for row in texts]
        # Text may break between words, but numbers may not.
        widest = max((len(word) for cell in cells for word in cell.split()), default=0)
        justify: Literal["left", "right"] = "left" if table.is_text(number) else "right"
        rich_table.add_column(Text(heading), justify=justify, min_width=widest)
    for row, cells in zip(table.rows, texts, strict=True):
        rich_table.add_row(*map(Text, cells), style="dim" if table.is_paper(row) else "")
    return rich_table
