"""Whether the paper's pattern shows: who is above whom on rare and unseen words (section 5), here and in its tables.

The numbers are those of the ensembles' score files. What cannot be compared here says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rarewords.report.paper import PaperTable, paper_table

UNKNOWN, DICTIONARY, SUBWORD = "WUnk", "WDict", "subword"

HOLDS, FAILS, OPEN = "holds", "does not hold", "cannot be tested"
# A score that rests on fewer right words than this changes with every training.
FEW = 20


@dataclass(frozen=True)
class SystemScores:
    """A system's part in the comparison (UNKNOWN, DICTIONARY or SUBWORD), its name and its ensemble's score file."""

    role: str
    label: str
    paper: str | None
    scores: dict[str, Any]

    def f1(self, word_class: str) -> float | None:
        """Unigram F1 in percent of all, rare or unseen words; None if the class is empty."""
        unigram = self.scores["unigram_f1"]
        return None if unigram is None else unigram["classes"][word_class]["f1"]

    def matches(self, word_class: str) -> int:
        """Words of a class that it has right."""
        unigram = self.scores["unigram_f1"]
        return 0 if unigram is None else int(unigram["classes"][word_class]["matches"])


@dataclass(frozen=True)
class Statement:
    """One statement: whether it is so here (HOLDS, FAILS or OPEN), our numbers, whether it is so in the paper, and the
    paper's numbers. Numbers are sentences."""

    claim: str
    verdict: str
    ours: str
    in_paper: str
    paper: str


def statements(systems: Sequence[SystemScores], pair: str) -> list[Statement]:
    """The comparisons of the paper's section 5 in its order, for one language pair and test set."""
    printed = paper_table(pair)
    by_role = {role: [one for one in systems if one.role == role] for role in (UNKNOWN, DICTIONARY, SUBWORD)}
    wunk, wdict, subword = by_role[UNKNOWN], by_role[DICTIONARY], by_role[SUBWORD]
    result = [_no_unseen(wunk, printed)]
    for name in ("rare", "oov"):
        result.append(_above(wdict[:1], wunk, DICTIONARY, UNKNOWN, name, printed))
    for name in ("rare", "oov"):
        for one in subword:
            for behind, role in ((wunk, UNKNOWN), (wdict, DICTIONARY)):
                if behind:
                    result.append(_above([one], behind, one.label, role, name, printed))
    return result


def _no_unseen(wunk: list[SystemScores], printed: PaperTable | None) -> Statement:
    claim = "Words alone translate no unseen word: the OOV F1 of WUnk is 0."
    value = _printed_f1(printed, UNKNOWN, "oov")
    in_paper = OPEN if value is None else HOLDS if value == 0 else FAILS
    numbers = _numbers(printed, "oov", [UNKNOWN])
    values = [(one.label, one.f1("oov")) for one in wunk]
    if not values or any(value is None for _, value in values):
        return Statement(claim, OPEN, _why_not(wunk, [wunk]), in_paper, numbers)
    verdict = HOLDS if all(value == 0 for _, value in values) else FAILS
    ours = "; ".join(f"{label} {value:.1f}" for label, value in values)
    return Statement(claim, verdict, f"{ours}.", in_paper, numbers)


def _above(
    ahead: list[SystemScores],
    behind: list[SystemScores],
    name_ahead: str,
    name_behind: str,
    word_class: str,
    printed: PaperTable | None,
) -> Statement:
    """Whether the one of `ahead` has a higher F1 than all of `behind`, and by how much; the same in the paper."""
    claim = f"{name_ahead} is above {name_behind} on {_display(word_class)} words."
    row = (ahead[0].paper if ahead else None) or (name_ahead if name_ahead == DICTIONARY else None)
    high, low = _printed_f1(printed, row, word_class), _printed_f1(printed, name_behind, word_class)
    in_paper = OPEN if high is None or low is None else HOLDS if high > low else FAILS
    numbers = _numbers(printed, word_class, [label for label in (row, name_behind) if label])
    verdict, ours = _compared(ahead, behind, word_class)
    return Statement(claim, verdict, ours, in_paper, numbers)


def _compared(ahead: list[SystemScores], behind: list[SystemScores], name: str) -> tuple[str, str]:
    high = ahead[0].f1(name) if ahead else None
    others = [(value, one.label) for one in behind if (value := one.f1(name)) is not None]
    if high is None or not others:
        return OPEN, _why_not(ahead + behind, [ahead, behind])
    best, label = max(others)
    ours = f"{ahead[0].label} {high:.1f}, {label} {best:.1f}: {high - best:+.1f}."
    right = ahead[0].matches(name)
    if right < FEW:
        ours += f" This rests on {right} words that {ahead[0].label} has right."
    return (HOLDS if high > best else FAILS), ours


def _why_not(present: list[SystemScores], needed: list[list[SystemScores]]) -> str:
    if not present or not all(needed):
        return "The experiment lacks a system that the claim is about."
    return "The test set has no such words."


def _printed_f1(printed: PaperTable | None, label: str | None, name: str) -> float | None:
    """The F1 that the paper prints of one of its rows; None without that row."""
    if printed is None or label is None:
        return None
    return float(printed.row(label)["f1"][("all", "rare", "oov").index(name)])


def _numbers(printed: PaperTable | None, name: str, labels: list[str]) -> str:
    """The paper's numbers of some of its rows."""
    if printed is None:
        return "The paper has no such pair."
    return ", ".join(f"{label} {_printed_f1(printed, label, name):.1f}" for label in labels) + "."


def _display(name: str) -> str:
    return {"oov": "OOV", "rare": "rare"}[name]
