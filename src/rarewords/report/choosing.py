"""The sentences that best show how systems differ on rare words; the same input gives the same choice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

# Reference words of a sentence that is easy to read; shorter ones say little, longer ones fill the page.
SHORTEST, LONGEST = 4, 14


@dataclass(frozen=True)
class Candidate:
    """A sentence: its line (from 1), words in the reference, and the rare and unseen words among them.

    `found[word]` says for each system whether its translation has the word.
    """

    line: int
    length: int
    text: str
    unseen: frozenset[str]
    rare: frozenset[str]
    found: dict[str, tuple[bool, ...]]

    def differing(self, words: frozenset[str]) -> frozenset[str]:
        """Those words that some systems have and others do not."""
        return frozenset(word for word in words if len(set(self.found[word])) == 2)


def choose(candidates: Iterable[Candidate], number: int) -> list[int]:
    """Lines of at most `number` sentences, in the order of the test set.

    Sentences on whose unseen words the systems differ take turns with those on whose rare words they do; if these are
    too few, sentences with an unseen, then with a rare word follow. Short ones come first. No word decides twice, and
    no reference is shown twice.
    """
    usable = sorted((one for one in candidates if one.found), key=lambda one: (_inconvenience(one), one.line))
    by_unseen = [(one, one.differing(one.unseen)) for one in usable]
    by_rare = [(one, one.differing(one.rare)) for one in usable]
    rest = [(one, one.unseen) for one in usable] + [(one, one.rare) for one in usable]
    chosen: list[Candidate] = []
    used: set[str] = set()

    def take(queue: list[tuple[Candidate, frozenset[str]]]) -> bool:
        """Move the first sentence with a new word from a queue to the chosen ones."""
        while queue and len(chosen) < number:
            one, words = queue.pop(0)
            if words - used and all(one.text != other.text for other in chosen):
                chosen.append(one)
                used.update(words)
                return True
        return False

    while any([take(by_unseen), take(by_rare)]):
        pass
    while take(rest):
        pass
    return sorted(one.line for one in chosen)


def _inconvenience(one: Candidate) -> int:
    """How far a sentence is from a length that is easy to read."""
    return max(SHORTEST - one.length, one.length - LONGEST, 0)
