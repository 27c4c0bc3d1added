"""How a table is written as TSV, Markdown and LaTeX, and how a TSV file is read back; table.py says what a table is."""

from __future__ import annotations

import re
from itertools import groupby

from rarewords.errors import InputError
from rarewords.report.table import FROM, MISSING, Cell, Column, Score, Table, cell_text, for_people
from rarewords.text.files import PathLike, read_lines

LATEX_ESCAPES = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "–": "--",
} | {character: "\\" + character for character in "&%$#_{}"}


def tsv(table: Table) -> str:
    """Caption lines after `# `, a header line, then plain numbers, for programs."""
    lines = [f"# {sentence}" for sentence in table.caption]
    lines.append("\t".join(table.header()))
    lines += ["\t".join(table.texts(row, thousands="")) for row in table.rows]
    return "\n".join(lines) + "\n"


def read_tsv(path: PathLike) -> Table:
    """Read a table written by `tsv`: numbers and names of columns, without what only the JSON of a table says of them.

    Raises InputError for uneven rows.
    """
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
    return Table(caption, [FROM if name == FROM.name else Column("", name) for name in header], rows)


def markdown(table: Table) -> str:
    """The caption as a paragraph, then the table as for_people shows it; rows of the paper are in italics."""
    table = for_people(table)
    rule = ["---" if table.is_text(column) else "---:" for column in range(len(table.columns))]
    rows = [table.header(), rule]
    for row in table.rows:
        cells = [_markdown_text(text) for text in table.texts(row)]
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
        _latex_row([latex_text(column.name) for column in table.columns]),
        r"\midrule",
    ]
    for row in table.rows:
        texts = zip(row, table.texts(row, r"\,"), strict=True)
        cells = [latex_text(text) if isinstance(cell, str | Score) else text for cell, text in texts]
        lines.append(_latex_row([rf"\textit{{{cell}}}" for cell in cells] if table.is_paper(row) else cells))
    lines += [r"\bottomrule", r"\end{tabular}", r"\end{table*}"]
    return "\n".join(lines) + "\n"


def _latex_groups(table: Table) -> list[str]:
    """The heading over grouped columns and the thin rules below it."""
    cells, rules, start = [], [], 1
    for group, members in groupby(column.group for column in table.columns):
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
