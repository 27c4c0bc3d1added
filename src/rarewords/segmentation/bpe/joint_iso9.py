"""Joint byte pair encoding across the Latin and the Cyrillic alphabet (`bpe-joint-iso9`).

The method of the paper's section 3.2 and footnote 5: the Russian vocabulary is transliterated to Latin (`iso9.py`),
merges are learned on the union with the other side's words, and each merge is carried back to Cyrillic. Russian text is
cut with both lists, because it contains Latin words too; the other side with the Latin one. No code was released for
it; see docs/reproduction/segmentation.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from rarewords.errors import InputError
from rarewords.segmentation import iso9
from rarewords.segmentation.bpe.segmenter import BpeSegmenter, learn
from rarewords.segmentation.bpe.symbols import END_OF_WORD, Merge
from rarewords.segmentation.method import Progress
from rarewords.segmentation.sides import add_counts

RUSSIAN = "ru"


class JointIso9BpeSegmenter(BpeSegmenter):
    """Merges learned on both sides in Latin letters; the Russian side has their Cyrillic images as well."""

    method = "bpe-joint-iso9"

    @classmethod
    def learn_segmenters(
        cls, settings: dict[str, Any], counts: list[dict[str, int]], languages: list[str], progress: Progress | None
    ) -> list[Self]:
        """Learn one list of merges; the Russian side gets their Cyrillic images as well."""
        latin = [
            _in_latin(side) if language == RUSSIAN else side for side, language in zip(counts, languages, strict=True)
        ]
        merges = learn(settings, add_counts(latin), progress)
        return [
            cls(settings, language, with_cyrillic(merges) if language == RUSSIAN else merges) for language in languages
        ]

    @classmethod
    def check_languages(cls, languages: Sequence[str]) -> None:
        """Raises InputError unless exactly one side is Russian (`ru`)."""
        if languages.count(RUSSIAN) != 1:
            raise InputError(
                f"segmentation {cls.method}: exactly one language must be {RUSSIAN!r}, but they are "
                f"{' and '.join(languages)}; use bpe-joint for other pairs."
            )

    def summary(self) -> str:
        images = len(self.merges) - self._learned()
        return super().summary() + (f"; {images} of them in Cyrillic letters, too" if images else "")

    def _learned(self) -> int:
        """The merges without their Cyrillic images, which stand behind them."""
        if self.language != RUSSIAN:
            return len(self.merges)
        number = place = 0
        while place < len(self.merges):
            place += 1 if _merge_image(self.merges[place]) is None else 2
            number += 1
        return number


def with_cyrillic(merges: list[Merge]) -> list[Merge]:
    """Each merge, followed by its Cyrillic image if it has one.

    Side by side in one list the two keep the rank of the merge: they never share a symbol that both could take, since
    they differ in at least one letter.
    """
    both = []
    for merge in merges:
        both.append(merge)
        image = _merge_image(merge)
        if image is not None:
            both.append(image)
    return both


def _merge_image(merge: Merge) -> Merge | None:
    """The Cyrillic image of a merge; None if it has none or is its own."""
    left, right = _image(merge[0]), _image(merge[1])
    return None if left is None or right is None or (left, right) == merge else (left, right)


def _image(symbol: str) -> str | None:
    text = symbol.removesuffix(END_OF_WORD)
    image = iso9.cyrillic_image(text)
    return None if image is None else image + symbol[len(text) :]


def _in_latin(counts: dict[str, int]) -> dict[str, int]:
    return add_counts([{iso9.to_latin(word): count} for word, count in counts.items()])
