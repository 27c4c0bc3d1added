"""Warnings about a translation and its reference that look wrong but can be scored, one sentence each."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence

from rarewords.text.files import PathLike
from rarewords.vocabulary import UNKNOWN_TEXT, UNKNOWN_WORD

# A text with at least this share of lines that end in " ." is taken for tokenised.
TOKENISED_SHARE = 0.2

Text = tuple[PathLike, Sequence[str]]  # a file and its lines


def text_warnings(hypothesis: Text, reference: Text) -> list[str]:
    """Sentences about a translation that looks tokenised, `<unk>` and empty lines in it, and unequal normalisation."""
    found = [
        _tokenised(hypothesis),
        _unknown_words(hypothesis),
        _empty_lines(hypothesis, reference),
        _normalisation(hypothesis, reference),
    ]
    return [sentence for sentence in found if sentence is not None]


def _tokenised(hypothesis: Text) -> str | None:
    path, lines = hypothesis
    ending = sum(line.rstrip().endswith(" .") for line in lines)
    if ending < TOKENISED_SHARE * len(lines):
        return None
    return (
        f"{path} looks tokenised ({ending} of {len(lines)} lines end in ' .'): "
        "BLEU and chrF3 are meant for detokenised text; detokenise it first."
    )


def _unknown_words(hypothesis: Text) -> str | None:
    path, lines = hypothesis
    number = sum(line.count(UNKNOWN_TEXT) for line in lines)
    if not number:
        return None
    return (
        f"{path} contains {UNKNOWN_TEXT} {number:,} times, which BLEU and unigram F1 of raw text count as three tokens "
        f"each: write {UNKNOWN_WORD} for an unknown word."
    )


def _empty_lines(hypothesis: Text, reference: Text) -> str | None:
    path, lines = hypothesis
    pairs = enumerate(zip(lines, reference[1], strict=True), 1)
    empty = [number for number, (line, expected) in pairs if expected.strip() and not line.strip()]
    if not empty:
        return None
    return (
        f"{path} is empty in {len(empty)} of {len(lines)} lines in which {reference[0]} has text (the first is line "
        f"{empty[0]}): they count as wrong translations; check that the translation is complete."
    )


def _normalisation(hypothesis: Text, reference: Text) -> str | None:
    counts = [sum(map(_changed_characters, lines)) for _, lines in (hypothesis, reference)]
    if not any(counts):
        return None
    return (
        f"{hypothesis[0]} has {counts[0]} and {reference[0]} has {counts[1]} characters that are not in Unicode "
        "normalisation form C: a letter written in two ways does not match; convert both files to that form."
    )


def _changed_characters(line: str) -> int:
    """How many characters of a line Unicode normalisation form C would write in another way."""
    if unicodedata.is_normalized("NFC", line):
        return 0
    return (Counter(line) - Counter(unicodedata.normalize("NFC", line))).total()
