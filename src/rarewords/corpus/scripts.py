"""Which script a text is written in, and which one a language is expected to have."""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import cache

LATIN = frozenset(["LATIN"])

# By language; all others are taken for Latin. Names are the first words of Unicode character names.
_SCRIPTS = {
    "ar fa ps ur": "ARABIC",
    "be bg kk ky mk mn ru tg uk": "CYRILLIC",
    "sr": "CYRILLIC LATIN",
    "el": "GREEK",
    "he yi": "HEBREW",
    "hi mr ne": "DEVANAGARI",
    "am": "ETHIOPIC",
    "bn": "BENGALI",
    "hy": "ARMENIAN",
    "ja": "CJK HIRAGANA KATAKANA",
    "ka": "GEORGIAN",
    "ko": "HANGUL CJK",
    "ta": "TAMIL",
    "te": "TELUGU",
    "th": "THAI",
    "zh": "CJK",
}
SCRIPTS = {language: frozenset(names.split()) for key, names in _SCRIPTS.items() for language in key.split()}
WITHOUT_SPACES = frozenset(["ja", "km", "lo", "my", "th", "zh"])


def scripts_of_language(language: str) -> frozenset[str]:
    """The scripts in which a language is written."""
    return SCRIPTS.get(language, LATIN)


def script_of_line(line: str) -> str | None:
    """The script of most letters of a line, None if it has fewer than five letters."""
    found = Counter(script for script in map(_script, line) if script)
    return found.most_common(1)[0][0] if found.total() >= 5 else None


@cache
def _script(character: str) -> str | None:
    return unicodedata.name(character, "").split(" ")[0] or None if character.isalpha() else None
