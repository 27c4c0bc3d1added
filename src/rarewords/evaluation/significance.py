"""Are two systems different beyond chance? Paired tests of sacrebleu against a baseline.

Both tests resample the sentences of the test set: they say nothing of other seeds or other training runs (for these
see the spread of the single models). Source: docs/reproduction.md, section Evaluation.
"""

from __future__ import annotations

import contextlib
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from sacrebleu.metrics.base import Metric, Score
from sacrebleu.significance import PairedTest, Result

from rarewords.evaluation.metrics import bleu_metric, chrf3_metric
from rarewords.evaluation.unigram_f1 import classifier, take_unknown
from rarewords.text.files import split_words

# Our names -> sacrebleu's.
METHODS = {"bootstrap": "bs", "randomisation": "ar"}
F1_CLASSES = ("all", "rare", "oov")

Texts = Mapping[str, Sequence[str]]  # lines by system


def compare_text(
    texts: Texts, references: Sequence[str], method: str, samples: int, seed: int
) -> dict[str, dict[str, Any]]:
    """BLEU and chrF3 of every system against the first one: `{"bleu": {system: result}, "chrf3": …}`.

    `method` is one of METHODS, `samples` the resampled test sets (bootstrap) or trials (randomisation), `seed` at least
    1. A result has `score`, `difference` from the baseline, `p` (two-sided; null for the baseline) and for the
    bootstrap `mean` and `interval` (half the width of the 95 % interval) of the resampled scores. Texts are detokenised
    and all of one length.
    """
    return _compare(texts, references, {"bleu": bleu_metric(), "chrf3": chrf3_metric()}, method, samples, seed)


def compare_words(
    texts: Texts,
    references: Sequence[str],
    training_counts: Mapping[str, int],
    rare_rank: int,
    method: str,
    samples: int,
    seed: int,
) -> dict[str, dict[str, Any]]:
    """The same for unigram F1 of the classes in F1_CLASSES (`f1_all` …), of tokenised, truecased texts.

    With one seed the resampled test sets are those of compare_text.
    """
    classes_of = classifier(training_counts, rare_rank)
    metrics = {f"f1_{name}": UnigramF1(name, classes_of) for name in F1_CLASSES}
    return _compare(texts, references, metrics, method, samples, seed)


def compare_two(
    metric: Metric,
    baseline: Sequence[str],
    other: Sequence[str],
    references: Sequence[str],
    method: str,
    samples: int,
    seed: int,
) -> dict[str, Any]:
    """One translation against another in one metric: the result of compare_text for the second one."""
    found = _compare({"baseline": baseline, "other": other}, references, {"metric": metric}, method, samples, seed)
    return found["metric"]["other"]


class UnigramF1(Metric):
    """Unigram F1, precision or recall of one class of words in the form that sacrebleu's tests ask for."""

    def __init__(self, word_class: str, classes_of: Callable[[str], tuple[str, ...]], measure: str = "f1") -> None:
        super().__init__()
        self.name = f"{measure}_{word_class}"
        self._word_class, self._classes_of, self._measure = word_class, classes_of, measure

    def _preprocess_segment(self, sent: str) -> str:
        return sent

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        return {"reference": Counter(self._members(refs[0]))}

    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: dict[str, Any]) -> list[int]:
        """Clipped matches, tokens of the hypothesis, tokens of the reference; an unknown word never matches."""
        words = Counter(split_words(hypothesis))
        unknown = take_unknown(words)
        found = Counter({word: count for word, count in words.items() if self._word_class in self._classes_of(word)})
        reference: Counter[str] = ref_kwargs["reference"]
        tokens = found.total() + (unknown if self._word_class == "all" else 0)
        return [(found & reference).total(), tokens, reference.total()]

    def _members(self, line: str) -> list[str]:
        return [word for word in split_words(line) if self._word_class in self._classes_of(word)]

    def _aggregate_and_compute(self, stats: Any) -> Score:
        return self._compute_score_from_stats(np.sum(stats, axis=0))

    def _compute_score_from_stats(self, stats: Any) -> Score:
        matches, hypothesis, reference = map(float, stats)
        tokens = {"f1": (hypothesis + reference) / 2, "precision": hypothesis, "recall": reference}[self._measure]
        return Score(self.name, 100 * matches / tokens if tokens else 0.0)


def _compare(
    texts: Texts, references: Sequence[str], metrics: Mapping[str, Metric], method: str, samples: int, seed: int
) -> dict[str, dict[str, Any]]:
    with _seed(seed):
        test = PairedTest(list(texts.items()), metrics, [list(references)], METHODS[method], n_samples=samples)
        _, found = test()
    # sacrebleu calls a metric by its own name (chrF3); the order is ours.
    names = [name for name in found if name != "System"]
    return {
        metric: dict(zip(texts, _results(found[name]), strict=True))
        for metric, name in zip(metrics, names, strict=True)
    }


def _results(results: list[Any]) -> list[dict[str, Any]]:
    return [_result(result, results[0].score) for result in results]


def _result(result: Result, baseline: float) -> dict[str, Any]:
    difference = result.score - baseline
    p = result.p_value
    if p is not None and difference == 0:
        p = 1.0  # sacrebleu calls systems without any difference significantly different
    entry = {"score": float(result.score), "difference": float(difference), "p": p}
    if result.mean is not None and result.ci is not None:
        entry |= {"mean": float(result.mean), "interval": float(result.ci)}
    return entry


@contextlib.contextmanager
def _seed(seed: int) -> Iterator[None]:
    """sacrebleu takes its seed from the environment only."""
    before = os.environ.get("SACREBLEU_SEED")
    os.environ["SACREBLEU_SEED"] = str(seed)
    try:
        yield
    finally:
        if before is None:
            del os.environ["SACREBLEU_SEED"]
        else:
            os.environ["SACREBLEU_SEED"] = before
