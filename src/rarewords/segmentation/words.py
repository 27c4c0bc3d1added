"""Whole words (WUnk and WDict in the paper): nothing is cut, the network vocabulary is the shortlist."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

from rarewords.segmentation import settings as checks
from rarewords.segmentation.protocol import Segmenter


class WordSegmenter(Segmenter):
    """Every word is one unit. There is no joiner, so `@@` means nothing here, not even at the end of a word."""

    method = "words"

    @classmethod
    def complete(cls, settings: dict[str, Any]) -> dict[str, Any]:
        """There are no settings."""
        return checks.complete(cls.method, settings, [], {})

    def restore(self, units: Iterable[str]) -> list[str]:
        """The units themselves."""
        return list(units)

    def summary(self) -> str:
        return "whole words"

    def _cut(self, word: str) -> list[str]:
        return [word]

    def _text(self, word: str) -> str:
        return word

    def _data(self) -> None:
        return None

    @classmethod
    def _from_data(cls, settings: dict[str, Any], language: str, data: Any) -> Self:
        return cls(settings, language)
