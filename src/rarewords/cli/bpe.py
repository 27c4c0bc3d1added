"""`rarewords bpe`: byte pair encoding on plain text, with the files and the meanings of the released tool."""

from __future__ import annotations

import copy
from pathlib import Path

import click

from rarewords.cli.bpe_options import (
    BYTE,
    CODES_VERSION,
    DICT_INPUT,
    INPUT,
    INPUTS,
    MINIMUM_FREQUENCY,
    OUTPUT,
    SEPARATOR,
    SYMBOLS,
    TIE_BREAK,
    TOTAL_SYMBOLS,
    VERBOSE,
    WORKERS,
)
from rarewords.cli.groups import Group
from rarewords.cli.options import FiniteRange
from rarewords.cli.progress import merge_progress, watched
from rarewords.cli.several import SeveralValues
from rarewords.errors import InputError
from rarewords.segmentation.bpe.codes import Codes, encoding, read_codes, write_codes
from rarewords.segmentation.bpe.input import count_text, parse_allowed_units, parse_dictionary
from rarewords.segmentation.bpe.symbols import Merge
from rarewords.text.files import read_lines, read_whole_lines, write_lines, write_whole_lines
from rarewords.text.outputs import check_outputs
from rarewords.vocabulary import write_unit_counts

RELEASED_NAMES = ("learn-bpe", "apply-bpe", "get-vocab", "learn-joint-bpe-and-vocab", "segment-char-ngrams")


class ReleasedNames(Group):
    """A group that lists the commands under their own names; those of the released tool lead to them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name in super().list_commands(ctx) if name not in RELEASED_NAMES]


@click.group(name="bpe", cls=ReleasedNames)
def command() -> None:
    """Learn and apply byte pair encoding on plain text.

    Words are separated by spaces; tabs, no-break spaces and similar characters belong to the words. Codes and
    vocabulary files are those of the released tool, subword-nmt.

    \b
    rarewords bpe learn -s 3000 < train.de > codes
    rarewords bpe apply -c codes < test.de > test.bpe.de
    sed -E 's/@@ |@@ ?$//g' < test.bpe.de      # undoes it

    The names and flags of subword-nmt are accepted, too: learn-bpe, apply-bpe, get-vocab, learn-joint-bpe-and-vocab,
    segment-char-ngrams. `python -m rarewords.bpe` is the same as `rarewords bpe`.
    """


@command.command(cls=SeveralValues)
@INPUTS
@OUTPUT
@SYMBOLS
@TOTAL_SYMBOLS
@MINIMUM_FREQUENCY
@DICT_INPUT
@BYTE
@CODES_VERSION
@TIE_BREAK
@VERBOSE
@WORKERS
def learn(
    input_paths: tuple[str, ...],
    output_path: str,
    symbols: int,
    total_symbols: bool,
    min_frequency: int,
    dict_input: bool,
    of_bytes: bool,
    codes_version: str,
    tie_break: str,
    verbose: bool,
    num_workers: int,
) -> None:
    """Learn merges from one text or several together, and write a codes file.

    The result depends only on the words and their counts; with --tie-break first also on their order.
    """
    check_outputs([output_path], input_paths)
    if of_bytes and codes_version != "0.2":
        raise InputError("--byte has codes of version 0.2 only; leave --codes-version out.")
    counts = _add([_word_counts(path, dict_input, num_workers, encoding(of_bytes)) for path in input_paths])
    merges = _learn(counts, symbols, min_frequency, codes_version, tie_break, total_symbols)
    _write_codes(output_path, Codes(codes_version, merges, of_bytes), verbose)


@command.command(cls=SeveralValues)
@click.option("-c", "--codes", "codes_path", required=True, help="Codes file, of characters or of bytes.")
@click.option("-m", "--merges", type=click.IntRange(min=-1), default=-1, help="Use only the first N merges; -1: all.")
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
    one_stream: bool = False,
) -> None:
    """Apply a codes file to a text.

    Spaces at the ends of a line are kept, repeated spaces inside become one. A word that itself ends in @@ is cut
    before its last character, so that joining the units gives the text back. With --dropout the result depends on the
    seed, but not on the number of processes; under the name apply-bpe it is that of subword-nmt with one process.
    """
    from rarewords.segmentation.bpe.text import Options, segment_lines

    if vocabulary_path is None and vocabulary_threshold is not None:
        raise InputError("--vocabulary-threshold needs --vocabulary; give the vocabulary file.")
    check_outputs([output_path], [codes_path, vocabulary_path, input_path])
    _refuse_empty(codes_path)
    codes = read_codes(codes_path).first(None if merges == -1 else merges)
    allowed = None
    if vocabulary_path is not None:
        lines = read_whole_lines(vocabulary_path, codes.encoding)
        allowed = parse_allowed_units(lines, vocabulary_threshold, vocabulary_path)
    options = Options(separator, allowed, glossaries, dropout, seed, one_stream)
    text = watched(read_whole_lines(input_path, codes.encoding), "segmentation")
    write_whole_lines(output_path, segment_lines(codes, options, text, num_workers), codes.encoding)


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
@VERBOSE
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
    verbose: bool,
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
    check_outputs([output_path, *vocabulary_paths], input_paths)
    counts = [_word_counts(path, dict_input, num_workers) for path in input_paths]
    merges = _learn(_add(counts), symbols, min_frequency, codes_version, tie_break, total_symbols)
    codes = Codes(codes_version, merges)
    _write_codes(output_path, codes, verbose)
    segmenter = TextSegmenter(codes, Options(separator))
    for path, side in zip(vocabulary_paths, counts, strict=True):
        _write_by_count(path, unit_counts(segmenter.segment_word, side))


@command.command()
@INPUT
@OUTPUT
@WORKERS
def vocab(input_path: str, output_path: str, num_workers: int) -> None:
    """Count the tokens of a text: `token count` lines, the most frequent first."""
    check_outputs([output_path], [input_path])
    _write_by_count(output_path, _word_counts(input_path, dict_input=False, workers=num_workers))


@command.command("char-ngrams")
@INPUT
@click.option("--vocab", "vocabulary_path", required=True, help="Vocabulary, `word count` lines, most frequent first.")
@click.option("--shortlist", type=int, default=0, show_default=True, help="Rank, from 0, of the last word kept whole.")
@click.option("-n", type=click.IntRange(min=1), default=2, show_default=True, help="Characters a unit.")
@OUTPUT
@click.option("-s", "--separator", default="@@", show_default=True, help="End of the units inside a word.")
def char_ngrams(
    input_path: str, vocabulary_path: str, shortlist: int, n: int, output_path: str, separator: str
) -> None:
    """Cut the words outside a shortlist into character n-grams, as the script segment-char-ngrams does.

    Ranks count from 0, so --shortlist N keeps N + 1 words whole; any white space separates words, and every line ends
    in a space. `rarewords segment` has the same segmentation with an exact shortlist.
    """
    from rarewords.segmentation.char_ngrams import cut_as_released

    check_outputs([output_path], [vocabulary_path, input_path])
    whole = _first_words(vocabulary_path, shortlist)
    lines = watched(read_lines(input_path), "segmentation")
    write_lines(output_path, (cut_as_released(line, whole, n, separator) for line in lines))


apply_bpe = copy.copy(apply)
apply_bpe.callback = lambda **options: apply.callback(**options, one_stream=True)  # type: ignore[misc]
for released_name, same in zip(RELEASED_NAMES, (learn, apply_bpe, vocab, learn_joint, char_ngrams), strict=True):
    command.add_command(same, released_name)


def _first_words(path: str, last_rank: int) -> frozenset[str]:
    """The words of a vocabulary up to a rank; a word that occurs again has its last rank."""
    fields = filter(lambda pair: len(pair) == 2, map(str.split, read_lines(path)))
    ranks = {word: rank for rank, (word, _) in enumerate(fields)}
    return frozenset(word for word, rank in ranks.items() if rank <= last_rank)


def _word_counts(path: str, dict_input: bool, workers: int, text_encoding: str = "utf-8") -> dict[str, int]:
    lines = read_whole_lines(path, text_encoding)
    counts = parse_dictionary(lines, path) if dict_input else count_text(watched(lines, "counting"), workers)
    if not counts:
        raise InputError(f"{path} contains no words; give a text with words.")
    return counts


def _write_codes(path: str, codes: Codes, verbose: bool) -> None:
    if verbose:
        from rarewords.bpe import print_merges

        print_merges(codes)
    write_codes(path, codes)


def _add(counts: list[dict[str, int]]) -> dict[str, int]:
    from rarewords.segmentation.sides import add_counts

    return counts[0] if len(counts) == 1 else add_counts(counts)


def _learn(
    counts: dict[str, int], symbols: int, min_frequency: int, version: str, tie_break: str, total_symbols: bool
) -> tuple[Merge, ...]:
    """Learn merges; say so if there are fewer than requested."""
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
    return tuple(merges)


def _refuse_empty(codes_path: str) -> None:
    if Path(codes_path).is_file() and Path(codes_path).stat().st_size == 0:
        raise InputError(f"{codes_path}: the codes file is empty; learn it again with `rarewords bpe learn`.")


def _write_by_count(path: str, counts: dict[str, int]) -> None:
    write_unit_counts(path, {unit: counts[unit] for unit in sorted(counts, key=counts.__getitem__, reverse=True)})
