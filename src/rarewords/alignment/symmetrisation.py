"""One alignment from those of both directions (docs/reproduction/alignment.md)."""

from __future__ import annotations

from collections.abc import Iterable

from rarewords.alignment.links import Link

NEIGHBOURS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


def grow_diag_final_and(forward: Iterable[Link], reverse: Iterable[Link]) -> list[Link]:
    """Links of both directions and those of one that extend them, sorted; all links are (source, target) positions.

    Grow-diag: links of one direction are added, in their order and again until nothing changes, if they have an
    accepted neighbour (diagonals count) and at least one of their ends has no link. Final-and: then the links of
    `forward`, after them those of `reverse`, are added if neither of their ends has a link.
    """
    forward, reverse = set(forward), set(reverse)
    accepted = forward & reverse
    sources, targets = {i for i, _ in accepted}, {j for _, j in accepted}

    def accept(i: int, j: int) -> None:
        accepted.add((i, j))
        sources.add(i)
        targets.add(j)

    one_sided = sorted(forward ^ reverse)
    grown = True
    while grown:
        grown = False
        for i, j in one_sided:
            if not (i in sources and j in targets) and any((i + a, j + b) in accepted for a, b in NEIGHBOURS):
                accept(i, j)
                grown = True
    for direction in (forward, reverse):
        for i, j in sorted(direction):
            if i not in sources and j not in targets:
                accept(i, j)
    return sorted(accepted)
