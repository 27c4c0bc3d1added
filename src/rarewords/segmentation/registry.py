"""The segmentations by name; a configuration selects one by `method`."""

from __future__ import annotations

from typing import Any

from rarewords.errors import InputError
from rarewords.segmentation.bpe.bytes import ByteBpeSegmenter
from rarewords.segmentation.bpe.joint_iso9 import JointIso9BpeSegmenter
from rarewords.segmentation.bpe.rules import RulesBpeSegmenter
from rarewords.segmentation.bpe.segmenter import BpeSegmenter, JointBpeSegmenter
from rarewords.segmentation.char_ngrams import CharNgramSegmenter
from rarewords.segmentation.compound_splitting import CompoundSegmenter
from rarewords.segmentation.hyphenation import HyphenationSegmenter
from rarewords.segmentation.morfessor_baseline import MorfessorSegmenter
from rarewords.segmentation.protocol import Progress, Segmenter
from rarewords.segmentation.sentencepiece_segmenter import SentencePieceSegmenter
from rarewords.segmentation.settings import nearest
from rarewords.segmentation.wordpiece import WordPieceSegmenter
from rarewords.segmentation.words import WordSegmenter
from rarewords.textio import PathLike, read_json

METHODS: dict[str, type[Segmenter]] = {
    segmenter.method: segmenter
    for segmenter in (
        WordSegmenter,
        CharNgramSegmenter,
        BpeSegmenter,
        JointBpeSegmenter,
        JointIso9BpeSegmenter,
        ByteBpeSegmenter,
        RulesBpeSegmenter,
        CompoundSegmenter,
        MorfessorSegmenter,
        HyphenationSegmenter,
        SentencePieceSegmenter,
        WordPieceSegmenter,
    )
}


def find(method: str) -> type[Segmenter]:
    """The class of a method; raises InputError that names the nearest method."""
    if method not in METHODS:
        raise InputError(
            f"there is no segmentation {method!r}; did you mean {nearest(method, METHODS)!r}? "
            f"Known ones: {', '.join(METHODS)}."
        )
    return METHODS[method]


def create(
    method: str,
    settings: dict[str, Any],
    counts: list[dict[str, int]],
    languages: list[str],
    progress: Progress | None = None,
) -> list[Segmenter]:
    """Fit the segmenters of all sides, see `Segmenter.fit`."""
    return list(find(method).fit(settings, counts, languages, progress))


def load(path: PathLike) -> Segmenter:
    """Read a segmenter of any method; raises InputError that names the file for anything else."""
    value = read_json(path)
    if not isinstance(value, dict) or not isinstance(value.get("method"), str):
        raise InputError(f"{path}: not a segmenter file; write one with `rarewords segment fit`.")
    return find(value["method"]).from_json(value, origin=str(path))
