"""The metrics of raw text, computed by sacrebleu with the settings of registry.py: those of the paper's scripts.

Texts are detokenised and unescaped, one sentence a line. Every score comes with its name and sacrebleu's signature;
both are needed, since the signature of chrF does not contain beta.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rarewords.evaluation.registry import TEXT_METRICS, TextMetric
from rarewords.evaluation.statistics import corpus_totals, score_of


def bleu(hypotheses: Sequence[str], references: Sequence[str]) -> dict[str, Any]:
    """Corpus BLEU as the paper's mteval-v13a: 13a tokens, cased, 1- to 4-grams, exponential smoothing.

    Score and precisions are on the scale 0 to 100; lengths are in 13a tokens. Source: docs/reproduction/evaluation.md.
    Raises ValueError if the lists differ in length or are empty.
    """
    return corpus_score(TEXT_METRICS["bleu"], hypotheses, references)


def chrf3(hypotheses: Sequence[str], references: Sequence[str]) -> dict[str, Any]:
    """Corpus chrF3: character 1- to 6-grams without white space, no word n-grams, beta 3; scale 0 to 100.

    Precisions and recalls are averaged over the orders before the F-score is taken, as the paper's script does.
    Source: docs/reproduction/evaluation.md. Raises ValueError if the lists differ in length or are empty.
    """
    return corpus_score(TEXT_METRICS["chrf3"], hypotheses, references)


def chrf2(hypotheses: Sequence[str], references: Sequence[str]) -> dict[str, Any]:
    """The same with beta 2, which today's papers report. The paper does not; see `chrf3` for the rest."""
    return corpus_score(TEXT_METRICS["chrf2"], hypotheses, references)


def corpus_score(metric: TextMetric, hypotheses: Sequence[str], references: Sequence[str]) -> dict[str, Any]:
    """Name, score, signature and details of a metric; raises ValueError if the lists differ in length or are empty."""
    _check(hypotheses, references)
    return _described(metric, corpus_totals(metric.counter(), hypotheses, references))


def scores_of(totals: Mapping[str, Any]) -> dict[str, Any]:
    """What `corpus_score` makes of a text whose statistics have these sums, by the name of the metric."""
    return {name: _described(metric, totals[metric.statistics]) for name, metric in TEXT_METRICS.items()}


def _described(metric: TextMetric, totals: Any) -> dict[str, Any]:
    counter = metric.counter()
    score = score_of(counter, totals)
    found = {"name": metric.label, "score": score.score, "signature": str(counter.get_signature())}
    return found | {name: getattr(score, attribute) for name, attribute in metric.details.items()}


def _check(hypotheses: Sequence[str], references: Sequence[str]) -> None:
    """sacrebleu itself would pad or crash on lists of unequal length."""
    if len(hypotheses) != len(references) or not hypotheses:
        raise ValueError(f"{len(hypotheses)} hypotheses and {len(references)} references cannot be scored")
