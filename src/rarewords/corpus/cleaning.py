"""Drop sentence pairs that are empty, too long or too different in length."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import repeat

from rarewords.text.files import split_words

LONGEST_WORD = 1000  # characters


@dataclass
class CleaningCounts:
    """How many pairs were read and kept, and how many each rule dropped. A pair counts for the first rule it breaks."""

    read: int = 0
    kept: int = 0
    empty: int = 0
    too_short: int = 0
    too_long: int = 0
    ratio: int = 0
    long_word: int = 0

    def describe(self) -> str:
        """For people: `3 empty, 0 too short, 5 too long, 1 too different in length, 0 with an overlong word`."""
        return (
            f"{self.empty:,} empty, {self.too_short:,} too short, {self.too_long:,} too long, "
            f"{self.ratio:,} too different in length, {self.long_word:,} with an overlong word"
        )


def clean_pairs(
    pairs: Iterable[tuple[str, str]],
    minimum: int = 1,
    maximum: int = 80,
    ratio: float = 9.0,
    longest_word: int = LONGEST_WORD,
    others: Iterable[tuple[str, str]] | None = None,
) -> tuple[Iterator[tuple[str, str]], CleaningCounts]:
    """Filter tokenised sentence pairs by the rules of Moses' clean-corpus-n (docs/reproduction/preprocessing.md).

    `minimum` and `maximum` are tokens on each side, `ratio` is the greatest quotient of the two lengths, `longest_word`
    is in characters. A pair with an empty side is always dropped. Several spaces become one. With `others`, the same
    pairs in another form, those are kept instead: systems that read another text are trained on the same pairs.

    Returns an iterator over the kept pairs and the counts, which are complete when the iterator is exhausted.

    Unlike the script, `|` is an ordinary character: the tokeniser has escaped it, and a first line with one cannot
    turn the corpus into a factored one.
    """
    counts = CleaningCounts()

    def kept() -> Iterator[tuple[str, str]]:
        other_pairs = repeat(None) if others is None else others
        for (source, target), other in zip(pairs, other_pairs, strict=others is not None):
            left = split_words(source)
            right = split_words(target)
            counts.read += 1
            broken = _broken_rule(left, right, minimum, maximum, ratio, longest_word)
            if broken is None:
                counts.kept += 1
                yield other or (" ".join(left), " ".join(right))
            else:
                setattr(counts, broken, getattr(counts, broken) + 1)

    return kept(), counts


def _broken_rule(
    left: list[str], right: list[str], minimum: int, maximum: int, ratio: float, longest_word: int
) -> str | None:
    """The name of the first rule that a pair breaks, a field of CleaningCounts."""
    shorter, longer = sorted((len(left), len(right)))
    if shorter == 0:
        return "empty"
    if shorter < minimum:
        return "too_short"
    if longer > maximum:
        return "too_long"
    if longer > ratio * shorter:
        return "ratio"
    if max(map(len, left)) > longest_word or max(map(len, right)) > longest_word:
        return "long_word"
    return None
