"""Bytes on the source side, byte pair encoding on the target side (`source-bytes`).

For networks that learn by themselves which bytes belong together (`network.source_blocks`): the source has no merges
and no vocabulary to choose, all bytes that UTF-8 can have are in it. Settings: those of byte pair encoding (see
`bpe/segmenter.py`), for the target side; `spaces`, true for the bytes of the raw line with its spaces, for systems that
read raw text, false (default) for those of words. The segmenters, and so their files, are those of `raw-bytes` or
`bpe-bytes`, and `bpe`.
See docs/reproduction.md, section Segmentation.
"""

from __future__ import annotations

from typing import Any, Self

from rarewords.segmentation import settings as checks
from rarewords.segmentation.bpe.bytes import ByteBpeSegmenter
from rarewords.segmentation.bpe.segmenter import BpeSegmenter, complete_settings
from rarewords.segmentation.protocol import Progress, Segmenter
from rarewords.segmentation.raw_bytes import RawBytesSegmenter


class SourceBytesSegmenter(Segmenter):
    """How both sides are fitted; there are no segmenters of this class itself."""

    method = "source-bytes"
    sampling = BpeSegmenter.sampling
    has_merges = True
    needs_blocks = True

    @classmethod
    def fit(
        cls,
        settings: dict[str, Any],
        counts: list[dict[str, int]],
        languages: list[str],
        progress: Progress | None = None,
    ) -> list[Segmenter]:
        """A segmenter into bytes for the first side, which is the source; merges of its own for each other side."""
        complete = cls.complete(settings)
        source: Segmenter
        if complete.pop("spaces"):
            source = RawBytesSegmenter({}, languages[0])
        else:
            source = ByteBpeSegmenter(ByteBpeSegmenter.complete({"merges": 0}), languages[0], [])
        return [source, *BpeSegmenter.fit(complete, counts[1:], languages[1:], progress)]

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

    @classmethod
    def _from_data(cls, settings: dict[str, Any], language: str, data: Any) -> Self:
        raise ValueError("its sides are of the methods bpe-bytes or raw-bytes, and bpe")
