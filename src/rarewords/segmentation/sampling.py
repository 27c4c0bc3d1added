"""Random segmentations of training text: BPE-dropout and subword regularisation (Kudo, 2018).

The text is segmented several times, one copy after the other; training takes one copy in each pass. See
docs/reproduction/further-segmentations.md, section Random segmentations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from rarewords.errors import InputError
from rarewords.segmentation.protocol import Segmenter
from rarewords.text.files import PathLike, read_lines


def sampled_lines(
    segmenter: Segmenter, strengths: Mapping[str, float | None], path: PathLike, copies: int, seed: int
) -> Iterator[str]:
    """The lines of all copies of a text, segmented at random.

    `strengths` are dropout and alpha, of which the one that suits the segmenter is given. The random numbers of a line
    depend on `seed`, its copy and its number only. Raises InputError for a method without random segmentations, for the
    wrong number, and for standard input.
    """
    strength = _strength(segmenter, strengths)
    if str(path) == "-":
        raise InputError("standard input (-) cannot be read several times; name a file.")
    return (
        segmenter.segment_text_at_random(line, strength, Random(f"{seed}/{copy}/{number}"))
        for copy in range(copies)
        for number, line in enumerate(read_lines(path))
    )


def _strength(segmenter: Segmenter, strengths: Mapping[str, float | None]) -> float:
    wanted = segmenter.capabilities(segmenter.settings).sampling
    if wanted is None:
        of_these = " with these settings" if segmenter.offers.sampling else ""
        raise InputError(
            f"the segmentation {segmenter.method} cuts each word in only one way{of_these}; "
            "leave random segmentation out."
        )
    strength = strengths[wanted]
    if strength is None or any(value is not None for name, value in strengths.items() if name != wanted):
        raise InputError(f"the segmentation {segmenter.method} needs --{wanted}, and nothing else.")
    return strength
