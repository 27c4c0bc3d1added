"""BLEU, chrF3 and chrF2 of sacrebleu; the first two with the settings of the paper's scripts.

Both are scored on detokenised, unescaped text against the official reference, one sentence a line. Every score comes
with its name and sacrebleu's signature; both are needed, since the signature of chrF does not contain beta.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sacrebleu.metrics import BLEU, CHRF

from rarewords.evaluation.statistics import corpus_score


def bleu(hypotheses: Sequence[str], references: Sequence[str]) -> dict[str, Any]:
    """Corpus BLEU as the paper's mteval-v13a: 13a tokens, cased, 1- to 4-grams, exponential smoothing.

    Score and precisions are on the scale 0 to 100; lengths are in 13a tokens. Source: docs/reproduction.md, section
    Evaluation. Raises ValueError if the lists differ in length or are empty.
    """
    _check(hypotheses, references)
    metric = bleu_metric()
    score = corpus_score(metric, hypotheses, references)
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
    Source: docs/reproduction.md, section Evaluation. Raises ValueError if the lists differ in length or are empty.
    """
    return _chrf(hypotheses, references, chrf3_metric())


def chrf2(hypotheses: Sequence[str], references: Sequence[str]) -> dict[str, Any]:
    """The same with beta 2, which today's papers report. The paper does not; see `chrf3` for the rest."""
    return _chrf(hypotheses, references, _chrf_metric(beta=2))


def bleu_metric() -> BLEU:
    """BLEU as `bleu` scores it."""
    # force=True: text_checks.py warns about tokenised text itself, in words that fit this program.
    return BLEU(tokenize="13a", lowercase=False, smooth_method="exp", effective_order=False, force=True)


def chrf3_metric() -> CHRF:
    """chrF3 as `chrf3` scores it."""
    return _chrf_metric(beta=3)


def _chrf_metric(beta: int) -> CHRF:
    return CHRF(char_order=6, word_order=0, beta=beta, lowercase=False, whitespace=False, eps_smoothing=False)


def _chrf(hypotheses: Sequence[str], references: Sequence[str], metric: CHRF) -> dict[str, Any]:
    _check(hypotheses, references)
    score = corpus_score(metric, hypotheses, references)
    return {"name": score.name, "score": score.score, "signature": str(metric.get_signature())}


def _check(hypotheses: Sequence[str], references: Sequence[str]) -> None:
    """sacrebleu itself would pad or crash on lists of unequal length."""
    if len(hypotheses) != len(references) or not hypotheses:
        raise ValueError(f"{len(hypotheses)} hypotheses and {len(references)} references cannot be scored")
