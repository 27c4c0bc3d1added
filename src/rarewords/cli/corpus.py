"""`rarewords corpus`: everything that happens to parallel text before it is segmented, and its undoing."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import click

from rarewords.cli import options
from rarewords.cli.fetch import COMMANDS as FETCH_COMMANDS
from rarewords.cli.groups import Group
from rarewords.cli.progress import watched
from rarewords.corpus.importing import LONGEST_TEST_LINE
from rarewords.errors import InputError, plural
from rarewords.schema import default
from rarewords.text.clean_up import SETTINGS as CLEAN_UP
from rarewords.text.files import read_lines, read_parallel, write_lines
from rarewords.text.outputs import check_outputs

_FILE: dict[str, Any] = {"metavar": "FILE"}
_input = click.option(
    "--input", "input_path", default="-", show_default=True, **_FILE, help="Text to read, one segment a line."
)
_output = click.option("--output", "output_path", default="-", show_default=True, **_FILE, help="File to write.")
_language = click.option(
    "--language",
    required=True,
    metavar="CODE",
    help="Language of the text: en, de, ru, or another two-letter code. A language without a list of abbreviations "
    "uses the English list.",
)
_case_language = click.option(
    "--language", metavar="CODE", help="Language of the text; Turkish and Azeri have their own capital letters."
)


@click.group(cls=Group, short_help="Fetch, import, tokenise, clean, truecase and count parallel text.")
def command() -> None:
    """Get and prepare parallel text, and turn output back into running text.

    `fetch` gets a corpus of the configuration. The usual order after it is import, tokenise (both sides), clean (both
    sides together), train-truecaser, truecase; after translation detruecase, detokenise. Development and test sets are
    tokenised and truecased, but not cleaned.

    All files are UTF-8 with one segment a line; a name that ends in .gz is compressed.
    """


for _fetch_command in FETCH_COMMANDS:
    command.add_command(_fetch_command)


@command.command("import")
@click.option("--source-part", "source_parts", multiple=True, required=True, **_FILE, help="Source text; repeatable.")
@click.option(
    "--target-part",
    "target_parts",
    multiple=True,
    required=True,
    **_FILE,
    help="Its translation; as often as --source-part, in the same order.",
)
@click.option("--source", required=True, **_FILE, help="Source file to write.")
@click.option("--target", required=True, **_FILE, help="Target file to write.")
@click.option("--test-set", is_flag=True, help=f"Refuse lines of more than {LONGEST_TEST_LINE:,} characters.")
def import_command(
    source_parts: tuple[str, ...], target_parts: tuple[str, ...], source: str, target: str, test_set: bool
) -> None:
    """Concatenate the parts of a parallel corpus.

    Checks that both sides of every part have the same number of lines, that all text is UTF-8, and that it is not
    empty. Line ends become LF. If a check fails, neither output file is written.
    """
    from rarewords.corpus.importing import import_test_set, import_text

    if len(source_parts) != len(target_parts):
        raise InputError(
            f"--source-part is given {len(source_parts)} times and --target-part {len(target_parts)} times; "
            "give every part of the corpus on both sides."
        )
    check_outputs([source, target], [*source_parts, *target_parts])
    parts = list(zip(source_parts, target_parts, strict=True))
    pairs = (import_test_set if test_set else import_text)(parts, (source, target))
    click.echo(f"imported {pairs:,} pairs from {plural(len(parts), 'part')}", err=True)


@command.command("cut", short_help="Cut parallel text into shards.")
@click.option("--source", required=True, **_FILE, help="Source text.")
@click.option("--target", required=True, **_FILE, help="Its translation.")
@click.option(
    "--source-shard", "source_shards", multiple=True, required=True, **_FILE, help="File to write; repeatable."
)
@click.option(
    "--target-shard",
    "target_shards",
    multiple=True,
    required=True,
    **_FILE,
    help="File to write; once for each --source-shard.",
)
@click.option("--shards", required=True, type=click.IntRange(1), help="Number of shards in all.")
def cut_command(
    source: str, target: str, source_shards: tuple[str, ...], target_shards: tuple[str, ...], shards: int
) -> None:
    """Cut a parallel text into shards of consecutive lines, nearly equal in number; `import` puts shards together.

    A long text is prepared faster in several jobs, one for each shard.
    """
    from rarewords.corpus.shards import cut_into_shards
    from rarewords.text.outputs import check_outputs

    if not len(source_shards) == len(target_shards) == shards:
        raise InputError(
            f"--source-shard is given {len(source_shards)} times and --target-shard {len(target_shards)} times; "
            f"give both {shards} times, as --shards says."
        )
    check_outputs([*source_shards, *target_shards], [source, target])
    sizes = cut_into_shards(source, target, list(zip(source_shards, target_shards, strict=True)))
    click.echo(
        f"{plural(sum(sizes), 'pair')} in {plural(len(sizes), 'shard')} of {sizes[0]:,} to {sizes[-1]:,}", err=True
    )


@command.command("tokenise", short_help="Split text into tokens.")
@_language
@click.option("--clean", "clean", multiple=True, type=click.Choice(CLEAN_UP), help="Replace this first; repeatable.")
@click.option("--normalise", is_flag=True, help="Normalise punctuation first: quotation marks, dashes, spaces.")
@click.option("--aggressive", is_flag=True, help="Split hyphens inside words to @-@.")
@click.option("--no-escape", is_flag=True, help="Leave the special characters as they are.")
@click.option("--raw", is_flag=True, help="Split at single spaces only.")
@_input
@_output
@options.flush
def tokenise_command(
    language: str,
    clean: tuple[str, ...],
    normalise: bool,
    aggressive: bool,
    no_escape: bool,
    raw: bool,
    input_path: str,
    output_path: str,
    flush: bool,
) -> None:
    """Split text into tokens by the rules of the Moses tokeniser of 2015.

    The special characters & | < > ' " [ ] are escaped, so that later steps can use them; detokenise restores them.

    With --raw, words are separated by single spaces, so the line can be restored exactly; U+2420 stands for an empty
    word between two spaces. --clean replaces each URL, mention or hashtag by URL, USER or HASHTAG, or removes Arabic
    diacritics; this cannot be undone.
    """
    from rarewords.text.chain import Preprocessing
    from rarewords.text.moses import has_abbreviations

    if raw and (aggressive or no_escape):
        raise click.UsageError("--raw splits nothing: leave out --aggressive and --no-escape.")
    if not raw and not has_abbreviations(language):
        click.echo(
            f"--language {language}: there is no list of abbreviations for it, so the English one is used; "
            "check that the code is right.",
            err=True,
        )

    steps = Preprocessing(language, normalise, not raw, aggressive, not no_escape, clean=clean)
    _convert("tokenise", steps.tokens, input_path, output_path, flush)


@command.command("clean", short_help="Drop pairs unfit for training.")
@click.option("--source", required=True, **_FILE, help="Tokenised source text.")
@click.option("--target", required=True, **_FILE, help="Tokenised target text.")
@click.option("--clean-source", required=True, **_FILE, help="Source file to write.")
@click.option("--clean-target", required=True, **_FILE, help="Target file to write.")
@click.option(
    "--minimum",
    default=default("corpora.*.preprocess.minimum"),
    show_default=True,
    type=click.IntRange(1),
    help="Fewest tokens on a side.",
)
@click.option(
    "--maximum",
    default=default("corpora.*.preprocess.maximum"),
    show_default=True,
    type=click.IntRange(1),
    help="Most tokens on a side.",
)
@click.option(
    "--ratio",
    default=default("corpora.*.preprocess.ratio"),
    show_default=True,
    type=click.FloatRange(1),
    help="Largest ratio of the two lengths.",
)
@click.option("--may-be-empty", is_flag=True, help="Accept an empty result, which can happen to a shard.")
@click.option("--other-source", **_FILE, help="The source text in another form, to write instead.")
@click.option("--other-target", **_FILE, help="The target text in that form.")
def clean_command(
    source: str,
    target: str,
    clean_source: str,
    clean_target: str,
    minimum: int,
    maximum: int,
    ratio: float,
    may_be_empty: bool,
    other_source: str | None,
    other_target: str | None,
) -> None:
    """Drop pairs that are empty, too long, or too different in length.

    Use it on training text, after tokenisation. Pairs with a word of more than 1,000 characters are dropped too. Prints
    how many pairs were kept and how many each rule dropped. With --other-source and --other-target the same pairs of
    another form of the text are written instead.
    """
    from rarewords.corpus.cleaning import clean_pairs
    from rarewords.corpus.importing import parallel_writer

    if minimum > maximum:
        raise InputError(f"--minimum {minimum} is greater than --maximum {maximum}; no pair can fit.")
    if (other_source is None) != (other_target is None):
        raise click.UsageError("--other-source and --other-target belong together; give both or none.")
    check_outputs([clean_source, clean_target], [source, target, other_source, other_target])
    others = read_parallel(other_source, other_target) if other_source and other_target else None
    pairs = watched(read_parallel(source, target), "clean")
    kept, counts = clean_pairs(pairs, minimum, maximum, ratio, others=others)
    with parallel_writer(clean_source, clean_target) as (source_out, target_out):
        for left, right in kept:
            source_out.write(left + "\n")
            target_out.write(right + "\n")
        if not counts.kept and not may_be_empty:
            raise InputError(
                f"{source} and {target}: none of the {counts.read:,} pairs is left after cleaning "
                f"({counts.describe()}); "
                "check that the files belong together, or loosen --maximum or --ratio."
            )
    click.echo(f"kept {counts.kept:,} of {plural(counts.read, 'pair')}; dropped: {counts.describe()}", err=True)


@command.command("train-truecaser", short_help="Learn the case of words.")
@_input
@click.option("--model", required=True, **_FILE, help="Model to write, a text file.")
@_case_language
def train_truecaser_command(input_path: str, model: str, language: str | None) -> None:
    """Learn from tokenised text which case each word has inside a sentence.

    A line of the model holds the forms of one word, the most frequent first: `Haus (12/13) haus (1)`.
    """
    from rarewords.text.truecasing import train_truecaser

    check_outputs([model], [input_path])
    learnt = train_truecaser(watched(read_lines(input_path), "train-truecaser"), language)
    learnt.save(model)
    click.echo(f"learnt the case of {plural(len(learnt.best), 'word')}", err=True)
    if not learnt.counts:
        click.echo("no word inside a sentence has upper or lower case: truecasing will change nothing", err=True)


@command.command("truecase", short_help="Lower-case sentence beginnings.")
@click.option("--model", required=True, **_FILE, help="Model written by train-truecaser.")
@_case_language
@_input
@_output
@options.flush
def truecase_command(model: str, language: str | None, input_path: str, output_path: str, flush: bool) -> None:
    """Give the first word of each sentence the case it has elsewhere."""
    from rarewords.text.truecasing import TruecaseModel

    check_outputs([output_path], [model, input_path])
    _convert("truecase", TruecaseModel.load(model, language).apply, input_path, output_path, flush)


@command.command("detruecase")
@_case_language
@_input
@_output
@options.flush
def detruecase_command(language: str | None, input_path: str, output_path: str, flush: bool) -> None:
    """Give the first word of each sentence a capital letter."""
    from rarewords.text.truecasing import detruecase

    _convert("detruecase", lambda line: detruecase(line, language), input_path, output_path, flush)


@command.command("detokenise", short_help="Turn tokens back into running text.")
@_language
@_input
@_output
@options.flush
def detokenise_command(language: str, input_path: str, output_path: str, flush: bool) -> None:
    """Turn tokens back into running text: restore special characters, attach punctuation to words."""
    from rarewords.text.moses import detokenise

    _convert("detokenise", lambda line: detokenise(line, language), input_path, output_path, flush)


@command.command("count")
@_input
@_output
@click.option(
    "--num-workers", type=click.IntRange(min=1), default=1, show_default=True, help="Processes that read the text."
)
def count_command(input_path: str, output_path: str, num_workers: int) -> None:
    """Count the words of a tokenised text.

    Writes one line for each word, `word count`, in order of first occurrence.
    """
    from rarewords.corpus.importing import count_words, write_counts

    check_outputs([output_path], [input_path])
    write_counts(output_path, count_words(watched(read_lines(input_path), "count"), num_workers))


@command.command("require", short_help="Check that a file is in its place.")
@click.option("--file", "paths", required=True, multiple=True, **_FILE, help="File that must be there; repeatable.")
def require_command(paths: tuple[str, ...]) -> None:
    """Check that files which cannot be fetched automatically are in place."""
    missing = [path for path in paths if not os.path.isfile(path)]
    if missing:
        others = f" (and {len(missing) - 1} more files)" if len(missing) > 1 else ""
        raise InputError(
            f"{missing[0]}{others} is missing and cannot be fetched automatically: put it there by hand; "
            "docs/reproduction/data.md says where each corpus comes from."
        )


def _convert(name: str, convert: Callable[[str], str], input_path: str, output_path: str, flush: bool) -> None:
    """Convert a file line by line: as many lines come out as went in."""
    check_outputs([output_path], [input_path])
    write_lines(output_path, map(convert, watched(read_lines(input_path), name)), flush)
