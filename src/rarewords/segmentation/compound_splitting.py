"""Compound splitting by word frequencies (Koehn and Knight, 2003), for the statistics of the paper's Table 1.

A word that is not frequent is split into known words with linking elements (fillers) between them, if such parts
exist: of all ways, the one with the largest geometric mean of the parts' counts. Parts are written in their most
frequent casing, fillers are dropped and nothing marks the parts, so the text cannot be restored: the segmenter is
one-way. Splitting and its default settings are those of the splitter in Moses, with characters in place of bytes.

Settings: `minimum_size`, the fewest characters of a part together with the filler before it (default 4);
`minimum_count`, the smallest count of a part (default 5); `maximum_count`, the count from which on a word stays whole
(default 5); `fillers` (default "s" and "es"). See docs/reproduction/segmentation.md.
"""

from __future__ import annotations

from math import log
from typing import Any, Self

from rarewords.errors import InputError
from rarewords.segmentation import settings as checks
from rarewords.segmentation.method import Progress
from rarewords.segmentation.protocol import OneWaySegmenter


class CompoundSegmenter(OneWaySegmenter):
    """`parts` are the words that may be parts: their most frequent casing and the count of all casings."""

    method = "compound-splitting"

    def __init__(self, settings: dict[str, Any], language: str, parts: dict[str, int]) -> None:
        super().__init__(settings, language)
        self._casing = {form.lower(): form for form in parts}
        self._count = {form.lower(): count for form, count in parts.items()}

    @classmethod
    def _learn(
        cls, settings: dict[str, Any], counts: list[dict[str, int]], progress: Progress | None
    ) -> list[dict[str, int]]:
        """Take the frequent words of each side as possible parts."""
        needed = min(settings["minimum_count"], settings["maximum_count"])
        return [{form: count for form, count in _by_casing(side).items() if count >= needed} for side in counts]

    def summary(self) -> str:
        return f"{len(self._casing)} words that may be parts"

    @classmethod
    def complete(cls, settings: dict[str, Any]) -> dict[str, Any]:
        """See `Segmenter.complete`."""
        defaults = {"minimum_size": 4, "minimum_count": 5, "maximum_count": 5, "fillers": ["s", "es"]}
        complete = checks.complete(cls.method, settings, [], defaults)
        for key in ("minimum_size", "minimum_count", "maximum_count"):
            checks.check_integer(cls.method, complete, key, 1)
        fillers = complete["fillers"]
        if not isinstance(fillers, list) or not all(isinstance(filler, str) and filler for filler in fillers):
            raise InputError(f"segmentation {cls.method}: the setting 'fillers' must be a list of letters.")
        return complete

    def _cut(self, word: str) -> list[str]:
        lower = word.lower()
        frequent = self._count.get(lower, 0) >= self.settings["maximum_count"]
        if frequent or len(lower) != len(word) or not any(character.isalpha() for character in word):
            return [word]
        parts = self._best_parts(lower)
        return [self._casing[part] for part in parts] if len(parts) > 1 else [word]

    def _best_parts(self, word: str) -> list[str]:
        """The best cover of a word; [word] if there is none."""
        # For each place and number of parts before it, the best sum of logarithms and these parts.
        covers: list[dict[int, tuple[float, list[str]]]] = [{} for _ in range(len(word) + 1)]
        covers[0][0] = (0.0, [])
        for start in range(len(word)):
            if not covers[start]:
                continue
            for part, end in self._parts_at(word, start):
                for number, (score, parts) in covers[start].items():
                    extended = score + log(self._count[part])
                    if number + 1 not in covers[end] or extended > covers[end][number + 1][0]:
                        covers[end][number + 1] = (extended, [*parts, part])
        whole = covers[len(word)]
        return whole[max(whole, key=lambda number: whole[number][0] / number)][1] if whole else [word]

    def _parts_at(self, word: str, start: int) -> list[tuple[str, int]]:
        """Known parts that follow a place, perhaps after a filler, and where they end."""
        found = []
        for filler in ["", *self.settings["fillers"]] if start > 0 else [""]:
            if word.startswith(filler, start):
                first = start + len(filler)
                for end in range(max(start + self.settings["minimum_size"], first + 1), len(word) + 1):
                    if self._count.get(word[first:end], 0) >= self.settings["minimum_count"]:
                        found.append((word[first:end], end))
        return found

    def _data(self) -> list[str]:
        return [f"{form} {self._count[lower]}" for lower, form in self._casing.items()]

    @classmethod
    def _from_data(cls, settings: dict[str, Any], language: str, data: Any) -> Self:
        entries = [entry.split(" ") for entry in data]
        return cls(cls.complete(settings), language, {form: int(count) for form, count in entries})


def _by_casing(counts: dict[str, int]) -> dict[str, int]:
    """Words that differ in casing as one: the most frequent casing, of equal ones the first, and the sum."""
    best: dict[str, str] = {}
    total: dict[str, int] = {}
    for form, count in counts.items():
        lower = form.lower()
        total[lower] = total.get(lower, 0) + count
        if lower not in best or count > counts[best[lower]]:
            best[lower] = form
    return {form: total[lower] for lower, form in best.items()}
