"""Unigram F1 of all, rare and unseen words (paper section 4, tables 2 and 3; docs/reproduction/evaluation.md).

Texts are whole words (segmentation undone), tokenised and truecased like the training text whose counts define the
classes: other tokens would make most words look unseen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from rarewords.errors import InputError
from rarewords.text.files import split_words
from rarewords.vocabulary import UNKNOWN_TEXT, UNKNOWN_WORD

# What a network writes for a word that it does not know; UNKNOWN_TEXT in texts whose units were joined by hand.
UNKNOWN = (UNKNOWN_WORD, UNKNOWN_TEXT)

# Stands for all words that the training text does not have; no word of a line has a line end.
UNSEEN = "\n"

CLASSES = ("all", "rare", "rare_inclusive", "oov")


@dataclass
class WordTotals:
    """Clipped matches and tokens of every word type, summed over sentences.

    `unknown` are the tokens of hypotheses that are a network's unknown word, one of UNKNOWN. It is not a word, so it
    can neither match nor be rare or unseen.
    """

    matches: Counter[str] = field(default_factory=Counter)
    hypothesis: Counter[str] = field(default_factory=Counter)
    reference: Counter[str] = field(default_factory=Counter)
    unknown: int = 0

    def merge(self, more: WordTotals, training_counts: Mapping[str, int]) -> None:
        """Add the totals of further lines. Unseen words become one, so that memory is that of the training words."""
        self.unknown += more.unknown
        for own, other in (
            (self.matches, more.matches),
            (self.hypothesis, more.hypothesis),
            (self.reference, more.reference),
        ):
            for word, number in other.items():
                own[word if word in training_counts else UNSEEN] += number

    def words(self) -> set[str]:
        """The word types of both sides."""
        return self.hypothesis.keys() | self.reference.keys()


@dataclass
class ClassTotals:
    """Tokens of one class: clipped matches, in the hypothesis, in the reference."""

    matches: int = 0
    hypothesis: int = 0
    reference: int = 0

    def add(self, word: str, totals: WordTotals) -> None:
        """Add the tokens of a word."""
        self.matches += totals.matches[word]
        self.hypothesis += totals.hypothesis[word]
        self.reference += totals.reference[word]


def word_totals(hypotheses: Iterable[str], references: Iterable[str]) -> WordTotals:
    """Count every word type in aligned lines; a match is clipped within its sentence, as in BLEU.

    Words are what single spaces (U+0020) separate, as in the training counts. Raises ValueError if there are more
    lines on one side.
    """
    totals = WordTotals()
    for hypothesis, reference in zip(hypotheses, references, strict=True):
        translated, expected = _words(hypothesis), _words(reference)
        totals.unknown += take_unknown(translated)
        totals.hypothesis.update(translated)
        totals.reference.update(expected)
        totals.matches.update(translated & expected)
    return totals


def count_classes(
    hypotheses: Iterable[str], references: Iterable[str], training_counts: Mapping[str, int], rare_rank: int
) -> dict[str, ClassTotals]:
    """Matches and tokens of each of CLASSES over aligned lines, read one at a time.

    `training_counts` is in order of first occurrence, which settles ties of rank. A word is `rare` if it was seen in
    training and its rank is greater than rare_rank, `oov` if it was not seen, `rare_inclusive` if it is either.
    """
    return _count_classes(word_totals(hypotheses, references), training_counts, rare_rank)


def classifier(training_counts: Mapping[str, int], rare_rank: int) -> Callable[[str], tuple[str, ...]]:
    """A function that names the CLASSES of a word, as count_classes defines them."""
    frequent = set(most_frequent(training_counts, rare_rank))

    def classes_of(word: str) -> tuple[str, ...]:
        if word in frequent:
            return ("all",)
        return ("all", "rare_inclusive", "rare" if word in training_counts else "oov")

    return classes_of


def _count_classes(totals: WordTotals, training_counts: Mapping[str, int], rare_rank: int) -> dict[str, ClassTotals]:
    classes_of = classifier(training_counts, rare_rank)
    classes = {name: ClassTotals() for name in CLASSES}
    classes["all"].hypothesis = totals.unknown
    for word in totals.words():
        for name in classes_of(word):
            classes[name].add(word, totals)
    return classes


def bins_by_frequency(totals: WordTotals, training_counts: Mapping[str, int]) -> list[dict[str, Any]]:
    """Unigram F1 of the words of one training frequency, for every frequency, falling (paper, section 5.1, figure 2).

    `types` of the training text have this count; they take the ranks `first_rank` to `last_rank`. The last bin is that
    of unseen words: frequency 0, no types, ranks null. A bin that occurs on neither side is left out.
    """
    bins: dict[int, ClassTotals] = {}
    for word in totals.words():
        bins.setdefault(training_counts.get(word, 0), ClassTotals()).add(word, totals)
    types = Counter(training_counts.values())
    found, rank = [], 0
    for frequency in sorted(types.keys() | {0}, reverse=True):
        first, rank = rank + 1, rank + types[frequency]
        if frequency in bins:
            ranks = {"first_rank": first, "last_rank": rank} if frequency else {"first_rank": None, "last_rank": None}
            scores = _scores(bins[frequency])
            del scores["n"]  # the same as reference_tokens
            found.append({"frequency": frequency, **ranks, "types": types[frequency], **scores})
    return found


def unigram_f1(
    hypotheses: Iterable[str],
    references: Iterable[str],
    training_counts: Mapping[str, int],
    rare_rank: int = 50_000,
) -> dict[str, Any]:
    """The scores of `unigram_scores` for aligned lines, read one at a time."""
    return unigram_scores(word_totals(hypotheses, references), training_counts, rare_rank)


def unigram_scores(totals: WordTotals, training_counts: Mapping[str, int], rare_rank: int) -> dict[str, Any]:
    """Precision, recall and F1 (percent) of each class, with its counts and n, the tokens of the reference.

    `cut_frequency` is the training count of the word at rank rare_rank, null if there are fewer types. A class that
    occurs on neither side has null scores. `by_frequency` are the bins of bins_by_frequency. Raises InputError if there
    are no training counts.
    """
    if not training_counts:
        raise InputError("There are no training counts, so no word is rare or unseen: give the target training text.")
    classes = _count_classes(totals, training_counts, rare_rank)
    return {
        "rare_rank": rare_rank,
        "training_types": len(training_counts),
        "training_tokens": sum(training_counts.values()),
        "cut_frequency": cut_frequency(training_counts, rare_rank),
        "classes": {name: _scores(totals) for name, totals in classes.items()},
        "by_frequency": bins_by_frequency(totals, training_counts),
    }


def _words(line: str) -> Counter[str]:
    return Counter(split_words(line))


def take_unknown(words: Counter[str]) -> int:
    """Remove a network's unknown words from the words of a hypothesis; their number."""
    return sum(words.pop(unknown, 0) for unknown in UNKNOWN)


def most_frequent(counts: Mapping[str, int], number: int) -> list[str]:
    """The most frequent words; sorting is stable, so ties stay in order of first occurrence."""
    return list(islice(sorted(counts, key=lambda word: -counts[word]), number))


def cut_frequency(counts: Mapping[str, int], rare_rank: int) -> int | None:
    return sorted(counts.values(), reverse=True)[rare_rank - 1] if len(counts) >= rare_rank else None


def _scores(totals: ClassTotals) -> dict[str, Any]:
    present = totals.hypothesis + totals.reference > 0
    return {
        # 2PR/(P+R), written in counts
        "f1": _percent(2 * totals.matches, totals.hypothesis + totals.reference) if present else None,
        "precision": _percent(totals.matches, totals.hypothesis) if present else None,
        "recall": _percent(totals.matches, totals.reference) if present else None,
        "n": totals.reference,
        "matches": totals.matches,
        "hypothesis_tokens": totals.hypothesis,
        "reference_tokens": totals.reference,
    }


def _percent(part: int, whole: int) -> float:
    return 100.0 * part / whole if whole else 0.0
