"""Byte pair encoding on bytes (`bpe-bytes`): the base symbols are the bytes of UTF-8, so no character is unknown.

Settings: those of byte pair encoding (see `segmenter.py`), and `joint`, true for merges learned on all sides together
(default false).

In a segmented text each byte is written as one character: the visible characters of ASCII but `@` as themselves, every
other byte b as U+0100 + b. `Größe` with no merges is `G@@ r@@ ǃ@@ ƶ@@ ǃ@@ Ɵ@@ e`.
See docs/reproduction/further-segmentations.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

from rarewords.segmentation import joiner
from rarewords.segmentation import settings as checks
from rarewords.segmentation.bpe.segmenter import BpeSegmenter, complete_settings, learn
from rarewords.segmentation.bpe.symbols import Merge
from rarewords.segmentation.joiner import JOINER
from rarewords.segmentation.method import Progress
from rarewords.segmentation.sides import learn_sides

# Without @, no part of a word can look like the joiner. Words of a text have neither a space nor the end of a line, so
# there is no character that would bring one in.
AS_THEMSELVES = frozenset([*range(0x21, 0x7F), *b" \n"]) - {ord("@")}
CHARACTERS = [chr(byte) if byte in AS_THEMSELVES else chr(0x100 + byte) for byte in range(256)]
BYTES = {character: bytes([byte]) for byte, character in enumerate(CHARACTERS)}
NOT_IN_WORDS = frozenset([*b" \n", 0xC0, 0xC1, *range(0xF5, 0x100)])  # all but the first two: never in UTF-8


class ByteBpeSegmenter(BpeSegmenter):
    """Words become sequences of bytes, and these are merged."""

    method = "bpe-bytes"

    @classmethod
    def _learn(
        cls, settings: dict[str, Any], counts: list[dict[str, int]], progress: Progress | None
    ) -> list[list[Merge]]:
        """Learn the merges of each side, or with `joint` one list for all."""
        encoded = [{to_characters(word): count for word, count in side.items()} for side in counts]
        return learn_sides(lambda side: learn(settings, side, progress), encoded, settings["joint"])

    @classmethod
    def complete(cls, settings: dict[str, Any]) -> dict[str, Any]:
        """See `Segmenter.complete`."""
        complete = complete_settings(cls.method, settings, {"joint": False})
        checks.check_boolean(cls.method, complete, "joint")
        return complete

    def reserved_units(self) -> list[str]:
        """The units of single bytes, inside a word and at its end, as far as UTF-8 can have them there."""
        return _byte_units()

    @classmethod
    def smallest_vocabulary(cls, settings: dict[str, Any], side: int) -> int:
        """See `Segmenter.smallest_vocabulary`."""
        return len(_byte_units()) + 1

    def restore(self, units: Iterable[str]) -> list[str]:
        """The words of a list of units; U+FFFD stands for bytes that are no character, as a network may make them."""
        return [from_characters(word) for word in joiner.join(units)]

    def _cut(self, word: str) -> list[str]:
        return super()._cut(to_characters(word))

    def _cut_at_random(self, word: str, strength: float, random: Random) -> list[str]:
        return super()._cut_at_random(to_characters(word), strength, random)


def to_characters(word: str) -> str:
    """A word as one character for each byte of its UTF-8."""
    return "".join([CHARACTERS[byte] for byte in word.encode("utf-8")])


def from_characters(text: str) -> str:
    """The inverse of `to_characters`; U+FFFD for bytes that are no character. Characters without a byte stay."""
    content = b"".join([BYTES.get(character) or character.encode("utf-8") for character in text])
    return content.decode("utf-8", errors="replace")


def _byte_units() -> list[str]:
    inside = [byte for byte in range(256) if byte not in NOT_IN_WORDS]
    at_the_end = [byte for byte in inside if byte < 0xC0]
    return [CHARACTERS[byte] + JOINER for byte in inside] + [CHARACTERS[byte] for byte in at_the_end]
