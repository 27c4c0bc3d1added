"""`rarewords bpe`: byte pair encoding on plain text, with the files and the meanings of the released tool."""

from __future__ import annotations

import click

from rarewords.errors import InputError

INPUT = click.option("-i", "--input", "input_path", default="-", show_default="standard input", help="Text to read.")
OUTPUT = click.option(
    "-o", "--output", "output_path", default="-", show_default="standard output", help="File to write."
)
SYMBOLS = click.option(
    "-s", "--symbols", type=click.IntRange(min=0), default=10_000, show_default=True, help="Largest number of merges."
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


@click.group(name="bpe")
def command() -> None:
    """Learn and apply byte pair encoding on plain text.

    Words are separated by spaces; tabs, no-break spaces and the like belong to the words. Codes and vocabulary files
    are those of the released tool, subword-nmt.

    \b
    rarewords bpe learn -s 3000 < train.de > codes
    rarewords bpe apply -c codes < test.de > test.bpe.de
    sed -E 's/@@ |@@ ?$//g' < test.bpe.de      undoes it
    """


@command.command()
@INPUT
@OUTPUT
@SYMBOLS
@MINIMUM_FREQUENCY
@DICT_INPUT
@CODES_VERSION
def learn(
    input_path: str, output_path: str, symbols: int, min_frequency: int, dict_input: bool, codes_version: str
) -> None:
    """Learn merges from a text and write a codes file.

    Of equally frequent pairs the larger one by code-point order is merged, so the result depends on nothing but the
    words and their counts.
    """
    from rarewords.cli.progress import merge_progress
    from rarewords.segmentation.bpe.codes import write_codes
    from rarewords.segmentation.bpe.learn import learn_merges

    counts = _word_counts(input_path, dict_input)
    with merge_progress() as progress:
        merges = learn_merges(counts, symbols, min_frequency, codes_version, progress)
    write_codes(output_path, merges, codes_version)
    _note_early_end(len(merges), symbols, min_frequency)


@command.command()
@click.option("-c", "--codes", "codes_path", required=True, help="Codes file.")
@INPUT
@OUTPUT
@click.option("--vocabulary", "vocabulary_path", help="Vocabulary file; units outside it are taken apart again.")
@click.option(
    "--vocabulary-threshold",
    type=int,
    help="Smallest count of a unit in the vocabulary that may be made; without it every unit listed may.",
)
def apply(
    codes_path: str, input_path: str, output_path: str, vocabulary_path: str | None, vocabulary_threshold: int | None
) -> None:
    """Apply a codes file to a text.

    Spaces at the ends of a line are kept, repeated spaces inside become one. A word that itself ends in @@ is cut
    before its last character, so that joining the units gives the text back.
    """
    from rarewords.cli.progress import counted_lines
    from rarewords.segmentation.bpe.apply import segment_line
    from rarewords.segmentation.bpe.codes import read_codes
    from rarewords.segmentation.bpe.segmenter import BpeSegmenter
    from rarewords.textio import read_lines, write_lines

    segmenter = BpeSegmenter.from_codes(read_codes(codes_path))
    if vocabulary_path is not None:
        segmenter = segmenter.restricted_to(_allowed_units(vocabulary_path, vocabulary_threshold))
    elif vocabulary_threshold is not None:
        raise InputError("--vocabulary-threshold needs --vocabulary; give the vocabulary file.")
    lines = counted_lines(read_lines(input_path))
    write_lines(output_path, (segment_line(line, segmenter.segment_word) for line in lines))


@command.command("learn-joint")
@click.option("-i", "--input", "input_paths", multiple=True, required=True, help="Text; give one -i a language.")
@click.option("-o", "--output", "output_path", required=True, help="Codes file to write.")
@click.option(
    "--write-vocabulary",
    "vocabulary_paths",
    multiple=True,
    required=True,
    help="Vocabulary to write; one for each -i, in the same order.",
)
@SYMBOLS
@MINIMUM_FREQUENCY
@DICT_INPUT
@CODES_VERSION
def learn_joint(
    input_paths: tuple[str, ...],
    output_path: str,
    vocabulary_paths: tuple[str, ...],
    symbols: int,
    min_frequency: int,
    dict_input: bool,
    codes_version: str,
) -> None:
    """Learn merges on several texts together, and write how often each unit occurs in each of them.

    The result is that of learning on the concatenated texts. The vocabularies serve `apply --vocabulary`.

    \b
    rarewords bpe learn-joint -i train.en -i train.de -s 3000 -o codes \\
      --write-vocabulary vocabulary.en --write-vocabulary vocabulary.de
    """
    from rarewords.cli.progress import merge_progress
    from rarewords.segmentation.bpe.codes import Codes, write_codes
    from rarewords.segmentation.bpe.learn import learn_merges
    from rarewords.segmentation.bpe.segmenter import BpeSegmenter, add_counts
    from rarewords.vocabulary import unit_counts

    if len(input_paths) != len(vocabulary_paths):
        raise InputError(
            f"{len(input_paths)} --input but {len(vocabulary_paths)} --write-vocabulary; give one of each a text."
        )
    counts = [_word_counts(path, dict_input) for path in input_paths]
    with merge_progress() as progress:
        merges = learn_merges(add_counts(counts), symbols, min_frequency, codes_version, progress)
    write_codes(output_path, merges, codes_version)
    segmenter = BpeSegmenter.from_codes(Codes(codes_version, tuple(merges)))
    for path, side in zip(vocabulary_paths, counts, strict=True):
        _write_by_count(path, unit_counts(segmenter, side))
    _note_early_end(len(merges), symbols, min_frequency)


@command.command()
@INPUT
@OUTPUT
def vocab(input_path: str, output_path: str) -> None:
    """Count the tokens of a text: `token count` lines, the most frequent first."""
    _write_by_count(output_path, _word_counts(input_path, dict_input=False))


def _word_counts(path: str, dict_input: bool) -> dict[str, int]:
    from rarewords.cli.progress import counted_lines
    from rarewords.corpus.importing import count_words
    from rarewords.textio import read_lines

    return _read_dictionary(path) if dict_input else count_words(counted_lines(read_lines(path)))


def _read_dictionary(path: str) -> dict[str, int]:
    """Read `word count` lines; a word may occur again, so that dictionaries can be concatenated."""
    from rarewords.textio import read_lines

    counts: dict[str, int] = {}
    for number, line in enumerate(read_lines(path), 1):
        word, _, count = line.strip("\r ").partition(" ")
        if not word or not (count.isascii() and count.isdigit()):
            raise InputError(
                f"{path}, line {number}: {line[:60]!r} is not `word count` with one space between them; "
                "leave --dict-input out if the input is text."
            )
        counts[word] = counts.get(word, 0) + int(count)
    return counts


def _allowed_units(path: str, threshold: int | None) -> frozenset[str]:
    from rarewords.vocabulary import read_unit_counts

    counts = read_unit_counts(path)
    return frozenset(unit for unit, count in counts.items() if threshold is None or count >= threshold)


def _write_by_count(path: str, counts: dict[str, int]) -> None:
    from rarewords.vocabulary import write_unit_counts

    write_unit_counts(path, {unit: counts[unit] for unit in sorted(counts, key=counts.__getitem__, reverse=True)})


def _note_early_end(learned: int, asked: int, min_frequency: int) -> None:
    if learned < asked:
        click.echo(
            f"note: {learned} of {asked} merges learned; no further pair occurs {min_frequency} times or more. "
            "The codes are complete.",
            err=True,
        )
