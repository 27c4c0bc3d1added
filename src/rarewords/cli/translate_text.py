"""`rarewords translate`: raw text in, raw text out, with a bundle."""

from __future__ import annotations

import contextlib
import math
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, TextIO

import click

from rarewords.cli import options

if TYPE_CHECKING:
    from rarewords.bundle.translator import Translation, Translator


class Numbers(click.ParamType):
    """Numbers from 1 on, separated by commas."""

    name = "numbers"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[int]:
        parts = str(value).split(",")
        if not all(part.isascii() and part.isdigit() and int(part) for part in parts):
            self.fail(f"{value!r} is not a list of numbers from 1 on, such as 1,3.", param, ctx)
        numbers = [int(part) for part in parts]
        if len(set(numbers)) < len(numbers):
            self.fail(f"{value!r} names a member twice.", param, ctx)
        return numbers


@click.command(name="translate", short_help="Translate raw text with a bundle.")
@click.argument("bundle", type=click.Path())
@click.option("--input", "input_", default="-", show_default=True, type=click.Path(), help="Text, a sentence a line.")
@click.option("--output", default="-", show_default=True, type=click.Path(), help="Its translation, line by line.")
@click.option("--members", type=Numbers(), metavar="N,…", help="Use only these members, say 1,3. [default: all]")
@click.option("--beam", type=click.IntRange(1), help="Hypotheses a sentence. [default: the bundle's]")
@click.option("--nbest", type=click.IntRange(1), help="Write so many translations: `line ||| text ||| cost`.")
@click.option("--alignments", type=click.Path(), help="Output: links of the best translations, `source-target …`.")
@click.option(
    "--alignments-of", type=click.Choice(["words", "units"]), default="words", show_default=True,
    help="What the numbers of the links count: tokens or network units, from 0.",
)  # fmt: skip
@click.option("--show-units", is_flag=True, help="Print the units of both sides to standard error.")
@click.option(
    "--longest", type=click.IntRange(1, 10_000), default=500, show_default=True,
    help="Units that are translated at once; longer lines are cut.",
)  # fmt: skip
@click.option("--batch-size", default=16, show_default=True, type=click.IntRange(1), help="Sentences at once.")
@click.option("--line-by-line", is_flag=True, help="Translate each line as soon as it is read, say from a pipe.")
@options.device
@options.precision
@options.threads
def command(
    bundle: str,
    input_: str,
    output: str,
    members: list[int] | None,
    beam: int | None,
    nbest: int | None,
    alignments: str | None,
    alignments_of: str,
    show_units: bool,
    longest: int,
    batch_size: int,
    line_by_line: bool,
    device: str,
    precision: str,
    threads: int,
) -> None:
    """Translate raw text with a BUNDLE, the folder that `rarewords export` wrote.

    \b
    rarewords translate bpe-bundle < text.en > text.de

    Every line of the input is one sentence and becomes one line of the output; empty lines stay empty. A line of more
    than --longest units is cut at sentence ends, a sentence that is still too long between words; a warning says so.
    On a terminal, or with --line-by-line, each line is translated as soon as it is read. Only translations go to
    standard output.

    The n-best list has the translations of a line in ascending order of cost, the negative log-probability per unit;
    lines count from 0. Segmented text is translated by `rarewords translate-units`.
    """
    from rarewords.bundle.translator import Translator
    from rarewords.cli.progress import TranslationProgress
    from rarewords.machine.device import prepare_cpu, set_precision
    from rarewords.text.files import atomic_writer, check_distinct, read_lines

    check_distinct([output, alignments], [input_])
    prepare_cpu(threads)
    set_precision(precision)
    translator = Translator.load(bundle, members or (), device)
    interactive = input_ == "-" and sys.stdin.isatty()
    if interactive:
        _greet(translator)
    search = partial(translator.translations, number=nbest or 1, beam=beam, batch_size=batch_size, longest=longest)
    report = TranslationProgress("translation")
    done = endless = 0
    with contextlib.ExitStack() as files:
        out = files.enter_context(atomic_writer(output))
        links = files.enter_context(atomic_writer(alignments)) if alignments else None
        for block in blocks(read_lines(input_), 1 if interactive or line_by_line else translator.lines_at_once):
            found = search(block, long_line=_warner(done))
            endless += sum(math.isinf(best[0].cost) for best in found)
            if show_units:
                _show_units(found, done)
            _write(out, found, done, nbest)
            if links:
                align = translator.align_words if alignments_of == "words" else translator.align
                for pairs in align([best[0] for best in found], batch_size):
                    links.write(" ".join(f"{source}-{target}" for source, target in pairs) + "\n")
            done += len(block)
            if not (interactive or line_by_line):
                report(done)
    report.end()
    if endless:
        click.echo(
            f"warning: {endless:,} line(s) have an empty translation (cost inf), because no hypothesis ended in time; "
            "a larger --beam may help.",
            err=True,
        )


def blocks(lines: Iterable[str], size: int) -> Iterator[list[str]]:
    """The lines in lists of `size`; the last one may be shorter."""
    iterator = iter(lines)
    while block := list(islice(iterator, size)):
        yield block


def _greet(translator: Translator) -> None:
    settings = translator.settings
    click.echo(
        f"{settings.label}: {settings.source_language} to {settings.target_language}. Enter a sentence; Ctrl-D ends.",
        err=True,
    )


def _write(out: TextIO, found: list[list[Translation]], first: int, nbest: int | None) -> None:
    for number, translations in enumerate(found, first):
        if nbest is None:
            out.write(translations[0].text + "\n")
            continue
        for translation in translations:
            out.write(f"{number} ||| {translation.text} ||| {translation.cost:.6f}\n")
    out.flush()


def _show_units(found: list[list[Translation]], first: int) -> None:
    for number, translations in enumerate(found, first + 1):
        for piece in translations[0].pieces:
            click.echo(f"line {number}: {' '.join(piece.source)} -> {' '.join(piece.units)}", err=True)


def _warner(first: int) -> Any:
    def warn(place: int, units: int, parts: int) -> None:
        click.echo(
            f"warning: line {first + place + 1} has {units:,} units and is translated in {parts} parts; "
            "give one sentence a line, or raise --longest.",
            err=True,
        )

    return warn
