"""The inputs of tables and figures: rows of scores, and examples."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rarewords.errors import InputError
from rarewords.evaluation.files import Scores, read_scores
from rarewords.evaluation.significance import too_few_sentences
from rarewords.report.inputs import ScoreFile
from rarewords.report.table import MISSING
from rarewords.text import shapes
from rarewords.text.documents import Kind, read_json
from rarewords.text.files import PathLike

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

    `origin` is the value of the column `from`: OURS or EXTERNAL of formats.py.
    """

    system: str
    label: str
    paper: str | None
    origin: str
    scores: Scores


def read_score_rows(files: Sequence[ScoreFile]) -> list[ScoreRow]:
    """The translations with their scores read; raises InputError for a file that holds none."""
    return [ScoreRow(row.system, row.label, row.paper, row.origin, read_scores(row.scores)) for row in files]


def unigram_scores(row: ScoreRow) -> Scores:
    """Unigram F1 of a row with its frequency bins; raises InputError if it was scored without."""
    unigram = row.scores["unigram_f1"]
    if unigram is None or "by_frequency" not in unigram:
        raise InputError(
            f"{row.label}: the score file has no unigram F1 by training frequency; "
            "score again with `rarewords score --train-counts`."
        )
    return dict(unigram)


def read_examples(path: PathLike) -> dict[str, Any]:
    """A file of `rarewords report examples`; raises InputError for any other file."""
    return dict(read_json(path, EXAMPLES))


def p_value(significance: Mapping[str, Any] | None, metric: str, system: str) -> float | None:
    """p of the difference from the baseline; None for the baseline itself and where nothing was tested."""
    few = significance is None or too_few_sentences(significance.get("sentences"))
    tests = {} if significance is None or few else significance["metrics"].get(metric, {})
    return float(tests[system]["p"]) if system in tests and tests[system]["p"] is not None else None


def common(items: Sequence[Any], what: str, value: Callable[[Any], Any]) -> Any:
    """The one value that all scores share; scores that differ in it cannot be in one table or figure."""
    values = list(dict.fromkeys(value(item) for item in items))
    if len(values) > 1:
        raise InputError(
            f"The score files differ in {what} ({', '.join(map(str, values))}): "
            "score all systems of a table on one test set with the same training counts and program version."
        )
    return values[0] if values else MISSING
