"""Paired tests of systems against a baseline, with the same numbers as sacrebleu's own tests.

Both tests resample the sentences of the test set: they say nothing about other seeds or other training runs (for these
see the spread of the single models). Source: docs/reproduction/evaluation.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sacrebleu.metrics.base import Metric, Score
from sacrebleu.significance import estimate_ci

from rarewords.evaluation.registry import TESTED_OF_TEXT, TESTED_OF_WORDS
from rarewords.evaluation.statistics import Statistics, Tally, score_of, sentence_statistics
from rarewords.evaluation.unigram_f1 import classifier, take_unknown
from rarewords.text.files import split_words

DRAWS_AT_ONCE = 1_000_000
LEAST_SHOWN = 0.001  # a smaller p is shown as `< 0.001`
LEAST_SENTENCES = 30  # of a test set on which a difference can be called significant


def compare(
    tallies: Mapping[str, Mapping[str, Tally]], method: str, samples: int, seed: int
) -> dict[str, dict[str, Any]]:
    """Every system against the first one in every metric: `{"bleu": {system: result}, "chrf3": …}`.

    `tallies` have the rows of the sentences of each system and metric. `method` is one of METHODS, `samples` the
    resampled test sets (bootstrap) or trials (randomisation), `seed` at least 1. A result has `score`, `difference`
    from the baseline, `p` (two-sided; null for the baseline) and for the bootstrap `mean` and `interval` (half the
    width of the 95 % interval) of the resampled scores. With one seed all metrics see the same resampled test sets.
    """
    first = next(iter(tallies.values()))
    return {
        name: METHODS[method](
            tally.metric, {system: own[name].sentences() for system, own in tallies.items()}, samples, seed
        )
        for name, tally in first.items()
    }


def text_tallies() -> dict[str, Tally]:
    """What counts the sentences of a translation in the tested metrics of text; texts are detokenised."""
    return {metric.name: Tally(metric.counter(), keep_sentences=True) for metric in TESTED_OF_TEXT}


def word_tallies(training_counts: Mapping[str, int], rare_rank: int) -> dict[str, Tally]:
    """The same for the tested metrics of words (`f1_all` …); texts are tokenised and truecased."""
    classes_of = classifier(training_counts, rare_rank)
    return {metric.name: Tally(metric.counter(classes_of), keep_sentences=True) for metric in TESTED_OF_WORDS}


def too_few_sentences(sentences: int | None) -> str | None:
    """A sentence that says that a test set is too small; None if it is not, or its size is not known."""
    if sentences is None or sentences >= LEAST_SENTENCES:
        return None
    return f"{sentences} sentences are too few to call a difference significant; at least {LEAST_SENTENCES} are needed."


def p_text(p: float) -> str:
    """A p as a sentence states it, with three decimals; `p < 0.001` if it is smaller, since no p is 0."""
    return f"p {p_number(p)}" if p < LEAST_SHOWN else f"p = {p_number(p)}"


def p_number(p: float) -> str:
    """The same for a column of numbers: `0.012`, or `< 0.001`."""
    return f"< {LEAST_SHOWN}" if p < LEAST_SHOWN else f"{p:.3f}"


def compare_two(
    metric: Metric,
    baseline: Sequence[str],
    other: Sequence[str],
    references: Sequence[str],
    method: str,
    samples: int,
    seed: int,
) -> dict[str, Any]:
    """One translation against another in one metric: the result of `compare` for the second one."""
    statistics = {
        name: sentence_statistics(metric, lines, references) for name, lines in (("first", baseline), ("other", other))
    }
    return METHODS[method](metric, statistics, samples, seed)["other"]


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


def _bootstrap(
    metric: Metric, statistics: Mapping[str, Statistics], samples: int, seed: int
) -> dict[str, dict[str, Any]]:
    """Paired bootstrap resampling (Koehn, 2004): the same sentences are drawn, with replacement, for all systems."""
    baseline, *_ = statistics
    sentences = len(statistics[baseline])
    rng = np.random.default_rng(seed)
    resampled: dict[str, list[float]] = {system: [] for system in statistics}
    numbers = {system: own.astype(np.float64) for system, own in statistics.items()}
    for rows in _rows(samples, sentences):
        drawn = rng.choice(sentences, size=(rows, sentences), replace=True)
        for row in drawn:
            weights = np.bincount(row, minlength=sentences).astype(np.float64)
            for system, own in numbers.items():
                # float32, as sacrebleu computes the scores of resampled test sets; the sums are exact
                totals: Any = (weights @ own).astype(np.float32)
                resampled[system].append(metric._compute_score_from_stats(totals).score)
    results: dict[str, dict[str, Any]] = {}
    for system, rows_of_system in statistics.items():
        score = score_of(metric, rows_of_system.sum(axis=0)).score
        results[system] = _result(score, score if system == baseline else results[baseline]["score"])
        mean, interval = estimate_ci(np.array(resampled[system]))
        if system != baseline:
            differences = np.abs(np.array(resampled[system]) - np.array(resampled[baseline]))
            results[system]["p"] = _p_value(differences - differences.mean(), results[system]["difference"])
        results[system] |= {"mean": float(mean), "interval": float(interval)}
    return results


def _randomisation(
    metric: Metric, statistics: Mapping[str, Statistics], trials: int, seed: int
) -> dict[str, dict[str, Any]]:
    """Paired approximate randomisation: in each trial the translations of some sentences change sides."""
    baseline, *others = statistics
    first = statistics[baseline].astype(np.float64)
    score = score_of(metric, statistics[baseline].sum(axis=0)).score
    results = {baseline: _result(score, score)}
    differences: dict[str, list[float]] = {system: [] for system in others}
    rng = np.random.default_rng(seed)
    for rows in _rows(trials, len(first)):
        stays = rng.integers(2, size=(rows, len(first)), dtype=bool).astype(np.float64)
        for system in others:
            change = stays @ (first - statistics[system])  # of the one that keeps the sentences drawn; sums are exact
            ours, theirs = statistics[system].sum(axis=0) + change, first.sum(axis=0) - change
            differences[system] += [
                abs(score_of(metric, one.astype(np.int64)).score - score_of(metric, other.astype(np.int64)).score)
                for one, other in zip(ours, theirs, strict=True)
            ]
    for system in others:
        results[system] = _result(score_of(metric, statistics[system].sum(axis=0)).score, score)
        results[system]["p"] = _p_value(np.array(differences[system]), results[system]["difference"])
    return results


METHODS = {"bootstrap": _bootstrap, "randomisation": _randomisation}


def _rows(samples: int, sentences: int) -> Iterator[int]:
    """How many samples to draw at once, again and again, so that the draws fit into memory.

    The draws are those of all samples at once: numpy takes random bits in words of 32, and blocks of 32 waste none.
    """
    at_once = max(DRAWS_AT_ONCE // sentences // 32, 1) * 32
    for start in range(0, samples, at_once):
        yield min(at_once, samples - start)


def _result(score: float, baseline: float) -> dict[str, Any]:
    return {"score": float(score), "difference": float(score - baseline), "p": None}


def _p_value(differences: NDArray[np.float64], difference: float) -> float:
    """The share of samples with a larger difference; 1 without any difference, which sacrebleu calls significant."""
    if difference == 0:
        return 1.0
    return (int(np.sum(differences > abs(difference))) + 1) / (len(differences) + 1)
