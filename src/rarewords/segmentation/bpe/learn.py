"""Learning byte pair encoding (paper section 3.2, Algorithm 1) from a dictionary of words.

At each step the pair of neighbouring symbols with the largest count is merged. Counts are over overlapping positions
(`a a a` holds the pair `a a` twice), weighted by the frequency of the word, never across words. Of equally frequent
pairs, the rule `tie_break` chooses:

    larger   the larger (left, right) by code-point order, as in the released tool
    first    the one that comes first in the dictionary, words from top to bottom, pairs from left to right

Symbols are strings: two merges that make the same string make the same symbol.

Small work is done by `plain_learner.py`, all other by `compiled_learner.py`; both learn the same merges.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from rarewords.segmentation.bpe.plain_learner import PlainLearner
from rarewords.segmentation.bpe.symbols import Merge

if TYPE_CHECKING:
    from rarewords.segmentation.bpe.compiled_learner import CompiledLearner

# Work that plain Python does in a third of a second, less than the compiled code takes to load; see `_plain_work`.
MOST_PLAIN_WORK = 10_000_000


def learn_merges(
    word_counts: Mapping[str, int],
    merges: int,
    minimum_frequency: int = 2,
    version: str = "0.2",
    tie_break: str = "larger",
    progress: Callable[[int, int], None] | None = None,
) -> list[Merge]:
    """Learn at most `merges` merges, in order; fewer if no further pair occurs `minimum_frequency` times.

    `version` is the rule for the end of a word, see `symbols.py`. `progress` is called after each merge with how many
    there are and how many there can be. Empty words are ignored. Raises InputError for more than a thousand million
    characters.
    """
    learner = _new_learner(word_counts, merges, minimum_frequency, version, tie_break)
    learned: list[Merge] = []
    while len(learned) < merges:
        pair = learner.merge_best()
        if pair is None:
            break
        learned.append(pair)
        if progress is not None:
            progress(len(learned), merges)
    return learned


def initial_symbols(word_counts: Mapping[str, int], version: str = "0.2") -> int:
    """How many different symbols the words have before the first merge."""
    words = [word for word in word_counts if word]
    if version == "0.1":
        return len(set().union(*words)) + 1  # the marker
    return len(set().union(*(word[:-1] for word in words))) + len({word[-1] for word in words})


def _new_learner(
    word_counts: Mapping[str, int], merges: int, minimum: int, version: str, tie_break: str
) -> PlainLearner | CompiledLearner:
    if _plain_work(word_counts, merges) <= MOST_PLAIN_WORK:
        return PlainLearner(word_counts, minimum, version, tie_break)
    from rarewords.segmentation.bpe.compiled_learner import CompiledLearner  # brings in the compiler

    return CompiledLearner(word_counts, minimum, version, tie_break)


def _plain_work(word_counts: Mapping[str, int], merges: int) -> float:
    """What the time in plain Python grows with: a merge goes through each word that holds the pair, and a word of n
    characters takes up to n - 1 merges. The first merges are in many words, the later ones in few."""
    return sum(len(word) ** 2 for word in word_counts) * math.sqrt(max(merges, 0))
