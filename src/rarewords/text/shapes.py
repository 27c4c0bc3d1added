"""What a value that was read from JSON must look like: its kinds, keys and limits, said once for a kind of file.

A shape is a function of a value and its place (`settings.beam`) that raises Misfit. The limits are part of it, so that
nothing is computed or reserved for a number that a damaged or hostile file holds.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

Shape = Callable[[Any, str], None]

LARGEST = 2**53  # what every reader of JSON takes for a whole number
DIGITS = 18  # of a whole number in a text file: it fits into 64 bits
SHA256 = r"[0-9a-f]{64}"


class Misfit(Exception):
    """A value is not of its shape; the message is the middle of a sentence, with the place in front."""


def whole(least: int = 0, most: int = LARGEST) -> Shape:
    """A whole number in a range, not true or false."""

    def check(value: Any, where: str) -> None:
        if type(value) is not int or not least <= value <= most:
            raise Misfit(f"{where}: {_shown(value)} is not a whole number from {least} to {most}")

    return check


def number(least: float = -math.inf, most: float = math.inf) -> Shape:
    """A finite number in a range."""

    def check(value: Any, where: str) -> None:
        # the size first: an integer of many digits cannot be asked whether it is finite
        if type(value) not in (int, float) or abs(value) > 1e300 or not least <= value <= most:
            raise Misfit(f"{where}: {_shown(value)} is not a number{_range(least, most)}")

    return check


def text(pattern: str = ".*", most: int = 10_000) -> Shape:
    """A string of at most `most` characters that the regular expression matches as a whole."""
    compiled = re.compile(pattern, re.DOTALL)

    def check(value: Any, where: str) -> None:
        if not isinstance(value, str) or len(value) > most or not compiled.fullmatch(value):
            raise Misfit(f"{where}: {_shown(value)} is not text of the expected form")

    return check


def flag(value: Any, where: str) -> None:
    """True or false; nothing else counts as one of them."""
    if not isinstance(value, bool):
        raise Misfit(f"{where}: {_shown(value)} is neither true nor false")


def one_of(*values: Any) -> Shape:
    """One of some values, of the same type."""

    def check(value: Any, where: str) -> None:
        if not any(type(value) is type(known) and value == known for known in values):
            raise Misfit(f"{where}: {_shown(value)} is not one of {', '.join(map(repr, values))}")

    return check


def optional(shape: Shape) -> Shape:
    """Null, or of the shape."""

    def check(value: Any, where: str) -> None:
        if value is not None:
            shape(value, where)

    return check


def list_of(shape: Shape, most: int = 10_000_000) -> Shape:
    """A list of at most `most` values of one shape."""

    def check(value: Any, where: str) -> None:
        if not isinstance(value, list) or len(value) > most:
            raise Misfit(f"{where}: {_shown(value)} is not a list of at most {most} values")
        for place, item in enumerate(value, 1):
            shape(item, f"{where}, value {place}")

    return check


def map_of(shape: Shape, most: int = 10_000_000) -> Shape:
    """A map of at most `most` keys whose values all have one shape."""

    def check(value: Any, where: str) -> None:
        if not isinstance(value, dict) or len(value) > most:
            raise Misfit(f"{where}: {_shown(value)} is not a map of at most {most} keys")
        for key, item in value.items():
            shape(item, f"{where}.{key}")

    return check


def record(required: Mapping[str, Shape], others: Mapping[str, Shape] | None = None, open_: bool = False) -> Shape:
    """A map with these keys, perhaps with the `others`; with `open_` keys that nobody looks at may be there, too."""
    known = dict(required) | dict(others or {})

    def check(value: Any, where: str) -> None:
        if not isinstance(value, dict):
            raise Misfit(f"{where}: {_shown(value)} is not a map")
        missing = next((key for key in required if key not in value), None)
        if missing is not None:
            raise Misfit(f"{where}: the key '{missing}' is missing")
        for key, item in value.items():
            if key in known:
                known[key](item, f"{where}.{key}" if where else key)
            elif not open_:
                raise Misfit(f"{where}: the key {_shown(key)} is unknown")

    return check


def anything(depth: int = 20) -> Shape:
    """Any value of at most this many levels."""

    def check(value: Any, where: str) -> None:
        level = [value]
        for _ in range(depth):
            level = [
                inner
                for item in level
                if isinstance(item, dict | list)
                for inner in (item.values() if isinstance(item, dict) else item)
            ]
            if not level:
                return
        raise Misfit(f"{where}: it has more than {depth} levels")

    return check


def natural(digits: str) -> int | None:
    """The number that plain decimal digits are, None for anything else and for more digits than a number can have."""
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= DIGITS else None


def _range(least: float, most: float) -> str:
    return "" if least == -math.inf and most == math.inf else f" from {least:g} to {most:g}"


def _shown(value: Any) -> str:
    """A value for a message, cut short; what may be very large is named by its kind."""
    if isinstance(value, dict | list):
        return "a map" if isinstance(value, dict) else "a list"
    if isinstance(value, int) and abs(value) > LARGEST:
        return "an integer of very many digits"
    found = repr(value)
    return found if len(found) <= 60 else f"{found[:57]}…"
