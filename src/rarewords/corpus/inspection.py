"""Inspect two files of a new language pair before anything is made from them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from rarewords.corpus.length_agreement import BLOCK, LengthAgreement
from rarewords.corpus.scripts import WITHOUT_SPACES, name_of_script, script_of_line, scripts_of_language
from rarewords.errors import InputError
from rarewords.text.files import PathLike, read_parallel

SUSPICIOUS = 0.05  # share of lines above which there is a warning
TOKENISED = 0.2  # the same for lines that look tokenised: some end in " ." in any text
LONGEST = 80  # words; longer sentences are not trained on
UNEQUAL = 9  # times as many words on one side
# What the Moses tokeniser and subword segmentations leave behind.
TOKENISER_MARKS = ("&apos;", "&quot;", "@-@", "@@ ")


@dataclass
class Side:
    """Lines of one side with something about them; `first` has the number of the first line of each kind."""

    path: PathLike
    language: str
    empty: int = 0
    other_script: int = 0
    tokenised: int = 0
    scripts: dict[str, int] = field(default_factory=dict)
    first: dict[str, int] = field(default_factory=dict)

    @cached_property
    def expected_scripts(self) -> frozenset[str]:
        """Those of the language; none is known of a language that is not in the library's tables."""
        return scripts_of_language(self.language)

    def add(self, number: int, line: str) -> None:
        """Look at a line."""
        script = script_of_line(line)
        if script is not None:
            self.scripts[script] = self.scripts.get(script, 0) + 1
        self._count("empty", not line.strip(), number)
        expected = self.expected_scripts
        self._count("other_script", bool(expected) and script is not None and script not in expected, number)
        marked = line.rstrip().endswith(" .") or any(mark in line for mark in TOKENISER_MARKS)
        self._count("tokenised", marked, number)

    def mostly(self) -> str | None:
        """The script of most lines."""
        return max(self.scripts, key=lambda script: self.scripts[script]) if self.scripts else None

    def _count(self, kind: str, applies: bool, number: int) -> None:
        if applies:
            setattr(self, kind, getattr(self, kind) + 1)
            self.first.setdefault(kind, number)


@dataclass
class Inspection:
    """What was found in a parallel text: numbers of pairs."""

    source: Side
    target: Side
    pairs: int = 0
    duplicates: int = 0
    identical: int = 0
    too_long: int = 0
    unequal: int = 0
    lengths: LengthAgreement = field(default_factory=LengthAgreement)

    def describe(self) -> str:
        """For people, one line."""
        empty = self.source.empty + self.target.empty
        return (
            f"{self.pairs:,} pairs: {self.duplicates:,} repeated, {empty:,} empty sides, "
            f"{self.identical:,} the same on both sides, {self.too_long:,} of more than {LONGEST} words, "
            f"{self.unequal:,} of very unequal length"
        )

    def warnings(self) -> list[str]:
        """Sentences about what looks wrong but can be used."""
        found = [
            (self.duplicates, "pairs are repetitions", "a network learns repeated text by heart"),
            (self.identical, "pairs are the same on both sides", "they look untranslated"),
            (self.source.empty + self.target.empty, "sides are empty", "such pairs are not trained on"),
            (
                self.too_long + self.unequal,
                "pairs are too long or too different in length",
                "check that each line is one sentence",
            ),
        ]
        warnings = [
            f"{number:,} of {self.pairs:,} {what}: {so}."
            for number, what, so in found
            if number > SUSPICIOUS * self.pairs
        ]
        if self.lengths.suspicious:
            first, count = self.lengths.suspicious[0], len(self.lengths.suspicious)
            warnings.append(
                f"{self.target.path}: from about line {first:,} on, in {count} of {self.lengths.blocks} blocks of "
                f"{BLOCK} pairs, long sentences do not have long translations; check that line N of each file "
                "translates line N of the other: one may be shuffled, sorted or shifted."
            )
        for side in (self.source, self.target):
            warnings += _side_warnings(side, self.pairs)
        return warnings


def inspect(source: PathLike, target: PathLike, languages: Sequence[str], any_script: bool = False) -> Inspection:
    """Read two files, their languages in the same order.

    Raises InputError for text that is not UTF-8, unequal numbers of lines, files without text, and files that are in
    another script than their language (unless they may be in any), such as the two files in the wrong order.
    """
    found = Inspection(Side(source, languages[0]), Side(target, languages[1]))
    seen: set[bytes] = set()
    for number, (left, right) in enumerate(read_parallel(source, target), 1):
        found.source.add(number, left)
        found.target.add(number, right)
        _add_pair(found, seen, left.strip(), right.strip())
    found.lengths.end()
    _check_text(found)
    if not any_script:
        _check_scripts(found.source, found.target)
    return found


def _add_pair(found: Inspection, seen: set[bytes], left: str, right: str) -> None:
    digest = hashlib.blake2b(f"{left}\n{right}".encode(), digest_size=8).digest()
    lengths = sorted((len(left.split()), len(right.split())))
    found.pairs += 1
    found.duplicates += digest in seen
    found.identical += left == right and script_of_line(left) is not None
    found.too_long += lengths[1] > LONGEST
    found.unequal += lengths[0] > 0 and LONGEST >= lengths[1] > UNEQUAL * lengths[0]
    seen.add(digest)
    found.lengths.add(left, right)


def _check_text(found: Inspection) -> None:
    for side in (found.source, found.target):
        if side.empty == found.pairs:
            raise InputError(f"there is no text in {side.path}; check how the file was made.")


def _check_scripts(source: Side, target: Side) -> None:
    wrong = [side for side in (source, target) if side.mostly() and side.other_script > sum(side.scripts.values()) / 2]
    if not wrong:
        return
    swapped = source.mostly() in target.expected_scripts and target.mostly() in source.expected_scripts
    side = wrong[0]
    hint = "the two files look swapped" if swapped else "name the right file or another language"
    raise InputError(
        f"{side.path}: most lines are in {name_of_script(str(side.mostly()))} letters, which {side.language} is not "
        f"written in; {hint}, or give --any-script."
    )


def _side_warnings(side: Side, pairs: int) -> list[str]:
    found = []
    if side.other_script > SUSPICIOUS * pairs:
        found.append(
            f"{side.path}: {side.other_script:,} of {pairs:,} lines are not in the script of {side.language} "
            f"(the first is line {side.first['other_script']}); remove them if they are in another language."
        )
    if side.tokenised > TOKENISED * pairs:
        found.append(
            f"{side.path} looks tokenised ({side.tokenised:,} of {pairs:,} lines, the first is line "
            f"{side.first['tokenised']}); give running text, which the workflow tokenises itself."
        )
    if side.language in WITHOUT_SPACES:
        found.append(
            f"{side.path}: {side.language} is written without spaces between words, and the tokeniser cannot split it; "
            "separate the words with spaces first, with a tool for this language."
        )
    return found
