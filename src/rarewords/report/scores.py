"""What tables and figures read: rows given as JSON maps, and the JSON files of `rarewords score` and its companions."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rarewords.errors import InputError
from rarewords.report.formats import EXTERNAL, MISSING, OURS
from rarewords.text.files import PathLike, read_json

Scores = dict[str, Any]

F1_CLASSES = ("all", "rare", "oov")
ROW_KEYS = ("system", "label", "paper", "from", "scores")


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
    try:
        row = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"{kind} {number}: not JSON ({error.msg} at column {error.colno}): {text}") from error
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
    scores = read_json(path)
    if not _is_score_file(scores):
        raise InputError(f"{path}: not a score file; write one with `rarewords score --json`.")
    return dict(scores)


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
    choice = read_json(path)
    bleu = choice.get("bleu") if isinstance(choice, dict) else None
    if not isinstance(bleu, dict) or not all(isinstance(score, int | float) for score in bleu.values()):
        raise InputError(f"{path}: has no scores of members; write it with `rarewords choose`.")
    return bleu


def read_significance(path: PathLike | None) -> Mapping[str, Any] | None:
    """A file of `rarewords significance`, None for None; raises InputError for any other file."""
    if path is None:
        return None
    found = read_json(path)
    known = isinstance(found, dict) and {"method", "samples", "seed", "baseline", "metrics"} <= found.keys()
    if not known or not isinstance(found["metrics"], dict) or not all(map(_are_tests, found["metrics"].values())):
        raise InputError(f"{path}: no comparison of systems; write one with `rarewords significance --json`.")
    return dict(found)


def common(items: Sequence[Any], what: str, value: Callable[[Any], Any]) -> Any:
    """The one value that all scores share; scores that differ in it cannot stand in one table or figure."""
    values = list(dict.fromkeys(value(item) for item in items))
    if len(values) > 1:
        raise InputError(
            f"The score files differ in {what} ({', '.join(map(str, values))}): "
            "score all systems of a table on one test set with the same training counts and program version."
        )
    return values[0] if values else MISSING


def _are_tests(systems: Any) -> bool:
    return isinstance(systems, dict) and all(isinstance(test, dict) and "p" in test for test in systems.values())


def _is_score_file(scores: Any) -> bool:
    """Whether everything that a table shows is there and of its kind."""
    try:
        metrics = [scores["bleu"], scores["chrf3"]]
        unigram = scores["unigram_f1"]
        classes = [] if unigram is None else [unigram["classes"][name] for name in F1_CLASSES]
        numbers = [scores["sentences"], *(metric["score"] for metric in metrics), *(f1["n"] for f1 in classes)]
        optional = [f1["f1"] for f1 in classes]
        if unigram is not None:
            numbers.append(unigram["rare_rank"])
            optional.append(unigram["cut_frequency"])
        texts = [metric[key] for metric in metrics for key in ("name", "signature")]
    except (KeyError, TypeError, IndexError):
        return False
    numbers += [number for number in optional if number is not None]
    return all(isinstance(number, int | float) for number in numbers) and all(isinstance(text, str) for text in texts)
