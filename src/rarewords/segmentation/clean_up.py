"""Replacing what is not language in words: URLs, mentions of users and hashtags; and Arabic diacritics removed.

This loses information (arXiv:2101.01785, sections 3.1 and 3.2). It works on words as they are in the text; a tokeniser
takes most URLs, mentions and hashtags apart.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

# By setting: what whole words look like, and the literal that stands for them.
LITERALS = {
    "urls": (re.compile(r"(https?://|www\.)\S+", re.IGNORECASE), "URL"),
    "mentions": (re.compile(r"@\w+"), "USER"),
    "hashtags": (re.compile(r"#\w+"), "HASHTAG"),
}
SETTINGS = ("strip_diacritics", *LITERALS)


def clean_word(word: str, settings: Mapping[str, bool]) -> str:
    """A word after the steps that the settings switch on. No word disappears: one of diacritics only stays."""
    for name, (pattern, literal) in LITERALS.items():
        if settings[name] and pattern.fullmatch(word):
            return literal
    if settings["strip_diacritics"]:
        return "".join(character for character in word if not _is_arabic_diacritic(character)) or word
    return word


def literals(settings: Mapping[str, bool]) -> list[str]:
    """The literals that the settings switch on."""
    return [literal for name, (_, literal) in LITERALS.items() if settings[name]]


def _is_arabic_diacritic(character: str) -> bool:
    """A combining mark of the Arabic blocks, such as the short vowels."""
    arabic = "\u0600" <= character <= "\u06ff" or "\u08d0" <= character <= "\u08ff"
    return arabic and unicodedata.category(character) == "Mn"
