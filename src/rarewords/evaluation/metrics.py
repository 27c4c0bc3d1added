"""BLEU, chrF3 and chrF2 of sacrebleu; the first two with the settings of the paper's scripts.

Both are scored on detokenised, unescaped text against the official reference, one sentence a line. Every score comes
with its name and sacrebleu's signature; both are needed, since the signature of chrF does not contain beta.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sacrebleu.metrics import BLEU, CHRF

from rarewords.evaluation.statistics import Statistics, corpus_totals, score_of, sentence_statistics


def bleu(hypotheses: Sequence[str], references: Sequence[str]) -> dict[str, Any]:
    """Corpus BLEU as the paper's mteval-v13a: 13a tokens, cased, 1- to 4-grams, exponential smoothing.

    Score and precisions are on the scale 0 to 100; lengths are in 13a tokens. Source: docs/reproduction/evaluation.md.
    Raises ValueError if the lists differ in length or are empty.
    """
    _check(hypotheses, references)
    return _bleu(corpus_totals(bleu_metric(), hypotheses, references))


def _bleu(totals: Any) -> dict[str, Any]:
    metric = bleu_metric()
    metric.num_refs = 1  # for its signature
    score = score_of(metric, totals)
    return {
        "name": "BLEU",
        "score": score.score,
        "signature": str(metric.get_signature()),
        "brevity_penalty": score.bp,
        "length_ratio": score.ratio,
        "precisions": list(score.precisions),
        "hypothesis_length": score.sys_len,
        "reference_length": score.ref_len,
    }


def chrf3(hypotheses: Sequence[str], references: Sequence[str]) -> dict[str, Any]:
    """Corpus chrF3: character 1- to 6-grams without white space, no word n-grams, beta 3; scale 0 to 100.

    Precisions and recalls are averaged over the orders before the F-score is taken, as the paper's script does.
    Source: docs/reproduction/evaluation.md. Raises ValueError if the lists differ in length or are empty.
    """
    _check(hypotheses, references)
    return _chrf(corpus_totals(chrf3_metric(), hypotheses, references), chrf3_metric())


def chrf2(hypotheses: Sequence[str], references: Sequence[str]) -> dict[str, Any]:
    """The same with beta 2, which today's papers report. The paper does not; see `chrf3` for the rest."""
    _check(hypotheses, references)
    return _chrf(corpus_totals(chrf3_metric(), hypotheses, references), _chrf_metric(beta=2))


def text_statistics(hypotheses: Sequence[str], references: Sequence[str]) -> dict[str, Statistics]:
    """What BLEU and chrF3 count in every sentence, by `bleu` and `chrf3`; chrF counts the same for every beta."""
    _check(hypotheses, references)
    metrics = {"bleu": bleu_metric(), "chrf3": chrf3_metric()}
    return {name: sentence_statistics(metric, hypotheses, references) for name, metric in metrics.items()}


def scores_of(statistics: Mapping[str, Statistics]) -> dict[str, Any]:
    """What `bleu`, `chrf3` and `chrf2` make of a text with these statistics."""
    of_chrf = statistics["chrf3"].sum(axis=0)
    return {
        "bleu": _bleu(statistics["bleu"].sum(axis=0)),
        "chrf3": _chrf(of_chrf, chrf3_metric()),
        "chrf2": _chrf(of_chrf, _chrf_metric(beta=2)),
    }


def bleu_metric() -> BLEU:
    """BLEU as `bleu` scores it."""
    # force=True: text_checks.py warns about tokenised text itself, in words that fit this program.
    return BLEU(tokenize="13a", lowercase=False, smooth_method="exp", effective_order=False, force=True)


def chrf3_metric() -> CHRF:
    """chrF3 as `chrf3` scores it."""
    return _chrf_metric(beta=3)


def _chrf_metric(beta: int) -> CHRF:
    return CHRF(char_order=6, word_order=0, beta=beta, lowercase=False, whitespace=False, eps_smoothing=False)


def _chrf(totals: Any, metric: CHRF) -> dict[str, Any]:
    metric.num_refs = 1  # for its signature
    score = score_of(metric, totals)
    return {"name": score.name, "score": score.score, "signature": str(metric.get_signature())}


def _check(hypotheses: Sequence[str], references: Sequence[str]) -> None:
    """sacrebleu itself would pad or crash on lists of unequal length."""
    if len(hypotheses) != len(references) or not hypotheses:
        raise ValueError(f"{len(hypotheses)} hypotheses and {len(references)} references cannot be scored")
