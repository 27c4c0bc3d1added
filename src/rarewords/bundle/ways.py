"""The best ways to combine parts that have several translations each."""

from __future__ import annotations

from collections.abc import Sequence

from rarewords.decoding.translator import Finished


def cheapest_ways(
    parts: Sequence[Sequence[tuple[float, int]]], number: int, exponent: float = 1.0
) -> list[tuple[float, int, list[int]]]:
    """The `number` cheapest ways to take one option of each part: cost per unit, units, and the options by number.

    An option is its cost per unit and its number of units, which weighs it; a way's cost is that of all its units.
    Without parts there is one way, of cost 0. Ways of equal cost come in the order of their options.
    """
    ways: list[tuple[float, int, list[int]]] = [(0.0, 0, [])]  # sum of costs, units, options
    for options in parts:
        ways = [
            (total + cost * units**exponent, length + units, [*before, option])
            for total, length, before in ways
            for option, (cost, units) in enumerate(options)
        ]
        ways = sorted(ways, key=lambda way: way[0] / max(1, way[1]) ** exponent)[:number]
    return [(total / max(1, length) ** exponent, length, options) for total, length, options in ways]


def combine(
    found: Sequence[Sequence[Finished]], number: int, exponent: float = 1.0
) -> list[tuple[float, list[list[str]]]]:
    """The `number` cheapest ways to take one translation of each piece: cost per unit, and the units of each piece.

    A piece without translations gets an empty one of infinite cost. Ends of sentences count as units. `exponent` is
    that of the search, see `rarewords.settings.DecodingSettings`.
    """
    pieces = [list(options) or [Finished(float("inf"), [])] for options in found]
    ways = cheapest_ways([[(cost, len(units) + 1) for cost, units in options] for options in pieces], number, exponent)
    return [(cost, [options[k].units for options, k in zip(pieces, chosen, strict=True)]) for cost, _, chosen in ways]
