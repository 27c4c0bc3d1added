"""Whether long sentences have long translations, by hand and on the embedded text."""

from __future__ import annotations

import math
import random

import pytest

from rarewords.corpus.length_agreement import LengthAgreement, correlation


def test_correlation_by_hand() -> None:
    assert correlation([(1, 2), (2, 4), (3, 6)]) == pytest.approx(1)
    # deviations (-1, 0, 1) and (0, 1, -1): -1 over 2
    assert correlation([(1, 2), (2, 3), (3, 1)]) == pytest.approx(-0.5)
    assert correlation([(1, 2), (1, 3)]) is None


def judged(pairs: list[tuple[str, str]]) -> LengthAgreement:
    found = LengthAgreement()
    for source, target in pairs:
        found.add(source, target)
    found.end()
    return found


def test_blocks_of_500_pairs() -> None:
    rng = random.Random(1)
    lengths = [round(math.exp(rng.gauss(3, 1))) + 1 for _ in range(1400)]
    pairs = [("a" * n, "b" * (n + rng.randint(0, 5))) for n in lengths]
    assert (judged(pairs).blocks, judged(pairs).suspicious) == (3, [])
    sides = [source for source, _ in pairs], [target for _, target in pairs]
    shifted = list(zip(sides[0], sides[1][:600] + sides[1][601:] + [""]))
    assert judged(shifted).suspicious == [501, 1001]
    assert judged(pairs[:100]).blocks == 0  # too few to say anything
    assert judged([("a", "b")] * 500).suspicious == []  # all equal
