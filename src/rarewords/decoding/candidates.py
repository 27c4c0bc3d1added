"""Candidate lists: the units among which a sentence's translation is searched.

Sources: paper, section 4; docs/reproduction/decoding.md.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rarewords.alignment.lexicon import Lexicon
from rarewords.errors import InputError
from rarewords.settings import CandidateSettings
from rarewords.vocabulary import FIRST_UNIT, Vocabulary


@dataclass(frozen=True)
class Candidates:
    """Where candidate lists come from: the `common` most frequent units (EOS and UNK counted), and for each source unit
    its `per_word` most probable translations.

    With `block` all sentences of a block of this size share one list of `common` units in all.
    """

    lexicon: Lexicon
    settings: CandidateSettings

    def __post_init__(self) -> None:
        if self.settings.common <= FIRST_UNIT:
            raise InputError(f"{self.settings.common} common units are too few: EOS and UNK count, so take 3 or more.")


@dataclass(frozen=True)
class UnitLists:
    """The lists of a batch: ids 0 … `common` - 1 for all of its sentences, and `others` (ids from `common` on, no id
    twice): one list for each sentence, or a single one for all."""

    common: int
    others: list[list[int]]


class Translations:
    """The ids of each source unit's most probable translations."""

    def __init__(self, candidates: Candidates, source: Vocabulary, target: Vocabulary) -> None:
        self.candidates, self.source, self.target = candidates, source, target
        self._known: dict[str, list[int]] = {}

    def of(self, units: Iterable[str]) -> list[int]:
        """Ids for a whole sentence, the first word's first, no id twice.

        A source unit outside its vocabulary has none, and a translation outside the target vocabulary does not count.
        """
        return list(dict.fromkeys(number for unit in units for number in self._of_unit(unit)))

    def _of_unit(self, unit: str) -> list[int]:
        if unit not in self._known:
            translations = self.candidates.lexicon.candidates(unit) if unit in self.source else []
            inside = [translation for translation in translations if translation in self.target]
            self._known[unit] = self.target.encode(inside[: self.candidates.settings.per_word])
        return self._known[unit]


def sentence_lists(translations: Translations, sentences: Sequence[Sequence[str]], common: int) -> UnitLists:
    """A list for each sentence: the `common` most frequent units, and the translations of its words."""
    common = min(common, len(translations.target))
    return UnitLists(common, [[k for k in translations.of(sentence) if k >= common] for sentence in sentences])


def block_list(translations: Translations, sentences: Sequence[Sequence[str]]) -> UnitLists:
    """One list for all sentences with `common` units in all: translations take the place of the rarest common ones.

    EOS and UNK always stay; if there are too many translations, those of the last words are left out.
    """
    size = min(translations.candidates.settings.common, len(translations.target))
    wanted = translations.of(unit for sentence in sentences for unit in sentence)[: size - FIRST_UNIT]
    ascending = sorted(wanted)
    common = size
    while common + len(ascending) - bisect_left(ascending, common) > size:
        common -= 1
    return UnitLists(common, [[k for k in wanted if k >= common]])
