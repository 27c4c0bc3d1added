"""`rarewords report`: put scores into the paper's tables and show them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rarewords.report.formats import Table


def _table_files(function: Callable[..., None]) -> Callable[..., None]:
    """The three files in which a table is written."""
    for option in (
        click.option("--latex", required=True, help="Write the table as LaTeX (booktabs)."),
        click.option("--markdown", required=True, help="Write the table as Markdown."),
        click.option("--tsv", required=True, help="Write the table as tab-separated values."),
    ):
        function = option(function)
    return function


def _write_table(table: Table, files: dict[str, Any]) -> None:
    from rarewords.report import formats
    from rarewords.textio import atomic_writer

    for name, write in (("tsv", formats.tsv), ("markdown", formats.markdown), ("latex", formats.latex)):
        with atomic_writer(files[name]) as out:
            out.write(write(table))


@click.group(name="report")
def command() -> None:
    """Put scores into the paper's tables."""


@command.command()
@click.option("--row", "rows", required=True, multiple=True, help="A system as a JSON map, see below; repeatable.")
@click.option("--external", multiple=True, help="A translation from elsewhere as a JSON map, see below; repeatable.")
@click.option("--significance", "significance_file", help="The JSON of `rarewords significance`: marks differences.")
@click.option("--pair", required=True, help="Language pair, say en-de.")
@click.option("--test-set", required=True, help="Name of the test set, for the caption.")
@_table_files
def table(
    rows: tuple[str, ...],
    external: tuple[str, ...],
    significance_file: str | None,
    pair: str,
    test_set: str,
    **table_files: str,
) -> None:
    """Write table 2 (en-de), table 3 (en-ru) or the same for another pair, with the paper's numbers below ours.

    A row has the keys system, label, paper (row of the paper's table, or null), segmentation, shortlist (or null),
    vocabulary (files of source and target side), best and ensemble (score files, or null), singles (score files of all
    single models, or none), choice (the file of `rarewords choose`, or null), members and updates. A translation from
    elsewhere has the keys system, label, paper, from (external) and scores (a score file).
    """
    from rarewords.report import scores, tables

    outside = scores.parse_score_rows(external, "external row")
    tests = scores.read_significance(significance_file)
    _write_table(tables.score_table(tables.parse_rows(rows), pair, test_set, outside, tests), table_files)


@command.command(name="oov-table")
@click.option("--row", "rows", required=True, multiple=True, help="A system as a JSON map, see below; repeatable.")
@click.option("--pair", required=True, help="Language pair, say en-de.")
@click.option("--test-set", required=True, help="Name of the test set, for the caption.")
@_table_files
def oov_table(rows: tuple[str, ...], pair: str, test_set: str, **table_files: str) -> None:
    """Write precision, recall and F1 of words that the training text does not have, beside the paper's.

    A row has the keys system, label, paper (row of the paper's table, or null), from (ours or external) and scores (a
    score file).
    """
    from rarewords.report.oov_table import oov_table as made
    from rarewords.report.scores import parse_score_rows

    _write_table(made(parse_score_rows(rows), pair, test_set), table_files)


@command.command(name="frequency-figure")
@click.option("--row", "rows", required=True, multiple=True, help="A system as a JSON map, see below; repeatable.")
@click.option("--pair", required=True, help="Language pair, say en-de.")
@click.option("--test-set", required=True, help="Name of the test set, for the title.")
@click.option("--svg", "svg_file", required=True, help="Write the figure as SVG.")
@click.option("--png", "png_file", required=True, help="The same as PNG.")
@click.option("--tsv", "tsv_file", required=True, help="Write the points of the figure as tab-separated values.")
def frequency_figure(
    rows: tuple[str, ...], pair: str, test_set: str, svg_file: str, png_file: str, tsv_file: str
) -> None:
    """Draw figure 2 (en-de), figure 3 (en-ru) or the same for another pair: unigram F1 by training frequency.

    Words of the same frequency are one point; a curve smooths the points of a system; unseen words (OOV) come last. A
    row has the keys system, label, paper (unused), from (ours or external) and scores (a score file).
    """
    from rarewords.report import figures, formats
    from rarewords.report.frequency import bins_table
    from rarewords.report.frequency_figure import f1_by_frequency
    from rarewords.report.scores import parse_score_rows
    from rarewords.textio import atomic_writer

    parsed = parse_score_rows(rows)
    figure = f1_by_frequency(parsed, f"{pair}, {test_set}")
    with atomic_writer(tsv_file) as out:
        out.write(formats.tsv(bins_table(parsed)))
    figures.write_figure(figure, svg_file, png_file)


@command.command()
@click.option(
    "--row", "rows", required=True, multiple=True, help="A segmentation as a JSON map, see below; repeatable."
)
@click.option("--pair", required=True, help="Language pair, say en-de.")
@_table_files
@click.option("--svg", "svg_file", required=True, help="Draw types against tokens.")
@click.option("--png", "png_file", required=True, help="The same drawing as PNG.")
def table1(rows: tuple[str, ...], pair: str, svg_file: str, png_file: str, **table_files: str) -> None:
    """Write table 1, what segmentations make of a text, and draw types against tokens.

    A row has the keys label, paper (row of the paper's table 1, or null) and statistics (a file that `rarewords segment
    statistics` wrote).
    """
    from rarewords.report import figures
    from rarewords.report.table1 import figure_points, parse_rows, statistics_table

    parsed = parse_rows(rows)
    _write_table(statistics_table(parsed, pair), table_files)
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
