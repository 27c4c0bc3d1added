"""SentencePiece with a unigram model (Kudo, 2018) or byte pair encoding, by the library of that name.

Settings: `vocabulary`, pieces of the model with the unknown one and the placeholders; `model`, "unigram" (default) or
"bpe"; `placeholders`, how many of the pieces are kept free (default 0); `character_coverage`, the share of running
characters that the model knows (default 0.9995, the library's); `joint`, true for one model of all sides (default
false).

The library marks the ends of words, `low` `est▁`; here these pieces are the units `low@@` `est`: the mark says what the
joiner says. Where the mark is a piece of its own, `est` `▁`, it belongs to the piece before, so a text has some more
units than the model has pieces.
See docs/reproduction/further-segmentations.md.
"""

from __future__ import annotations

import base64
import math
from random import Random
from typing import Any, Self

from rarewords.errors import InputError
from rarewords.segmentation import settings as checks
from rarewords.segmentation.method import Capabilities, Progress
from rarewords.segmentation.protocol import Segmenter
from rarewords.segmentation.sentencepiece_model import MODELS, SPACE, load_model, train_model
from rarewords.segmentation.sides import learn_sides

MOST_PROBABLE = 64  # segmentations that one is drawn from (Kudo, 2018, has 64 and all)


class SentencePieceSegmenter(Segmenter):
    """Words are cut by a model of the library; a placeholder is a word of its own and stays whole."""

    method = "sentencepiece"
    offers = Capabilities(sampling="alpha")

    def __init__(self, settings: dict[str, Any], language: str, model: bytes) -> None:
        super().__init__(settings, language)
        self.model = model
        self._processor = load_model(model)
        self._placeholders = [f"placeholder-{number}" for number in range(1, settings["placeholders"] + 1)]
        self._whole = frozenset(self._placeholders)

    @classmethod
    def _learn(cls, settings: dict[str, Any], counts: list[dict[str, int]], progress: Progress | None) -> list[bytes]:
        """Train a model for each side, or with `joint` one for all."""
        size = settings["vocabulary"] - settings["placeholders"]

        def learn(side: dict[str, int]) -> bytes:
            coverage = settings["character_coverage"]
            return train_model(cls.method, side, size, settings["model"], coverage, mark_ends=True)

        return learn_sides(learn, counts, settings["joint"])

    @classmethod
    def complete(cls, settings: dict[str, Any]) -> dict[str, Any]:
        """See `Segmenter.complete`."""
        defaults = {"model": "unigram", "placeholders": 0, "character_coverage": 0.9995, "joint": False}
        complete = checks.complete(cls.method, settings, ["vocabulary"], defaults)
        checks.check_integer(cls.method, complete, "vocabulary", 2)
        checks.check_choice(cls.method, complete, "model", MODELS)
        checks.check_integer(cls.method, complete, "placeholders", 0)
        checks.check_share(cls.method, complete, "character_coverage")
        checks.check_boolean(cls.method, complete, "joint")
        if complete["placeholders"] > complete["vocabulary"] - 2:
            raise InputError(
                f"segmentation {cls.method}: of {complete['vocabulary']} pieces {complete['placeholders']} are "
                "placeholders, so none is left for text; lower 'placeholders'."
            )
        return complete

    @classmethod
    def capabilities(cls, settings: dict[str, Any]) -> Capabilities:
        """See `Method.capabilities`; a model of merges has no probabilities to draw by."""
        return cls.offers if settings["model"] == "unigram" else Capabilities()

    def reserved_units(self) -> list[str]:
        """The placeholders `placeholder-1`, `placeholder-2` and so on."""
        return self._placeholders

    @classmethod
    def smallest_vocabulary(cls, settings: dict[str, Any], side: int) -> int:
        """See `Segmenter.smallest_vocabulary`."""
        return int(settings["placeholders"]) + 1

    def summary(self) -> str:
        asked = self.settings["vocabulary"] - self.settings["placeholders"]
        learned = len(self._processor)
        free = f", {len(self._placeholders)} placeholders" if self._placeholders else ""
        few = f" of {asked}" if learned < asked else ""
        return f"{learned}{few} {self.settings['model']} pieces{free}"

    def _cut(self, word: str) -> list[str]:
        if word in self._whole:
            return [word]
        return _without_mark(self._processor.EncodeAsPieces(word))

    def _cut_at_random(self, word: str, strength: float, random: Random) -> list[str]:
        """One of the MOST_PROBABLE segmentations, drawn by probability to the power of `strength`.

        The library's own sampling differs from process to process, whatever the seed.
        """
        if word in self._whole:
            return [word]
        found = self._processor.NBestEncodeAsPieces(word, MOST_PROBABLE)
        scores = [sum(map(self._processor.GetScore, map(self._processor.PieceToId, pieces))) for pieces in found]
        best = max(scores)
        (chosen,) = random.choices(found, [math.exp(strength * (score - best)) for score in scores])
        return _without_mark(chosen)

    def _data(self) -> str:
        return base64.b64encode(self.model).decode("ascii")

    @classmethod
    def _from_data(cls, settings: dict[str, Any], language: str, data: Any) -> Self:
        return cls(cls.complete(settings), language, base64.b64decode(data, validate=True))


def _without_mark(pieces: list[str]) -> list[str]:
    """The pieces of a word without the mark at its end; a mark that is a piece of its own belongs to the one before."""
    last = pieces[-1].removesuffix(SPACE)
    return [*pieces[:-1], last] if last else pieces[:-1]
