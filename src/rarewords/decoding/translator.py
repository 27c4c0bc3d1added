"""From members to translated units: one object that the workflow, the command line and the benchmarks use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewords.decoding.beam import beam_search
from rarewords.decoding.ensemble import Ensemble
from rarewords.decoding.forced import forced_attention
from rarewords.errors import InputError
from rarewords.model.device import choose_device
from rarewords.model.padding import pad
from rarewords.saved_model import SavedModel, load_model
from rarewords.textio import PathLike
from rarewords.vocabulary import EOS

MAX_UNITS = 10_000  # a longer "sentence" is a mistake in the input, and could take 30,000 steps


class Translator:
    """Translates segmented sentences with one member or the ensemble of several."""

    def __init__(self, members: Sequence[SavedModel]) -> None:
        """Raises InputError if there is no member or they do not share both vocabularies."""
        if not members:
            raise InputError("no member was given: translating needs at least one model.")
        first = members[0]
        for number, other in enumerate(members[1:], 2):
            for side in ("source_vocabulary", "target_vocabulary"):
                if getattr(first, side).units != getattr(other, side).units:
                    raise InputError(
                        f"member {number} has another {side.replace('_', ' ')} than member 1: "
                        "an ensemble needs members of one system."
                    )
        self.source_vocabulary, self.target_vocabulary = first.source_vocabulary, first.target_vocabulary
        self.ensemble = Ensemble([member.parameters for member in members])
        self.device = next(iter(first.parameters.values())).device

    @classmethod
    def load(cls, folders: Sequence[PathLike], device: str = "auto") -> Translator:
        """Read members from their folders; device is auto, cpu, cuda or cuda:N."""
        chosen = str(choose_device(device))
        return cls([load_model(folder, chosen) for folder in folders])

    def translate(
        self,
        sentences: Sequence[Sequence[str]],
        beam: int = 12,
        batch_size: int = 16,
        progress: Callable[[int], None] | None = None,
    ) -> list[list[str]]:
        """Target units of every sentence, in the order of the input; a sentence without units stays empty.

        Sentences of similar length are searched together; the result does not depend on `batch_size`. `progress` is
        called with the number of sentences done. Raises InputError for a sentence of more than 10,000 units.
        """
        for number, sentence in enumerate(sentences, 1):
            if len(sentence) > MAX_UNITS:
                raise InputError(
                    f"line {number} has {len(sentence):,} units (at most {MAX_UNITS:,} can be translated at once): "
                    "split it into sentences."
                )
        results: list[list[str]] = [[] for _ in sentences]
        waiting = sorted((k for k, s in enumerate(sentences) if s), key=lambda k: len(sentences[k]), reverse=True)
        done = len(sentences) - len(waiting)
        for start in range(0, len(waiting), batch_size):
            chosen = waiting[start : start + batch_size]
            source, mask = pad([[*self.source_vocabulary.encode(sentences[k]), EOS] for k in chosen], EOS)
            found = beam_search(self.ensemble, source.to(self.device), mask.to(self.device), beam)
            for k, hypotheses in zip(chosen, found, strict=True):
                results[k] = self.target_vocabulary.decode(hypotheses[0].ids) if hypotheses else []
            done += len(chosen)
            if progress:
                progress(done)
        return results

    def attention(
        self, sentences: Sequence[Sequence[str]], translations: Sequence[Sequence[str]], batch_size: int = 16
    ) -> list[NDArray[np.floating[Any]]]:
        """What the members attend to in finished translations: an array (units, source units + 1) for each.

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
