"""Raw text as words: what single spaces separate, and nothing else is done to it.

Where spaces follow each other, or a line begins or ends with one, there are words without characters between them. Such
a word is written as U+2420, and a word that consists of this character gets one more, so that every line can be had
back, character for character.

    "Hello  world " -> "Hello \u2420 world \u2420" -> "Hello  world "
"""

from __future__ import annotations

EMPTY = "\u2420"  # the symbol for space


def to_words(line: str) -> str:
    """A raw line as words, none of them empty, separated by single spaces; an empty line has none."""
    return " ".join(map(_visible, line.split(" "))) if line else ""


def from_words(words: str) -> str:
    """The inverse of `to_words`."""
    return " ".join(map(_as_it_was, words.split(" ")))


def _visible(word: str) -> str:
    return word + EMPTY if word.strip(EMPTY) == "" else word


def _as_it_was(word: str) -> str:
    return word[:-1] if word and word.strip(EMPTY) == "" else word
