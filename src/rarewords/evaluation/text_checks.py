"""Warnings about a translation and its reference that look wrong but can be scored, one sentence each."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence

from rarewords.text.files import PathLike
from rarewords.vocabulary import UNKNOWN_TEXT, UNKNOWN_WORD

# A text with at least this share of lines that end in " ." is taken for tokenised.
TOKENISED_SHARE = 0.2


class TextChecks:
    """What looks wrong in a translation and its reference, gathered block by block."""

    def __init__(self, hypothesis: PathLike, reference: PathLike) -> None:
        self.hypothesis, self.reference = hypothesis, reference
        self.lines = self.tokenised = self.unknown = self.empty = self.first_empty = 0
        self.changed = [0, 0]  # characters of the hypothesis and of the reference

    def add(self, hypotheses: Sequence[str], references: Sequence[str]) -> None:
        """Look at the next lines of both."""
        for line, expected in zip(hypotheses, references, strict=True):
            self.lines += 1
            self.tokenised += line.rstrip().endswith(" .")
            self.unknown += line.count(UNKNOWN_TEXT)
            if expected.strip() and not line.strip():
                self.empty += 1
                self.first_empty = self.first_empty or self.lines
            self.changed[0] += _changed_characters(line)
            self.changed[1] += _changed_characters(expected)

    def warnings(self) -> list[str]:
        """Sentences about a translation that looks tokenised, `<unk>` and empty lines in it, unequal normalisation."""
        sentences = []
        if self.lines and self.tokenised >= TOKENISED_SHARE * self.lines:
            sentences.append(
                f"{self.hypothesis} looks tokenised ({self.tokenised} of {self.lines} lines end in ' .'): "
                "BLEU and chrF3 are meant for detokenised text; detokenise it first."
            )
        if self.unknown:
            sentences.append(
                f"{self.hypothesis} contains {UNKNOWN_TEXT} {self.unknown:,} times, which BLEU and unigram F1 of raw "
                f"text count as three tokens each: write {UNKNOWN_WORD} for an unknown word."
            )
        if self.empty:
            sentences.append(
                f"{self.hypothesis} is empty in {self.empty} of {self.lines} lines in which {self.reference} has text "
                f"(the first is line {self.first_empty}): they count as wrong translations; check that the "
                "translation is complete."
            )
        if any(self.changed):
            sentences.append(
                f"{self.hypothesis} has {self.changed[0]} and {self.reference} has {self.changed[1]} characters that "
                "are not in Unicode normalisation form C: a letter written in two ways does not match; convert both "
                "files to that form."
            )
        return sentences


def _changed_characters(line: str) -> int:
    """How many characters of a line Unicode normalisation form C would write in another way."""
    if unicodedata.is_normalized("NFC", line):
        return 0
    return (Counter(line) - Counter(unicodedata.normalize("NFC", line))).total()
