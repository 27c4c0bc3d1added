"""Statistics of a segmentation of a text: the numbers of the paper's Table 1, and some more.

Everything follows from word counts, because a word is always cut in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from rarewords.segmentation.iso9 import to_latin
from rarewords.segmentation.protocol import Segmenter
from rarewords.vocabulary import unit_counts


@dataclass(frozen=True)
class Statistics:
    """Numbers of a segmented training text, and of further texts that are compared with it.

    Types are counted as the network sees them, where `in@@` and `in` are two units, and without the joiner, where they
    are one. Unknown units of a further text are those that the training text does not have.
    """

    words: int  # running words of the training text
    word_types: int
    tokens: int  # running units
    types: int
    types_without_joiner: int
    hapax_units: int  # units that occur once
    split_words: int  # running words that have more than one unit
    split_word_types: int
    unknown: dict[str, int]  # by name of the text, running unknown units
    unknown_of: dict[str, int]  # by name of the text, running units


def text_statistics(
    segmenter: Segmenter, word_counts: Mapping[str, int], texts: Mapping[str, Mapping[str, int]]
) -> Statistics:
    """The statistics of a segmenter on the word counts of its training text and of further texts."""
    units = unit_counts(segmenter.segment_word, word_counts)
    split = [count for word, count in word_counts.items() if len(segmenter.segment_word(word)) > 1]
    others = {name: unit_counts(segmenter.segment_word, counts) for name, counts in texts.items()}
    return Statistics(
        words=sum(word_counts.values()),
        word_types=len(word_counts),
        tokens=sum(units.values()),
        types=len(units),
        types_without_joiner=len({_without_joiner(segmenter, unit) for unit in units}),
        hapax_units=sum(1 for count in units.values() if count == 1),
        split_words=sum(split),
        split_word_types=len(split),
        unknown={name: sum(n for unit, n in other.items() if unit not in units) for name, other in others.items()},
        unknown_of={name: sum(other.values()) for name, other in others.items()},
    )


@dataclass(frozen=True)
class Consistency:
    """How many word types occur in both texts of a pair, and how many of them are cut alike on both sides."""

    common: int
    alike: int


def joint_consistency(
    source: Segmenter, source_counts: Mapping[str, int], target: Segmenter, target_counts: Mapping[str, int]
) -> Consistency:
    """Words that occur on both sides, above all names, should be cut alike (paper section 3.2)."""
    common = cut_alike(source, source_counts, target, target_counts)
    return Consistency(len(common), sum(common.values()))


def cut_alike(
    source: Segmenter, source_words: Iterable[str], target: Segmenter, target_words: Iterable[str]
) -> dict[str, bool]:
    """For each source word that is on the target side, too, whether both sides cut it at the same places.

    A Russian word is the same as its Latin image by ISO 9; of several such the first counts.
    """
    images: dict[str, str] = {}
    for word in target_words:
        images.setdefault(to_latin(word), word)
    return {
        word: source.segment_word(word) == [to_latin(unit) for unit in target.segment_word(images[word])]
        for word in source_words
        if word in images
    }


def as_json(segmenter: Segmenter, statistics: Statistics, consistency: Consistency | None) -> dict[str, Any]:
    """One JSON object; `consistency` is null where only one side was given."""
    return {
        "method": segmenter.method,
        "settings": segmenter.settings,
        "language": segmenter.language,
        **asdict(statistics),
        "consistency": None if consistency is None else asdict(consistency),
    }


def _without_joiner(segmenter: Segmenter, unit: str) -> str:
    return "".join(segmenter.restore([unit])) if segmenter.offers.restorable else unit
