"""`rarewords translate`: raw text in, raw text out, with a bundle."""

from __future__ import annotations

import contextlib
import math
import sys
from functools import partial
from typing import TYPE_CHECKING, Any, TextIO

import click

from rarewords.cli import options
from rarewords.cli.settings_options import batch_size as batch_size_option
from rarewords.cli.settings_options import optional_of
from rarewords.errors import plural

if TYPE_CHECKING:
    from rarewords.bundle.translator import Notice, Translation, Translator

    Sentences = list[list[list[Translation]]]  # by line, by sentence, the best first


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
@click.option("--input", "input_", default="-", show_default=True, type=click.Path(), help="Text: any number of lines.")
@click.option("--output", default="-", show_default=True, type=click.Path(), help="Its translation, line by line.")
@click.option("--split/--no-split", default=True, show_default=True, help="Whether a line may hold several sentences.")
@click.option("--members", type=Numbers(), metavar="N,…", help="Use only these members, say 1,3. [default: all]")
@optional_of("beam", "decoding.beam", "the bundle's")
@click.option(
    "--nbest",
    type=click.IntRange(1, 1000),
    help="Write the N best translations: `line ||| text ||| cost ||| sentence`.",
)
@click.option("--alignments", type=click.Path(), help="Output: links of the best translations, `source-target …`.")
@click.option(
    "--alignments-of", type=click.Choice(["words", "tokens", "units"]), default="words", show_default=True,
    help="What the numbers of the links count, from 0: words of the text, tokens, or network units.",
)  # fmt: skip
@click.option("--show-units", is_flag=True, help="Print the units of both sides to standard error.")
@click.option(
    "--longest", type=click.IntRange(1, 10_000),
    help="Longest sentence in units; longer ones are cut. [default: as in training]",
)  # fmt: skip
@batch_size_option
@options.flush
@options.device
@options.precision
@options.threads
def command(
    bundle: str,
    input_: str,
    output: str,
    split: bool,
    members: list[int] | None,
    beam: int | None,
    nbest: int | None,
    alignments: str | None,
    alignments_of: str,
    show_units: bool,
    longest: int | None,
    batch_size: int,
    flush: bool,
    device: str,
    precision: str,
    threads: int,
) -> None:
    """Translate raw text with a BUNDLE, the folder that `rarewords export` wrote, or a tar or zip archive of it.

    \b
    rarewords translate bpe-bundle < text.en > text.de

    Every line of the input becomes one line of the output; empty lines stay empty. A line may be a paragraph: it is
    split into sentences, which are translated one by one and put together again. Give --no-split if every line is one
    sentence. A sentence longer than those the system was trained on is cut at a comma or between words. Sentences
    without letters and tokens of more than 500 characters are copied. Warnings report both. Only translations go to
    standard output.

    On a terminal, and when the input comes slowly, each line is translated as soon as it arrives.

    The n-best list has the translations of each sentence in ascending order of cost, the negative log-probability per
    unit. Alignments have a line for each line of the input, with links between its words and those of its translation,
    as spaces separate them. For tokens and units, ` ||| ` stands between the links of two sentences, and each sentence
    counts from 0 again; lines, sentences and all else count from 0, too. Segmented text is translated by `rarewords
    translate-units`.
    """
    from rarewords.bundle.translator import Translator
    from rarewords.cli.progress import TranslationProgress
    from rarewords.machine.device import prepare_cpu, set_precision
    from rarewords.text.files import atomic_writer, read_lines
    from rarewords.text.outputs import check_outputs
    from rarewords.text.streams import blocks, is_terminal

    check_outputs([output, alignments], [input_])
    prepare_cpu(threads)
    set_precision(precision)
    translator = Translator.load(bundle, members or (), device)
    interactive = input_ == "-" and is_terminal(sys.stdin)
    if interactive:
        _greet(translator)
    search = partial(
        translator.sentence_translations,
        number=nbest or 1, beam=beam, batch_size=batch_size, longest=longest, split=split,
    )  # fmt: skip
    report, warnings = TranslationProgress("translation"), _Warnings(longest or translator.longest)
    # candidate lists for blocks must not depend on how fast the input comes
    whole = translator.settings.candidates is not None and not (flush or interactive)
    done = endless = 0
    with contextlib.ExitStack() as files:
        out = files.enter_context(atomic_writer(output))
        links = files.enter_context(atomic_writer(alignments)) if alignments else None
        size = 1 if flush or interactive else translator.lines_at_once
        for block in blocks(read_lines(input_), size, whole):
            found = search(block, notice=partial(warnings, done))
            endless += sum(any(math.isinf(best[0].cost) for best in line) for line in found)
            if show_units:
                _show_units(found, done)
            _write(out, found, done, nbest, translator.settings.target_language)
            if links:
                _write_links(links, translator, block, found, alignments_of, batch_size)
            done += len(block)
            if not (interactive or flush):
                report(done)
    report.end()
    warnings.end()
    if endless:
        click.echo(
            f"warning: {plural(endless, 'line')} with an empty translation of a sentence (cost inf), because no "
            "hypothesis ended in time; a larger --beam may help.",
            err=True,
        )


def _greet(translator: Translator) -> None:
    settings = translator.settings
    click.echo(
        f"{settings.label}: {settings.source_language} to {settings.target_language}. Enter text; Ctrl-D ends.",
        err=True,
    )


def _write(out: TextIO, found: Sentences, first: int, nbest: int | None, language: str) -> None:
    from rarewords.text.sentences import join_sentences

    for number, sentences in enumerate(found, first):
        if nbest is None:
            out.write(join_sentences([best[0].text for best in sentences], language) + "\n")
            continue
        for place, best in enumerate(sentences):
            for one in best:
                out.write(f"{number} ||| {one.text} ||| {one.cost:.6f} ||| {place}\n")
        if not sentences:
            out.write(f"{number} |||  ||| {0:.6f} ||| 0\n")
    out.flush()


def _write_links(
    links: TextIO, translator: Translator, lines: list[str], found: Sentences, of: str, batch_size: int
) -> None:
    """A line for each line; of tokens and units the links of its sentences apart."""
    chosen = [[best[0] for best in sentences] for sentences in found]
    if of == "words":
        by_line = [[one] for one in translator.align_text(lines, chosen, batch_size)]
    else:
        align = translator.align_words if of == "tokens" else translator.align
        aligned = iter(align([one for sentences in chosen for one in sentences], batch_size))
        by_line = [[next(aligned) for _ in sentences] for sentences in chosen]
    for sentences in by_line:
        pairs = [" ".join(f"{source}-{target}" for source, target in one) for one in sentences]
        links.write(" ||| ".join(pairs) + "\n")
    links.flush()


def _show_units(found: Sentences, first: int) -> None:
    for number, sentences in enumerate(found, first):
        for place, best in enumerate(sentences):
            for piece in best[0].pieces:
                units = f"{' '.join(piece.source)} -> {' '.join(piece.units)}"
                click.echo(f"line {number + 1}, sentence {place + 1}: {units}", err=True)


class _Warnings:
    """Reports sentences that were not translated whole: the first of each kind at once, their number at the end."""

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._number = {"cut": 0, "copied": 0}

    def __call__(self, first: int, notice: Notice) -> None:
        """`first` is the number of the lines before those that the notice counts."""
        kind = "cut" if notice.parts else "copied"
        self._number[kind] += 1
        if self._number[kind] > 1:
            return
        place = f"line {first + notice.line + 1}, sentence {notice.sentence + 1}"
        if kind == "cut":
            what = (
                f"has {notice.units:,} units and is translated in {notice.parts} parts of at most {self._longest} "
                "units; give shorter sentences, or raise --longest."
            )
        else:
            what = "has no letters or is one endless token; it is copied as it is."
        click.echo(f"warning: {place} {what}", err=True)

    def end(self) -> None:
        """Say how many there were, if more than one."""
        texts = {"cut": "were translated in parts", "copied": "were copied as they are"}
        for kind, text in texts.items():
            if self._number[kind] > 1:
                click.echo(f"warning: {self._number[kind]:,} sentences {text}.", err=True)
