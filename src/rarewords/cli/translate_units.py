"""`rarewords translate-units`: segmented text in; units, words and plain text out."""

from __future__ import annotations

from functools import partial
from typing import Any

import click
from click.core import ParameterSource

from rarewords.cli import options, translations
from rarewords.cli.progress import TranslationProgress
from rarewords.errors import InputError


@click.command(name="translate-units", short_help="Translate segmented text with one model or an ensemble.")
@click.option("--input", "input_", default="-", show_default=True, type=click.Path(), help="Segmented source text.")
@translations.options
@click.option("--beam", default=12, show_default=True, type=click.IntRange(1, 1000), help="Hypotheses a sentence.")
@options.ignore_unknown
@options.length_exponent
@click.option(
    "--batch-size", default=16, show_default=True, type=click.IntRange(1), help="Sentences translated together."
)
@click.option("--lexicon", type=click.Path(), help="Lexical table; search in candidate lists made from it.")
@click.option("--common", default=30_000, show_default=True, type=click.IntRange(3), help="Common units in a list.")
@click.option("--per-word", default=10, show_default=True, type=click.IntRange(0), help="Translations a source unit.")
@click.option("--block", type=click.IntRange(1), help="Number of sentences that share a list of --common units.")
@click.option("--label", default="translation", show_default=True, help="Name in the progress line.")
@options.flush
@options.device
@options.precision
@options.threads
def command(
    members: tuple[str, ...],
    choice: str | None,
    input_: str,
    segmenter: str,
    language: str,
    units: str | None,
    truecased: str | None,
    text: str | None,
    beam: int,
    ignore_unknown: bool,
    length_exponent: float | None,
    batch_size: int,
    lexicon: str | None,
    common: int,
    per_word: int,
    block: int | None,
    label: str,
    flush: bool,
    device: str,
    precision: str,
    threads: int,
    **form: Any,
) -> None:
    """Translate segmented source text with beam search and length normalisation; the workflow uses it.

    `rarewords translate` takes raw text and everything else from a bundle.

    The three outputs are the same translation after each step back to plain text: the network's units, words (the
    segmentation undone), and detruecased, detokenised text. Each has one line for each line of the input, in its
    order. Empty lines stay empty. Lines are translated as they come, in blocks of up to 4,000; when the input comes
    slowly, and with --flush, each by itself. Several members are one ensemble (mean of log-probabilities).

    With --lexicon a translation consists of units of a list: the most common ones, and the most probable translations
    of each source unit. If no translation of a sentence ends in time, it is searched again with a longer list.
    """
    from rarewords.alignment.lexicon import Lexicon
    from rarewords.decoding.beam import Rules
    from rarewords.decoding.candidates import Candidates
    from rarewords.decoding.translator import Translator, check_lengths
    from rarewords.machine.device import prepare_cpu, set_precision
    from rarewords.segmentation.registry import load
    from rarewords.text.files import check_distinct, is_stream, read_lines, split_words
    from rarewords.text.streams import blocks

    folders = translations.chosen(members, choice)
    check_distinct([units, truecased, text], [input_, segmenter, choice, lexicon, form["words_truecaser"]])
    prepare_cpu(threads)
    set_precision(precision)
    target_segmenter = load(segmenter)
    _check_candidates(lexicon)
    candidates = Candidates(Lexicon.load(lexicon), common, per_word, block) if lexicon else None
    translator = Translator.load(
        folders, device, Rules(ignore_unknown, 1.0 if length_exponent is None else length_exponent)
    )
    total = None if is_stream(input_) else sum(1 for _ in read_lines(input_))
    report = TranslationProgress(label, total)
    outputs = translations.opened(
        target_segmenter, translator.target_vocabulary, language, units, truecased, text, form
    )
    # lists for blocks must not depend on how fast the input comes
    list_lines = block or 1
    size = 1 if flush else max(translations.LINES_AT_ONCE // list_lines, 1) * list_lines
    done = 0
    with outputs as write:
        for lines in blocks(read_lines(input_), size, whole=block is not None and not flush):
            sentences = [split_words(line) for line in lines]
            try:
                check_lengths(sentences, first_line=done + 1)
            except InputError as error:
                raise InputError(f"{input_}, {error}") from error
            progress = None if flush else partial(_report_more, report, done)
            write(translator.translate(sentences, beam, batch_size, progress, candidates))
            done += len(lines)
        if not done:
            raise InputError(f"{input_} is empty; give a text to translate.")
    report.end()


def _report_more(report: TranslationProgress, before: int, done: int) -> None:
    report(before + done)


def _check_candidates(lexicon: str | None) -> None:
    """Raise UsageError for options of candidate lists without a lexical table."""
    context = click.get_current_context()
    for name in ("common", "per_word", "block"):
        if lexicon is None and context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name.replace('_', '-')} needs candidate lists: give --lexicon, too.")
