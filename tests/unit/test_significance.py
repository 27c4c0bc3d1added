"""Paired tests against a baseline: equal to direct calls of sacrebleu, repeatable, sensible at the extremes."""

from __future__ import annotations

import os
import random
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sacrebleu.metrics import BLEU, CHRF
from sacrebleu.significance import PairedTest

from rarewords.errors import InputError
from rarewords.evaluation import significance
from rarewords.evaluation.comparison import Words, compare_files
from rarewords.evaluation.registry import TEXT_METRICS
from rarewords.evaluation.significance import (
    UnigramF1,
    compare,
    compare_two,
    p_number,
    p_text,
    text_tallies,
    word_tallies,
)
from rarewords.evaluation.statistics import Tally
from rarewords.evaluation.unigram_f1 import classifier, unigram_f1

SENTENCES = 60
COUNTS = {"a": 20, "b": 10, "c": 5, "d": 2}


def texts() -> tuple[list[str], list[str], list[str]]:
    """A reference, a good and a bad translation, of words a to d and the unseen e."""
    rng = random.Random(3)
    reference = [[rng.choice("abcde") for _ in range(9)] for _ in range(SENTENCES)]

    def spoilt(share: float) -> list[str]:
        return [
            " ".join(word if rng.random() > share else rng.choice(["a", "x", "UNK"]) for word in line)
            for line in reference
        ]

    return [" ".join(line) for line in reference], spoilt(0.1), spoilt(0.6)


REFERENCE, GOOD, BAD = texts()

Results = dict[str, dict[str, Any]]


def compared(
    systems: dict[str, list[str]], references: list[str], tallies: Callable[[], dict[str, Tally]], *arguments: Any
) -> Results:
    counted = {name: tallies() for name in systems}
    for name, lines in systems.items():
        for tally in counted[name].values():
            tally.add(lines, references)
    return compare(counted, *arguments)


def compare_text(systems: dict[str, list[str]], references: list[str], *arguments: Any) -> Results:
    return compared(systems, references, text_tallies, *arguments)


def compare_words(
    systems: dict[str, list[str]], references: list[str], counts: dict[str, int], rare_rank: int, *arguments: Any
) -> Results:
    return compared(systems, references, lambda: word_tallies(counts, rare_rank), *arguments)


@pytest.mark.parametrize(("method", "test_type"), [("bootstrap", "bs"), ("randomisation", "ar")])
def test_equal_to_a_direct_call_of_sacrebleu(method: str, test_type: str, monkeypatch: pytest.MonkeyPatch) -> None:
    other = [*BAD[:30], *GOOD[30:]]
    found = compare_text({"x": GOOD, "y": other}, REFERENCE, method, 100, 12345)
    monkeypatch.delenv("SACREBLEU_SEED", raising=False)  # 12345 is sacrebleu's own
    metrics = {"BLEU": BLEU(), "CHRF": CHRF(beta=3)}
    _, expected = PairedTest([("x", GOOD), ("y", other)], metrics, [REFERENCE], test_type, n_samples=100)()
    for ours, theirs in (("bleu", "BLEU"), ("chrf3", "chrF3")):
        baseline, system = expected[theirs]
        assert found[ours]["x"]["score"] == baseline.score
        assert found[ours]["x"]["p"] is None
        assert found[ours]["y"]["p"] == system.p_value
        assert found[ours]["y"]["difference"] == pytest.approx(system.score - baseline.score)
        assert found[ours]["y"].get("mean") == system.mean


@pytest.mark.parametrize("method", ["bootstrap", "randomisation"])
def test_equal_systems_have_p_1_and_very_unequal_ones_the_smallest(method: str) -> None:
    found = compare_text({"x": GOOD, "same": list(GOOD), "bad": BAD}, REFERENCE, method, 200, 1)
    for metric in ("bleu", "chrf3"):
        assert found[metric]["same"]["p"] == 1.0
        assert found[metric]["same"]["difference"] == 0.0
        assert found[metric]["bad"]["p"] == pytest.approx(1 / 201)
        assert found[metric]["bad"]["difference"] < 0


def test_the_seed_decides_and_the_environment_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", "77")
    other = [*BAD[:4], *GOOD[4:]]

    def means(seed: int) -> list[float]:
        found = compare_text({"x": GOOD, "y": other}, REFERENCE, "bootstrap", 50, seed)
        return [found["bleu"][system]["mean"] for system in ("x", "y")]

    assert means(5) == means(5)
    assert all(one != other for one, other in zip(means(5), means(6)))
    assert os.environ["SACREBLEU_SEED"] == "77"


def test_unigram_f1_is_that_of_the_score_file_and_resampled_like_the_text() -> None:
    found = compare_words({"x": GOOD, "y": BAD}, REFERENCE, COUNTS, 2, "bootstrap", 40, 9)
    for name, lines in (("x", GOOD), ("y", BAD)):
        classes = unigram_f1(lines, REFERENCE, COUNTS, 2)["classes"]
        for metric in ("all", "rare", "oov"):
            assert found[f"f1_{metric}"][name]["score"] == pytest.approx(classes[metric]["f1"])
    # the p value by hand, from the test sets that the seed draws
    samples = np.random.default_rng(9).choice(SENTENCES, size=(40, SENTENCES), replace=True)

    def f1(lines: list[str], chosen: list[int]) -> float:
        picked = [lines[k] for k in chosen], [REFERENCE[k] for k in chosen]
        return float(unigram_f1(*picked, COUNTS, 2)["classes"]["rare"]["f1"])

    near = [*BAD[:3], *GOOD[3:]]
    differences = np.array([abs(f1(near, list(chosen)) - f1(GOOD, list(chosen))) for chosen in samples])
    real = abs(f1(near, list(range(SENTENCES))) - f1(GOOD, list(range(SENTENCES))))
    expected = (np.sum(differences - differences.mean() > real) + 1) / 41
    again = compare_words({"x": GOOD, "y": near}, REFERENCE, COUNTS, 2, "bootstrap", 40, 9)
    assert again["f1_rare"]["y"]["p"] == pytest.approx(expected)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, lines in (("ref", REFERENCE), ("good", GOOD), ("bad", BAD), ("short", GOOD[:3]), ("empty", [])):
        (tmp_path / name).write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    (tmp_path / "counts").write_text("".join(f"{word} {count}\n" for word, count in COUNTS.items()), encoding="utf-8")
    return tmp_path


def test_files_become_one_result_with_everything_that_made_it(folder: Path) -> None:
    files = {"x": folder / "good", "y": folder / "bad"}
    words = Words(files, folder / "ref", folder / "counts", 2)
    result = compare_files(files, folder / "ref", words, "bootstrap", 20, 3)
    assert (result["baseline"], result["method"], result["samples"], result["seed"]) == ("x", "bootstrap", 20, 3)
    assert list(result["metrics"]) == ["bleu", "chrf3", "f1_all", "f1_rare", "f1_oov"]
    assert result["inputs"]["hypothesis of y"]["path"] == str(folder / "bad")
    assert len(result["inputs"]) == 1 + 2 + 2 + 2
    without = compare_files(files, folder / "ref", None, "bootstrap", 20, 3)
    assert without["metrics"] == {name: result["metrics"][name] for name in ("bleu", "chrf3")}


@pytest.mark.parametrize(
    ("system", "words", "message"),
    [
        ("short", None, "short has 3 lines but .*ref has 60"),
        ("empty", None, "empty is empty"),
        ("bad", ("short", "ref"), "short has 3 lines but"),
        ("bad", ("short", "short"), "has 60 lines but .*short has 3"),
    ],
)
def test_files_that_do_not_belong_together(
    folder: Path, system: str, words: tuple[str, str] | None, message: str
) -> None:
    given = None
    if words:
        hypotheses = {"x": folder / "good", "y": folder / words[0]}
        given = Words(hypotheses, folder / words[1], folder / "counts", 2)
    with pytest.raises(InputError, match=message):
        compare_files({"x": folder / "good", "y": folder / system}, folder / "ref", given, "bootstrap", 5, 1)


def test_a_comparison_needs_two_systems_and_words_of_the_same(folder: Path) -> None:
    with pytest.raises(InputError, match="at least one other system"):
        compare_files({"x": folder / "good"}, folder / "ref", None, "bootstrap", 5, 1)
    words = Words({"x": folder / "good"}, folder / "ref", folder / "counts", 2)
    with pytest.raises(InputError, match="--words names x, but the systems are x, y"):
        compare_files({"x": folder / "good", "y": folder / "bad"}, folder / "ref", words, "bootstrap", 5, 1)


@pytest.mark.parametrize("method", ["bootstrap", "randomisation"])
def test_drawn_in_blocks_it_is_the_same(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    other = [*BAD[:30], *GOOD[30:]]
    whole = compare_text({"x": GOOD, "y": other}, REFERENCE, method, 150, 7)
    monkeypatch.setattr(significance, "DRAWS_AT_ONCE", 64)
    monkeypatch.setattr("rarewords.evaluation.statistics.LINES_AT_ONCE", 7)
    assert compare_text({"x": GOOD, "y": other}, REFERENCE, method, 150, 7) == whole


def test_a_line_more_takes_next_to_no_memory() -> None:
    line = "five words and a stop ."

    def peak(lines: int) -> int:
        tracemalloc.start()
        compare_text({"x": [line] * lines, "y": [line[:-1]] * lines}, [line] * lines, "bootstrap", 3, 1)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    assert peak(2000) - peak(1000) < 1000 * 1000  # bytes; sacrebleu takes 90,000 a line


@pytest.mark.parametrize(("measure", "score"), [("f1", 200 / 3), ("precision", 100.0), ("recall", 50.0)])
def test_precision_and_recall_of_a_class_by_hand(measure: str, score: float) -> None:
    metric = UnigramF1("all", classifier({"a": 1}, 1), measure)
    assert metric.corpus_score(["a"], [["a b"]]).score == pytest.approx(score)
    # the unseen words are b and c: one of two is right, of one in the reference
    unseen = UnigramF1("oov", classifier({"a": 1}, 1), measure)
    expected = {"f1": 200 / 3, "precision": 50.0, "recall": 100.0}[measure]
    assert unseen.corpus_score(["a b c UNK"], [["a a b"]]).score == pytest.approx(expected)


def test_two_translations_are_compared_as_among_several() -> None:
    together = compare_text({"x": BAD, "y": GOOD}, REFERENCE, "bootstrap", 100, 7)["bleu"]["y"]
    assert compare_two(TEXT_METRICS["bleu"].counter(), BAD, GOOD, REFERENCE, "bootstrap", 100, 7) == together
    assert together["difference"] > 0
    recall = UnigramF1("all", classifier(COUNTS, 4), "recall")
    assert compare_two(recall, BAD, GOOD, REFERENCE, "randomisation", 100, 7)["p"] < 0.05


def test_no_p_is_printed_as_0() -> None:
    assert [p_text(p) for p in (0.0, 0.000999, 0.001, 0.0314, 1.0)] == [
        "p < 0.001",
        "p < 0.001",
        "p = 0.001",
        "p = 0.031",
        "p = 1.000",
    ]
    assert [p_number(p) for p in (1e-9, 0.0314)] == ["< 0.001", "0.031"]
