"""Byte pair encoding after splitting rules (`bpe-rules`), as published for scientific text (arXiv:2211.09085).

Settings: `merges`, `minimum_frequency`, `version` and `tie_break` as in byte pair encoding (see `segmenter.py`), or
`vocabulary` instead of `merges`, how many units there may be in all: as many merges as the different characters leave;
`split_digits`, every digit a unit (default true); `split_operators`, every ASCII operator and bracket a unit (default
true); `wrapped`, pairs of strings such as `[["[START_DNA]", "[END_DNA]"]]`: what stands between them within a word is
cut into characters, and they stay whole (default none); `sample`, the share of the running words to learn from (default
1.0), drawn at random by `seed` (default 1); `joint`, true for merges learned on all sides together (default false).
See docs/reproduction/further-segmentations.md.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Any, Self

import numpy as np

from rarewords.errors import InputError
from rarewords.segmentation import settings as checks
from rarewords.segmentation.bpe.apply import Bpe
from rarewords.segmentation.bpe.learn import initial_symbols
from rarewords.segmentation.bpe.segmenter import complete_settings, from_lines, learn, to_lines
from rarewords.segmentation.bpe.symbols import Merge
from rarewords.segmentation.method import Capabilities, Progress
from rarewords.segmentation.protocol import Segmenter
from rarewords.segmentation.sides import learn_sides

DIGIT = r"\d"
ESCAPE = r"&(?:amp|lt|gt|apos|quot|#124|#91|#93);"  # what tokenisation makes of one character
OPERATOR = r"""[!"#$%&'*+,\-./:;<=>?\\^_`|~()\[\]{}]"""  # punctuation of ASCII but @, which Moses puts around hyphens


FURTHER_DEFAULTS: dict[str, Any] = {
    "vocabulary": None,
    "split_digits": True,
    "split_operators": True,
    "wrapped": [],
    "sample": 1.0,
    "seed": 1,
    "joint": False,
}


class RulesBpeSegmenter(Segmenter):
    """The rules cut a word into pieces; each piece that is not yet a unit is merged like a word of its own."""

    method = "bpe-rules"
    offers = Capabilities(sampling="dropout")

    def __init__(self, settings: dict[str, Any], language: str, merges: Iterable[Merge]) -> None:
        super().__init__(settings, language)
        self.merges = list(merges)
        self._rules = SplittingRules(settings)
        self._bpe = Bpe(self.merges, settings["version"])

    @classmethod
    def _learn(
        cls, settings: dict[str, Any], counts: list[dict[str, int]], progress: Progress | None
    ) -> list[list[Merge]]:
        """Learn the merges of each side from a sample of its words, or with `joint` one list for all."""
        rules = SplittingRules(settings)

        def learn_side(side: dict[str, int]) -> list[Merge]:
            pieces = rules.count_pieces(side)
            return learn(settings | {"merges": _merges(settings, rules, side, pieces)}, pieces, progress)

        sampled = [sample_words(side, settings["sample"], settings["seed"]) for side in counts]
        return learn_sides(learn_side, sampled, settings["joint"])

    @classmethod
    def complete(cls, settings: dict[str, Any]) -> dict[str, Any]:
        """See `Segmenter.complete`."""
        by_vocabulary = settings.get("vocabulary") is not None
        if by_vocabulary and "merges" in settings:
            raise InputError(f"segmentation {cls.method}: give either 'merges' or 'vocabulary', not both.")
        complete = complete_settings(cls.method, settings | ({"merges": 0} if by_vocabulary else {}), FURTHER_DEFAULTS)
        if by_vocabulary:
            checks.check_integer(cls.method, complete, "vocabulary", 1)
            del complete["merges"]
        for key in ("split_digits", "split_operators", "joint"):
            checks.check_boolean(cls.method, complete, key)
        checks.check_share(cls.method, complete, "sample")
        checks.check_integer(cls.method, complete, "seed", 0)
        if not _are_pairs(complete["wrapped"]):
            raise InputError(
                f"segmentation {cls.method}: the setting 'wrapped' is {complete['wrapped']!r}; it must be a list of "
                "pairs of strings without spaces, the start and the end."
            )
        return complete

    def summary(self) -> str:
        asked = self.settings.get("merges", 0)
        few = f" of {asked}" if len(self.merges) < asked else ""
        size = "" if self.settings["vocabulary"] is None else f", for {self.settings['vocabulary']} units in all"
        return f"{len(self.merges)}{few} merges{size}"

    def _cut(self, word: str) -> list[str]:
        return self._rules.cut(word, self._bpe.cut)

    def _cut_at_random(self, word: str, strength: float, random: Random) -> list[str]:
        return self._rules.cut(word, lambda piece: self._bpe.cut_at_random(piece, strength, random.random))

    def _data(self) -> list[str]:
        return to_lines(self.merges)

    @classmethod
    def _from_data(cls, settings: dict[str, Any], language: str, data: Any) -> Self:
        return cls(cls.complete(settings), language, from_lines(data))


class SplittingRules:
    """Cuts a word into pieces, by complete settings."""

    def __init__(self, settings: dict[str, Any]) -> None:
        patterns = [f"({re.escape(start)})(.*?)({re.escape(end)})" for start, end in settings["wrapped"]]
        if settings["split_operators"] or settings["split_digits"]:
            patterns.append(ESCAPE)
        if settings["split_digits"]:
            patterns.append(DIGIT)
        if settings["split_operators"]:
            patterns.append(OPERATOR)
        self._pattern = re.compile("|".join(patterns), re.DOTALL) if patterns else None

    def pieces(self, word: str) -> Iterator[tuple[str, bool]]:
        """The pieces of a word, and whether they are units already."""
        end = 0
        for match in self._pattern.finditer(word) if self._pattern else ():
            if match.start() > end:
                yield word[end : match.start()], False
            groups = [group for group in match.groups() if group is not None]
            if groups:
                start_mark, inside, end_mark = groups
                yield from ((unit, True) for unit in (start_mark, *inside, end_mark))
            else:
                yield match.group(), True
            end = match.end()
        if end < len(word):
            yield word[end:], False

    def cut(self, word: str, cut: Callable[[str], list[str]]) -> list[str]:
        """The parts of a word: the units of the rules, and what `cut` makes of the other pieces."""
        parts = []
        for piece, is_unit in self.pieces(word):
            parts += [piece] if is_unit else cut(piece)
        return parts

    def count_pieces(self, counts: dict[str, int]) -> dict[str, int]:
        """How often the pieces occur that are to be merged, in the order of first occurrence."""
        pieces: Counter[str] = Counter()
        for word, count in counts.items():
            for piece, is_unit in self.pieces(word):
                if not is_unit:
                    pieces[piece] += count
        return pieces


def _merges(settings: dict[str, Any], rules: SplittingRules, side: dict[str, int], pieces: dict[str, int]) -> int:
    """How many merges to learn; where the vocabulary is given, what its units of the rules and characters leave."""
    if settings["vocabulary"] is None:
        return int(settings["merges"])
    units = {piece for word in side for piece, is_unit in rules.pieces(word) if is_unit}
    return max(0, settings["vocabulary"] - len(units) - initial_symbols(pieces, settings["version"]))


def sample_words(counts: dict[str, int], share: float, seed: int) -> dict[str, int]:
    """The counts of a random sample of the running words: each is taken with probability `share`."""
    if share == 1:
        return counts
    numbers = np.fromiter(counts.values(), np.int64, len(counts))
    taken = np.random.default_rng(seed).binomial(numbers, share).tolist()
    return {word: count for word, count in zip(counts, taken, strict=True) if count}


def _are_pairs(value: Any) -> bool:
    def is_mark(text: Any) -> bool:
        return isinstance(text, str) and text != "" and " " not in text

    return isinstance(value, list) and all(
        isinstance(pair, list | tuple) and len(pair) == 2 and all(map(is_mark, pair)) for pair in value
    )
