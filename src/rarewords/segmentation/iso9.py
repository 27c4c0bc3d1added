"""Transliteration of Russian by ISO 9:1995 (GOST 7.79, system A), one letter for one letter, and back.

    Клаустрофобия <-> Klaustrofobiâ

The paper (section 3.2, footnote 5) uses it to learn joint byte pair encoding across two alphabets. The images of ъ and
ь, U+02BA and U+02B9, have no capital form, so the standard writes Ъ like ъ; here the capitals have images of their own,
U+02EE and U+02BC, so that the way back is exact for every Russian word.

Letters are precomposed (Unicode NFC), so that one letter is one symbol.
"""

from __future__ import annotations

import unicodedata

_SMALL = dict(
    zip(
        "абвгдеёжзийклмнопрстуфхцчшщыэюя",
        "abvgdeëžzijklmnoprstufhcčšŝyèûâ",
        strict=True,
    )
)
_SIGNS = {"ъ": "\u02ba", "ь": "\u02b9", "Ъ": "\u02ee", "Ь": "\u02bc"}

LATIN_OF = _SMALL | {cyrillic.upper(): latin.upper() for cyrillic, latin in _SMALL.items()} | _SIGNS
CYRILLIC_OF = {latin: cyrillic for cyrillic, latin in LATIN_OF.items()}

_TO_LATIN = str.maketrans(LATIN_OF)
_TO_CYRILLIC = str.maketrans(CYRILLIC_OF)


def to_latin(word: str) -> str:
    """The Latin image of a word: Russian letters are replaced, everything else stays.

    A word with Russian letters is brought to NFC first; a word without any is returned as it is.
    """
    composed = unicodedata.normalize("NFC", word)
    return composed.translate(_TO_LATIN) if any(letter in LATIN_OF for letter in composed) else word


def to_cyrillic(word: str) -> str:
    """The inverse of `to_latin` for words without Latin letters; letters that are no image of one stay."""
    return word.translate(_TO_CYRILLIC)


def cyrillic_image(text: str) -> str | None:
    """The Cyrillic image of a piece of a Latin word, or None if a letter has none, such as `w`, `q`, `x` and `ö`.

    Digits, punctuation and letters of other scripts are their own images.
    """
    if any(letter not in CYRILLIC_OF and _is_latin(letter) for letter in text):
        return None
    return to_cyrillic(text)


def _is_latin(character: str) -> bool:
    return character.isalpha() and unicodedata.name(character, "").startswith("LATIN ")
