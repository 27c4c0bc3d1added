"""Clean-up of text: URLs, mentions of users and hashtags are replaced, and Arabic diacritics removed.

This loses information (arXiv:2101.01785, sections 3.1 and 3.2). It belongs before tokenisation, which takes most URLs,
mentions and hashtags apart: `clean_line` works on a raw line, `clean_word` on a word of a text that is split already.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping

# By setting: what whole words look like, and the literal that stands for them.
LITERALS = {
    "urls": (re.compile(r"(https?://|www\.)\S+", re.IGNORECASE), "URL"),
    "mentions": (re.compile(r"@\w+"), "USER"),
    "hashtags": (re.compile(r"#\w+"), "HASHTAG"),
}
SETTINGS = ("strip_diacritics", *LITERALS)
# The same in a raw line, where they need not be words of their own; punctuation behind a URL is the line's.
_IN_LINES = {
    "urls": re.compile(
        r"(?<!\w)(?:https?://|www\.)\S*[\w/=&#%-]", re.IGNORECASE
    ),  # punctuation behind it is the line's
    "mentions": re.compile(r"(?<![\w@])@\w+"),
    "hashtags": re.compile(r"(?<![\w#&])#\w+"),  # but no character reference
}


def clean_line(line: str, steps: Collection[str]) -> str:
    """A raw line after some of the steps in SETTINGS. A line that consists only of diacritics stays."""
    for name, pattern in _IN_LINES.items():
        if name in steps:
            line = pattern.sub(LITERALS[name][1], line)
    return _without_diacritics(line) if "strip_diacritics" in steps else line


def clean_word(word: str, settings: Mapping[str, bool]) -> str:
    """A word after the steps that the settings switch on. No word disappears: one of only diacritics stays."""
    for name, (pattern, literal) in LITERALS.items():
        if settings[name] and pattern.fullmatch(word):
            return literal
    if settings["strip_diacritics"]:
        return _without_diacritics(word)
    return word


def literals(settings: Mapping[str, bool]) -> list[str]:
    """The literals that the settings switch on."""
    return [literal for name, (_, literal) in LITERALS.items() if settings[name]]


def _without_diacritics(text: str) -> str:
    return "".join(character for character in text if not _is_arabic_diacritic(character)) or text


def _is_arabic_diacritic(character: str) -> bool:
    """A combining mark of the Arabic blocks, such as the short vowels."""
    arabic = "\u0600" <= character <= "\u06ff" or "\u08d0" <= character <= "\u08ff"
    return arabic and unicodedata.category(character) == "Mn"
