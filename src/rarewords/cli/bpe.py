"""`rarewords bpe`: byte pair encoding on plain text, with the files and the meanings of the released tool."""

from __future__ import annotations

from pathlib import Path

import click

from rarewords.cli.options import FiniteRange
from rarewords.cli.progress import merge_progress, watched
from rarewords.cli.several import SeveralValues
from rarewords.corpus.importing import count_words
from rarewords.errors import InputError
from rarewords.segmentation.bpe.codes import Codes, read_codes, write_codes
from rarewords.segmentation.bpe.symbols import Merge
from rarewords.text.files import check_distinct, read_lines, write_lines
from rarewords.vocabulary import read_unit_counts, write_unit_counts

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
    "--num-workers", type=click.IntRange(min=1), default=1, show_default=True, help="Processes that read the text."
)


@click.group(name="bpe")
def command() -> None:
    """Learn and apply byte pair encoding on plain text.

    Words are separated by spaces; tabs, no-break spaces and the like belong to the words. Codes and vocabulary files
    are those of the released tool, subword-nmt.

    \b
    rarewords bpe learn -s 3000 < train.de > codes
    rarewords bpe apply -c codes < test.de > test.bpe.de
    sed -E 's/@@ |@@ ?$//g' < test.bpe.de      # undoes it
    """


@command.command(cls=SeveralValues)
@INPUTS
@OUTPUT
@SYMBOLS
@TOTAL_SYMBOLS
@MINIMUM_FREQUENCY
@DICT_INPUT
@CODES_VERSION
@TIE_BREAK
@WORKERS
def learn(
    input_paths: tuple[str, ...],
    output_path: str,
    symbols: int,
    total_symbols: bool,
    min_frequency: int,
    dict_input: bool,
    codes_version: str,
    tie_break: str,
    num_workers: int,
) -> None:
    """Learn merges from one text or several together, and write a codes file.

    The result depends on nothing but the words and their counts; with --tie-break first also on their order.
    """
    check_distinct([output_path], input_paths)
    counts = _add([_word_counts(path, dict_input, num_workers) for path in input_paths])
    merges = _learn(counts, symbols, min_frequency, codes_version, tie_break, total_symbols)
    write_codes(output_path, merges, codes_version)


@command.command(cls=SeveralValues)
@click.option("-c", "--codes", "codes_path", required=True, help="Codes file.")
@click.option("-m", "--merges", type=click.IntRange(min=0), help="Use only so many merges, the first ones.")
@INPUT
@OUTPUT
@click.option("-s", "--separator", default="@@", show_default=True, help="End of the units inside a word.")
@click.option("--vocabulary", "vocabulary_path", help="Vocabulary file; units outside it are taken apart again.")
@click.option(
    "--vocabulary-threshold",
    type=int,
    help="Smallest count of a unit in the vocabulary that may be made; without it every unit listed may.",
)
@click.option(
    "--glossaries",
    multiple=True,
    help="Regular expressions; what matches one of them is left whole, also in a word.",
)
@click.option(
    "--dropout",
    type=FiniteRange(0, 1),
    default=0.0,
    show_default=True,
    help="Probability to pass over a merge, for training text (BPE-dropout).",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the dropout.")
@WORKERS
def apply(
    codes_path: str,
    merges: int | None,
    input_path: str,
    output_path: str,
    separator: str,
    vocabulary_path: str | None,
    vocabulary_threshold: int | None,
    glossaries: tuple[str, ...],
    dropout: float,
    seed: int,
    num_workers: int,
) -> None:
    """Apply a codes file to a text.

    Spaces at the ends of a line are kept, repeated spaces inside become one. A word that itself ends in @@ is cut
    before its last character, so that joining the units gives the text back. With --dropout the result depends on the
    seed, but not on the number of processes.
    """
    from rarewords.segmentation.bpe.text import Options, segment_lines

    if vocabulary_path is None and vocabulary_threshold is not None:
        raise InputError("--vocabulary-threshold needs --vocabulary; give the vocabulary file.")
    check_distinct([output_path], [codes_path, vocabulary_path, input_path])
    allowed = None if vocabulary_path is None else _allowed_units(vocabulary_path, vocabulary_threshold)
    _refuse_empty(codes_path)
    codes = read_codes(codes_path).first(merges)
    options = Options(separator, allowed, glossaries, dropout, seed)
    write_lines(
        output_path, segment_lines(codes, options, watched(read_lines(input_path), "segmentation"), num_workers)
    )


@command.command("learn-joint", cls=SeveralValues)
@click.option("-i", "--input", "input_paths", multiple=True, required=True, help="Texts, one for each language.")
@click.option("-o", "--output", "output_path", required=True, help="Codes file to write.")
@click.option(
    "--write-vocabulary",
    "vocabulary_paths",
    multiple=True,
    required=True,
    help="Vocabularies to write, one for each text, in the same order.",
)
@SYMBOLS
@TOTAL_SYMBOLS
@MINIMUM_FREQUENCY
@DICT_INPUT
@CODES_VERSION
@TIE_BREAK
@SEPARATOR
@WORKERS
def learn_joint(
    input_paths: tuple[str, ...],
    output_path: str,
    vocabulary_paths: tuple[str, ...],
    symbols: int,
    total_symbols: bool,
    min_frequency: int,
    dict_input: bool,
    codes_version: str,
    tie_break: str,
    separator: str,
    num_workers: int,
) -> None:
    """Learn merges on several texts together, and write how often each unit occurs in each of them.

    The result is that of learning on the concatenated texts. The vocabularies serve `apply --vocabulary`.

    \b
    rarewords bpe learn-joint -i train.en train.de -s 3000 -o codes \\
      --write-vocabulary vocabulary.en vocabulary.de
    """
    from rarewords.segmentation.bpe.text import Options, TextSegmenter
    from rarewords.vocabulary import unit_counts

    if len(input_paths) != len(vocabulary_paths):
        raise InputError(
            f"{len(input_paths)} files for --input but {len(vocabulary_paths)} for --write-vocabulary; "
            "give a vocabulary for each text."
        )
    check_distinct([output_path, *vocabulary_paths], input_paths)
    counts = [_word_counts(path, dict_input, num_workers) for path in input_paths]
    merges = _learn(_add(counts), symbols, min_frequency, codes_version, tie_break, total_symbols)
    write_codes(output_path, merges, codes_version)
    segmenter = TextSegmenter(Codes(codes_version, tuple(merges)), Options(separator))
    for path, side in zip(vocabulary_paths, counts, strict=True):
        _write_by_count(path, unit_counts(segmenter.segment_word, side))


@command.command()
@INPUT
@OUTPUT
@WORKERS
def vocab(input_path: str, output_path: str, num_workers: int) -> None:
    """Count the tokens of a text: `token count` lines, the most frequent first."""
    check_distinct([output_path], [input_path])
    _write_by_count(output_path, _word_counts(input_path, dict_input=False, workers=num_workers))


def _word_counts(path: str, dict_input: bool, workers: int) -> dict[str, int]:
    counts = _read_dictionary(path) if dict_input else count_words(watched(read_lines(path), "counting"), workers)
    if not counts:
        raise InputError(f"{path}: there are no words in it; give a text with words.")
    return counts


def _add(counts: list[dict[str, int]]) -> dict[str, int]:
    from rarewords.segmentation.sides import add_counts

    return counts[0] if len(counts) == 1 else add_counts(counts)


def _learn(
    counts: dict[str, int], symbols: int, min_frequency: int, version: str, tie_break: str, total_symbols: bool
) -> list[Merge]:
    """Learn merges; tell when there are fewer than asked for."""
    from rarewords.segmentation.bpe.learn import initial_symbols, learn_merges

    asked = max(0, symbols - initial_symbols(counts, version)) if total_symbols else symbols
    with merge_progress() as progress:
        merges = learn_merges(counts, asked, min_frequency, version, tie_break, progress)
    if len(merges) < asked:
        click.echo(
            f"note: {len(merges)} of {asked} merges learned; no further pair occurs {min_frequency} times or more. "
            "The codes are complete.",
            err=True,
        )
    return merges


def _read_dictionary(path: str) -> dict[str, int]:
    """Read `word count` lines; a word may occur again, so that dictionaries can be concatenated."""
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


def _refuse_empty(codes_path: str) -> None:
    if Path(codes_path).is_file() and Path(codes_path).stat().st_size == 0:
        raise InputError(f"{codes_path}: the codes file is empty; learn it again with `rarewords bpe learn`.")


def _allowed_units(path: str, threshold: int | None) -> frozenset[str]:
    counts = read_unit_counts(path)
    return frozenset(unit for unit, count in counts.items() if threshold is None or count >= threshold)


def _write_by_count(path: str, counts: dict[str, int]) -> None:
    write_unit_counts(path, {unit: counts[unit] for unit in sorted(counts, key=counts.__getitem__, reverse=True)})
