"""Byte pair encoding as a segmentation (paper section 3.2): `bpe`, each side alone, and `bpe-joint`, on both together.

Settings: `merges`, how many to learn; `minimum_frequency`, the smallest count of a pair to merge (default 2);
`version`, the rule for the end of a word, "0.2" (default) or "0.1" (see `symbols.py`); `tie_break`, which of equally
frequent pairs to merge, "larger" (default) or "first" (see `learn.py`).
See docs/reproduction/segmentation.md.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from random import Random
from typing import Any, Self

from rarewords.segmentation import settings as checks
from rarewords.segmentation.bpe.apply import Bpe
from rarewords.segmentation.bpe.symbols import TIE_BREAKS, VERSIONS, Merge
from rarewords.segmentation.method import Capabilities, Progress
from rarewords.segmentation.protocol import Segmenter
from rarewords.segmentation.sides import add_counts


class BpeSegmenter(Segmenter):
    """Merges learned on each side alone."""

    method = "bpe"
    offers = Capabilities(sampling="dropout", has_merges=True)

    def __init__(self, settings: dict[str, Any], language: str, merges: Iterable[Merge]) -> None:
        super().__init__(settings, language)
        self.merges = list(merges)
        self._bpe = Bpe(self.merges, settings["version"])

    @classmethod
    def _learn(
        cls, settings: dict[str, Any], counts: list[dict[str, int]], progress: Progress | None
    ) -> list[list[Merge]]:
        """Learn the merges of each side from its own words."""
        return [learn(settings, side, progress) for side in counts]

    @classmethod
    def complete(cls, settings: dict[str, Any]) -> dict[str, Any]:
        """See `Segmenter.complete`."""
        return complete_settings(cls.method, settings, {})

    def restricted_to(self, allowed: Collection[str]) -> Self:
        """The same segmenter, but units outside `allowed` are taken apart again, see `Bpe`."""
        restricted = type(self)(self.settings, self.language, self.merges)
        restricted._bpe = Bpe(self.merges, self.settings["version"], allowed)
        return restricted

    def summary(self) -> str:
        learned, asked = self._learned(), self.settings["merges"]
        if learned >= asked:
            return f"{learned} merges"
        return f"{learned} of {asked} merges: no further pair occurs {self.settings['minimum_frequency']} times"

    def _learned(self) -> int:
        """How many of the merges were learned."""
        return len(self.merges)

    def _cut(self, word: str) -> list[str]:
        return self._bpe.cut(word)

    def _cut_at_random(self, word: str, strength: float, random: Random) -> list[str]:
        return self._bpe.cut_at_random(word, strength, random.random)

    def _data(self) -> list[str]:
        return to_lines(self.merges)

    @classmethod
    def _from_data(cls, settings: dict[str, Any], language: str, data: Any) -> Self:
        return cls(cls.complete(settings), language, from_lines(data))


class JointBpeSegmenter(BpeSegmenter):
    """The same merges on all sides, learned on the union of their words, so that names are cut alike."""

    method = "bpe-joint"

    @classmethod
    def _learn(
        cls, settings: dict[str, Any], counts: list[dict[str, int]], progress: Progress | None
    ) -> list[list[Merge]]:
        """Learn one list of merges; the counts of words that occur on several sides are added."""
        return [learn(settings, add_counts(counts), progress)] * len(counts)


def complete_settings(method: str, settings: dict[str, Any], further_defaults: dict[str, Any]) -> dict[str, Any]:
    """The settings of byte pair encoding, checked, with the defaults filled in, and those of a variant, unchecked."""
    defaults = {"minimum_frequency": 2, "version": "0.2", "tie_break": "larger"} | further_defaults
    complete = checks.complete(method, settings, ["merges"], defaults)
    checks.check_integer(method, complete, "merges", 0)
    checks.check_integer(method, complete, "minimum_frequency", 1)
    complete["version"] = str(complete["version"])  # YAML and JSON read a bare 0.2 as a number
    checks.check_choice(method, complete, "version", VERSIONS)
    checks.check_choice(method, complete, "tie_break", TIE_BREAKS)
    return complete


def learn(settings: dict[str, Any], counts: dict[str, int], progress: Progress | None) -> list[Merge]:
    """Learn merges by complete settings."""
    from rarewords.segmentation.bpe.learn import learn_merges  # brings in numba, which applying does not need

    return learn_merges(
        counts,
        settings["merges"],
        settings["minimum_frequency"],
        settings["version"],
        settings["tie_break"],
        progress=progress,
    )


def to_lines(merges: Iterable[Merge]) -> list[str]:
    """Merges as a segmenter's file holds them: two symbols and a space between them."""
    return [f"{left} {right}" for left, right in merges]


def from_lines(lines: Iterable[str]) -> list[Merge]:
    """The inverse of `to_lines`; raises ValueError for a line that is not a merge."""
    merges = []
    for line in lines:
        left, right = line.split(" ")
        merges.append((left, right))
    return merges
