"""Unigram F1 by training frequency: bins, the smoothed curve, and what figure 2 is drawn from."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarewords.errors import InputError
from rarewords.evaluation.unigram_f1 import unigram_f1
from rarewords.report import formats
from rarewords.report.figures import write_figure
from rarewords.report.frequency import Distribution, bezier, bins_table, curve, distribution
from rarewords.report.frequency_figure import f1_by_frequency
from rarewords.report.inputs import ScoreFile
from rarewords.report.scores import ScoreRow, read_score_rows

# Ranks: the 1, house and tree 2 and 3, old 4, new 5.
TRAINING = {"the": 9, "house": 3, "old": 1, "tree": 3, "new": 1}


def bins(hypotheses: list[str], references: list[str], training: dict[str, int]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = unigram_f1(hypotheses, references, training)["by_frequency"]
    return found


def test_bins_by_hand() -> None:
    found = bins(["the old old tree", "the Baum UNK"], ["the old house", "the tree Baum Ast"], TRAINING)
    assert found == [
        {"frequency": 9, "first_rank": 1, "last_rank": 1, "types": 1, "f1": 100.0, "precision": 100.0, "recall": 100.0}
        | {"matches": 2, "hypothesis_tokens": 2, "reference_tokens": 2},
        # tree stands in the wrong sentence, house is missed
        {"frequency": 3, "first_rank": 2, "last_rank": 3, "types": 2, "f1": 0.0, "precision": 0.0, "recall": 0.0}
        | {"matches": 0, "hypothesis_tokens": 1, "reference_tokens": 2},
        {"frequency": 1, "first_rank": 4, "last_rank": 5, "types": 2}
        | {"f1": pytest.approx(200 / 3), "precision": 50.0, "recall": 100.0}
        | {"matches": 1, "hypothesis_tokens": 2, "reference_tokens": 1},
        # Baum matches, Ast is missed, UNK is no word
        {"frequency": 0, "first_rank": None, "last_rank": None, "types": 0}
        | {"f1": pytest.approx(200 / 3), "precision": 100.0, "recall": 50.0}
        | {"matches": 1, "hypothesis_tokens": 1, "reference_tokens": 2},
    ]


def test_a_frequency_without_tokens_is_left_out_and_unseen_words_come_last() -> None:
    assert [found["frequency"] for found in bins(["the x"], ["new"], TRAINING)] == [9, 1, 0]
    assert [found["frequency"] for found in bins(["the"], ["the"], TRAINING)] == [9]


def independent(hypotheses: list[str], references: list[str], training: list[str]) -> dict[int, tuple[int, int, int]]:
    """The definition, token by token: frequency -> (matches, hypothesis, reference)."""
    found = {}
    for frequency in range(len(training) + 1):
        matches = translated = expected = 0
        for hypothesis, reference in zip(hypotheses, references, strict=True):
            left = [word for word in reference.split() if training.count(word) == frequency]
            expected += len(left)
            for word in hypothesis.split():
                if word in ("UNK", "<unk>") or training.count(word) != frequency:
                    continue
                translated += 1
                if word in left:
                    left.remove(word)
                    matches += 1
        if translated + expected:
            found[frequency] = (matches, translated, expected)
    return found


words = st.sampled_from(["a", "b", "c", "d", "e", "f", "g", "UNK", "<unk>"])
sentences = st.lists(words, max_size=8).map(" ".join)


@given(
    pairs=st.lists(st.tuples(sentences, sentences), max_size=6),
    training=st.lists(words, min_size=1, max_size=25),
)
def test_bins_equal_an_independent_count(pairs: list[tuple[str, str]], training: list[str]) -> None:
    hypotheses, references = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    counts = {word: training.count(word) for word in training}
    result = unigram_f1(hypotheses, references, counts)
    found = result["by_frequency"]
    keys = ("matches", "hypothesis_tokens", "reference_tokens")
    assert {one["frequency"]: tuple(one[key] for key in keys) for one in found} == independent(
        hypotheses, references, training
    )
    assert [one["frequency"] for one in found] == sorted((one["frequency"] for one in found), reverse=True)
    # the whole is the sum of its bins, but for unknown words
    for key in ("matches", "reference_tokens"):
        assert sum(one[key] for one in found) == result["classes"]["all"][key]
    for one in found:
        if one["frequency"]:
            ranked = sorted(counts.values(), reverse=True)
            assert set(ranked[one["first_rank"] - 1 : one["last_rank"]]) == {one["frequency"]}
            assert one["types"] == one["last_rank"] - one["first_rank"] + 1 == ranked.count(one["frequency"])


def de_casteljau(points: list[tuple[float, float]], t: float) -> tuple[float, float]:
    """A point of a Bézier curve by repeated interpolation between neighbours."""
    while len(points) > 1:
        points = [
            (left[0] * (1 - t) + right[0] * t, left[1] * (1 - t) + right[1] * t) for left, right in pairwise(points)
        ]
    return points[0]


@given(st.lists(st.tuples(st.floats(-10, 10), st.floats(0, 100)), min_size=1, max_size=12))
def test_bezier_is_repeated_interpolation(points: list[tuple[float, float]]) -> None:
    found = bezier(np.array(points), samples=7)
    expected = np.array([de_casteljau(points, k / 6) for k in range(7)])
    assert np.allclose(found, expected, atol=1e-9)


def test_bezier_of_thousands_of_points_is_finite() -> None:
    x = np.linspace(0, 5, 6000)
    found = bezier(np.column_stack([x, 100 * (np.arange(6000) % 2)]))
    assert np.isfinite(found).all()
    # Points on a line at equal distances stay there; what alternates is smoothed to its mean.
    assert np.allclose(found[:, 0], np.linspace(0, 5, 300))
    assert np.allclose(found[30:-30, 1], 50, atol=1e-6)


def score_file(path: Path, hypotheses: list[str], training: dict[str, int] = TRAINING) -> str:
    references = ["the old house", "the tree Baum Ast"]
    metric = {"name": "x", "score": 1.0, "signature": "s"}
    unigram = unigram_f1(hypotheses, references, training, rare_rank=3)
    scores = {"sentences": 2, "bleu": metric, "chrf3": metric, "unigram_f1": unigram}
    path.write_text(json.dumps(scores), encoding="utf-8")
    return str(path)


def row(label: str, scores: str) -> ScoreFile:
    return ScoreFile("x", label, None, "ours", scores)


@pytest.fixture
def rows(tmp_path: Path) -> list[ScoreRow]:
    first = score_file(tmp_path / "a.json", ["the old old tree", "the Baum"])
    second = score_file(tmp_path / "b.json", ["the old house", "tree Ast"])
    return read_score_rows([row("A", first), row("B", second)])


def test_points_stand_in_the_middle_of_their_ranks_and_unseen_words_behind_all(rows: list[ScoreRow]) -> None:
    shared = distribution(rows)
    assert shared == Distribution(types=5, rare_rank=3, cut_frequency=3)
    points, smooth = curve(rows[0], shared)
    assert points[:, 0] == pytest.approx([1, math.sqrt(6), math.sqrt(20), 7.5])
    assert points[:, 1] == pytest.approx([100, 0, 200 / 3, 200 / 3])
    assert smooth[0] == pytest.approx(points[0])
    assert smooth[-1] == pytest.approx(points[-1])
    assert Distribution(500_000, 50_000, 60).unseen_rank() == 500_000**1.07


def test_the_bins_are_written_beside_the_figure(rows: list[ScoreRow]) -> None:
    lines = formats.tsv(bins_table(rows)).splitlines()
    assert lines[1].split("\t") == [
        "system", "frequency", "first_rank", "last_rank", "types", "matches", "hypothesis_tokens", "reference_tokens",
        "rank", "precision", "recall", "f1",
    ]  # fmt: skip
    assert lines[2] == "A\t9\t1\t1\t1\t2\t2\t2\t1.0\t100.0\t100.0\t100.0"
    assert lines[5] == "A\t0\t-\t-\t0\t1\t1\t2\t7.5\t100.0\t50.0\t66.7"
    assert len(lines) == 2 + 4 + 4


def test_the_figure_has_one_curve_a_system_the_cut_and_a_place_for_unseen_words(
    rows: list[ScoreRow], tmp_path: Path
) -> None:
    figure = f1_by_frequency(rows, "en-de, test")
    write_figure(figure, tmp_path / "f.svg", tmp_path / "f.png")
    svg = (tmp_path / "f.svg").read_text(encoding="utf-8")
    for text in ("A", "B", "OOV", "rare: rank &gt; 3", "unigram F1 (%)", "en-de, test"):
        assert f">{text}" in svg
    axes = figure.axes[0]
    styles = [(line.get_color(), line.get_linestyle()) for line in axes.get_lines() if line.get_label() in ("A", "B")]
    assert len(set(styles)) == len({colour for colour, _ in styles}) == 2
    assert (tmp_path / "f.png").read_bytes().startswith(b"\x89PNG")
    write_figure(f1_by_frequency(rows, "en-de, test"), tmp_path / "g.svg", tmp_path / "g.png")
    assert (tmp_path / "g.svg").read_bytes() == (tmp_path / "f.svg").read_bytes()


def test_systems_of_different_training_texts_are_refused(tmp_path: Path, rows: list[ScoreRow]) -> None:
    other = score_file(tmp_path / "c.json", ["", ""], TRAINING | {"more": 1})
    with pytest.raises(InputError, match=r"differ in number of training types \(5, 6\)"):
        distribution([*rows, *read_score_rows([row("C", other)])])


def test_scores_without_bins_are_one_sentence(tmp_path: Path, rows: list[ScoreRow]) -> None:
    scores = json.loads((tmp_path / "a.json").read_text(encoding="utf-8")) | {"unigram_f1": None}
    (tmp_path / "a.json").write_text(json.dumps(scores), encoding="utf-8")
    with pytest.raises(InputError, match="A: the score file has no unigram F1 by training frequency"):
        f1_by_frequency(read_score_rows([row("A", str(tmp_path / "a.json"))]), "")
