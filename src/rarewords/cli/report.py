"""`rarewords report`: put scores into the paper's tables and show them."""

from __future__ import annotations

from pathlib import Path

import click


@click.group(name="report")
def command() -> None:
    """Put scores into the paper's tables."""


@command.command()
@click.option("--row", "rows", required=True, multiple=True, help="A system as a JSON map, see below; repeatable.")
@click.option("--pair", required=True, help="Language pair, say en-de.")
@click.option("--test-set", required=True, help="Name of the test set, for the caption.")
@click.option("--tsv", "tsv_file", required=True, help="Write the table as tab-separated values.")
@click.option("--markdown", "markdown_file", required=True, help="Write the table as Markdown.")
@click.option("--latex", "latex_file", required=True, help="Write the table as LaTeX (booktabs).")
def table(rows: tuple[str, ...], pair: str, test_set: str, tsv_file: str, markdown_file: str, latex_file: str) -> None:
    """Write table 2 (en-de), table 3 (en-ru) or the same for another pair, with the paper's numbers below ours.

    A row has the keys system, label, paper (row of the paper's table, or null), segmentation, shortlist (or null),
    vocabulary (files of source and target side), best and ensemble (score files, or null), members and updates.
    """
    from rarewords.report import formats, tables
    from rarewords.textio import atomic_writer

    scores = tables.score_table(tables.parse_rows(rows), pair, test_set)
    for path, write in ((tsv_file, formats.tsv), (markdown_file, formats.markdown), (latex_file, formats.latex)):
        with atomic_writer(path) as out:
            out.write(write(scores))


@command.command()
@click.option(
    "--row", "rows", required=True, multiple=True, help="A segmentation as a JSON map, see below; repeatable."
)
@click.option("--pair", required=True, help="Language pair, say en-de.")
@click.option("--tsv", "tsv_file", required=True, help="Write the table as tab-separated values.")
@click.option("--markdown", "markdown_file", required=True, help="Write the table as Markdown.")
@click.option("--latex", "latex_file", required=True, help="Write the table as LaTeX (booktabs).")
@click.option("--svg", "svg_file", required=True, help="Draw types against tokens.")
@click.option("--png", "png_file", required=True, help="The same drawing as PNG.")
def table1(
    rows: tuple[str, ...],
    pair: str,
    tsv_file: str,
    markdown_file: str,
    latex_file: str,
    svg_file: str,
    png_file: str,
) -> None:
    """Write table 1, what segmentations make of a text, and draw types against tokens.

    A row has the keys label, paper (row of the paper's table 1, or null) and statistics (a file that `rarewords segment
    statistics` wrote).
    """
    from rarewords.report import figures, formats
    from rarewords.report.table1 import figure_points, parse_rows, statistics_table
    from rarewords.textio import atomic_writer

    parsed = parse_rows(rows)
    statistics = statistics_table(parsed, pair)
    for path, write in ((tsv_file, formats.tsv), (markdown_file, formats.markdown), (latex_file, formats.latex)):
        with atomic_writer(path) as out:
            out.write(write(statistics))
    figures.write_figure(figures.types_against_tokens(figure_points(parsed, pair)), svg_file, png_file)


@command.command()
@click.option("--tsv", "tsv_files", required=True, multiple=True, help="A table written by `report table`; repeatable.")
def show(tsv_files: tuple[str, ...]) -> None:
    """Show tables in the terminal, each with the paths of its files."""
    from rarewords.report import formats, terminal

    for path in tsv_files:
        terminal.show(formats.read_tsv(path))
        siblings = [Path(path).with_suffix(suffix) for suffix in (".md", ".tex")]
        click.echo("files: " + "  ".join([path, *(str(sibling) for sibling in siblings if sibling.is_file())]))
        click.echo()
