"""Alignment error rate against manual alignments (docs/reproduction/alignment.md)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rarewords.alignment.links import Link, parse_link, read_links
from rarewords.errors import InputError
from rarewords.text.files import PathLike, read_lines, split_words


@dataclass(frozen=True)
class GoldLinks:
    """The manual links of one pair: the sure ones, and all possible ones (including the sure ones)."""

    sure: frozenset[Link]
    possible: frozenset[Link]


@dataclass
class ErrorRate:
    """Counts over a text, and the rates that follow from them."""

    pairs: int = 0
    links: int = 0
    sure: int = 0
    links_sure: int = 0
    links_possible: int = 0

    def add(self, links: Iterable[Link], gold: GoldLinks) -> None:
        """Count one pair."""
        found = set(links)
        self.pairs += 1
        self.links += len(found)
        self.sure += len(gold.sure)
        self.links_sure += len(found & gold.sure)
        self.links_possible += len(found & gold.possible)

    def as_json(self) -> dict[str, float]:
        """Error rate 1 - (|A∩S| + |A∩P|) / (|A| + |S|), precision |A∩P| / |A|, recall |A∩S| / |S|, and the counts."""
        return {
            "error_rate": 1 - _ratio(self.links_sure + self.links_possible, self.links + self.sure),
            "precision": _ratio(self.links_possible, self.links),
            "recall": _ratio(self.links_sure, self.sure),
            "pairs": self.pairs,
            "links": self.links,
            "sure": self.sure,
        }


def read_gold(path: PathLike) -> list[GoldLinks]:
    """Gold alignments, one line a pair: sure links `i-j` and possible ones `i?j`, positions from 0.

    Raises InputError that names the line for anything else.
    """
    gold = []
    for number, line in enumerate(read_lines(path), 1):
        marked = [(parse_link(path, number, text, "?" if "?" in text else "-"), text) for text in split_words(line)]
        sure = frozenset(link for link, text in marked if "?" not in text)
        gold.append(GoldLinks(sure, frozenset(link for link, _ in marked)))
    return gold


def error_rate(alignment: PathLike, gold: PathLike) -> ErrorRate:
    """Compare two files; raises InputError if they differ in their number of lines or hold no sure link."""
    links, marked = list(read_links(alignment)), read_gold(gold)
    if len(links) != len(marked):
        raise InputError(
            f"{alignment} has {len(links)} lines, {gold} has {len(marked)}: "
            "give the alignment of exactly the sentences that were aligned by hand."
        )
    result = ErrorRate()
    for pair in zip(links, marked, strict=True):
        result.add(*pair)
    if not result.sure:
        raise InputError(f"{gold} has no sure link; write links as i-j, positions from 0.")
    return result


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
