"""`rarewords translate`: segmented text in; units, words and plain text out."""

from __future__ import annotations

import sys
import time

import click

from rarewords.cli import options
from rarewords.errors import InputError


@click.command(name="translate", short_help="Translate with one model or an ensemble.")
@click.option("--member", "members", multiple=True, type=click.Path(), help="Model folder; several are one ensemble.")
@click.option("--choice", type=click.Path(), help="Instead of --member: the file of `rarewords choose`.")
@click.option("--input", "input_", default="-", show_default=True, type=click.Path(), help="Segmented source text.")
@click.option("--segmenter", required=True, type=click.Path(), help="Segmenter of the target side.")
@click.option("--language", required=True, help="Target language, for detokenisation (de, ru, …).")
@click.option("--units", type=click.Path(), help="Output: target units as the network wrote them.")
@click.option("--truecased", type=click.Path(), help="Output: tokenised, truecased words.")
@click.option("--text", type=click.Path(), help="Output: plain text. Standard output if no output is named.")
@click.option("--beam", default=12, show_default=True, type=click.IntRange(1), help="Hypotheses a sentence.")
@click.option("--batch-size", default=16, show_default=True, type=click.IntRange(1), help="Sentences at once.")
@click.option("--label", default="translation", show_default=True, help="Name in the progress line.")
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
    batch_size: int,
    label: str,
    device: str,
    precision: str,
    threads: int,
) -> None:
    """Translate segmented source text with beam search and length normalisation.

    The three outputs are the same translation after each step back to plain text: the network's units, words (the
    segmentation undone), and detruecased, detokenised text. Each has one line for each line of the input, in its
    order. Empty lines stay empty. Several members are one ensemble (mean of log-probabilities).
    """
    from rarewords.decoding.translator import Translator
    from rarewords.model.device import prepare_cpu, set_precision
    from rarewords.moses import detokenise
    from rarewords.segmentation.registry import load
    from rarewords.textio import check_distinct, read_lines, split_words, write_lines
    from rarewords.truecasing import detruecase

    if bool(members) == bool(choice):
        raise click.UsageError("Give either --member (once or more) or --choice.")
    check_distinct([units, truecased, text], [input_, segmenter, choice])
    prepare_cpu(threads)
    set_precision(precision)
    target_segmenter = load(segmenter)
    translator = Translator.load([_chosen(choice)] if choice else members, device)
    sentences = [split_words(line) for line in read_lines(input_)]
    if not sentences:
        raise InputError(f"{input_}: there is nothing to translate, the file is empty.")
    try:
        translated = translator.translate(sentences, beam, batch_size, _Report(label, len(sentences)))
    except InputError as error:
        raise InputError(f"{input_}, {error}") from error
    words = [" ".join(target_segmenter.restore(found)) for found in translated]
    if units:
        write_lines(units, (" ".join(found) for found in translated))
    if truecased:
        write_lines(truecased, words)
    if text or not (units or truecased):
        write_lines(text or "-", (detokenise(detruecase(line), language) for line in words))


def _chosen(path: str) -> str:
    """The member that `rarewords choose` wrote to a file; raises InputError if it is none of its files."""
    from rarewords.textio import read_json

    choice = read_json(path)
    if not isinstance(choice, dict) or not isinstance(choice.get("member"), str):
        raise InputError(f"{path}: names no member; write it with `rarewords choose`.")
    return str(choice["member"])


class _Report:
    """Prints now and then how far the translation is; on a terminal the line is rewritten."""

    def __init__(self, label: str, total: int) -> None:
        self.label, self.total = label, total
        self.began = self.last = time.monotonic()

    def __call__(self, done: int) -> None:
        now, terminal = time.monotonic(), sys.stderr.isatty()
        if now - self.last < (0.5 if terminal else 15) and done < self.total:
            return
        self.last = now
        rate = done / max(now - self.began, 1e-9)
        left = (self.total - done) / rate
        line = f"{self.label}: {done:,}/{self.total:,} sentences  {rate:.1f} a second  {left:.0f} s left"
        click.echo(f"\r\033[K{line}" if terminal else line, nl=not terminal or done == self.total, err=True)
