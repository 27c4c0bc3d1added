"""Hyphenation with Liang's patterns, from the package pyphen (for the statistics of the paper's Table 1).

Words are cut wherever a line may break; the patterns are those of the language, with at least two letters on both sides
of a break. Only the target side, which Table 1 is about, needs patterns; words of a source language that has none stay
whole. There are no settings. See docs/reproduction/segmentation.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Self

from rarewords.errors import InputError
from rarewords.segmentation import settings as checks
from rarewords.segmentation.method import Progress
from rarewords.segmentation.protocol import Segmenter

if TYPE_CHECKING:
    from pyphen import Pyphen


class HyphenationSegmenter(Segmenter):
    """With `whole`, words stay whole; without it, raises InputError for a language that has no patterns."""

    method = "hyphenation"

    def __init__(self, settings: dict[str, Any], language: str, whole: bool = False) -> None:
        super().__init__(settings, language)
        self._patterns = None if whole else self._patterns_of(language)

    @classmethod
    def learn_segmenters(
        cls, settings: dict[str, Any], counts: list[dict[str, int]], languages: list[str], progress: Progress | None
    ) -> list[Self]:
        """One segmenter for each side; nothing is learned."""
        return [cls(settings, language, whole=_dictionary(language) is None) for language in languages]

    @classmethod
    def check_languages(cls, languages: Sequence[str]) -> None:
        """Raises InputError if the last language, the target's, has no patterns."""
        cls._patterns_of(languages[-1])

    @classmethod
    def _patterns_of(cls, language: str) -> Pyphen:
        import pyphen

        dictionary = _dictionary(language)
        if dictionary is None:
            raise InputError(
                f"segmentation {cls.method}: there are no hyphenation patterns for the language {language!r}; "
                f"known ones: {', '.join(sorted(code for code in pyphen.LANGUAGES if '_' not in code))}."
            )
        return pyphen.Pyphen(lang=dictionary)

    @classmethod
    def complete(cls, settings: dict[str, Any]) -> dict[str, Any]:
        """There are no settings."""
        return checks.complete(cls.method, settings, [], {})

    def summary(self) -> str:
        if self._patterns is None:
            return f"no patterns for {self.language}, words stay whole"
        return "cut where a line may break"

    def _cut(self, word: str) -> list[str]:
        if self._patterns is None:
            return [word]
        # A break may come with a change of spelling in some languages; the letters stay as they are here.
        return [word[start:end] for start, end in pairwise([0, *self._patterns.positions(word), len(word)])]

    def _data(self) -> str | None:
        return "whole words" if self._patterns is None else None

    @classmethod
    def _from_data(cls, settings: dict[str, Any], language: str, data: Any) -> Self:
        return cls(settings, language, whole=data is not None)


def _dictionary(language: str) -> str | None:
    """The name of the patterns for a language, or None."""
    import pyphen

    name: str | None = pyphen.language_fallback(language)
    return name
