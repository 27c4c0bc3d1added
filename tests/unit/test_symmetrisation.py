"""Grow-diag-final-and: cases worked out by hand, its bounds, and two other implementations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from thot.common import WordAlignmentMatrix

from rarewords.alignment.links import Link
from rarewords.alignment.symmetrisation import grow_diag_final_and

SIDE = 6
LINKS = st.sets(st.tuples(st.integers(0, SIDE - 1), st.integers(0, SIDE - 1)), max_size=14)


def links(text: str) -> list[Link]:
    return [(int(i), int(j)) for i, j in (pair.split("-") for pair in text.split())]


@pytest.mark.parametrize(
    ("forward", "reverse", "expected"),
    [
        ("0-0 1-1", "0-0 1-1", "0-0 1-1"),
        # 1-1 touches 0-0 and source 1 is free; then both ends of 1-2 have links.
        ("0-0 1-1 2-2", "0-0 1-2 2-2", "0-0 1-1 2-2"),
        # The order of the scan decides: 0-1 comes before 1-0 but both have a free end.
        ("0-0 0-1", "0-0 1-0", "0-0 0-1 1-0"),
        # 0-2 has no accepted neighbour before 1-1 is there: a second scan finds it.
        ("2-0 0-2", "2-0 1-1", "0-2 1-1 2-0"),
        # Both ends have links.
        ("0-0 0-1 1-1", "0-0 1-1", "0-0 1-1"),
        # One end is free, but no neighbour: grow does not take it, final-and neither.
        ("0-0 0-5", "0-0", "0-0"),
        # Both ends are free: final-and takes it without a neighbour.
        ("0-0 4-5", "0-0", "0-0 4-5"),
        # Final-and takes the links of the first direction first.
        ("0-0", "0-1", "0-0"),
        ("0-1", "0-0", "0-1"),
        # ... and one that it has taken blocks the next.
        ("0-1 1-1", "", "0-1"),
        ("", "", ""),
    ],
)
def test_by_hand(forward: str, reverse: str, expected: str) -> None:
    assert grow_diag_final_and(links(forward), links(reverse)) == links(expected)


@given(LINKS, LINKS)
def test_between_intersection_and_union(forward: set[Link], reverse: set[Link]) -> None:
    result = grow_diag_final_and(forward, reverse)
    assert result == sorted(set(result))
    assert forward & reverse <= set(result) <= forward | reverse
    assert grow_diag_final_and(forward, forward) == sorted(forward)


def by_matrices(forward: set[Link], reverse: set[Link]) -> set[Link]:
    """The same on matrices with a border, with nothing remembered but the matrix itself."""
    first, second, accepted = (np.zeros((SIDE + 2, SIDE + 2), dtype=bool) for _ in range(3))
    for matrix, direction in ((first, forward), (second, reverse)):
        for i, j in direction:
            matrix[i + 1, j + 1] = True
    accepted |= first & second
    while True:
        before = accepted.copy()
        for i, j in np.argwhere(first | second):
            free = not accepted[i].any() or not accepted[:, j].any()
            if free and accepted[i - 1 : i + 2, j - 1 : j + 2].any():
                accepted[i, j] = True
        if (before == accepted).all():
            break
    for direction in (first, second):
        for i, j in np.argwhere(direction):
            if not accepted[i].any() and not accepted[:, j].any():
                accepted[i, j] = True
    return {(int(i) - 1, int(j) - 1) for i, j in np.argwhere(accepted)}


def by_thot(forward: set[Link], reverse: set[Link]) -> set[Link]:
    first, second = WordAlignmentMatrix(SIDE, SIDE), WordAlignmentMatrix(SIDE, SIDE)
    for matrix, direction in ((first, forward), (second, reverse)):
        for i, j in direction:
            matrix.set(i, j)
    first.grow_diag_final_and(second)
    return {(int(i), int(j)) for i, j in np.argwhere(first.to_numpy())}


@given(LINKS, LINKS)
def test_other_implementations_agree(forward: set[Link], reverse: set[Link]) -> None:
    result = set(grow_diag_final_and(forward, reverse))
    assert result == by_matrices(forward, reverse)
    assert result == by_thot(forward, reverse)
