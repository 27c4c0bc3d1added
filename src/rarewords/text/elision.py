"""Which marks are surely apostrophes, inside words or where a word has lost its beginning or its end, by language.

The same for `'` and `’`; Hebrew gershayim typed as `"` (צה"ל) too. What is not decided here may be a quotation mark.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

import regex

from rarewords.text.symbols import NUMBER_END

_LETTER_START, LETTER_END = regex.compile(r"\p{L}"), regex.compile(r"[\p{L}\p{M}]\Z")
_HEBREW = regex.compile(r"\p{Hebrew}")
_OPENING = frozenset(['"', "«", "“", "‘", "„"])


class Side(Enum):
    """Where the neighbours of a token stand."""

    LEFT = "beside the token before it"
    RIGHT = "beside the token after it"
    BOTH = "beside both"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words that have lost their end, and have a space after them.
WITHOUT_END = {
    "it": _words("po mo be va fa sta da di to vo co ne de a ca so"),
    "el": _words("σ απ μ τ θ ν κ γι αλλ παρ μετ κατ στ δ όλ ούτ ουτ είν ήταν"),
    "en": _words("ol lil goin doin nothin comin somethin"),
    "he": _words("א ב ה ו י כ ל מ נ ס פ ק ש"),  # numbers; a letter like ג has another sound with it
}
# Words that have lost their beginning, and have a space before them.
_WITHOUT_BEGINNING = {
    "nl": _words("t k m r"),
    "af": _words("n"),
}
_DUTCH_TIMES = _words(
    "ochtends morgens middags avonds nachts zomers winters maandags woensdags zondags zaterdags lands werelds"
)
_DUTCH_SHORT_ARTICLE = _words("zo m z d")  # zo'n, m'n, z'n, d'r
# Articles and prepositions without their last vowel, also before numbers and quotation marks: l'11, dell'«Unità».
_BEFORE_ANYTHING = {
    "it": _words("l d un dell all dall nell sull coll dell quell quest c s m t v n sott mezz"),
    "fr": _words("l d j m t s n c qu jusqu lorsqu puisqu quoiqu"),
    "ca": _words("l d s m t n"),
    "oc": _words("l d s m t n qu"),
}
# Languages whose letters an apostrophe joins, whatever they are.
_JOINS_LETTERS = _words(
    "an as ast ay br ca eo fj fur ga gn haw he ht kw lb lg lij mt oc om pms qu rw sc scn so sq sw to ty uz vec wa yi"
)
# Languages in which it stands between a name or a number and its ending.
_AFTER_NAMES = frozenset("az crh et kaa tk tr tt".split())  # noqa: SIM905
# Languages in which it separates a consonant from one of these letters.
_BEFORE_VOWELS = {"uk": "яюєїЯЮЄЇ", "be": "еёюяіЕЁЮЯІ", "ru": "яюёеЯЮЁЕ"}
# What an apostrophe joins to a word in others.
_ENDINGS = {
    "de": _words("s n ne nem nen ner m r sch sche schem schen scher sches"),
    "nl": _words("s tje tjes er en"),
    "da": _words("s er en et erne"),
    "sv": _words("s"),
    "no": _words("s er en et ene"),
    "nb": _words("s er en et ene"),
    "pl": _words("a ego em owi u y ów i e ie"),
    "cs": _words("s"),
    "fi": _words("n ta tä ssa ssä lla llä"),
    "hu": _words("s"),
    "ru": _words("s"),
    "cy": _words("r n i w u m th ch ll s"),
    "es": _words("s"),
    "pt": _words("s"),
}
# What is written without a space after a closing quotation mark, a bracket or a percent sign.
_TURKISH = _words(
    "ı i u ü a e ye yı yi yu yü ın in un ün nın nin nun nün ta te dan den tan ten la le yla yle dır dir dur dür tır"
    " tir tur tür lar ler lı li lu lü"
)
AFTER_QUOTATION = {
    "ko": _words(
        "은 는 이 가 을 를 의 에 와 과 도 만 나 란 로 으로 에서 에게 부터 까지 처럼 보다 이나 라는 이라는 라고 이라고"
        " 이란 라며 이라며 이다 입니다"
    ),
    "tr": _TURKISH,
    "az": _TURKISH,
}
_NUMBER_ENDINGS = {"de": _words("er ern"), "da": _words("er erne"), "pl": _words("tych")}
_ONE_LETTER = regex.compile(r"(?V1)[[\p{Latin}\p{Cyrillic}\p{Armenian}]--[aeiouvzskwyàèáéíóâêовскуиаязйі]]")  # no words
_NOTHING: frozenset[str] = frozenset()
TOKENS_HAVE_THEM = frozenset(["en", "fr", "it"])  # where tokens have the apostrophe inside words
_DECADE = regex.compile(r"\d0(?:s|er)|\d\d")


def apostrophes(tokens: Sequence[str], places: Sequence[int], language: str) -> dict[int, Side]:
    """The sides of those of some marks that are surely apostrophes; the others may be quotation marks."""
    found: dict[int, Side] = {}
    for place in places:
        side = apostrophe(tokens, place, language, inside=found.get(place - 2) is Side.BOTH)
        if side is not None:
            found[place] = side
    return found


def apostrophe(tokens: Sequence[str], place: int, language: str, inside: bool = False) -> Side | None:
    """The side of a mark that is surely an apostrophe, else None; `inside`: the token before it follows another one."""
    before = tokens[place - 1] if place else ""
    following = tokens[place + 1] if place + 1 < len(tokens) else ""
    if (side := _at_an_end(tokens, place, language, before, following)) is not None:
        return side
    elided = before.lower() in _BEFORE_ANYTHING.get(language, ())
    if elided and (following[:1].isdigit() or following in _OPENING):
        return Side.BOTH
    if NUMBER_END.search(before):
        return _after_number(following, language)
    if not is_between_letters(tokens, place) or (language in TOKENS_HAVE_THEM and tokens[place] == "'"):
        return None
    if language == "he":
        if not (_HEBREW.match(following) and _HEBREW.search(before[-1])):
            return None
        return (
            Side.LEFT if inside or len(before) > 3 else Side.BOTH
        )  # a word has one geresh, mostly in its first letters
    if _ONE_LETTER.fullmatch(before) or before[-2:-1] in ("-", "‑"):  # d'Arc, Кот-д'Ивуар
        return Side.BOTH
    if language in _AFTER_NAMES:
        return Side.BOTH if before[0].isupper() and following.islower() else None
    if language in _BEFORE_VOWELS and following[0] in _BEFORE_VOWELS[language]:
        return Side.BOTH if language != "ru" or len(before) < 4 else None
    if language in _JOINS_LETTERS or following in _ENDINGS.get(language, ()):
        return Side.BOTH
    return None


def _at_an_end(tokens: Sequence[str], place: int, language: str, before: str, following: str) -> Side | None:
    """An apostrophe for what a word has lost at its beginning or end."""
    if before.lower() in WITHOUT_END.get(language, ()):
        return Side.LEFT
    if list(tokens[place : place + 3]) == [tokens[place], "n", tokens[place]]:  # rock 'n' roll
        return Side.RIGHT
    if list(tokens[max(0, place - 2) : place + 1]) == [tokens[place], "n", tokens[place]]:
        return Side.LEFT
    is_year = _DECADE.fullmatch(following) is not None and tokens[place + 2 : place + 3] != [tokens[place]]
    if is_year and not NUMBER_END.search(before) and before.lower() not in _BEFORE_ANYTHING.get(language, ()):
        return Side.RIGHT
    if language == "nl":
        return _dutch(tokens, place, before, following)
    return Side.RIGHT if following in _WITHOUT_BEGINNING.get(language, ()) else None


def _dutch(tokens: Sequence[str], place: int, before: str, following: str) -> Side | None:
    """'s morgens, 't, zo'n, but foto's."""
    if following in ("n", "r") and before.lower() in _DUTCH_SHORT_ARTICLE:
        return Side.BOTH
    if following == "s" and (not before or _DUTCH_TIMES.intersection(tokens[place + 2 : place + 3])):
        return Side.RIGHT
    if following.startswith("s-"):  # 's-Gravenhage
        return Side.RIGHT
    return Side.RIGHT if following in _WITHOUT_BEGINNING["nl"] or following == "n" else None


def _after_number(following: str, language: str) -> Side | None:
    """3'üncü, 80'er: an ending after a number; the English 's is a part of its token."""
    if not _LETTER_START.match(following):
        return None
    if language in _AFTER_NAMES and following.islower():
        return Side.BOTH
    endings = _ENDINGS.get(language, _NOTHING) | _NUMBER_ENDINGS.get(language, _NOTHING)
    return Side.BOTH if following in endings else None


def double_marks_inside(tokens: Sequence[str], places: Sequence[int], language: str) -> list[int]:
    """Those of some `"` that stand for an apostrophe (об"єкт: the script of 2015 makes it of `’`) or for gershayim."""
    inside = [place for place in places if is_between_letters(tokens, place)]
    if language in ("uk", "be"):
        split = [place for place in inside if _is_split_word(tokens, place, _BEFORE_VOWELS[language])]
        return split if len(split) == len(places) else split[: len(places) % 2]
    return _gershayim(tokens, [place for place in inside if _HEBREW.search(tokens[place - 1][-1])], len(places))


def _is_split_word(tokens: Sequence[str], place: int, vowels: str) -> bool:
    before, following = tokens[place - 1], tokens[place + 1]
    return len(following) > 1 and following[0] in vowels and before[-1].lower() in "бвгґджзклмнпрстфхцчшщ"


def _gershayim(tokens: Sequence[str], inside: Sequence[int], marks: int) -> list[int]:
    """Those before the last letter of a Hebrew abbreviation, without a closing mark behind it.

    Where the number of the other marks is odd, one of them is inside an abbreviation as well, or in an inflected one.
    """
    short = [place for place in inside if len(tokens[place + 1]) == 1]
    found = [place for place in short if tokens[place + 2 : place + 3] != ['"']]
    if (marks - len(found)) % 2:
        found += [place for place in [*short, *inside] if place not in found][:1]
    return found


def is_between_letters(tokens: Sequence[str], place: int) -> bool:
    """Whether the tokens beside a mark end and begin with letters."""
    return (
        0 < place < len(tokens) - 1
        and LETTER_END.search(tokens[place - 1]) is not None
        and _LETTER_START.match(tokens[place + 1]) is not None
    )
