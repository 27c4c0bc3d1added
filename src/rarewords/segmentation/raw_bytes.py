"""The bytes of a line, spaces included (`raw-bytes`): no words, no merges, no vocabulary to choose.

For systems that read raw text (`preprocess: raw`), as published for byte input (arXiv:2202.11176). There are no
settings. A byte is one unit: the visible characters of ASCII as themselves, every other byte b as U+0100 + b, so a
space is `\u0120`. No unit needs a joiner. See docs/reproduction/further-segmentations.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

from rarewords.segmentation import settings as checks
from rarewords.segmentation.protocol import Segmenter
from rarewords.text.files import split_words
from rarewords.text.raw import from_words, to_words

UNITS = [chr(byte) if 0x21 <= byte < 0x7F else chr(0x100 + byte) for byte in range(256)]
BYTES = {unit: byte for byte, unit in enumerate(UNITS)}
# No line holds these: the end of a line, and bytes that UTF-8 does not have.
NOT_IN_LINES = frozenset([0x0A, 0xC0, 0xC1, *range(0xF5, 0x100)])


class RawBytesSegmenter(Segmenter):
    """Every byte of the raw line is a unit."""

    method = "raw-bytes"

    @classmethod
    def complete(cls, settings: dict[str, Any]) -> dict[str, Any]:
        """There are no settings."""
        return checks.complete(cls.method, settings, [], {})

    def segment_text(self, text: str) -> str:
        """The bytes of the raw line that these words are, separated by spaces."""
        return " ".join([UNITS[byte] for byte in from_words(text).encode("utf-8")])

    def segment(self, words: Iterable[str]) -> list[str]:
        """The units of a list of words."""
        return split_words(self.segment_text(" ".join(words)))

    def restore(self, units: Iterable[str]) -> list[str]:
        """The words of a list of units; U+FFFD stands for bytes that are no character, as a network may make them."""
        content = b"".join([self._bytes(unit) for unit in units])
        return split_words(to_words(content.decode("utf-8", errors="replace")))

    @staticmethod
    def _bytes(unit: str) -> bytes:
        return bytes([BYTES[unit]]) if unit in BYTES else unit.encode("utf-8")

    def reserved_units(self) -> list[str]:
        """All bytes that a line of UTF-8 can have."""
        return _units()

    @classmethod
    def smallest_vocabulary(cls, settings: dict[str, Any], side: int) -> int:
        """See `Segmenter.smallest_vocabulary`; there are no other units."""
        return len(_units())

    def summary(self) -> str:
        return "bytes of raw text"

    def _cut(self, word: str) -> list[str]:
        return [UNITS[byte] for byte in word.encode("utf-8")]

    def _text(self, word: str) -> str:
        return " ".join(self._cut(word))

    def _data(self) -> None:
        return None

    @classmethod
    def _from_data(cls, settings: dict[str, Any], language: str, data: Any) -> Self:
        return cls(settings, language)


def _units() -> list[str]:
    return [UNITS[byte] for byte in range(256) if byte not in NOT_IN_LINES]
