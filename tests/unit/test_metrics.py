"""BLEU and chrF3 against values computed by hand from their definitions."""

from __future__ import annotations

import json
import math

import pytest

from rarewords.evaluation.metrics import bleu, chrf2, chrf3


def test_bleu_by_hand() -> None:
    # 5 tokens each; matches 4, 3, 2, 1 of 5, 4, 3, 2 n-grams.
    score = bleu(["a b c d e"], ["a b c d f"])
    assert score["score"] == pytest.approx(100 * (4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25)
    assert score["precisions"] == pytest.approx([80, 75, 200 / 3, 50])
    assert (score["name"], score["brevity_penalty"], score["length_ratio"]) == ("BLEU", 1.0, 1.0)


def test_bleu_brevity_penalty_and_smoothing() -> None:
    # All n-grams are right, but one of five tokens is missing.
    score = bleu(["a b c d"], ["a b c d e"])
    assert score["score"] == pytest.approx(100 * math.exp(1 - 5 / 4))
    assert score["length_ratio"] == pytest.approx(4 / 5)
    assert (score["hypothesis_length"], score["reference_length"]) == (4, 5)
    # No 4-gram matches: that precision counts as 1/2 of one match in 2 (exponential smoothing).
    assert bleu(["a b c x y"], ["a b c d e"])["precisions"][3] == pytest.approx(25.0)


def test_bleu_is_cased_and_13a() -> None:
    assert bleu(["das Haus ist alt"], ["Das Haus ist alt"])["precisions"][0] == pytest.approx(75)
    # 13a splits final punctuation off, so that the tokenised text is the same.
    assert bleu(["das Haus ist alt ."], ["das Haus ist alt."])["score"] == pytest.approx(100)


def test_an_unknown_word_is_one_token_as_the_papers_code_writes_it() -> None:
    # 3, 1, 0, 0 of 4, 3, 2, 1 n-grams match; smoothing makes the zeros 1/2 of 2 and 1/4 of 1.
    score = bleu(["a b UNK d"], ["a b c d"])
    assert score["score"] == pytest.approx(100 * (3 / 4 * 1 / 3 * 1 / 4 * 1 / 4) ** 0.25)
    assert score["hypothesis_length"] == 4
    assert bleu(["a b <unk> d"], ["a b c d"])["hypothesis_length"] == 6  # 13a cuts it into < unk >


def test_bleu_signature() -> None:
    signature = bleu(["a"], ["a"])["signature"]
    assert signature.startswith("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:")


def test_chrf3_by_hand() -> None:
    # abcdef / abcdeg without spaces: matches 5, 4, 3, 2, 1, 0 of 6, 5, 4, 3, 2, 1; P = R, so F = their mean.
    score = chrf3(["abc def"], ["abcd eg"])
    assert score["score"] == pytest.approx(100 * (5 / 6 + 4 / 5 + 3 / 4 + 2 / 3 + 1 / 2) / 6)
    assert score["name"] == "chrF3"
    assert "nc:6|nw:0|space:no" in score["signature"]


def test_chrf3_weighs_recall_with_beta_3() -> None:
    # A hypothesis twice as long: recall is 1 in each order, precision (7-n)/(13-n).
    precision = sum((7 - n) / (13 - n) for n in range(1, 7)) / 6
    score = chrf3(["abcdefuvwxyz"], ["abcdef"])
    assert score["score"] == pytest.approx(100 * 10 * precision / (9 * precision + 1))


def test_chrf2_weighs_recall_less() -> None:
    score = chrf2(["abcdefuvwxyz"], ["abcdef"])
    # precisions of 1- to 6-grams 6/12, 5/11 … 1/7, recalls 1
    precision = sum((6 - n) / (12 - n) for n in range(6)) / 6
    assert score["score"] == pytest.approx(100 * 5 * precision / (4 * precision + 1))
    assert score["name"] == "chrF2"


@pytest.mark.parametrize("metric", [bleu, chrf2, chrf3])
def test_lists_must_match(metric) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match="2 hypotheses and 1 references"):
        metric(["a", "b"], ["a"])
    with pytest.raises(ValueError, match="0 hypotheses"):
        metric([], [])


@pytest.mark.parametrize("metric", [bleu, chrf2, chrf3])
def test_results_are_plain_json(metric) -> None:  # type: ignore[no-untyped-def]
    result = metric(["ein Haus"], ["ein Haus"])
    assert json.loads(json.dumps(result)) == result
