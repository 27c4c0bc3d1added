"""Network vocabularies: the units a network knows, and their ids.

Id 0 is the end of a sentence (EOS), id 1 every unit outside the vocabulary (UNK), ids from 2 are units by descending
count, of equally frequent ones the first to occur first; units that a segmentation reserves are among them. Neither
special symbol has a string: `</s>` or `<unk>` in a text is a unit like any other.

File format: one line a unit in the order of ids from 2, `unit count`, separated by one space.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Self

from rarewords.errors import InputError
from rarewords.text.files import PathLike, read_lines, write_lines
from rarewords.text.shapes import natural

EOS = 0
UNK = 1
FIRST_UNIT = 2
UNKNOWN_TEXT = "<unk>"  # among units
# In words and plain text, as the paper's code writes it: BLEU would count `<unk>` as three tokens.
UNKNOWN_WORD = "UNK"


class Vocabulary:
    """Units and ids of one side of a network."""

    def __init__(self, unit_counts: Mapping[str, int]) -> None:
        """The units in the order of their ids, with their counts."""
        self.counts = dict(unit_counts)
        self.units = list(self.counts)
        self._ids = {unit: number for number, unit in enumerate(self.units, FIRST_UNIT)}

    @classmethod
    def build(cls, unit_counts: Mapping[str, int], size: int, reserved: Sequence[str] = ()) -> Self:
        """The vocabulary of `size` ids, EOS and UNK counted, or of all units if there are fewer.

        `unit_counts` is in the order of first occurrence. The `reserved` units are always in it; those that do not
        occur have the count 0 and the last ids. Raises InputError for a size below 3, for one without room for another
        unit beside the reserved ones if there are others, and for no units.
        """
        if size <= FIRST_UNIT:
            raise InputError(f"a vocabulary of size {size} has no units; EOS and UNK count, so give 3 or more.")
        if not unit_counts:
            raise InputError("there are no units to build a vocabulary from; check that the word counts are not empty.")
        always = dict.fromkeys(reserved)
        by_count = sorted(unit_counts, key=unit_counts.__getitem__, reverse=True)
        others = [unit for unit in by_count if unit not in always]
        needed = FIRST_UNIT + len(reserved) + bool(others)
        if size < needed:
            raise InputError(
                f"a vocabulary of size {size} has no room besides the {len(reserved)} units that the segmentation "
                f"reserves; give {needed} or more."
            )
        chosen = always.keys() | others[: size - FIRST_UNIT - len(reserved)]
        kept = [unit for unit in by_count if unit in chosen]
        unseen = [unit for unit in reserved if unit not in unit_counts]
        return cls({unit: unit_counts.get(unit, 0) for unit in [*kept, *unseen]})

    @classmethod
    def load(cls, path: PathLike) -> Self:
        """Read what `save` wrote; raises InputError with file and line, see `read_unit_counts`."""
        return cls(read_unit_counts(path))

    def save(self, path: PathLike) -> None:
        """Write the file described at the head of this module."""
        write_unit_counts(path, self.counts)

    def __len__(self) -> int:
        """The number of ids, EOS and UNK included."""
        return FIRST_UNIT + len(self.units)

    def __contains__(self, unit: str) -> bool:
        return unit in self._ids

    def encode(self, units: Iterable[str]) -> list[int]:
        """The ids of units; no EOS is added."""
        return [self._ids.get(unit, UNK) for unit in units]

    def decode(self, ids: Iterable[int]) -> list[str]:
        """The units of ids up to the first EOS; UNK becomes `<unk>`. Raises IndexError for an id outside."""
        units = []
        for number in ids:
            if number == EOS:
                break
            if not 0 < number < len(self):
                raise IndexError(f"id {number} in a vocabulary of {len(self)}")
            units.append(UNKNOWN_TEXT if number == UNK else self.units[number - FIRST_UNIT])
        return units

    def spell_unknown(self, units: Iterable[str]) -> list[str]:
        """The units for a text that is read or scored: `UNK`, one token, for `<unk>` unless that is a unit itself."""
        if UNKNOWN_TEXT in self:
            return list(units)
        return [UNKNOWN_WORD if unit == UNKNOWN_TEXT else unit for unit in units]

    def fingerprint(self) -> str:
        """Hexadecimal SHA-256 of the content; it is that of the file if it is not compressed."""
        text = "".join(line + "\n" for line in _lines(self.counts))
        return hashlib.sha256(text.encode("utf-8")).hexdigest()


def unit_counts(segment_word: Callable[[str], list[str]], word_counts: Mapping[str, int]) -> dict[str, int]:
    """How often each unit occurs in the segmented text, in the order of first occurrence.

    `segment_word` cuts a word into units; `word_counts` are the words of the text, in the order of first occurrence.
    """
    counts: dict[str, int] = {}
    for word, count in word_counts.items():
        for unit in segment_word(word):
            counts[unit] = counts.get(unit, 0) + count
    return counts


def write_unit_counts(path: PathLike, counts: Mapping[str, int]) -> None:
    """Write `unit count` lines in the given order; `-` is standard output."""
    write_lines(path, _lines(counts))


def read_unit_counts(path: PathLike) -> dict[str, int]:
    """Read `unit count` lines; `-` is standard input.

    Raises InputError with file and line for a line of another form, for a unit that occurs twice and for an empty file.
    """
    counts: dict[str, int] = {}
    for number, line in enumerate(read_lines(path), 1):
        unit, _, count = line.rpartition(" ")
        if not unit or " " in unit or (found := natural(count)) is None:
            raise InputError(f"{path}, line {number}: {complaint(line)}")
        if unit in counts:
            raise InputError(f"{path}, line {number}: the unit {unit!r} occurs a second time; remove one of the lines.")
        counts[unit] = found
    if not counts:
        raise InputError(f"{path}: the vocabulary is empty; build it again.")
    return counts


def _lines(counts: Mapping[str, int]) -> Iterable[str]:
    for number, (unit, count) in enumerate(counts.items()):
        # A byte order mark that opens a file is dropped by readers; one that belongs to the unit is written twice.
        mark = "\ufeff" if number == 0 and unit.startswith("\ufeff") else ""
        yield f"{mark}{unit} {count}"


def complaint(line: str) -> str:
    """What is wrong with a line that is not `unit count`."""
    if "\t" in line and " " not in line:
        return f"{line!r} has a tab between unit and count; replace it with a single space."
    return f"{line[:60]!r} is not `unit count` with one space between them; check that this is a whole vocabulary file."
