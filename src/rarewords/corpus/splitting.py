"""Take a development and a test set out of a parallel text, the same ones each time."""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Iterable, Iterator, Mapping

from rarewords.errors import InputError

Pair = tuple[str, str]

SHORTEST, LONGEST = 3, 80  # words of a chosen sentence
SPARE = 4  # times as many candidates as are wanted, because some are repetitions


def choose(pairs: Iterable[Pair], sizes: Mapping[str, int]) -> dict[str, list[Pair]]:
    """Pairs for each set (name to number), of 3 to 80 words on both sides, all different on both sides.

    Which pairs are chosen depends on their text alone, through a checksum: neither on their order nor on chance. They
    keep their order. Raises InputError if there are too few.
    """
    wanted = sum(sizes.values())
    suitable = (
        (hashlib.sha256(f"{source}\n{target}".encode()).digest(), number, source, target)
        for number, (source, target) in enumerate(pairs)
        if all(SHORTEST <= len(side.split()) <= LONGEST for side in (source, target))
    )
    chosen: list[tuple[int, Pair]] = []
    taken: tuple[set[str], set[str]] = (set(), set())
    for _, number, source, target in heapq.nsmallest(SPARE * wanted, suitable):
        if len(chosen) < wanted and key(source) not in taken[0] and key(target) not in taken[1]:
            chosen.append((number, (source, target)))
            taken[0].add(key(source))
            taken[1].add(key(target))
    if len(chosen) < wanted:
        raise InputError(
            f"only {len(chosen):,} distinct pairs of {SHORTEST} to {LONGEST} words were found for the {wanted:,} in "
            f"{' and '.join(sizes)}; give more text, or smaller sets."
        )
    sets = {}
    for name, size in sizes.items():
        sets[name] = [pair for _, pair in sorted(chosen[:size])]
        chosen = chosen[size:]
    return sets


def without(pairs: Iterable[Pair], held_out: Iterable[Pair]) -> Iterator[Pair]:
    """The pairs of which neither side occurs in the pairs that are held out, whatever case and spaces."""
    sources, targets = set(), set()
    for source, target in held_out:
        sources.add(key(source))
        targets.add(key(target))
    for source, target in pairs:
        if key(source) not in sources and key(target) not in targets:
            yield source, target


def key(line: str) -> str:
    """A key that is equal for lines that count as the same sentence."""
    return " ".join(line.casefold().split())
