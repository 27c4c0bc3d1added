"""The JSON files of `rarewords score`, `choose` and `significance`: what they hold and how they are read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rarewords.text import shapes
from rarewords.text.documents import Kind, read_json
from rarewords.text.files import PathLike

Scores = dict[str, Any]

F1_CLASSES = ("all", "rare", "oov")

_PERCENT = shapes.number(0, 101)  # 100 and the last bit of a rounded sum
_METRIC = shapes.record({"name": shapes.text(), "signature": shapes.text(), "score": _PERCENT}, open_=True)
_COUNTS = {"n": shapes.whole(), "f1": shapes.optional(_PERCENT)}
_UNIGRAM = shapes.record(
    {
        "rare_rank": shapes.whole(1),
        "cut_frequency": shapes.optional(shapes.whole()),
        "classes": shapes.record({name: shapes.record(_COUNTS, open_=True) for name in F1_CLASSES}, open_=True),
    },
    open_=True,
)
SCORES = Kind(
    "a score file",
    shapes.record(
        {
            "sentences": shapes.whole(1),
            "bleu": _METRIC,
            "chrf3": _METRIC,
            "unigram_f1": shapes.optional(_UNIGRAM),
        },
        open_=True,
    ),
    "write one with `rarewords score --json`",
)
CHOICE = Kind(
    "the choice of a member",
    shapes.record({"member": shapes.text(), "bleu": shapes.map_of(_PERCENT)}, open_=True),
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
    """BLEU of every member on the development set, from a file of `rarewords choose`; empty for None."""
    if path is None:
        return {}
    return dict(read_json(path, CHOICE)["bleu"])


def chosen_member(path: PathLike) -> str:
    """The member that `rarewords choose` wrote to a file; raises InputError for any other file."""
    return str(read_json(path, CHOICE)["member"])


def read_significance(path: PathLike | None) -> Mapping[str, Any] | None:
    """A file of `rarewords significance`, None for None; raises InputError for any other file."""
    if path is None:
        return None
    return dict(read_json(path, SIGNIFICANCE))
