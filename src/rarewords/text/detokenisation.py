"""Join tokens into running text: which neighbours belong together without a space.

The rules are those of Moses' detokenizer.perl of 2015, with the marks of other scripts beside those of English.
Whatever tokens leave open follows the most common usage: `10:30` and `and/or` without spaces, an apostrophe or a prime
beside what it belongs to. docs/reproduction/preprocessing.md lists the differences.
"""

from __future__ import annotations

from collections.abc import Sequence

import regex

from rarewords.text import symbols
from rarewords.text.apostrophes import quote_sides
from rarewords.text.elision import AFTER_QUOTATION, Side

_CJK = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Bopomofo}\u3000-\u303f\uff00-\uffef]"
_STARTS_CJK, _ENDS_CJK = regex.compile(_CJK), regex.compile(_CJK + r"\Z")
_WIDE_MARKS = frozenset("“”‘’—…·")  # in Chinese and Japanese as wide as a character; in Unicode those of all languages
_OPENING = regex.compile(r"[\p{Sc}\p{Ps}¿¡]+")
# With the ends of sentences and clauses of all scripts, degrees and primes; `„` is opening for Unicode as well.
_LEFT = regex.compile(
    r"[\p{Terminal_Punctuation}\p{Pe},.?!:;\\%‰…°º′″™®²³՝\u061c\u200e\u200f\u202c\u2069]\p{M}*+", regex.V1
)
_FRENCH_SPACE = frozenset("?!:;%")
_BOTH = frozenset(["/", "\u00ad", "\u200b", "־", "׳", "״", "֊", "፡", "‐", "‑", "・", "･"])
_WORD_START, _WORD_END = regex.compile(r"[\p{L}\p{M}\p{N}]"), regex.compile(r"[\p{L}\p{M}\p{N}\p{Cf}]\Z")
_LATIN_END = regex.compile(r"[A-Za-z]{2}\Z")
_WIDE_PUNCTUATION = frozenset("。、，．！？：；（）「」『』【】《》〈〉〔〕")
_UNSPACED = frozenset(["zh", "ja", "yue", "wuu"])
_FINNISH_ENDING = regex.compile(
    r"(?:[NnAaÄä]|[Ss]s[aä]|st[aä]|[Hh][uya]n|[Hh][äö]n|[UuYyAaÄäÖö]n|seen|[Ll]l[aäe]|[Ll]t[aä]|[Kk]s[ie]|[Tt]ta|[Ii]ne"
    r")(?:ni|si|mme|nne|nsa)?(?:ko|kö|han|hän|pa|pä|kaan|kään|kin)?"
)
_ADDRESS = regex.compile(r"(?i)https?|ftp|file|mailto")


def join_tokens(tokens: Sequence[str], language: str) -> str:
    """Running text of tokens; the time is in proportion to their number."""
    if not tokens:
        return ""
    quotes = quote_sides(tokens, language)
    addresses = _in_addresses(tokens) if "/" in tokens else [False] * len(tokens)
    text = [tokens[0]]
    before_is_word = _is_word(tokens[0])
    for place, token in enumerate(tokens[1:], 1):
        is_word = _is_word(token)
        joined = not (is_word and before_is_word) and (
            addresses[place]
            or quotes.get(place) in _LEFT_OR_BOTH
            or quotes.get(place - 1) in _RIGHT_OR_BOTH
            or (not is_word and _stands_left(tokens, place, language))
            or (not before_is_word and _stands_right(tokens, place - 1, language))
            or _are_one(tokens, place, language)
            or (quotes.get(place - 1) is Side.LEFT and token in AFTER_QUOTATION.get(language, ()))
        )
        text.append(token if joined or addresses[place] else " " + token)
        before_is_word = is_word
    return "".join(text)


_LEFT_OR_BOTH, _RIGHT_OR_BOTH = (Side.LEFT, Side.BOTH), (Side.RIGHT, Side.BOTH)


def _is_word(token: str) -> bool:
    """Whether only marks beside it can join a token: it begins and ends with a letter or digit that takes spaces."""
    first, last = token[0], token[-1]
    if not (first.isalnum() and last.isalnum()) or first in symbols.LIKE_DIGITS:
        return False
    return first < "\u2e80" or "가" <= first <= "힣"


def _stands_left(tokens: Sequence[str], place: int, language: str) -> bool:
    """Whether a token is joined to the one before it, whatever that is."""
    token = tokens[place]
    if language == "en" and token[0] == "'" and len(token) > 1 and token[1].isalpha():
        return True
    if language == "el" and token == "·":
        return True
    if language == "fr" and token in _FRENCH_SPACE:
        return False
    if (side := symbols.stands_left(tokens, place, language)) is not None:
        return side
    if token == "+":  # C++, AA+
        if tokens[place - 1] == "+" or place + 1 == len(tokens) or not _WORD_START.match(tokens[place + 1]):
            return True
        # in a text of other letters a Latin name: GTK+
        return _LATIN_END.search(tokens[place - 1]) is not None and not tokens[place + 1][0].isascii()
    if token == "_":
        return _WORD_END.search(tokens[place - 1][-1:]) is not None or tokens[place - 1] in _JOINS_UNDERSCORE
    if token[0] == "-" and token[1:2].isalpha() and place:  # "No-Deal"-Brexit
        return tokens[place - 1] in _BEFORE_HYPHEN
    return _LEFT.fullmatch(token) is not None or _is_run(token)


def _is_run(token: str) -> bool:
    return not token.strip(",.?!:;\\%}])")


def _stands_right(tokens: Sequence[str], place: int, language: str) -> bool:
    """Whether a token is joined to the one after it, whatever that is."""
    token = tokens[place]
    following = tokens[place + 1] if place + 1 < len(tokens) else ""
    if language in ("fr", "it", "ga") and token.endswith("'") and token[:-1][-1:].isalpha():
        return following[:1].isalpha()
    if (side := symbols.stands_right(tokens, place, language)) is not None:
        return side
    if token in ("#", "@") and not (token == "#" and place and tokens[place - 1] in symbols.SHARP_LANGUAGES):
        return _WORD_START.match(following) is not None
    if token == "_":
        return place == 0 or tokens[place - 1] == "_" or _WORD_END.search(tokens[place - 1][-1:]) is not None
    if language == "he" and len(token) > 1 and token[-1] in "-־":  # a prefix
        return True
    return _OPENING.fullmatch(token) is not None


def _are_one(tokens: Sequence[str], place: int, language: str) -> bool:
    """Whether a token is joined to the one before it because of both."""
    before, token = tokens[place - 1], tokens[place]
    if language != "ko" and _STARTS_CJK.match(token) and _ENDS_CJK.search(before[-1:]):
        return True
    if language in _UNSPACED and _meet_without_space(before, token):
        return True
    if token == "/" and _begins_path(tokens, place):
        return False
    if before in _BOTH or token in _BOTH:
        return True
    if language == "ko" and before in _BEFORE_PARTICLES and token in AFTER_QUOTATION["ko"]:
        return True
    if symbols.are_one(tokens, place, language):
        return True
    return language == "fi" and before.endswith(":") and place > 1 and _FINNISH_ENDING.fullmatch(token) is not None


def _begins_path(tokens: Sequence[str], place: int) -> bool:
    """Whether a slash begins the path of a file: after a comma, or before a folder that is found in every system."""
    if tokens[place - 1] in (",", ";"):
        return True
    following = tokens[place + 1] if place + 1 < len(tokens) else ""
    return following in _ROOTS and tokens[place - 1][-1:].isalpha() and (place < 2 or tokens[place - 2] != "/")


def _meet_without_space(before: str, token: str) -> bool:
    """Whether two tokens have no space between them because of Chinese or Japanese."""
    if before[-1] in _WIDE_PUNCTUATION or token[0] in _WIDE_PUNCTUATION:
        return True
    if token in _STRAIGHT or before in _STRAIGHT:
        return _is_wide(before[-1]) or _is_wide(token[0])
    return _is_wide(token[0]) and (_is_wide(before[-1]) or before in symbols.AFTER_NUMBER)


def _is_wide(character: str) -> bool:
    return character in _WIDE_MARKS or _STARTS_CJK.match(character) is not None


def _in_addresses(tokens: Sequence[str]) -> list[bool]:
    """Which tokens continue the address (https://…) of the token before them."""
    found = [False] * len(tokens)
    place = 0
    while place + 3 < len(tokens):
        if not (_ADDRESS.fullmatch(tokens[place]) and list(tokens[place + 1 : place + 4]) == [":", "/", "/"]):
            place += 1
            continue
        place += 1
        word = False
        while place < len(tokens):
            is_word = _WORD_START.match(tokens[place]) is not None
            if (is_word and word) or not (is_word or tokens[place] in _IN_ADDRESS):
                break
            found[place], word = True, is_word
            place += 1
    return found


_BEFORE_HYPHEN = symbols.LIKE_DIGITS | frozenset("\"'”“»)]%£€$°")
_STRAIGHT = frozenset("'\"")
_BEFORE_PARTICLES = frozenset(")%’”»")
_JOINS_UNDERSCORE = frozenset(["_", "/"])
_ROOTS = frozenset("usr etc dev tmp proc mnt".split())  # noqa: SIM905
_IN_ADDRESS = frozenset("/?=&#%_~+:@;,.-*!$")
