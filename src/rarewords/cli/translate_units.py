"""`rarewords translate-units`: segmented text in; units, words and plain text out."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import partial
from typing import Any

import click
from click.core import ParameterSource

from rarewords.cli import options, translations
from rarewords.cli.progress import TranslationProgress
from rarewords.cli.settings_options import batch_size as batch_size_option
from rarewords.cli.settings_options import options_of, settings_of
from rarewords.errors import InputError
from rarewords.settings import CandidateSettings, DecodingSettings


@click.command(name="translate-units", short_help="Translate segmented text with one model or an ensemble.")
@click.option("--input", "input_", default="-", show_default=True, type=click.Path(), help="Segmented source text.")
@translations.options
@options_of(DecodingSettings)
@batch_size_option
@click.option("--lexicon", type=click.Path(), help="Lexical table; search in candidate lists made from it.")
@options_of(CandidateSettings)
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
    batch_size: int,
    lexicon: str | None,
    label: str,
    flush: bool,
    device: str,
    precision: str,
    threads: int,
    **others: Any,
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
    from rarewords.decoding.translator import Translator, check_lengths
    from rarewords.machine.device import prepare_cpu, set_precision
    from rarewords.segmentation.registry import load
    from rarewords.text.files import is_stream, read_lines, split_words
    from rarewords.text.outputs import check_outputs
    from rarewords.text.streams import blocks

    folders = translations.chosen(members, choice)
    check_outputs([units, truecased, text], [input_, segmenter, choice, lexicon, others["words_truecaser"]])
    prepare_cpu(threads)
    set_precision(precision)
    target_segmenter = load(segmenter)
    _check_candidates(lexicon)
    lists = settings_of(CandidateSettings, others) if lexicon else None
    settings = replace(settings_of(DecodingSettings, others), candidates=lists)
    translator = Translator.load(folders, device)
    candidates = Lexicon.load(lexicon) if lexicon else None
    total = None if is_stream(input_) else sum(1 for _ in read_lines(input_))
    report = TranslationProgress(label, total)
    outputs = translations.opened(
        target_segmenter, translator.target_vocabulary, language, units, truecased, text, others
    )
    # lists for blocks must not depend on how fast the input comes
    block = lists.block if lists else None
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
            write(translator.translate(sentences, settings, batch_size, progress, candidates))
            done += len(lines)
        if not done:
            raise InputError(f"{input_} is empty; give a text to translate.")
    report.end()


def _report_more(report: TranslationProgress, before: int, done: int) -> None:
    report(before + done)


def _check_candidates(lexicon: str | None) -> None:
    """Raise UsageError for options of candidate lists without a lexical table."""
    context = click.get_current_context()
    for name in (one.name for one in fields(CandidateSettings)):
        if lexicon is None and context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name.replace('_', '-')} needs candidate lists: give --lexicon, too.")
