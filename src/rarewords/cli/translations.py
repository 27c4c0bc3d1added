"""What the commands that make translations share: which members, and the three outputs."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rarewords.vocabulary import Vocabulary

Command = Callable[..., None]
Write = Callable[[Sequence[Sequence[str]]], None]

LINES_AT_ONCE = 4000  # are in memory, and those of similar length searched together


def options(command: Command) -> Command:
    """Members, the target side, and the three outputs."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def chosen(members: Sequence[str], choice: str | None) -> list[str]:
    """The folders of --member, or the one that --choice names.

    Raises UsageError unless one of the two is given, and InputError for a file that `rarewords choose` did not write.
    """
    from rarewords.evaluation.files import chosen_member

    if bool(members) == bool(choice):
        raise click.UsageError("Give either --member (once or more) or --choice.")
    return [chosen_member(choice)] if choice else list(members)


@contextlib.contextmanager
def opened(
    segmenter: Any,
    vocabulary: Vocabulary,
    language: str,
    units: str | None,
    truecased: str | None,
    text: str | None,
    form: dict[str, Any],
) -> Iterator[Write]:
    """Open the named outputs (if none is named, standard output for the plain text) and yield a writer of translations.

    The writer is called repeatedly, with some lines at a time. `form` are the options that say in which form the
    system reads and writes text. An unknown unit of `vocabulary`, the target one, is `<unk>` among the units and `UNK`
    in words and text.
    """
    from rarewords.text.chain import Preprocessing
    from rarewords.text.files import atomic_writer
    from rarewords.text.truecasing import TruecaseModel

    steps = Preprocessing(
        language, tokenise=not form["raw"], escape=not form["no_escape"], truecase=not form["no_truecase"]
    )
    like_references = Preprocessing(language, form["words_normalise"], aggressive=form["words_aggressive"])
    model = TruecaseModel.load(form["words_truecaser"], language) if form["words_truecaser"] else None
    if not (units or truecased):
        text = text or "-"
    with contextlib.ExitStack() as files:
        outputs = [files.enter_context(atomic_writer(path)) if path else None for path in (units, truecased, text)]

        def write(found: Sequence[Sequence[str]]) -> None:
            for translation in found:
                words = " ".join(segmenter.restore(vocabulary.spell_unknown(translation)))
                line = steps.text(words)
                if model is not None:
                    words = like_references.truecased(like_references.tokens(line), model)
                for output, content in zip(outputs, (" ".join(translation), words, line), strict=True):
                    if output is not None:
                        output.write(content + "\n")

        yield write


_OPTIONS: list[Callable[[Command], Command]] = [
    click.option("--member", "members", multiple=True, type=click.Path(), help="Model folder; several: an ensemble."),
    click.option("--choice", type=click.Path(), help="Instead of --member: the file of `rarewords choose`."),
    click.option("--segmenter", required=True, type=click.Path(), help="Segmenter of the target side."),
    click.option("--language", required=True, help="Target language, for detokenisation (de, ru, …)."),
    click.option("--units", type=click.Path(), help="Output: target units."),
    click.option("--truecased", type=click.Path(), help="Output: tokenised, truecased words."),
    click.option("--text", type=click.Path(), help="Output: plain text. Standard output if no output is named."),
    click.option("--raw", is_flag=True, help="The system writes raw text, which is not detokenised."),
    click.option("--no-escape", is_flag=True, help="The system writes special characters as they are."),
    click.option("--no-truecase", is_flag=True, help="The system writes the case of the text."),
    click.option(
        "--words-truecaser", type=click.Path(), help="Make the words from the plain text, with this truecaser."
    ),
    click.option("--words-normalise", is_flag=True, help="Then also normalise its punctuation."),
    click.option("--words-aggressive", is_flag=True, help="Then also split hyphens inside words."),
]
