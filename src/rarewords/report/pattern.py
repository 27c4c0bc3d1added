"""Whether the paper's pattern shows: its claims about rare words (section 5), each beside our numbers.

The numbers are those of the ensembles' score files. A claim that cannot be tested here says so.
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
    """One claim of the paper: its verdict (HOLDS, FAILS or OPEN), our numbers and the paper's, as sentences."""

    claim: str
    verdict: str
    ours: str
    paper: str


def statements(systems: Sequence[SystemScores], pair: str) -> list[Statement]:
    """The claims in the order of the paper, for one language pair and test set."""
    printed = paper_table(pair)
    by_role = {role: [one for one in systems if one.role == role] for role in (UNKNOWN, DICTIONARY, SUBWORD)}
    wunk, wdict, subword = by_role[UNKNOWN], by_role[DICTIONARY], by_role[SUBWORD]
    result = [_no_unseen(wunk, printed)]
    for name in ("rare", "oov"):
        result.append(_dictionary_helps(wunk, wdict, name, printed))
    for name in ("rare", "oov"):
        result += [_subword_wins(one, wunk, wdict, name, printed) for one in subword]
    return result


def _no_unseen(wunk: list[SystemScores], printed: PaperTable | None) -> Statement:
    claim = "Words alone translate no unseen word: the OOV F1 of WUnk is 0."
    values = [(one.label, one.f1("oov")) for one in wunk]
    if not values or any(value is None for _, value in values):
        return Statement(claim, OPEN, _why_not(wunk, [wunk]), _printed(printed, "oov", ["WUnk"]))
    verdict = HOLDS if all(value == 0 for _, value in values) else FAILS
    ours = "; ".join(f"{label} {value:.1f}" for label, value in values)
    return Statement(claim, verdict, f"{ours}.", _printed(printed, "oov", ["WUnk"]))


def _dictionary_helps(
    wunk: list[SystemScores], wdict: list[SystemScores], name: str, printed: PaperTable | None
) -> Statement:
    claim = f"A dictionary for unknown words helps: WDict is above WUnk on {_display(name)} words."
    return _compared(claim, wdict[:1], wunk, name, _printed(printed, name, ["WUnk", "WDict"]))


def _subword_wins(
    system: SystemScores,
    wunk: list[SystemScores],
    wdict: list[SystemScores],
    name: str,
    printed: PaperTable | None,
) -> Statement:
    """Above all word systems; the claim names those that are there, because to be above WUnk alone says little."""
    present = [part for part, found in ((UNKNOWN, wunk), (DICTIONARY, wdict)) if found]
    behind = " and ".join(present) or "the word systems"
    claim = f"Subword units help: {system.label} is above {behind} on {_display(name)} words."
    names = ["WUnk", "WDict", *([system.paper] if system.paper else [])]
    return _compared(claim, [system], wunk + wdict, name, _printed(printed, name, names))


def _compared(claim: str, ahead: list[SystemScores], behind: list[SystemScores], name: str, paper: str) -> Statement:
    """Whether the one of `ahead` has a higher F1 than all of `behind`, and by how much."""
    high = ahead[0].f1(name) if ahead else None
    others = [(value, one.label) for one in behind if (value := one.f1(name)) is not None]
    if high is None or not others:
        return Statement(claim, OPEN, _why_not(ahead + behind, [ahead, behind]), paper)
    best, label = max(others)
    ours = f"{ahead[0].label} {high:.1f}, {label} {best:.1f}: {high - best:+.1f}."
    right = ahead[0].matches(name)
    if right < FEW:
        ours += f" This rests on {right} words that {ahead[0].label} has right."
    return Statement(claim, HOLDS if high > best else FAILS, ours, paper)


def _why_not(present: list[SystemScores], needed: list[list[SystemScores]]) -> str:
    if not present or not all(needed):
        return "The experiment lacks a system that the claim is about."
    return "The test set has no such words."


def _printed(printed: PaperTable | None, name: str, labels: list[str]) -> str:
    """The paper's numbers of some of its rows."""
    if printed is None:
        return "The paper has no such pair."
    place = ("all", "rare", "oov").index(name)
    return ", ".join(f"{label} {printed.row(label)['f1'][place]:.1f}" for label in labels) + "."


def _display(name: str) -> str:
    return {"oov": "OOV", "rare": "rare"}[name]
