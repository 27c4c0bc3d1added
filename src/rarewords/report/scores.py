"""What tables and figures read: the JSON files of `rarewords score` and its companions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rarewords.errors import InputError
from rarewords.report.formats import MISSING
from rarewords.report.inputs import ScoreFile
from rarewords.text import shapes
from rarewords.text.documents import Kind, read_json
from rarewords.text.files import PathLike

Scores = dict[str, Any]

F1_CLASSES = ("all", "rare", "oov")

_METRIC = shapes.record({"name": shapes.text(), "signature": shapes.text(), "score": shapes.number()}, open_=True)
_COUNTS = {"n": shapes.whole(), "f1": shapes.optional(shapes.number(0, 101))}
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
    shapes.record({"member": shapes.text(), "bleu": shapes.map_of(shapes.number())}, open_=True),
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
_SYSTEM = shapes.record({"system": shapes.text(), "label": shapes.text()}, open_=True)
_EXAMPLE = shapes.record({"line": shapes.whole(1), "systems": shapes.list_of(_SYSTEM)}, open_=True)
EXAMPLES = Kind(
    "a file of examples",
    shapes.record({"pair": shapes.text("[a-z]{2,3}-[a-z]{2,3}"), "examples": shapes.list_of(_EXAMPLE)}, open_=True),
    "write one with `rarewords report examples`",
)


@dataclass(frozen=True)
class ScoreRow:
    """A system by its id and name, the paper's row beside it (or None), and one score file, read.

    `origin` is what stands in the column `from`: OURS or EXTERNAL of formats.py.
    """

    system: str
    label: str
    paper: str | None
    origin: str
    scores: Scores


def read_score_rows(files: Sequence[ScoreFile]) -> list[ScoreRow]:
    """The translations with their scores read; raises InputError for a file that holds none."""
    return [ScoreRow(row.system, row.label, row.paper, row.origin, read_json(row.scores, SCORES)) for row in files]


def read_scores(path: PathLike | None) -> Scores | None:
    """A file of `rarewords score`, None for None; raises InputError for any other file."""
    if path is None:
        return None
    return dict(read_json(path, SCORES))


def unigram_scores(row: ScoreRow) -> Scores:
    """Unigram F1 of a row with its frequency bins; raises InputError if it was scored without."""
    unigram = row.scores["unigram_f1"]
    if unigram is None or "by_frequency" not in unigram:
        raise InputError(
            f"{row.label}: the score file has no unigram F1 by training frequency; "
            "score again with `rarewords score --train-counts`."
        )
    return dict(unigram)


def read_choice(path: PathLike | None) -> dict[str, float]:
    """BLEU of every member on the development set, from a file of `rarewords choose`; empty for None."""
    if path is None:
        return {}
    return dict(read_json(path, CHOICE)["bleu"])


def read_significance(path: PathLike | None) -> Mapping[str, Any] | None:
    """A file of `rarewords significance`, None for None; raises InputError for any other file."""
    if path is None:
        return None
    return dict(read_json(path, SIGNIFICANCE))


def read_examples(path: PathLike) -> dict[str, Any]:
    """A file of `rarewords report examples`; raises InputError for any other file."""
    return dict(read_json(path, EXAMPLES))


def common(items: Sequence[Any], what: str, value: Callable[[Any], Any]) -> Any:
    """The one value that all scores share; scores that differ in it cannot stand in one table or figure."""
    values = list(dict.fromkeys(value(item) for item in items))
    if len(values) > 1:
        raise InputError(
            f"The score files differ in {what} ({', '.join(map(str, values))}): "
            "score all systems of a table on one test set with the same training counts and program version."
        )
    return values[0] if values else MISSING
