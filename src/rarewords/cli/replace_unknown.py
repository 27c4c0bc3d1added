"""`rarewords replace-unknown`: the unknown words of a translation become copies or dictionary entries."""

from __future__ import annotations

from typing import Any

import click

from rarewords.cli import options, translations
from rarewords.cli.settings_options import batch_size as batch_size_option
from rarewords.errors import InputError

# rarewords.decoding.unknown_words.HEURISTICS, which is not imported here because it needs torch
HEURISTICS = ("copy", "dictionary", "dictionary-lowercase")


@click.command(name="replace-unknown", short_help="Replace the unknown words of a translation.")
@click.option("--input", "input_", required=True, type=click.Path(), help="Segmented source text.")
@click.option("--translation", required=True, type=click.Path(), help="Its translation: target units with <unk>.")
@click.option("--lexicon", type=click.Path(), help="Lexical table of the members' training text; not for copy.")
@click.option(
    "--heuristic",
    default="dictionary",
    show_default=True,
    type=click.Choice(HEURISTICS),
    help="How to replace unknown words.",
)
@translations.options
@batch_size_option
@options.device
@options.threads
def command(
    members: tuple[str, ...],
    choice: str | None,
    input_: str,
    translation: str,
    lexicon: str | None,
    heuristic: str,
    segmenter: str,
    language: str,
    units: str | None,
    truecased: str | None,
    text: str | None,
    batch_size: int,
    device: str,
    threads: int,
    **form: Any,
) -> None:
    """Replace the unknown words (<unk>) of a translation, through the attention of the members that made it.

    The translation is fed back to the members. Each unknown word becomes the source word with the most attention
    (copy), or its most probable translation and a copy if it has none (dictionary), or the latter only for source words
    that start with a lower-case letter (dictionary-lowercase).
    """
    from rarewords.alignment.lexicon import Lexicon
    from rarewords.decoding.translator import Translator
    from rarewords.decoding.unknown_words import replace_unknown_words
    from rarewords.machine.device import prepare_cpu
    from rarewords.segmentation.registry import load
    from rarewords.text.files import read_parallel, split_words
    from rarewords.text.outputs import check_outputs
    from rarewords.text.streams import blocks

    folders = translations.chosen(members, choice)
    if heuristic != "copy" and not lexicon:
        raise click.UsageError(f"The heuristic {heuristic} needs a dictionary: give --lexicon.")
    check_outputs([units, truecased, text], [input_, translation, lexicon, segmenter, choice, form["words_truecaser"]])
    prepare_cpu(threads)
    target_segmenter, dictionary = load(segmenter), Lexicon.load(lexicon) if lexicon else Lexicon([])
    translator = Translator.load(folders, device)
    outputs = translations.opened(
        target_segmenter, translator.target_vocabulary, language, units, truecased, text, form
    )
    done = 0
    with outputs as write:
        for block in blocks(read_parallel(input_, translation), translations.LINES_AT_ONCE):
            sentences, translated = ([split_words(pair[side]) for pair in block] for side in (0, 1))
            try:
                replaced = replace_unknown_words(
                    translator, sentences, translated, dictionary, heuristic, batch_size, first_line=done + 1
                )
            except InputError as error:
                raise InputError(f"{translation}, {error}") from error
            write(replaced)
            done += len(block)
