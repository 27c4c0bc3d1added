"""`rarewords align`: word alignment, the lexical table that follows from it, and its error rate."""

from __future__ import annotations

from typing import Any

import click

from rarewords.cli.groups import Group
from rarewords.errors import InputError
from rarewords.schema import default

_FILE: dict[str, Any] = {"metavar": "FILE"}
_source = click.option("--source", required=True, **_FILE, help="Segmented source text, one sentence a line.")
_target = click.option("--target", required=True, **_FILE, help="Segmented target text.")


@click.group(cls=Group, name="align")
def command() -> None:
    """Align the units of parallel text and count which translates which.

    \b
    rarewords align run --source train.en --target train.de \\
      --forward forward.txt --reverse reverse.txt --symmetrised symmetrised.txt
    rarewords align lexicon --source train.en --target train.de \\
      --alignment symmetrised.txt --output lexicon.tsv

    An alignment has one line a pair of sentences with links like 0-0 2-1: source and target position, from 0.
    """


@command.command()
@_source
@_target
@click.option(
    "--aligner",
    default=default("alignment.aligner"),
    show_default=True,
    type=click.Choice(["thot", "fast_align"]),
    help="What computes the alignment: the library thot, or the program fast_align on your PATH.",
)
@click.option("--forward", required=True, **_FILE, help="Alignment to write, of the target given the source.")
@click.option("--reverse", required=True, **_FILE, help="Alignment to write, of the source given the target.")
@click.option("--symmetrised", required=True, **_FILE, help="Both together to write (grow-diag-final-and).")
def run(source: str, target: str, aligner: str, forward: str, reverse: str, symmetrised: str) -> None:
    """Align a text with fast_align's model in both directions, and combine the two.

    Links are source-target in all three files. A pair with an empty side, or with more than 1,024 units on one, gets an
    empty line.
    """
    from rarewords.alignment.aligner import AlignmentFiles, align_text
    from rarewords.cli.progress import watched
    from rarewords.text.files import read_parallel
    from rarewords.text.outputs import check_outputs

    for option, path in (("--forward", forward), ("--reverse", reverse)):
        if path == "-":
            raise InputError(f"{option} -: this alignment is read again to symmetrise; name a file.")
    check_outputs([forward, reverse, symmetrised], [source, target])
    pairs = watched(read_parallel(source, target), "align")
    align_text(pairs, aligner, AlignmentFiles(forward, reverse, symmetrised), lambda text: click.echo(text, err=True))


@command.command()
@_source
@_target
@click.option("--alignment", required=True, **_FILE, help="Alignment of this text, such as the symmetrised one.")
@click.option(
    "--most",
    default=default("alignment.candidates"),
    show_default=True,
    type=click.IntRange(1),
    help="Translations kept for each source unit.",
)
@click.option(
    "--target-vocabulary", **_FILE, help="Keep the best --most units of this vocabulary, and the best of all."
)
@click.option("--output", "output_path", default="-", show_default=True, **_FILE, help="Lexical table to write.")
def lexicon(
    source: str, target: str, alignment: str, most: int, target_vocabulary: str | None, output_path: str
) -> None:
    """Count the links of an aligned text: p(target | source) of the most probable translations.

    Writes lines of a source unit, a target unit and the probability, separated by tabs; the translations of a unit
    stand together, the most probable first. Candidate lists use translations in the target vocabulary only: name it, so
    that others do not take their places.
    """
    from rarewords.alignment.lexical_table import lexical_entries
    from rarewords.alignment.lexicon import Lexicon
    from rarewords.alignment.links import read_aligned
    from rarewords.cli.progress import watched
    from rarewords.text.outputs import check_outputs
    from rarewords.vocabulary import Vocabulary

    check_outputs([output_path], [source, target, alignment, target_vocabulary])
    vocabulary = frozenset(Vocabulary.load(target_vocabulary).units) if target_vocabulary else None
    pairs = watched(read_aligned(source, target, alignment), "lexicon")
    Lexicon(lexical_entries(pairs, most, vocabulary)).save(output_path)


@command.command()
@click.option("--alignment", required=True, **_FILE, help="Alignment of the sentences that were aligned manually.")
@click.option("--gold", required=True, **_FILE, help="Manual links: sure ones as i-j, possible ones as i?j.")
@click.option("--output", "output_path", default="-", show_default=True, **_FILE, help="JSON to write.")
def evaluate(alignment: str, gold: str, output_path: str) -> None:
    """Compare an alignment with a manual one: error rate, precision, recall."""
    from rarewords.alignment.error_rate import error_rate
    from rarewords.text.documents import write_json
    from rarewords.text.outputs import check_outputs

    check_outputs([output_path], [alignment, gold])
    write_json(output_path, error_rate(alignment, gold).as_json())
