"""The metrics, each described once: what computes it, what it is called, and where it is shown.

Everything that scores, tests, tabulates or draws asks this list. A new metric is one entry here; with `tested` it
gets tests of significance and a place in the tables, with `headline` also one in the ablation and on the page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sacrebleu.metrics.base import Metric as Counter

Scores = Mapping[str, Any]


@dataclass(frozen=True)
class Metric:
    """What all metrics have: `name` in files, `label` in tables and figures, `phrase` in sentences."""

    name: str
    label: str
    tested: bool = True  # by `rarewords significance`, and shown in the table of scores
    headline: bool = True  # one of the few that the ablation and the top of the page show
    higher_is_better: bool = True
    digits: int = 1  # shown behind the decimal point
    phrase: str = ""

    def in_words(self) -> str:
        """The metric as a sentence names it."""
        return self.phrase or self.label

    @property
    def best(self) -> Callable[..., Any]:
        """max or min."""
        return max if self.higher_is_better else min

    def value(self, scores: Scores) -> float | None:
        """Its score in the JSON of `rarewords score`; None if the file has none."""
        raise NotImplementedError


@dataclass(frozen=True)
class TextMetric(Metric):
    """A metric of raw text: a class of sacrebleu.metrics with fixed settings.

    `details` are further values of the score file, by the names that sacrebleu's score has for them. `counts_of` is the
    metric whose statistics of a sentence it shares (its own name by default). No score is above `most`.
    """

    sacrebleu: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    details: Mapping[str, str] = field(default_factory=dict)
    counts_of: str = ""
    most: float = 101.0  # 100 and the last bit of a rounded sum

    @property
    def statistics(self) -> str:
        """The name of the statistics that it is computed from."""
        return self.counts_of or self.name

    def counter(self) -> Counter:
        """sacrebleu's object that counts sentences and computes scores from sums of counts."""
        counter: Counter = getattr(import_module("sacrebleu.metrics"), self.sacrebleu)(**self.settings)
        counter.num_refs = 1  # for its signature
        return counter

    def value(self, scores: Scores) -> float | None:
        return float(scores[self.name]["score"]) if self.name in scores else None


@dataclass(frozen=True)
class WordMetric(Metric):
    """Unigram F1, precision or recall of one of the classes of words (evaluation/unigram_f1.py).

    It needs tokenised text and the words of the training text. `column` is its label below the common heading `group`.
    """

    measure: str = "f1"
    word_class: str = "all"
    group: str = "F1"
    column: str = ""

    def counter(self, classes_of: Callable[[str], tuple[str, ...]]) -> Counter:
        """An object in sacrebleu's form; `classes_of` is unigram_f1.classifier's."""
        from rarewords.evaluation.significance import UnigramF1

        return UnigramF1(self.word_class, classes_of, self.measure)

    def value(self, scores: Scores) -> float | None:
        unigram = scores["unigram_f1"]
        value = None if unigram is None else unigram["classes"][self.word_class][self.measure]
        return None if value is None else float(value)


def _chrf(beta: int, **options: Any) -> TextMetric:
    """Character 1- to 6-grams without white space, no word n-grams: all that the paper's script computes."""
    settings = {"char_order": 6, "word_order": 0, "lowercase": False, "whitespace": False, "eps_smoothing": False}
    return TextMetric(f"chrf{beta}", f"chrF{beta}", sacrebleu="CHRF", settings=settings | {"beta": beta}, **options)


def _of_words(measure: str, word_class: str, column: str, phrase: str, **options: Any) -> WordMetric:
    group = "F1" if measure == "f1" else measure
    return WordMetric(
        f"{measure}_{word_class}",
        f"{group} {column}",
        phrase=f"{group} of {phrase}",
        measure=measure,
        word_class=word_class,
        group=group,
        column=column,
        **options,
    )


# Settings and their sources: docs/reproduction/evaluation.md.
_ENTRIES: tuple[TextMetric | WordMetric, ...] = (
    TextMetric(
        "bleu",
        "BLEU",
        sacrebleu="BLEU",
        # force: text_checks.py warns about tokenised text itself, in words that fit this program
        settings={
            "tokenize": "13a",
            "lowercase": False,
            "smooth_method": "exp",
            "effective_order": False,
            "force": True,
        },
        details={
            "brevity_penalty": "bp",
            "length_ratio": "ratio",
            "precisions": "precisions",
            "hypothesis_length": "sys_len",
            "reference_length": "ref_len",
        },
    ),
    _chrf(3),
    _chrf(2, counts_of="chrf3", tested=False, headline=False),
    _of_words("f1", "all", "all", "all words", headline=False),
    _of_words("f1", "rare", "rare", "rare words"),
    _of_words("f1", "oov", "OOV", "OOV words"),
    _of_words("precision", "oov", "OOV", "OOV words", tested=False, headline=False),
    _of_words("recall", "oov", "OOV", "OOV words", tested=False, headline=False),
)
METRICS: dict[str, TextMetric | WordMetric] = {one.name: one for one in _ENTRIES}
TEXT_METRICS: dict[str, TextMetric] = {one.name: one for one in _ENTRIES if isinstance(one, TextMetric)}
WORD_METRICS: dict[str, WordMetric] = {one.name: one for one in _ENTRIES if isinstance(one, WordMetric)}
TESTED = [one for one in _ENTRIES if one.tested]
TESTED_OF_TEXT = [one for one in TEXT_METRICS.values() if one.tested]
TESTED_OF_WORDS = [one for one in WORD_METRICS.values() if one.tested]
HEADLINE = [one for one in _ENTRIES if one.headline]
# What the best single model is selected by on the development set (paper, section 4). Every score file has it.
SELECTION = TEXT_METRICS["bleu"]
