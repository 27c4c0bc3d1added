"""Morfessor Baseline (Creutz and Lagus, 2002), from the package of that name (for the paper's Table 1).

Settings: `corpus_weight` (default 1.0); `dampening`, how often a word counts in learning: "ones", once (default),
"log", the logarithm, or "none", as often as it occurs; `seed` of the order in which words are visited (default 1). The
rest is as in the package's command: words are always split at hyphens, new words are cut with the Viterbi algorithm.
See docs/reproduction/segmentation.md.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from math import log2
from typing import Any, Self

from rarewords.errors import InputError
from rarewords.segmentation import settings as checks
from rarewords.segmentation.method import Progress
from rarewords.segmentation.protocol import Segmenter

DAMPENING: dict[str, Callable[[int], int]] = {
    "ones": lambda count: 1,
    "log": lambda count: round(log2(count + 1)),
    "none": lambda count: count,
}

Analysis = tuple[int, list[str]]  # how often a word counts, and its morphs


class MorfessorSegmenter(Segmenter):
    """The analyses of all words of the training text; the model is built from them."""

    method = "morfessor"

    def __init__(self, settings: dict[str, Any], language: str, analyses: list[Analysis]) -> None:
        super().__init__(settings, language)
        self._analyses = analyses
        self._model = _new_model(settings)
        self._model.load_segmentations((count, "".join(morphs), morphs) for count, morphs in analyses)

    @classmethod
    def _learn(
        cls, settings: dict[str, Any], counts: list[dict[str, int]], progress: Progress | None
    ) -> list[list[Analysis]]:
        """Learn the morphs of each side from its own words."""
        return [_learn(settings, side) for side in counts]

    def summary(self) -> str:
        morphs = {morph for _, analysis in self._analyses for morph in analysis}
        return f"{len(morphs)} morphs in {len(self._analyses)} words"

    @classmethod
    def complete(cls, settings: dict[str, Any]) -> dict[str, Any]:
        """See `Segmenter.complete`."""
        complete = checks.complete(cls.method, settings, [], {"corpus_weight": 1.0, "dampening": "ones", "seed": 1})
        checks.check_choice(cls.method, complete, "dampening", list(DAMPENING))
        checks.check_integer(cls.method, complete, "seed", 0)
        weight = complete["corpus_weight"]
        if not isinstance(weight, int | float) or isinstance(weight, bool) or weight <= 0:
            raise InputError(
                f"segmentation {cls.method}: the setting 'corpus_weight' is {weight!r}; it must be a number above 0."
            )
        return complete

    def _cut(self, word: str) -> list[str]:
        morphs: list[str] = self._model.viterbi_segment(word, addcount=0)[0]
        return morphs

    def _data(self) -> list[str]:
        return [" ".join([str(count), *morphs]) for count, morphs in self._analyses]

    @classmethod
    def _from_data(cls, settings: dict[str, Any], language: str, data: Any) -> Self:
        entries = [entry.split(" ") for entry in data]
        return cls(cls.complete(settings), language, [(int(count), morphs) for count, *morphs in entries])


def _new_model(settings: dict[str, Any]) -> Any:
    from morfessor import utils
    from morfessor.baseline import BaselineModel

    utils.show_progress_bar = False
    return BaselineModel(forcesplit_list=["-"], corpusweight=settings["corpus_weight"])


def _learn(settings: dict[str, Any], counts: dict[str, int]) -> list[Analysis]:
    model = _new_model(settings)
    model.load_data(((count, word) for word, count in counts.items()), count_modifier=DAMPENING[settings["dampening"]])
    state = random.getstate()
    try:
        random.seed(settings["seed"])  # the package draws from the global generator
        model.train_batch()
    finally:
        random.setstate(state)
    return [(count, list(morphs)) for count, _, morphs in model.get_segmentations()]
