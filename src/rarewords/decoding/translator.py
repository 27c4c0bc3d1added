"""From members to translated units: the one object that workflow, command line and benchmarks use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rarewords.alignment.lexicon import Lexicon
from rarewords.decoding.beam import Hypothesis, beam_search
from rarewords.decoding.candidates import Candidates, Translations, UnitLists, block_list, sentence_lists
from rarewords.decoding.ensemble import Ensemble
from rarewords.decoding.forced import forced_attention
from rarewords.errors import InputError
from rarewords.machine.device import choose_device
from rarewords.model.padding import pad
from rarewords.saved_model import SavedModel, load_model
from rarewords.schema import default
from rarewords.settings import DecodingSettings
from rarewords.text.files import PathLike
from rarewords.vocabulary import EOS

Units = Sequence[str]
Search = Callable[[list[Units]], list[list[Hypothesis]]]


class Finished(NamedTuple):
    """A finished translation: negative log-probability per unit (end of sentence counted), and its units."""

    cost: float
    units: list[str]


BATCH_SIZE: int = default("decoding.batch_size")  # sentences that are searched together
MAX_UNITS = 10_000  # a longer "sentence" is a mistake in the input, and could take 30,000 steps


class Translator:
    """Translates segmented sentences with one member or the ensemble of several.

    `trained_length` is a number of source units that few of any member's training sentences exceed, None if no member
    says it.
    """

    def __init__(self, members: Sequence[SavedModel]) -> None:
        """Raises InputError if there is no member or they do not share both vocabularies."""
        if not members:
            raise InputError("no member is given; translating needs at least one model.")
        first = members[0]
        for number, other in enumerate(members[1:], 2):
            for side in ("source_vocabulary", "target_vocabulary"):
                if getattr(first, side).units != getattr(other, side).units:
                    raise InputError(
                        f"members 1 and {number} differ in their {side.replace('_', ' ')}: "
                        "an ensemble needs members of one system."
                    )
        self.source_vocabulary, self.target_vocabulary = first.source_vocabulary, first.target_vocabulary
        self.ensemble = Ensemble([member.parameters for member in members])
        self.device = next(iter(first.parameters.values())).device
        lengths = [member.trained_length() for member in members]
        self.trained_length: int | None = min(filter(None, lengths), default=None)

    @classmethod
    def load(cls, folders: Sequence[PathLike], device: str = "auto") -> Translator:
        """Read members from their folders; device is auto, cpu, cuda or cuda:N."""
        chosen = str(choose_device(device))
        return cls([load_model(folder, chosen) for folder in folders])

    def translate(
        self,
        sentences: Sequence[Units],
        settings: DecodingSettings | None = None,
        batch_size: int = BATCH_SIZE,
        progress: Callable[[int], None] | None = None,
        lexicon: Lexicon | None = None,
    ) -> list[list[str]]:
        """Target units of every sentence, in the order of the input; a sentence without units stays empty.

        The best of `hypotheses`, and empty where there is none.
        """
        found = self.hypotheses(sentences, 1, settings, batch_size, progress, lexicon)
        return [best[0].units if best else [] for best in found]

    def hypotheses(
        self,
        sentences: Sequence[Units],
        number: int,
        settings: DecodingSettings | None = None,
        batch_size: int = BATCH_SIZE,
        progress: Callable[[int], None] | None = None,
        lexicon: Lexicon | None = None,
    ) -> list[list[Finished]]:
        """The `number` best finished hypotheses of every sentence (or as many as there are), the best first.

        They are in the order of the input; a sentence without units has none. There are at most as many as the
        beam has. Without `settings` the search is the paper's.

        Sentences of similar length are searched together; the result does not depend on `batch_size`. `progress` is
        called with the number of sentences done. With `settings.candidates` each sentence (or block) is searched in a
        list of units that comes from the `lexicon`, else in the whole vocabulary. Raises InputError for a sentence of
        more than 10,000 units.
        """
        check_lengths(sentences)
        settings = settings or DecodingSettings()
        translations = self._translations(settings, lexicon)
        block_size = (settings.candidates and settings.candidates.block) or max(1, len(sentences))
        results: list[list[Finished]] = [[] for _ in sentences]
        done = sum(not sentence for sentence in sentences)
        for first in range(0, len(sentences), block_size):
            block = range(first, min(first + block_size, len(sentences)))
            search = self._searcher(translations, [sentences[k] for k in block], settings)
            waiting = sorted((k for k in block if sentences[k]), key=lambda k: len(sentences[k]), reverse=True)
            for start in range(0, len(waiting), batch_size):
                chosen = waiting[start : start + batch_size]
                for k, hypotheses in zip(chosen, search([sentences[k] for k in chosen]), strict=True):
                    results[k] = [
                        Finished(cost, self.target_vocabulary.decode(ids)) for cost, ids in hypotheses[:number]
                    ]
                done += len(chosen)
                if progress:
                    progress(done)
        return results

    def _translations(self, settings: DecodingSettings, lexicon: Lexicon | None) -> Translations | None:
        if settings.candidates is None:
            return None
        candidates = Candidates(lexicon or Lexicon([]), settings.candidates)
        return Translations(candidates, self.source_vocabulary, self.target_vocabulary)

    def _searcher(self, translations: Translations | None, block: list[Units], settings: DecodingSettings) -> Search:
        """How the sentences of a block are searched: all units, one list for the block, or a list for each sentence."""
        if translations is None:
            return lambda batch: self._search(batch, settings, None)
        if translations.candidates.settings.block:
            lists = block_list(translations, block)
            return lambda batch: self._search(batch, settings, lists)
        return lambda batch: self._widening_search(
            batch, settings, translations, translations.candidates.settings.common
        )

    def _widening_search(
        self, batch: list[Units], settings: DecodingSettings, translations: Translations, common: int
    ) -> list[list[Hypothesis]]:
        """Search with a list for each sentence; where nothing finishes, again with twice as many common units."""
        found = self._search(batch, settings, sentence_lists(translations, batch, common))
        failed = [k for k, hypotheses in enumerate(found) if not hypotheses]
        if failed and common < len(self.target_vocabulary):
            again = self._widening_search([batch[k] for k in failed], settings, translations, 2 * common)
            for k, hypotheses in zip(failed, again, strict=True):
                found[k] = hypotheses
        return found

    def _search(
        self, batch: list[Units], settings: DecodingSettings, lists: UnitLists | None
    ) -> list[list[Hypothesis]]:
        source, mask = pad([[*self.source_vocabulary.encode(sentence), EOS] for sentence in batch], EOS)
        return beam_search(self.ensemble, source.to(self.device), mask.to(self.device), settings, lists)

    def attention(
        self, sentences: Sequence[Units], translations: Sequence[Units], batch_size: int = BATCH_SIZE
    ) -> list[NDArray[np.floating[Any]]]:
        """The members' attention in finished translations: an array (units, source units + 1) for each.

        Row i is for unit i of the translation, the last column for the end of the source sentence; weights are summed
        over the members, see `forced_attention`. `<unk>` and units outside a vocabulary are read as UNK.
        """
        order = sorted(range(len(sentences)), key=lambda k: (len(sentences[k]), len(translations[k])))
        results: dict[int, NDArray[np.floating[Any]]] = {}
        for start in range(0, len(order), batch_size):
            chosen = order[start : start + batch_size]
            sources = [[*self.source_vocabulary.encode(sentences[k]), EOS] for k in chosen]
            targets = [self.target_vocabulary.encode(translations[k]) for k in chosen]
            results.update(zip(chosen, forced_attention(self.ensemble.members, sources, targets), strict=True))
        return [results[k] for k in range(len(sentences))]


def check_lengths(sentences: Sequence[Units], first_line: int = 1) -> None:
    """Raise InputError that names the line of a sentence too long to be translated at once."""
    for number, sentence in enumerate(sentences, first_line):
        if len(sentence) > MAX_UNITS:
            raise InputError(
                f"line {number} has {len(sentence):,} units, but at most {MAX_UNITS:,} can be translated at once: "
                "split it into sentences."
            )
