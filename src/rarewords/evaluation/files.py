"""The JSON files of `rarewords score`, `choose` and `significance`: what they hold and how they are read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rarewords.evaluation.registry import SELECTION, TEXT_METRICS, WORD_METRICS, TextMetric
from rarewords.text import shapes
from rarewords.text.documents import Kind, read_json
from rarewords.text.files import PathLike

Scores = dict[str, Any]

_PERCENT = shapes.number(0, 101)  # 100 and the last bit of a rounded sum
_COUNTS = {"n": shapes.whole(), "f1": shapes.optional(_PERCENT)}
_CLASSES = {metric.word_class: shapes.record(_COUNTS, open_=True) for metric in WORD_METRICS.values()}
_UNIGRAM = shapes.record(
    {
        "rare_rank": shapes.whole(1),
        "cut_frequency": shapes.optional(shapes.whole()),
        "classes": shapes.record(_CLASSES, open_=True),
    },
    open_=True,
)


def _score(metric: TextMetric) -> shapes.Shape:
    number = shapes.number(0, metric.most)
    return shapes.record({"name": shapes.text(), "signature": shapes.text(), "score": number}, open_=True)


# Metrics may have been added since a file was written, so that only that of SELECTION must be there.
SCORES = Kind(
    "a score file",
    shapes.record(
        {
            "sentences": shapes.whole(1),
            SELECTION.name: _score(SELECTION),
            "unigram_f1": shapes.optional(_UNIGRAM),
        },
        {name: _score(metric) for name, metric in TEXT_METRICS.items()},
        open_=True,
    ),
    "write one with `rarewords score --json`",
)
CHOICE = Kind(
    "the choice of a member",
    shapes.record({"member": shapes.text(), SELECTION.name: shapes.map_of(_PERCENT)}, open_=True),
    "write one with `rarewords choose`",
)
_TESTS = shapes.map_of(shapes.record({"p": shapes.optional(shapes.number(0, 1))}, open_=True))
SIGNIFICANCE = Kind(
    "a comparison of systems",
    shapes.record(
        {
            "method": shapes.text(),
            "samples": shapes.whole(1),
            "seed": shapes.whole(),
            "baseline": shapes.text(),
            "metrics": shapes.map_of(_TESTS),
        },
        open_=True,
    ),
    "write one with `rarewords significance --json`",
)


def read_scores(path: PathLike) -> Scores:
    """A file of `rarewords score`; raises InputError for any other file."""
    return dict(read_json(path, SCORES))


def read_choice(path: PathLike | None) -> dict[str, float]:
    """The score of every member on the development set by SELECTION, from a file of `rarewords choose`; {} for None."""
    if path is None:
        return {}
    return dict(read_json(path, CHOICE)[SELECTION.name])


def chosen_member(path: PathLike) -> str:
    """The member that `rarewords choose` wrote to a file; raises InputError for any other file."""
    return str(read_json(path, CHOICE)["member"])


def read_significance(path: PathLike | None) -> Mapping[str, Any] | None:
    """A file of `rarewords significance`, None for None; raises InputError for any other file."""
    if path is None:
        return None
    return dict(read_json(path, SIGNIFICANCE))
