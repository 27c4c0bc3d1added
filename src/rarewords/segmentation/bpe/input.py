"""What byte pair encoding reads besides codes: text, dictionaries and vocabularies, as the released tool reads them.

Lines end in LF; CR and spaces at their ends are no part of words. A CR at the beginning of a line of counts belongs to
the word, since texts have such words inside their lines. `encoding` is that of the codes, see `codes.py`.
"""

from __future__ import annotations

from collections.abc import Iterable

from rarewords.corpus.importing import count_words
from rarewords.errors import InputError
from rarewords.text.files import PathLike
from rarewords.text.shapes import natural
from rarewords.vocabulary import complaint

AT_THE_ENDS = "\r\n "


def count_text(lines: Iterable[str], workers: int = 1) -> dict[str, int]:
    """The words of a text with their counts, in the order of first occurrence."""
    return count_words((line.strip(AT_THE_ENDS) for line in lines), workers)


def parse_dictionary(lines: Iterable[str], path: PathLike) -> dict[str, int]:
    """The counts of `word count` lines; those of a word that occurs again are added.

    Raises InputError with `path` and the line for any other line.
    """
    counts: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        word, _, count = _counted(line).partition(" ")
        if not word or not _is_number(count):
            raise InputError(
                f"{path}, line {number}: {line.strip(AT_THE_ENDS)[:60]!r} is not `word count` with one space between "
                "them; leave --dict-input out if the input is text."
            )
        counts[word] = counts.get(word, 0) + int(count)
    return counts


def parse_allowed_units(lines: Iterable[str], threshold: int | None, path: PathLike) -> frozenset[str]:
    """The units of a vocabulary with a count of `threshold` or more; of several lines of a unit the largest decides.

    Raises InputError with `path` and the line for a line that is not `unit count`, and for no line at all.
    """
    allowed = set()
    number = 0
    for number, line in enumerate(lines, 1):
        unit, _, count = _counted(line).rpartition(" ")
        if not unit or " " in unit or not _is_number(count):
            raise InputError(f"{path}, line {number}: {complaint(line.strip(AT_THE_ENDS)[:60])}")
        if threshold is None or int(count) >= threshold:
            allowed.add(unit)
    if number == 0:
        raise InputError(f"{path}: the vocabulary is empty; build it again.")
    return frozenset(allowed)


def _counted(line: str) -> str:
    return line.rstrip(AT_THE_ENDS).lstrip(" ")


def _is_number(text: str) -> bool:
    return natural(text) is not None
