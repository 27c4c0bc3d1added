"""Character n-grams with a shortlist of unsegmented words (C2-50k in the paper, section 3.1).

Settings: `n`, the characters a unit (default 2); `shortlist`, how many of the most frequent words of each side stay
whole, one number or a list with one for each side; `compatible_shortlist`, true to keep one word more, as the released
script does (default false).
See docs/reproduction/segmentation.md.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Self

from rarewords.errors import InputError
from rarewords.segmentation import settings as checks
from rarewords.segmentation.method import Progress
from rarewords.segmentation.protocol import Segmenter


class CharNgramSegmenter(Segmenter):
    """Words outside the shortlist are cut from the left into chunks of n code points; the last may be shorter."""

    method = "char-ngrams"

    def __init__(self, settings: dict[str, Any], language: str, shortlist: list[str]) -> None:
        super().__init__(settings, language)
        self.shortlist = shortlist
        self._whole = frozenset(shortlist)

    @classmethod
    def _learn(
        cls, settings: dict[str, Any], counts: list[dict[str, int]], progress: Progress | None
    ) -> list[list[str]]:
        """The most frequent words of each side are its shortlist; of equally frequent words, the first to occur."""
        sizes = settings["shortlist"]
        if not isinstance(sizes, list):
            sizes = [sizes] * len(counts)
        if len(sizes) != len(counts):
            raise InputError(
                f"segmentation {cls.method}: the setting 'shortlist' has {len(sizes)} numbers for {len(counts)} sides; "
                "give one number, or one for each side."
            )
        more = 1 if settings["compatible_shortlist"] else 0
        return [
            sorted(side, key=side.__getitem__, reverse=True)[: size + more]
            for side, size in zip(counts, sizes, strict=True)
        ]

    def summary(self) -> str:
        return f"{self.settings['n']} characters a unit, {len(self.shortlist)} words kept whole"

    @classmethod
    def complete(cls, settings: dict[str, Any]) -> dict[str, Any]:
        """See `Segmenter.complete`."""
        complete = checks.complete(cls.method, settings, ["shortlist"], {"n": 2, "compatible_shortlist": False})
        checks.check_integer(cls.method, complete, "n", 1)
        sizes = complete["shortlist"]
        for size in sizes if isinstance(sizes, list) else [sizes]:
            checks.check_integer(cls.method, {"shortlist": size}, "shortlist", 0)
        if not isinstance(complete["compatible_shortlist"], bool):
            raise InputError(f"segmentation {cls.method}: the setting 'compatible_shortlist' must be true or false.")
        return complete

    def _cut(self, word: str) -> list[str]:
        if word in self._whole:
            return [word]
        return chunks(word, self.settings["n"])

    def _data(self) -> list[str]:
        return self.shortlist

    @classmethod
    def _from_data(cls, settings: dict[str, Any], language: str, data: Any) -> Self:
        return cls(cls.complete(settings), language, [str(word) for word in data])


def chunks(word: str, n: int) -> list[str]:
    """A word from the left in pieces of n code points; the last may be shorter."""
    return [word[start : start + n] for start in range(0, len(word), n)]


def cut_as_released(line: str, whole: Collection[str], n: int, separator: str) -> str:
    """A line cut as by the released script: any white space separates words, and a space follows every unit."""
    words = (word if word in whole else f"{separator} ".join(chunks(word, n)) for word in line.split())
    return "".join(f"{word} " for word in words)
