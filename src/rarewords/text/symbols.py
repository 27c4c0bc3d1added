"""Symbols beside numbers and letters: which of their neighbours they belong to.

Moses' script knows percent signs and currency signs in front of a number. Here are the other customs of running text:
`5 €` or `5€` by language, x², H₂O, 1½, ±5, 6×9, A–Z, US$5, `3:e` in Swedish, word(s).
"""

from __future__ import annotations

from collections.abc import Sequence
from html.entities import html5

import regex

RAISED = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾")
LOWERED = frozenset("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎")
FRACTIONS = frozenset("¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞")
SHARP_LANGUAGES = ("C", "F")  # of programming
LIKE_DIGITS = RAISED | LOWERED | FRACTIONS  # Python calls them alphanumeric, but they stand alone as tokens

# How CLDR 47 writes an amount (the standard pattern of currencies): with a space before the sign, or after it.
_EUROPE = (
    "ar asa ast az ba bas be bg br bs ca ce cs cv da de dsb dua dyo el es et eu ewo ff fi fo fr gl gsw hr hsb hu hy is"
    " it ka kea kk ksf ku ky lb lij lld ln lt lv mk my nb nmg nn no pl pms ro ru sah sc se sk sl smn sq sr sv tg tk tpi"
    " tt tyv uk uz vi"
)
SPACE_BEFORE_SIGN = frozenset(_EUROPE.split())
SPACE_AFTER_SIGN = frozenset("nl pt".split())  # noqa: SIM905

_SIGN = regex.compile(r"\p{Sc}")
NUMBER_START, NUMBER_END = regex.compile(r"\p{Nd}"), regex.compile(r"\p{Nd}\Z")
_LETTER_OR_DIGIT_END = regex.compile(r"[\p{L}\p{M}\p{N})\]]\Z")
_WORD_END = regex.compile(r"[\p{L}\p{M}\p{N}\p{Cf}]\Z")
_INITIALS = regex.compile(r"\p{Lu}{1,2}\.?")
_DEGREES = frozenset(["C", "F", "С"])  # the last one is Cyrillic
_PREFIXES = frozenset(["US", "A", "AU", "C", "CA", "HK", "NZ", "NT", "R", "S"])  # of dollars, and the real
_BEFORE_NUMBER = frozenset("±~≈<>≤≥−")
_BETWEEN_NUMBERS = frozenset(":–−‒×٫٬")
_RANGE = frozenset("–‒")
_PERCENT = frozenset("%٪‰‱％")
AFTER_NUMBER = _PERCENT | frozenset("€$£¥°")
_NAME = regex.compile("[A-Z]{2,}")
_PLACEHOLDER = regex.compile(r"[A-Za-z]|[0-9]|\.[0-9]+[a-z]")  # what is behind the % of printf
_ARROWS = frozenset(["->", "=>", "<-", "<=", ">=", "==", "<<", ">>"])
_ELEMENT = regex.compile(r"(?:[BCFHKNOPSUVWY]|A[lrsu]|B[aer]|C[adelorsu]|F[er]|Hg|Li|M[gn]|N[ai]|P[bt]|S[inr]|Ti|Zn)+")
_SHORT_ELEMENT = regex.compile(r"[CFHNOPS]{1,3}|Br|Cl")
# The other ending of a word, in brackets.
_OTHER_ENDINGS = {
    "en": frozenset(["s", "es"]),
    "de": frozenset(["n", "en", "e", "er", "s", "es", "r", "in", "innen"]),
    "nl": frozenset(["s", "en", "e", "n"]),
    "fr": frozenset(["s", "e", "es", "x", "ne", "le"]),
    "es": frozenset(["s", "es", "a", "as"]),
    "pt": frozenset(["s", "es", "a", "as"]),
}
_COLON_ENDINGS = {  # of abbreviations and numbers
    "sv": frozenset("s n en ns ens t et ts ets a e er or ar erna arna are na".split()),  # noqa: SIM905
}


def stands_left(tokens: Sequence[str], place: int, language: str) -> bool | None:
    """Whether a symbol stands beside the token before it; None where nothing here says so. `place` is above 0."""
    token, before = tokens[place], tokens[place - 1]
    following = tokens[place + 1] if place + 1 < len(tokens) else ""
    if token in LIKE_DIGITS:
        if token in FRACTIONS:
            return NUMBER_END.search(before) is not None
        return _LETTER_OR_DIGIT_END.search(before) is not None or before in LIKE_DIGITS
    if _SIGN.fullmatch(token):
        return _sign_stands_left(tokens, place, language)
    if token in _PERCENT:
        return not _is_placeholder(before, following)
    if token == "#" and before in SHARP_LANGUAGES:
        return True
    return None


def stands_right(tokens: Sequence[str], place: int, language: str) -> bool | None:
    """Whether a symbol stands beside the token after it; None where nothing here says so."""
    token = tokens[place]
    before, following = tokens[place - 1] if place else "", tokens[place + 1] if place + 1 < len(tokens) else ""
    if token in LOWERED:
        return _SHORT_ELEMENT.fullmatch(following) is not None or (
            _ELEMENT.fullmatch(following) is not None and place + 2 < len(tokens) and tokens[place + 2] in LOWERED
        )
    if _SIGN.fullmatch(token):
        if token == "$" and _NAME.match(following):  # of a variable, as in $PATH
            return not NUMBER_END.search(before)
        if not regex.match(r"[\p{Nd}.]", following) or _belongs_to_number_before(tokens, place):
            return False
        return language not in SPACE_AFTER_SIGN
    if token in _BEFORE_NUMBER:
        return NUMBER_START.match(following) is not None and not _is_operand(before)
    if token == "+":
        return NUMBER_START.match(following) is not None and not _is_operand(before) and before != "+"
    if token in _PERCENT:
        return _is_placeholder(before, following)
    return None


def are_one(tokens: Sequence[str], place: int, language: str) -> bool:
    """Whether a token and the one before it stand together because of both, as symbols."""
    before, token = tokens[place - 1], tokens[place]
    if before + token in _ARROWS:
        return True
    if before in ("%", "€", "$") and token[0] == "-" and NUMBER_START.match(token[1:]):  # 5%-10%
        return True
    if before[-1] == "-" and NUMBER_END.search(before[:-1]) and _SIGN.fullmatch(token):  # $5-$10
        return True
    return any(_is_inside(tokens, middle, language) for middle in (place - 1, place))


def _is_inside(tokens: Sequence[str], place: int, language: str) -> bool:
    """Whether both neighbours of a token belong to it."""
    if not 0 < place < len(tokens) - 1:
        return False
    before, token, following = tokens[place - 1 : place + 2]
    if token in _BETWEEN_NUMBERS and NUMBER_END.search(before) and NUMBER_START.match(following):
        return True
    if token in _RANGE:  # A–Z
        return len(before) == len(following) == 1 and before.isalpha() and following.isalpha()
    if token == "°":  # n°1, 5 °C
        return following.rstrip(".") in _DEGREES or (before in ("n", "N") and NUMBER_START.match(following) is not None)
    if token == "@":
        return _WORD_END.search(before[-1:]) is not None and "." in following[1:]
    if token == "&":  # R&D
        return _INITIALS.fullmatch(before) is not None and _INITIALS.fullmatch(following) is not None
    if token == "·":  # col·lecció
        return language == "ca" and before.endswith("l") and following.startswith("l")
    if token == ":":
        return following in _COLON_ENDINGS.get(language, ()) and _is_abbreviation(before)
    if place + 2 < len(tokens) and token == "(" and tokens[place + 2] == ")":
        return before[-1].isalpha() and following in _OTHER_ENDINGS.get(language, ())
    return before == "&" and following == ";" and f"{token};" in html5


def _sign_stands_left(tokens: Sequence[str], place: int, language: str) -> bool:
    """Whether a currency sign stands beside what is before it."""
    before = tokens[place - 1]
    if tokens[place] == "$" and before in _PREFIXES:
        return place + 1 < len(tokens) and NUMBER_START.match(tokens[place + 1]) is not None
    return language not in SPACE_BEFORE_SIGN and _belongs_to_number_before(tokens, place)


def _belongs_to_number_before(tokens: Sequence[str], place: int) -> bool:
    """Whether a currency sign belongs to the number before it: none follows, or one that has another sign."""
    if not place or not NUMBER_END.search(tokens[place - 1]):
        return False
    if place + 1 == len(tokens) or not NUMBER_START.match(tokens[place + 1]):
        return True
    return place + 2 < len(tokens) and (tokens[place + 2] in _PERCENT or _SIGN.fullmatch(tokens[place + 2]) is not None)


def _is_placeholder(before: str, following: str) -> bool:
    """Whether a percent sign begins a placeholder of printf."""
    if NUMBER_END.search(before):
        return False
    return _PLACEHOLDER.fullmatch(following) is not None


def _is_operand(token: str) -> bool:
    """Whether a token can be the left side of an operation: a number, one letter, a bracket."""
    return (len(token) == 1 and token.isalnum()) or token in (")", "]") or NUMBER_END.search(token) is not None


def _is_abbreviation(token: str) -> bool:
    return token.isupper() or len(token) < 3 or NUMBER_END.search(token) is not None
