"""Bytes on the source side, byte pair encoding on the target side (`source-bytes`).

For networks that learn by themselves which bytes belong together (`network.source_blocks`): the source has no merges
and no vocabulary to choose, all bytes that UTF-8 can have are in it. Settings: those of byte pair encoding (see
`bpe/segmenter.py`), for the target side; `spaces`, true for the bytes of the raw line with its spaces, for systems that
read raw text, false (default) for those of words. The segmenters, and so their files, are those of `raw-bytes` or
`bpe-bytes`, and `bpe`.
See docs/reproduction/further-segmentations.md.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rarewords.segmentation import settings as checks
from rarewords.segmentation.bpe.bytes import ByteBpeSegmenter
from rarewords.segmentation.bpe.segmenter import BpeSegmenter, complete_settings
from rarewords.segmentation.method import Method, Progress
from rarewords.segmentation.protocol import Segmenter
from rarewords.segmentation.raw_bytes import RawBytesSegmenter


class SourceBytes(Method):
    """How both sides are learned; there are no segmenters of this method itself."""

    method = "source-bytes"
    offers = replace(BpeSegmenter.offers, needs_blocks=True)

    @classmethod
    def learn_segmenters(
        cls, settings: dict[str, Any], counts: list[dict[str, int]], languages: list[str], progress: Progress | None
    ) -> list[Segmenter]:
        """A segmenter into bytes for the first side, which is the source; merges of its own for each other side."""
        of_target = {key: value for key, value in settings.items() if key != "spaces"}
        source: Segmenter
        if settings["spaces"]:
            source = RawBytesSegmenter({}, languages[0])
        else:
            source = ByteBpeSegmenter(ByteBpeSegmenter.complete({"merges": 0}), languages[0], [])
        return [source, *BpeSegmenter.fit(of_target, counts[1:], languages[1:], progress)]

    @classmethod
    def complete(cls, settings: dict[str, Any]) -> dict[str, Any]:
        """See `Segmenter.complete`."""
        complete = complete_settings(cls.method, settings, {"spaces": False})
        checks.check_boolean(cls.method, complete, "spaces")
        return complete

    @classmethod
    def smallest_vocabulary(cls, settings: dict[str, Any], side: int) -> int:
        """See `Segmenter.smallest_vocabulary`; the source has no other units than the bytes."""
        if side > 0:
            return 1
        if settings.get("spaces"):
            return RawBytesSegmenter.smallest_vocabulary(settings, side)
        return ByteBpeSegmenter.smallest_vocabulary(settings, side) - 1
