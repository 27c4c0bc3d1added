"""A bounded cache from words to their segmentation."""

from __future__ import annotations

from collections.abc import Callable

LARGEST = 1_000_000  # words; bounds the memory when the text is endless


class WordCache(dict[str, str]):
    """What a function makes of each word, computed at the first look-up."""

    def __init__(self, function: Callable[[str], str]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, word: str) -> str:
        if len(self) >= LARGEST:
            self.clear()
        text = self[word] = self._function(word)
        return text
