"""Whether the paper's pattern shows: its claims (sections 4 and 5), here and in its tables, each with a test.

A claim holds if the difference has the right sign and a paired test over the sentences finds it significant; it is not
shown if the test does not, in whichever direction; it fails if the opposite is significant. The paper has no tests, so
there the sign decides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rarewords.evaluation.registry import METRICS, WordMetric
from rarewords.evaluation.significance import p_text, too_few_sentences
from rarewords.report.paper import PaperTable
from rarewords.report.table import LEVEL, Cell, Table, columns
from rarewords.text import shapes
from rarewords.text.documents import Kind

UNKNOWN, DICTIONARY, SUBWORD = "WUnk", "WDict", "subword"

HOLDS, NOT_SHOWN, FAILS, OPEN = "holds", "not shown", "does not hold", "cannot be tested"
# A score that rests on fewer right words than this changes with every training run.
FEW = 20

COLUMNS = columns("claim", "here", "ours", "in the paper", "its numbers")

ENSEMBLE, SINGLE = "ensemble", "best"

# A side of a comparison: its name in the claim, and its rows in the paper, of which the best one counts.
WUNK, WDICT = (UNKNOWN, [UNKNOWN]), (DICTIONARY, [DICTIONARY])
BEST = ("the best subword ensemble", ["C2-50k", "BPE-60k", "BPE-J90k"])
SEPARATE, JOINT = ("separate merges", ["BPE-60k"]), ("joint merges", ["BPE-J90k"])
Side = tuple[str, list[str]]


@dataclass(frozen=True)
class System:
    """A system in the comparison: its part in it (UNKNOWN, DICTIONARY, SUBWORD or another), its names, whether its
    merges are learned from both sides (None where that says nothing), and the scores of its ensemble and best model."""

    system: str
    role: str
    label: str
    paper: str | None
    joint: bool | None
    ensemble: dict[str, Any]
    single: dict[str, Any]

    def score(self, measure: str, output: str = ENSEMBLE) -> float | None:
        """The score in one of METRICS; None if no word is of its class."""
        return METRICS[measure].value(self.ensemble if output == ENSEMBLE else self.single)

    @property
    def sentences(self) -> int | None:
        """The number of sentences of the test set, if the score file has it."""
        return self.ensemble.get("sentences")

    def right_words(self, measure: str) -> int | None:
        """How many right words an ensemble's score rests on, if it is a score of words."""
        metric, unigram = METRICS[measure], self.ensemble["unigram_f1"]
        if unigram is None or not isinstance(metric, WordMetric):
            return None
        return int(unigram["classes"][metric.word_class]["matches"])


@dataclass(frozen=True)
class Statement:
    """One claim: whether it is so here (HOLDS, NOT_SHOWN, FAILS or OPEN), our numbers, whether it is so in the paper,
    and its numbers. `p` is that of the test, None where there is none. Numbers are sentences."""

    claim: str
    verdict: str
    ours: str
    in_paper: str
    paper: str
    p: float | None = None


_TEXTS = {name: shapes.text() for name in ("claim", "verdict", "ours", "in_paper", "paper")}
CLAIMS = Kind(
    "a file of claims",
    shapes.record({"claims": shapes.list_of(shapes.record(_TEXTS | {"p": shapes.optional(shapes.number(0, 1))}))}),
    "write one with `rarewords report claims`",
)

# p of the difference in a measure between (system, output) and (system, output)
Test = Callable[[str, tuple[str, str], tuple[str, str]], float]


def statements(
    systems: Sequence[System], printed: PaperTable | None, one_alphabet: bool, test: Test, members: int
) -> list[Statement]:
    """The claims about scores, for one language pair and test set.

    `one_alphabet` says whether names can be copied; an ensemble of one of `members` is no claim.
    """
    judge = _Judge(printed, test)
    wunk, wdict = (next((one for one in systems if one.role == role), None) for role in (UNKNOWN, DICTIONARY))
    subwords = [one for one in systems if one.role == SUBWORD]
    separate, joint = (next((one for one in subwords if one.joint is kind), None) for kind in (False, True))

    def best(measure: str) -> System | None:
        return max(subwords, key=lambda one: one.score(measure) or 0.0, default=None)

    result = [judge.ensemble_above_single(one) for one in systems if members > 1]
    result += [judge.above(best(measure), wdict, measure, BEST, WDICT) for measure in ("bleu", "chrf3", "f1_rare")]
    result += [
        judge.above(wdict, wunk, "f1_rare", WDICT, WUNK),
        judge.above(joint, separate, "f1_rare", JOINT, SEPARATE),
        _no_unseen(wunk, printed),
    ]
    if one_alphabet:
        # with one alphabet copying is a good strategy: fewer words, but right ones
        result += [
            judge.above(wdict, best("f1_oov"), "f1_oov", WDICT, BEST),
            judge.above(best("recall_oov"), wdict, "recall_oov", BEST, WDICT),
            judge.above(wdict, best("precision_oov"), "precision_oov", WDICT, BEST),
        ]
    else:
        measures = ("f1_oov", "recall_oov", "precision_oov")
        result += [judge.above(best(measure), wdict, measure, BEST, WDICT) for measure in measures]
    result.append(judge.above(joint, separate, "f1_oov", JOINT, SEPARATE))
    return result


def verdict_of(difference: float, p: float | None) -> str:
    """The verdict on a difference that should be above 0, by its p; OPEN without a test."""
    if p is None:
        return OPEN
    if p >= LEVEL or difference == 0:
        return NOT_SHOWN
    return HOLDS if difference > 0 else FAILS


def pattern_table(found: Sequence[Statement], pair: str, test_set: str, test: str) -> Table:
    """The claims as a table; `test` names the paired test."""
    rows: list[list[Cell]] = [[one.claim, one.verdict, one.ours, one.in_paper, one.paper] for one in found]
    caption = [
        f"{pair}, {test_set}: claims of Sennrich, Haddow and Birch (2016), sections 3 to 5. {HOLDS}: p < {LEVEL} "
        f"({test}); {NOT_SHOWN}: no significant difference; {FAILS}: the opposite with p < {LEVEL}. The paper has no "
        "tests, so there the sign of the difference decides. The best of several systems is the best on this test set."
    ]
    return Table(caption, COLUMNS, rows)


@dataclass(frozen=True)
class _Judge:
    printed: PaperTable | None
    test: Test

    def above(self, ahead: System | None, behind: System | None, measure: str, first: Side, second: Side) -> Statement:
        """Whether one ensemble beats another; `first` and `second` are their names in the claim."""
        claim = f"{METRICS[measure].in_words()}: {first[0]} above {second[0]}."
        in_paper, numbers = self._in_paper(measure, [first[1], second[1]])
        if ahead is None or behind is None:
            return Statement(claim, OPEN, "The experiment lacks a system that the claim is about.", in_paper, numbers)
        ours = [one.score(measure) for one in (ahead, behind)]
        if ours[0] is None or ours[1] is None:
            return Statement(claim, OPEN, "The test set has no such words.", in_paper, numbers)
        p = self._p(measure, (ahead, ENSEMBLE), (behind, ENSEMBLE))
        sentence = _difference(ahead.label, ours[0], behind.label, ours[1], p, ahead.sentences)
        right = [one.right_words(measure) for one in (ahead, behind)]
        if right[0] is not None and right[1] is not None:
            sentence += f" Right words: {right[0]:,} and {right[1]:,}"
            sentence += "; numbers this small change with every training run." if max(right[0], right[1]) < FEW else "."
        return Statement(claim, verdict_of(ours[0] - ours[1], p), sentence, in_paper, numbers, p)

    def ensemble_above_single(self, one: System) -> Statement:
        """Whether the ensemble of a system beats its best single model in BLEU."""
        claim = f"BLEU: the ensemble of {one.label} above its best single model."
        rows = [] if one.paper is None else [one.paper]
        in_paper, numbers = self._in_paper("bleu", [rows, rows], (ENSEMBLE, SINGLE))
        p = self._p("bleu", (one, ENSEMBLE), (one, SINGLE))
        ours = one.score("bleu") or 0.0, one.score("bleu", SINGLE) or 0.0
        sentence = _difference("Ensemble", ours[0], "single", ours[1], p, one.sentences)
        return Statement(claim, verdict_of(ours[0] - ours[1], p), sentence, in_paper, numbers, p)

    def _p(self, measure: str, first: tuple[System, str], second: tuple[System, str]) -> float | None:
        """p of the difference between two outputs; None if the test set has too few sentences for a test."""
        if too_few_sentences(first[0].sentences):
            return None
        return self.test(measure, (first[0].system, first[1]), (second[0].system, second[1]))

    def _in_paper(
        self, measure: str, sides: Sequence[list[str]], outputs: tuple[str, str] = (ENSEMBLE, ENSEMBLE)
    ) -> tuple[str, str]:
        """Whether a claim holds by the paper's numbers, and a sentence with these numbers."""
        if self.printed is None:
            return OPEN, "The paper does not have this language pair."
        found = [self._best_row(rows, measure, output) for rows, output in zip(sides, outputs, strict=True)]
        if found[0] is None or found[1] is None:
            return OPEN, "The paper does not print these numbers."
        (high, first), (low, second) = found[0], found[1]
        if outputs != (ENSEMBLE, ENSEMBLE):
            first, second = ENSEMBLE, "single"
        return (HOLDS if high > low else FAILS), f"{first} {high:.1f}, {second} {low:.1f}: {high - low:+.1f}."

    def _best_row(self, rows: list[str], measure: str, output: str) -> tuple[float, str] | None:
        """The highest value that the paper prints of some of its rows, and the row."""
        assert self.printed is not None
        printed = [(self.printed.value(row, METRICS[measure], output == ENSEMBLE), row) for row in rows]
        return max(((value, row) for value, row in printed if value is not None), default=None)


def _no_unseen(wunk: System | None, printed: PaperTable | None) -> Statement:
    claim = "F1 of OOV words: the system on words alone gets none right."
    value = None if printed is None else printed.value(UNKNOWN, METRICS["f1_oov"])
    in_paper = OPEN if value is None else HOLDS if value == 0 else FAILS
    numbers = "The paper does not have this language pair." if value is None else f"{UNKNOWN} {value:.1f}."
    if wunk is None or wunk.score("f1_oov") is None:
        why = "lacks a system that the claim is about." if wunk is None else "has no such words in its test set."
        return Statement(claim, OPEN, f"The experiment {why}", in_paper, numbers)
    right = wunk.right_words("f1_oov") or 0
    return Statement(claim, HOLDS if right == 0 else FAILS, f"Right words: {right:,}.", in_paper, numbers)


def _difference(first: str, high: float, second: str, low: float, p: float | None, sentences: int | None) -> str:
    numbers = f"{first} {high:.1f}, {second} {low:.1f}: {high - low:+.1f}"
    return f"{numbers} ({p_text(p)})." if p is not None else f"{numbers}. {too_few_sentences(sentences)}"
