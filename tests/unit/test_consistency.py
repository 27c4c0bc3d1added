"""Names cut alike on both sides, and the two cut-offs: numbers by hand, against enumerations."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarewords.report.claims import Claims
from rarewords.report.consistency import common_names, consistency_statement, sign_test
from rarewords.report.cutoffs import cutoff_statement, sign_flip_test
from rarewords.report.pattern import FAILS, HOLDS, NOT_SHOWN, OPEN
from rarewords.segmentation.registry import create
from rarewords.segmentation.statistics import cut_alike, joint_consistency


def test_names_are_capitalised_words_of_both_sides_or_images_by_iso_9() -> None:
    source = ["Obama met the A in Moskva", "Obama was in", "Berlin"]
    assert common_names(source, ["Obama traf A in Berlin", "in", "Berlin"]) == ["Obama", "Berlin"]
    assert common_names(source, ["Обама в Москва", "Обама", "x"]) == ["Obama", "Moskva"]
    with pytest.raises(ValueError, match="zip"):
        common_names(source, ["x"])


def test_joint_merges_cut_a_name_of_two_alphabets_alike() -> None:
    english, russian = {"Obama": 9, "Obamas": 3, "amanda": 5}, {"Обама": 9, "мама": 20, "бам": 4}
    alike = {}
    for method in ("bpe", "bpe-joint-iso9"):
        source, target = create(method, {"merges": 4}, [english, russian], ["en", "ru"])
        alike[method] = cut_alike(source, ["Obama", "amanda"], target, ["мама", "Обама"])
        assert joint_consistency(source, english, target, russian).common == 1
    assert alike["bpe-joint-iso9"] == {"Obama": True}
    assert alike["bpe"] == {"Obama": False}


@pytest.mark.parametrize(("joint", "separate", "p"), [(5, 0, 2 / 32), (6, 0, 2 / 64), (0, 6, 2 / 64), (3, 3, 1.0)])
def test_the_sign_test_by_hand(joint: int, separate: int, p: float) -> None:
    assert sign_test(joint, separate) == pytest.approx(p)


@given(st.integers(0, 8), st.integers(0, 8))
def test_the_sign_test_counts_all_outcomes(first: int, second: int) -> None:
    total = first + second
    as_unequal = [k for k in range(total + 1) if abs(2 * k - total) >= abs(first - second)]
    assert sign_test(first, second) == pytest.approx(float(Fraction(sum(comb(total, k) for k in as_unequal), 2**total)))


def test_the_claim_about_names() -> None:
    names = [f"N{number}" for number in range(10)]
    all_alike, some = dict.fromkeys(names, True), {name: number < 4 for number, name in enumerate(names)}
    found = consistency_statement(some, all_alike, ("BPE", "joint"))
    assert found.ours == "Of 10 names joint cuts 10 alike (100.0 %), BPE 4 (40.0 %): +60.0 (p = 0.031)."
    assert (found.verdict, found.in_paper) == (HOLDS, "holds")
    assert consistency_statement(all_alike, some, ("BPE", "joint")).verdict == FAILS
    assert consistency_statement(some, some, ("BPE", "joint")).verdict == NOT_SHOWN
    assert consistency_statement({}, {}, ("BPE", "joint")).verdict == OPEN


def test_the_cutoffs_by_hand() -> None:
    # the sum 6 or -6 comes from 2 of 8 choices of signs
    found = cutoff_statement([1.0, 2.0, 3.0], [5.0, 1.0], 1)
    assert found is not None
    assert (found.p, found.verdict, found.in_paper) == (0.25, NOT_SHOWN, OPEN)
    assert found.ours == "+2.00 on average over 3 pairs of members, from +1.0 to +3.0 (p = 0.250)."
    assert "cut-off 5 beat those of the run with 1" in found.claim
    better = cutoff_statement([1.0] * 8, [5.0, 1.0], 1)
    assert better is not None
    assert (better.p, better.verdict) == (2 / 256, HOLDS)
    assert cutoff_statement([1.0], [5.0], 1) is None
    assert cutoff_statement([1.0], [5.0, 5.0], 1) is None


def test_only_systems_with_the_cutoffs_of_the_experiment_say_something_of_them(monkeypatch) -> None:
    own = {"bpe": [5.0, 1.0], "words": [5.0, 1.0], "bpe-other": [9.0, 3.0]}
    bleu = {"bpe": (12.0, 11.0), "words": (10.0, 8.0), "bpe-other": (0.0, 50.0)}
    claims = object.__new__(Claims)
    claims.pair, claims.significance = "en-de", {"seed": 1}
    claims.experiment = SimpleNamespace(
        saved_models=1,
        config={"training": {"clip_norms": [5.0, 1.0]}},
        trained_in=lambda pair: list(own),
        training=lambda system, key: own[system],
    )
    monkeypatch.setattr(Claims, "_choice", lambda self, system: system)
    monkeypatch.setattr("rarewords.report.claims.read_choice", lambda system: dict(enumerate(bleu[system])))
    (found,) = claims._cutoffs()
    assert found.ours.startswith("+1.50 on average over 2 pairs of members, from +1.0 to +2.0")


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=7))
def test_sign_flips_are_all_tried(differences: list[int]) -> None:
    sums = [abs(sum(map(int.__mul__, signs, differences))) for signs in product((1, -1), repeat=len(differences))]
    expected = sum(value >= abs(sum(differences)) for value in sums) / len(sums)
    assert sign_flip_test([float(value) for value in differences], 1) == pytest.approx(expected)


def test_many_pairs_are_a_sample_of_the_signs() -> None:
    differences = [0.5] * 12 + [-0.5] * 8
    # a mean this large: |heads - tails| >= 4 of 20, which is 0.503 by the binomial distribution
    assert sign_flip_test(differences, 3) == pytest.approx(0.503, abs=0.02)
    assert sign_flip_test(differences, 3) == sign_flip_test(differences, 3)
