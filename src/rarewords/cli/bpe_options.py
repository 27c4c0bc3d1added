"""Options that the commands of `rarewords bpe` share, with the names of the released tool."""

from __future__ import annotations

import os

import click

INPUT = click.option("-i", "--input", "input_path", default="-", show_default="standard input", help="Text to read.")
INPUTS = click.option(
    "-i",
    "--input",
    "input_paths",
    multiple=True,
    default=["-"],
    show_default="standard input",
    help="Text to read; several may be given.",
)
OUTPUT = click.option(
    "-o", "--output", "output_path", default="-", show_default="standard output", help="File to write."
)
SYMBOLS = click.option(
    "-s", "--symbols", type=click.IntRange(min=0), default=10_000, show_default=True, help="Largest number of merges."
)
TOTAL_SYMBOLS = click.option(
    "-t",
    "--total-symbols",
    is_flag=True,
    help="Subtract the number of different characters, final ones apart, from the number of merges.",
)
MINIMUM_FREQUENCY = click.option(
    "--min-frequency",
    type=click.IntRange(min=1),
    default=2,
    show_default=True,
    help="Stop when no pair occurs this often.",
)
DICT_INPUT = click.option("--dict-input", is_flag=True, help="The input is `word count` lines instead of text.")
CODES_VERSION = click.option(
    "--codes-version",
    type=click.Choice(["0.2", "0.1"]),
    default="0.2",
    show_default=True,
    help="End of a word: glued to its last character (0.2), or a symbol of its own as in the paper (0.1).",
)
TIE_BREAK = click.option(
    "--tie-break",
    type=click.Choice(["larger", "first"]),
    default="larger",
    show_default=True,
    help="Which of equally frequent pairs to merge: the larger one by code-point order, or the first one in the text.",
)
SEPARATOR = click.option("--separator", default="@@", show_default=True, help="End of the units inside a word.")
WORKERS = click.option(
    "--num-workers",
    type=int,
    default=1,
    show_default=True,
    callback=lambda _context, _option, number: number if number > 0 else os.cpu_count() or 1,
    help="Processes that read the text; 0 or less: one for each processor.",
)
BYTE = click.option("-b", "--byte", "--bytes", "of_bytes", is_flag=True, help="Merge bytes instead of characters.")
VERBOSE = click.option("-v", "--verbose", is_flag=True, help="Print the merges on standard error.")
