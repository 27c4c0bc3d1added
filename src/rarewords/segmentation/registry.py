"""The segmentations by name; a configuration selects one by `method`.

Another installed package adds its own with an entry point of the group `rarewords.segmentations`, whose name is the
method and whose value is the class; see docs/adding-a-segmentation.md.
"""

from __future__ import annotations

import os
import re
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from rarewords.errors import InputError, nearest
from rarewords.segmentation.bpe.bytes import ByteBpeSegmenter
from rarewords.segmentation.bpe.joint_iso9 import JointIso9BpeSegmenter
from rarewords.segmentation.bpe.rules import RulesBpeSegmenter
from rarewords.segmentation.bpe.segmenter import BpeSegmenter, JointBpeSegmenter
from rarewords.segmentation.char_ngrams import CharNgramSegmenter
from rarewords.segmentation.cleaned import CleanedSegmenter
from rarewords.segmentation.compound_splitting import CompoundSegmenter
from rarewords.segmentation.hyphenation import HyphenationSegmenter
from rarewords.segmentation.method import Method, Progress
from rarewords.segmentation.morfessor_baseline import MorfessorSegmenter
from rarewords.segmentation.protocol import FILE, Segmenter
from rarewords.segmentation.raw_bytes import RawBytesSegmenter
from rarewords.segmentation.sentencepiece_segmenter import SentencePieceSegmenter
from rarewords.segmentation.source_bytes import SourceBytes
from rarewords.segmentation.wordpiece import WordPieceSegmenter
from rarewords.segmentation.words import WordSegmenter
from rarewords.text.documents import read_json
from rarewords.text.files import PathLike, read_lines

GROUP = "rarewords.segmentations"

METHODS: dict[str, type[Method]] = {
    method.method: method
    for method in (
        WordSegmenter,
        CharNgramSegmenter,
        BpeSegmenter,
        JointBpeSegmenter,
        JointIso9BpeSegmenter,
        ByteBpeSegmenter,
        RulesBpeSegmenter,
        SourceBytes,
        RawBytesSegmenter,
        CompoundSegmenter,
        MorfessorSegmenter,
        HyphenationSegmenter,
        SentencePieceSegmenter,
        WordPieceSegmenter,
        CleanedSegmenter,
    )
}


def find(method: str) -> type[Method]:
    """The class of a method, of this package or of another one.

    Raises InputError that names the nearest method, or the entry point that does not lead to a segmentation.
    """
    if method in METHODS:
        return METHODS[method]
    others = {entry.name: entry for entry in entry_points(group=GROUP)}
    if method not in others:
        raise InputError(f"there is no segmentation {method!r}; {nearest(method, [*METHODS, *others])}")
    return _load(others[method])


def _load(entry: EntryPoint) -> type[Method]:
    try:
        found = entry.load()
    except (ImportError, AttributeError) as error:
        raise InputError(
            f"the segmentation {entry.name!r} of another package cannot be loaded from {entry.value} ({error}); "
            "install that package again."
        ) from error
    if not (isinstance(found, type) and issubclass(found, Method)) or found.method != entry.name:
        raise InputError(
            f"the entry point {entry.name!r} of the group {GROUP} must lead to a subclass of Segmenter with the method "
            f"{entry.name!r}, but {entry.value} is not; correct it in that package."
        )
    return found


def create(
    method: str,
    settings: dict[str, Any],
    counts: list[dict[str, int]],
    languages: list[str],
    progress: Progress | None = None,
) -> list[Segmenter]:
    """Fit the segmenters of all sides, see `Method.fit`."""
    return list(find(method).fit(settings, counts, languages, progress))


def load(path: PathLike) -> Segmenter:
    """Read a segmenter of any method; raises InputError that names the file for anything else."""
    if os.path.isfile(path):
        _check_kind(path)
    return from_json(read_json(path, FILE), origin=str(path))


def _check_kind(path: PathLike) -> None:
    """Raise InputError for another file of ours that is mistaken for a segmenter: a vocabulary or codes."""
    first = next(iter(read_lines(path)), "")
    kinds = {
        r"\S+ \d+": "a vocabulary",
        r"#version: .*": "a file of merge operations, which `rarewords bpe apply` reads",
    }
    for pattern, kind in kinds.items():
        if re.fullmatch(pattern, first):
            raise InputError(
                f"{path}: this looks like {kind}; name the segmenter, a JSON file that `rarewords segment fit` wrote."
            )


def from_json(value: Any, origin: str) -> Segmenter:
    """The segmenter of a JSON value, see `Segmenter.to_json`; raises InputError that names `origin` for other values.

    Its method may be another one than that which was fitted: `source-bytes` has those of two others.
    """
    if not isinstance(value, dict) or not isinstance(value.get("method"), str):
        raise InputError(f"{origin}: not a segmenter file; write one with `rarewords segment fit`.")
    found = find(value["method"])
    if not issubclass(found, Segmenter):
        raise InputError(f"{origin}: {found.method} has no segmenter files of its own; fit it again.")
    return found.from_json(value, origin)


CleanedSegmenter.find = staticmethod(find)
CleanedSegmenter.from_any_json = staticmethod(from_json)
