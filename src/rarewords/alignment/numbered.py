"""Parallel text in which every unit is a number.

Aligners read words from lines, each with its own idea of what separates them (`|||`, tabs) and of words that mean
something to it (`NULL`, `<eps>`). A number is never mistaken for one of these.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from rarewords.alignment.links import Link
from rarewords.errors import InputError
from rarewords.text.files import atomic_writer, split_words

LONGEST = 1024  # units of a side: thot leaves longer sentences out


@dataclass(frozen=True)
class NumberedText:
    """Both sides with numbers in place of units, without the pairs that cannot be aligned."""

    source: Path
    target: Path
    alignable: bytearray  # for each pair of the text, 1 if it is in the files

    @property
    def left_out(self) -> int:
        """Pairs with an empty side or one of more than 1,024 units."""
        return len(self.alignable) - sum(self.alignable)

    def in_place(self, alignments: Iterable[list[Link]]) -> Iterator[list[Link]]:
        """Links for every pair of the text: those of the pairs in the files, none for the others."""
        given = iter(alignments)
        for alignable in self.alignable:
            links = next(given, None) if alignable else []
            if links is None:
                raise InputError("the aligner gave too few lines; its own messages are above.")
            yield links
        if next(given, None) is not None:
            raise InputError("the aligner gave too many lines; its own messages are above.")


def write_numbered(pairs: Iterable[tuple[str, str]], folder: Path) -> NumberedText:
    """Number the units of each side in the order of their first occurrence and write both sides into a folder.

    Keeps one entry for each type in memory. Raises InputError if no pair can be aligned.
    """
    text = NumberedText(folder / "source", folder / "target", bytearray())
    source_numbers: dict[str, int] = {}
    target_numbers: dict[str, int] = {}
    with atomic_writer(text.source) as source_out, atomic_writer(text.target) as target_out:
        for left, right in pairs:
            source, target = split_words(left), split_words(right)
            alignable = 0 < len(source) <= LONGEST and 0 < len(target) <= LONGEST
            text.alignable.append(alignable)
            if alignable:
                source_out.write(_numbers(source, source_numbers) + "\n")
                target_out.write(_numbers(target, target_numbers) + "\n")
    if not any(text.alignable):
        raise InputError("no pair has units on both sides; give both sides of a segmented training text.")
    return text


def _numbers(units: Iterable[str], known: dict[str, int]) -> str:
    return " ".join(str(known.setdefault(unit, len(known))) for unit in units)
