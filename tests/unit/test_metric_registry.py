"""The registry of metrics: an entry says all that scoring, testing and showing need."""

from __future__ import annotations

from typing import Any

import pytest
from sacrebleu.metrics import TER

from rarewords.evaluation.metrics import corpus_score, scores_of
from rarewords.evaluation.registry import HEADLINE, METRICS, SELECTION, TESTED, TEXT_METRICS, TextMetric
from rarewords.evaluation.scoring import Counted
from rarewords.report.paper import paper_table

REFERENCE, HYPOTHESIS = ["a b c d e", "f g h i j"], ["a b c x e", "f g h i j"]


def test_the_metrics_and_where_they_are_shown() -> None:
    assert [metric.label for metric in TESTED] == ["BLEU", "chrF3", "F1 all", "F1 rare", "F1 OOV"]
    assert [metric.in_words() for metric in HEADLINE] == ["BLEU", "chrF3", "F1 of rare words", "F1 of OOV words"]
    assert list(TEXT_METRICS) == ["bleu", "chrf3", "chrf2"]
    assert SELECTION.name == "bleu"
    assert all(name == metric.name for name, metric in METRICS.items())


def test_an_entry_is_all_that_a_metric_of_sacrebleu_needs() -> None:
    entry = TextMetric("ter", "TER", sacrebleu="TER", higher_is_better=False, details={"edits": "num_edits"})
    found = corpus_score(entry, HYPOTHESIS, REFERENCE)
    assert found["score"] == pytest.approx(10) == TER().corpus_score(HYPOTHESIS, [REFERENCE]).score  # 1 edit, 10 words
    assert (found["name"], found["edits"]) == ("TER", 1)
    assert entry.best([found["score"], 12.0]) == found["score"]
    assert entry.value({"ter": found}) == found["score"]
    assert entry.value({"bleu": {"score": 1.0}}) is None  # a score file that is older than the metric


def test_metrics_that_share_statistics_count_once() -> None:
    counted = Counted("hypothesis", "reference", None, {}, keep_sentences=False)
    counted.add(HYPOTHESIS, REFERENCE)
    assert list(counted.of_text) == ["bleu", "chrf3"]
    expected = {name: corpus_score(metric, HYPOTHESIS, REFERENCE) for name, metric in TEXT_METRICS.items()}
    assert scores_of({name: tally.totals for name, tally in counted.of_text.items()}) == expected


def test_metrics_of_words_find_their_score() -> None:
    oov = {"f1": 20.0, "precision": 30.0, "recall": None}
    scores: dict[str, Any] = {"unigram_f1": {"classes": {"oov": oov}}}
    assert [METRICS[f"{kind}_oov"].value(scores) for kind in ("f1", "precision", "recall")] == [20.0, 30.0, None]
    assert METRICS["f1_oov"].value({"unigram_f1": None}) is None


def test_the_papers_numbers_by_metric() -> None:
    """Table 2 and section 5.1 of the paper."""
    paper = paper_table("en-de")
    assert paper is not None
    assert paper.value("BPE-J90k", METRICS["bleu"]) == 24.7
    assert paper.value("BPE-J90k", METRICS["bleu"], ensemble=False) == 22.8
    assert paper.value("SMT", METRICS["chrf3"]) is None
    assert paper.value("BPE-J90k", METRICS["chrf2"]) is None
    assert [paper.value("BPE-J90k", METRICS[name]) for name in ("f1_all", "f1_rare", "f1_oov")] == [58.5, 41.8, 33.6]
    assert paper.value("WDict", METRICS["precision_oov"]) == 60.6
    assert paper.value("WDict", METRICS["recall_oov"]) == 26.5
    assert paper.value("WUnk", METRICS["recall_oov"]) is None
