"""The side to which a quotation mark, an apostrophe or a prime belongs, if its token does not tell."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rarewords.text.elision import (
    LETTER_END,
    TOKENS_HAVE_THEM,
    Side,
    apostrophe,
    apostrophes,
    double_marks_inside,
    is_between_letters,
)
from rarewords.text.symbols import NUMBER_END, NUMBER_START

# Marks that close in one language and open in another; the mark that opens them comes first, if there is one.
_OPENS = {"„": "“”", "“": "”", "«": "»", "»": "«", "‚": "‘’", "‘": "’", "‹": "›", "›": "‹", "”": "”", "’": "’"}
_MARKS = frozenset(["'", '"', "`", "``", "''", *_OPENS])
_ALWAYS_OPEN = frozenset("„‚")
_SPACED_GUILLEMETS = frozenset(["fr", "br", "oc"])

# Where a mark alone between two words is rather half of a quotation.
_NEVER_JOINS = TOKENS_HAVE_THEM | {"de", "es", "pt", "ru"}
_CONTRACTIONS = frozenset(["t", "s", "re", "ve", "ll", "d", "m", "n"])
_BEFORE_OPENING, _AFTER_CLOSING = frozenset(["(", "[", ":"]), frozenset([*",.;)]?!:-–—"])


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
    sides |= _sure(tokens, places, language)
    quotes = [place for place in places if place not in sides]
    after_number = [place for place in quotes if place > 0 and NUMBER_END.search(tokens[place - 1])]
    if (len(quotes) % 2 and after_number) or (len(after_number) == len(quotes) and len(quotes) > 1):
        for place in after_number if len(after_number) == len(quotes) else after_number[-1:]:
            sides[place] = Side.LEFT
            quotes.remove(place)
    if tokens[places[0]] == "'":
        quotes = _without_possessives(tokens, quotes, language, sides)
    _in_turns(tokens, quotes, sides)


def _sure(tokens: Sequence[str], places: Sequence[int], language: str) -> dict[int, Side]:
    """The straight marks that are certainly not quotation marks."""
    if tokens[places[0]] == '"':
        return dict.fromkeys(double_marks_inside(tokens, places, language), Side.BOTH)
    feet = [place for place in places if _are_feet(tokens, place)]
    return dict.fromkeys(feet, Side.BOTH) | apostrophes(tokens, places, language)


def _are_feet(tokens: Sequence[str], place: int) -> bool:
    """Whether a mark stands between feet and inches: 5'10"."""
    before, following = tokens[max(0, place - 2) : place], tokens[place + 1 : place + 3]
    return (
        bool(before)
        and before[0] != "°"
        and following[1:] == ['"']
        and NUMBER_END.search(before[-1]) is not None
        and NUMBER_START.match(following[0]) is not None
    )


def _without_possessives(
    tokens: Sequence[str], quotes: Sequence[int], language: str, sides: dict[int, Side]
) -> list[int]:
    """English plurals own things where no quotation is open; of an odd number of marks one is an apostrophe."""
    rest: list[int] = []
    for place in quotes:
        if place and len(rest) % 2 == 0 and _owns(tokens[place - 1], language, len(quotes)):
            sides[place] = Side.LEFT
        else:
            rest.append(place)
    if len(rest) % 2:
        alone = next((place for place in rest if is_between_letters(tokens, place)), rest[-1])
        if place_side := _alone(tokens, alone, language):
            sides[alone] = place_side
            rest.remove(alone)
    return rest


def _owns(word: str, language: str, marks: int) -> bool:
    """Whether a word before a mark can be its owner; in German a name, where the mark has no partner."""
    if language == "de":
        return marks == 1 and word[0].isupper() and word.endswith(("s", "x", "z", "ß"))
    return language == "en" and word.endswith(("s", "x", "z"))


def _alone(tokens: Sequence[str], place: int, language: str) -> Side | None:
    """The side of an apostrophe that is not a quotation mark; None if it may be one whose partner is missing."""
    if is_between_letters(tokens, place):
        return None if language in _NEVER_JOINS else Side.BOTH
    return Side.LEFT if place > 0 and LETTER_END.search(tokens[place - 1]) else None


def _in_turns(tokens: Sequence[str], places: Iterable[int], sides: dict[int, Side]) -> None:
    """Marks open and close in turns, but what stands beside them may show better which one they do."""
    is_open = False
    for place in places:
        if not is_open and _is_around_a_mark(tokens, place):
            is_open = True
        elif place + 1 == len(tokens) or tokens[place + 1] in _AFTER_CLOSING:
            is_open = place == 0
        elif place == 0 or tokens[place - 1] in _BEFORE_OPENING:
            is_open = True
        else:
            is_open = not is_open
        sides[place] = Side.RIGHT if is_open else Side.LEFT


def _is_around_a_mark(tokens: Sequence[str], place: int) -> bool:
    """Whether a mark and the next one stand around a single sign: "-"."""
    return tokens[place + 2 : place + 3] == [tokens[place]] and (tokens[place + 1] in _AFTER_CLOSING)


def _directed(tokens: Sequence[str], language: str, sides: dict[int, Side]) -> None:
    """Curved and angular marks: what is open is closed by its partner, in the way of any language."""
    is_open: list[str] = []
    last = {token: place for place, token in enumerate(tokens) if token == "”"}
    for place, token in enumerate(tokens):
        if token not in _OPENS or (token in "«»" and language in _SPACED_GUILLEMETS):
            continue
        if token == "’" and is_between_letters(tokens, place) and tokens[place + 1] in _CONTRACTIONS:
            sides[place] = Side.BOTH
        elif token == "’" and "‘" not in is_open and (side := apostrophe(tokens, place, language)):
            sides[place] = side
        elif is_open and token in _OPENS[is_open[-1]] and token not in _ALWAYS_OPEN:
            is_open.pop()
            sides[place] = Side.LEFT
        elif token == "’" and place > 0 and LETTER_END.search(tokens[place - 1]):
            sides[place] = Side.BOTH if is_between_letters(tokens, place) else Side.LEFT
        elif token == "”" and last[token] == place and place > 0:
            sides[place] = Side.LEFT
        else:
            is_open.append(token)
            sides[place] = Side.RIGHT
