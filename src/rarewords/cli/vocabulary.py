"""`rarewords vocabulary`: build a network vocabulary and look at it."""

from __future__ import annotations

import click

from rarewords.cli.groups import Group


@click.group(cls=Group, name="vocabulary")
def command() -> None:
    """Build a network vocabulary.

    A vocabulary file has one line a unit, `unit count`, the most frequent first. Ids 0 (end of sentence) and 1
    (unknown) are not in the file; the first line has id 2.
    """


@command.command()
@click.option("--segmenter", "segmenter_path", required=True, help="Segmenter of this side (JSON).")
@click.option("--counts", "counts_path", help="Words of the training text, `word count` lines.")
@click.option("--text", "text_path", help="Segmented training text instead of --counts, for random segmentations.")
@click.option("--size", required=True, type=int, help="Largest number of ids, including those of EOS and UNK.")
@click.option("--output", "output_path", required=True, help="Vocabulary to write.")
def build(segmenter_path: str, counts_path: str | None, text_path: str | None, size: int, output_path: str) -> None:
    """Take the most frequent units of a segmented training text.

    If the text has fewer units than that, all are taken. With --counts the words are segmented here, so the segmented
    text is not needed. Units that the segmentation reserves, such as placeholders, are always in the vocabulary.
    """
    from rarewords.corpus.importing import count_words, read_counts
    from rarewords.errors import InputError
    from rarewords.segmentation import registry
    from rarewords.text.files import read_lines
    from rarewords.text.outputs import check_outputs
    from rarewords.vocabulary import Vocabulary, unit_counts

    check_outputs([output_path], [segmenter_path, counts_path, text_path])
    segmenter = registry.load(segmenter_path)
    if counts_path is not None and text_path is None:
        counts = unit_counts(segmenter.segment_word, read_counts(counts_path))
    elif text_path is not None and counts_path is None:
        counts = count_words(read_lines(text_path))
    else:
        raise InputError("give either --counts or --text.")
    vocabulary = Vocabulary.build(counts, size, segmenter.reserved_units())
    vocabulary.save(output_path)
    outside = sum(count for unit, count in counts.items() if unit not in vocabulary)
    click.echo(
        f"{output_path}: {len(vocabulary)} ids for {len(counts)} units, at most {size} requested; "
        f"{100 * outside / sum(counts.values()):.2f} % of the training text's running units are unknown",
        err=True,
    )


@command.command()
@click.option("--vocabulary", "vocabulary_path", required=True, help="Vocabulary file.")
@click.argument("units", nargs=-1, metavar="[UNIT]...")
def show(vocabulary_path: str, units: tuple[str, ...]) -> None:
    """Print the size and the fingerprint of a vocabulary, or the ids and counts of the given units."""
    from rarewords.vocabulary import Vocabulary

    vocabulary = Vocabulary.load(vocabulary_path)
    if not units:
        click.echo(f"ids          {len(vocabulary)}")
        click.echo(f"occurrences  {sum(vocabulary.counts.values())}")
        click.echo(f"fingerprint  {vocabulary.fingerprint()}")
    for unit, number in zip(units, vocabulary.encode(units), strict=True):
        click.echo(f"{unit}\t{number}\t{vocabulary.counts.get(unit, 0)}")
