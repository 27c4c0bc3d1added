"""What a table is, and how it is written as TSV, Markdown and LaTeX and read back from TSV."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from rarewords.errors import InputError
from rarewords.text.files import PathLike, read_lines

Cell = str | int | float | None

MISSING = "-"
OURS, PAPER, EXTERNAL = "ours", "paper", "external"
ELSEWHERE = "paper, newstest2015"  # printed for a test set other than that of our rows

# A difference with a p below this is marked; a column `BLEU p` belongs to BLEU, `F1 p all` to F1 all.
LEVEL = 0.05
MARK = "*"
P_VALUE = re.compile(r"(?P<group>.+?) p(?: (?P<name>.+))?")
SPREAD = ("mean", "minimum", "maximum")

LATEX_ESCAPES = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "–": "--",
} | {character: "\\" + character for character in "&%$#_{}"}


@dataclass(frozen=True)
class Table:
    """Caption sentences, columns as (group, name), and rows of cells.

    None is a missing value; int and float are numbers, shown with one decimal if float (p: three); a row whose cell in
    the column `from` is PAPER or ELSEWHERE is printed in the paper.
    """

    caption: list[str]
    columns: list[tuple[str, str]]
    rows: list[list[Cell]]

    def header(self) -> list[str]:
        """Column names with their group in front."""
        return [f"{group} {name}".strip() for group, name in self.columns]

    def is_text(self, column: int) -> bool:
        """True if a column holds text, not only numbers (with marks or ranges)."""
        cells = [row[column] for row in self.rows]
        return any(isinstance(cell, str) and any(map(str.isalpha, cell)) for cell in cells)

    def is_paper(self, row: list[Cell]) -> bool:
        """True for a row of numbers printed in the paper."""
        return ("", "from") in self.columns and row[self.columns.index(("", "from"))] in (PAPER, ELSEWHERE)


def cell_text(cell: Cell, thousands: str = ",", decimals: int = 1) -> str:
    """A cell as shown: numbers with a separator of thousands, or with decimals; `-` if missing; text on one line."""
    if cell is None:
        return MISSING
    if isinstance(cell, int):
        return f"{cell:,}".replace(",", thousands)
    return f"{cell:.{decimals}f}" if isinstance(cell, float) else " ".join(cell.split())


def tsv(table: Table) -> str:
    """Caption lines after `# `, a header line, then plain numbers, for programs."""
    lines = [f"# {sentence}" for sentence in table.caption]
    header = table.header()
    lines.append("\t".join(header))
    decimals = [3 if P_VALUE.fullmatch(name) else 1 for name in header]
    for row in table.rows:
        cells = zip(row, decimals, strict=True)
        lines.append("\t".join(cell_text(cell, thousands="", decimals=places) for cell, places in cells))
    return "\n".join(lines) + "\n"


def read_tsv(path: PathLike) -> Table:
    """Read a table written by `tsv`; groups stay part of the column names. Raises InputError for uneven rows."""
    caption, header = [], None
    rows: list[list[Cell]] = []
    for number, line in enumerate(read_lines(path), 1):
        if header is None and line.startswith("# "):
            caption.append(line.removeprefix("# "))
            continue
        cells = line.split("\t")
        if header is None:
            header = cells
        elif len(cells) != len(header):
            raise InputError(
                f"{path}, line {number}: {len(cells)} cells where the header has {len(header)}; "
                "write the table again with `rarewords report table`."
            )
        else:
            rows.append([_parse(cell) for cell in cells])
    if header is None:
        raise InputError(f"{path} contains no table; write one with `rarewords report table`.")
    return Table(caption, [("", name) for name in header], rows)


def for_people(table: Table) -> Table:
    """The table with fewer columns: p becomes a mark on its score, mean, minimum and maximum become one cell.

    `BLEU p` marks the ensemble or, where there is none, the single model; `F1 p all` marks F1 all.
    """
    names = table.header()
    merged = [name for name in names if P_VALUE.fullmatch(name) or name.endswith(SPREAD[1:])]
    kept = [number for number, name in enumerate(names) if name not in merged]
    if len(kept) == len(names):
        return table
    columns = [table.columns[number] for number in kept]
    columns = [(group, name.replace(SPREAD[0], "mean (range)")) for group, name in columns]
    return Table(table.caption, columns, [_cells_for_people(names, row, kept) for row in table.rows])


def _cells_for_people(names: list[str], row: list[Cell], kept: Sequence[int]) -> list[Cell]:
    cells = dict(zip(names, row, strict=True))
    for name in names:
        match = P_VALUE.fullmatch(name)
        p = cells[name]
        if match and isinstance(p, int | float) and p < LEVEL:
            group = match["group"]
            score = f"{group} {match['name'] or 'ensemble'}"
            score = f"{group} single" if cells[score] is None else score
            cells[score] = cell_text(cells[score]) + MARK
        if name.endswith(f" {SPREAD[0]}") and cells[name] is not None:
            group = name.removesuffix(SPREAD[0])
            mean, least, most = (cell_text(cells[group + part]) for part in SPREAD)
            cells[name] = f"{mean} ({least}–{most})"
    return [cells[names[number]] for number in kept]


def markdown(table: Table) -> str:
    """The caption as a paragraph, then the table as for_people shows it; rows of the paper are in italics."""
    table = for_people(table)
    rule = ["---" if table.is_text(column) else "---:" for column in range(len(table.columns))]
    rows = [table.header(), rule]
    for row in table.rows:
        cells = [_markdown_text(cell_text(cell)) for cell in row]
        rows.append([f"*{cell}*" for cell in cells] if table.is_paper(row) else cells)
    lines = [f"| {' | '.join(cells)} |" for cells in rows]
    return " ".join(table.caption) + "\n\n" + "\n".join(lines) + "\n"


_ENTITY = re.compile(r"&(?=#?\w+;)")


def _markdown_text(text: str) -> str:
    """A text to show as it is; Markdown would interpret HTML in it."""
    return _ENTITY.sub("&amp;", text).replace("<", "&lt;").replace("|", r"\|").replace("*", r"\*")


def latex(table: Table) -> str:
    """A `table*` for the package booktabs, as for_people shows it; rows of the paper are in italics."""
    table = for_people(table)
    alignment = "".join("l" if table.is_text(column) else "r" for column in range(len(table.columns)))
    lines = [
        r"\begin{table*}",
        r"\centering",
        rf"\caption{{{latex_text(' '.join(table.caption))}}}",
        rf"\begin{{tabular}}{{{alignment}}}",
        r"\toprule",
        *_latex_groups(table),
        _latex_row([latex_text(name) for _, name in table.columns]),
        r"\midrule",
    ]
    for row in table.rows:
        cells = [latex_text(cell) if isinstance(cell, str) else cell_text(cell, r"\,") for cell in row]
        lines.append(_latex_row([rf"\textit{{{cell}}}" for cell in cells] if table.is_paper(row) else cells))
    lines += [r"\bottomrule", r"\end{tabular}", r"\end{table*}"]
    return "\n".join(lines) + "\n"


def _latex_groups(table: Table) -> list[str]:
    """The heading over grouped columns and the thin rules below it."""
    cells, rules, start = [], [], 1
    for group, members in groupby(group for group, _ in table.columns):
        width = len(list(members))
        if group:
            cells.append(rf"\multicolumn{{{width}}}{{c}}{{{latex_text(group)}}}")
            rules.append(rf"\cmidrule(lr){{{start}-{start + width - 1}}}")
        else:
            cells += [""] * width
        start += width
    return [_latex_row(cells), " ".join(rules)] if rules else []


def _latex_row(cells: list[str]) -> str:
    return " & ".join(cells) + r" \\"


def latex_text(text: str) -> str:
    """Text on one line that LaTeX takes literally."""
    return "".join(LATEX_ESCAPES.get(character, character) for character in cell_text(text))


def _parse(cell: str) -> Cell:
    if cell == MISSING:
        return None
    for number in (int, float):
        try:
            return number(cell)
        except ValueError:
            pass
    return cell
