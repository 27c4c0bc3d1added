"""Hyphenation with Liang's patterns, from the package pyphen (for the statistics of the paper's Table 1).

Words are cut wherever a line may break; the patterns are those of the language, with at least two letters on both sides
of a break. There are no settings. See docs/reproduction.md, section Segmentation.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Self

from rarewords.errors import InputError
from rarewords.segmentation import settings as checks
from rarewords.segmentation.protocol import Progress, Segmenter


class HyphenationSegmenter(Segmenter):
    """Raises InputError for a language that has no patterns."""

    method = "hyphenation"

    def __init__(self, settings: dict[str, Any], language: str) -> None:
        import pyphen

        super().__init__(settings, language)
        dictionary = pyphen.language_fallback(language)
        if dictionary is None:
            raise InputError(
                f"segmentation {self.method}: there are no hyphenation patterns for the language {language!r}; "
                f"known ones: {', '.join(sorted(code for code in pyphen.LANGUAGES if '_' not in code))}."
            )
        self._patterns = pyphen.Pyphen(lang=dictionary)

    @classmethod
    def fit(
        cls,
        settings: dict[str, Any],
        counts: list[dict[str, int]],
        languages: list[str],
        progress: Progress | None = None,
    ) -> list[Self]:
        """One segmenter a side; nothing is learned."""
        complete = cls.complete(settings)
        return [cls(complete, language) for language in languages]

    @classmethod
    def complete(cls, settings: dict[str, Any]) -> dict[str, Any]:
        """There are no settings."""
        return checks.complete(cls.method, settings, [], {})

    def summary(self) -> str:
        return "cut where a line may break"

    def _cut(self, word: str) -> list[str]:
        # A break may come with a change of spelling in some languages; the letters stay as they are here.
        return [word[start:end] for start, end in pairwise([0, *self._patterns.positions(word), len(word)])]

    def _data(self) -> None:
        return None

    @classmethod
    def _from_data(cls, settings: dict[str, Any], language: str, data: Any) -> Self:
        return cls(settings, language)
