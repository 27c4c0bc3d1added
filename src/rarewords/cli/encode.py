"""`rarewords encode`: segmented text as integers, for training."""

from __future__ import annotations

import click

from rarewords.errors import plural


@click.command(name="encode", short_help="Turn segmented text into integers for training.")
@click.option("--source", required=True, type=click.Path(), help="Segmented source side of the training text.")
@click.option("--target", required=True, type=click.Path(), help="Segmented target side of the training text.")
@click.option("--source-vocabulary", required=True, type=click.Path(), help="Vocabulary of the source units.")
@click.option("--target-vocabulary", required=True, type=click.Path(), help="Vocabulary of the target units.")
@click.option(
    "--copies",
    default=1,
    show_default=True,
    type=click.IntRange(1),
    help="Number of copies in the text, from `rarewords segment sample`; each pass of training takes the next one.",
)
@click.option("--output", required=True, type=click.Path(), help="Folder to write; an existing one is replaced.")
def command(source: str, target: str, source_vocabulary: str, target_vocabulary: str, copies: int, output: str) -> None:
    """Turn segmented text into integers, once for all training runs on it.

    Training runs map the folder into memory, so they start at once and share it. Units outside the vocabulary become
    the unknown unit. Every pair is written; training skips those that are too long.
    """
    from rarewords.text.outputs import check_folder
    from rarewords.training.encoded import encode_pairs

    check_folder(output)
    pairs = encode_pairs(source, target, source_vocabulary, target_vocabulary, output, copies)
    click.echo(f"{output}: {plural(pairs, 'pair')}", err=True)
