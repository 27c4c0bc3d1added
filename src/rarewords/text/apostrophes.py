"""Which side a quotation mark, an apostrophe or a prime stands on, where a token does not tell."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum

import regex

_NUMBER_END = regex.compile(r"\p{Nd}\Z")
_LETTER_START, _LETTER_END = regex.compile(r"\p{L}"), regex.compile(r"[\p{L}\p{M}]\Z")

# Closed in one language, open in another; the mark that opens them comes first where there is one.
_OPENS = {"„": "“”", "“": "”", "«": "»", "»": "«", "‚": "‘’", "‘": "’", "‹": "›", "›": "‹", "”": "”", "’": "’"}
_MARKS = frozenset(["'", '"', "`", "``", "''", *_OPENS])
_ALWAYS_OPEN = frozenset("„‚")
_SPACED_GUILLEMETS = frozenset(["fr", "br", "oc"])

# Words that have lost their end.
_ELISIONS = {"it": frozenset("po mo be va fa sta da di to vo co ne de a ca so".split())}  # noqa: SIM905
# Languages whose letters an apostrophe joins.
_JOINS_LETTERS = frozenset("az be br ca crh eo et ga gn haw he lv mt oc qu rw sq sw tr uk uz vec yi".split())  # noqa: SIM905
# What an apostrophe joins to a word in others.
_JOINS_SHORT = {
    language: frozenset(endings.split(" "))
    for language, endings in {
        "de": "s n ne nem nen ner m r sch",
        "nl": "s tje er en",
        "da": "s er en et",
        "sv": "s",
        "no": "s",
        "nb": "s",
        "pl": "a ego em owi u y ów i e ie",
        "cs": "s",
        "fi": "n ta tä ssa ssä lla llä",
        "ru": "s",
    }.items()
}
_INSIDE_TOKENS = frozenset(["en", "fr", "it"])  # where tokens have the apostrophe inside words
_NEVER_JOINS = _INSIDE_TOKENS | {"de", "es", "pt", "ru"}
_CONTRACTIONS = frozenset(["t", "s", "re", "ve", "ll", "d", "m", "n"])
_DECADE = regex.compile(r"\d0s|\d\d")
_BEFORE_OPENING, _AFTER_CLOSING = frozenset(["(", "[", ":"]), frozenset([*",.;)]?!:-–—"])


class Side(Enum):
    """Where the neighbours of a token stand."""

    LEFT = "beside the token before it"
    RIGHT = "beside the token after it"
    BOTH = "beside both"


def quote_sides(tokens: Sequence[str], language: str) -> dict[int, Side]:
    """The side of the tokens that are quotation marks, apostrophes or primes, by their places."""
    sides: dict[int, Side] = {}
    if _MARKS.isdisjoint(tokens):
        return sides
    for mark in ("'", '"'):
        places = [place for place, token in enumerate(tokens) if token == mark]
        if places:
            _straight(tokens, places, language, sides)
    for mark in ("`", "``", "''"):
        places = [place for place, token in enumerate(tokens) if token == mark]
        _in_turns(tokens, places, sides)
    _directed(tokens, language, sides)
    return sides


def _straight(tokens: Sequence[str], places: Sequence[int], language: str, sides: dict[int, Side]) -> None:
    """Straight marks: apostrophes inside words and elisions first, then primes, then pairs."""
    quotes = []
    for place in places:
        if tokens[place] == "'" and (side := _apostrophe(tokens, place, language)):
            sides[place] = side
        else:
            quotes.append(place)
    after_number = [place for place in quotes if place > 0 and _NUMBER_END.search(tokens[place - 1])]
    if (len(quotes) % 2 and after_number) or (len(after_number) == len(quotes) and len(quotes) > 1):
        for place in after_number if len(after_number) == len(quotes) else after_number[-1:]:
            sides[place] = Side.LEFT
            quotes.remove(place)
    if tokens[places[0]] == "'":
        quotes = _without_possessives(tokens, quotes, language, sides)
    _in_turns(tokens, quotes, sides)


def _without_possessives(
    tokens: Sequence[str], quotes: Iterable[int], language: str, sides: dict[int, Side]
) -> list[int]:
    """English plurals own things where no quotation is open; of an odd number of marks one is an apostrophe."""
    rest: list[int] = []
    for place in quotes:
        if language == "en" and len(rest) % 2 == 0 and place > 0 and tokens[place - 1].endswith(("s", "x", "z")):
            sides[place] = Side.LEFT
        else:
            rest.append(place)
    if len(rest) % 2:
        alone = next((place for place in rest if _is_between_letters(tokens, place)), rest[-1])
        if place_side := _alone(tokens, alone, language):
            sides[alone] = place_side
            rest.remove(alone)
    return rest


def _alone(tokens: Sequence[str], place: int, language: str) -> Side | None:
    """The side of an apostrophe that is no quotation mark; None where it may be one whose partner is missing."""
    if _is_between_letters(tokens, place):
        return None if language in _NEVER_JOINS else Side.BOTH
    return Side.LEFT if place > 0 and _LETTER_END.search(tokens[place - 1]) else None


def _apostrophe(tokens: Sequence[str], place: int, language: str) -> Side | None:
    """The side of a mark that is surely an apostrophe."""
    before = tokens[place - 1] if place else ""
    following = tokens[place + 1] if place + 1 < len(tokens) else ""
    if before.lower() in _ELISIONS.get(language, ()):
        return Side.LEFT
    if language == "en" and _DECADE.fullmatch(following) and not _NUMBER_END.search(before[-1:]):
        return Side.RIGHT
    if list(tokens[place : place + 3]) == ["'", "n", "'"]:  # rock 'n' roll
        return Side.RIGHT
    if list(tokens[max(0, place - 2) : place + 1]) == ["'", "n", "'"]:
        return Side.LEFT
    if not _is_between_letters(tokens, place) or language in _INSIDE_TOKENS:
        return None
    if language == "ru" and following[0] in "яюёе" and len(before) < 4:
        return Side.BOTH
    if language in _JOINS_LETTERS or len(before) == 1 or following in _JOINS_SHORT.get(language, ()):
        return Side.BOTH
    return None


def _is_between_letters(tokens: Sequence[str], place: int) -> bool:
    return (
        0 < place < len(tokens) - 1
        and _LETTER_END.search(tokens[place - 1]) is not None
        and _LETTER_START.match(tokens[place + 1]) is not None
    )


def _in_turns(tokens: Sequence[str], places: Iterable[int], sides: dict[int, Side]) -> None:
    """Marks open and close in turns, but what stands beside them may show better which one they do."""
    is_open = False
    for place in places:
        if place + 1 == len(tokens) or tokens[place + 1] in _AFTER_CLOSING:
            is_open = place == 0
        elif place == 0 or tokens[place - 1] in _BEFORE_OPENING:
            is_open = True
        else:
            is_open = not is_open
        sides[place] = Side.RIGHT if is_open else Side.LEFT


def _directed(tokens: Sequence[str], language: str, sides: dict[int, Side]) -> None:
    """Curved and angular marks: what is open is closed by its partner, in the way of any language."""
    is_open: list[str] = []
    last = {token: place for place, token in enumerate(tokens) if token == "”"}
    for place, token in enumerate(tokens):
        if token not in _OPENS or (token in "«»" and language in _SPACED_GUILLEMETS):
            continue
        if token == "’" and _is_between_letters(tokens, place) and tokens[place + 1] in _CONTRACTIONS:
            sides[place] = Side.BOTH
        elif is_open and token in _OPENS[is_open[-1]] and token not in _ALWAYS_OPEN:
            is_open.pop()
            sides[place] = Side.LEFT
        elif token == "’" and place > 0 and _LETTER_END.search(tokens[place - 1]):
            sides[place] = Side.BOTH if _is_between_letters(tokens, place) else Side.LEFT
        elif token == "”" and last[token] == place and place > 0:
            sides[place] = Side.LEFT
        else:
            is_open.append(token)
            sides[place] = Side.RIGHT
