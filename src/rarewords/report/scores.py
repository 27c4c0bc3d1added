"""What tables and figures read: rows given as JSON maps, and the JSON files of `rarewords score` and its companions."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rarewords.errors import InputError
from rarewords.report.formats import EXTERNAL, MISSING, OURS
from rarewords.text import shapes
from rarewords.text.documents import Kind, parse_json, read_json
from rarewords.text.files import PathLike

Scores = dict[str, Any]

F1_CLASSES = ("all", "rare", "oov")
ROW_KEYS = ("system", "label", "paper", "from", "scores")

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

    `origin` is OURS, or EXTERNAL for a translation made elsewhere.
    """

    system: str
    label: str
    paper: str | None
    origin: str
    scores: Scores


def parse_score_rows(texts: Sequence[str], kind: str = "row") -> list[ScoreRow]:
    """Rows given as JSON maps with the keys of ROW_KEYS; `scores` is a score file, `from` ours or external.

    Raises InputError that names the number of a wrong row.
    """
    found = []
    for number, text in enumerate(texts, 1):
        row = parse_map(text, number, ROW_KEYS, kind)
        if row["from"] not in (OURS, EXTERNAL):
            raise InputError(f"{kind} {number}: `from` is {row['from']!r}; give {OURS} or {EXTERNAL}.")
        scores = read_scores(row["scores"])
        if scores is None:
            raise InputError(f"{kind} {number}: `scores` is null; name a file of `rarewords score --json`.")
        found.append(ScoreRow(row["system"], row["label"], row["paper"], row["from"], scores))
    return found


def parse_map(text: str, number: int, keys: Sequence[str], kind: str = "row") -> dict[str, Any]:
    """A JSON map with exactly these keys; raises InputError that names its number otherwise."""
    row = parse_json(text, f"{kind} {number}")
    wrong = set(row) ^ set(keys) if isinstance(row, dict) else set(keys)
    if wrong:
        names = ", ".join(sorted(wrong))
        raise InputError(f"{kind} {number}: keys missing or unknown: {names}; give {', '.join(keys)}.")
    return dict(row)


def read_scores(path: PathLike | None) -> Scores | None:
    """A file of `rarewords score`, None for None; raises InputError for any other file."""
    if path is None:
        return None
    if not isinstance(path, str | os.PathLike):
        raise InputError(f"{path!r} is no name of a score file; scores of a row are file names or null.")
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
