"""Tables 2 and 3 of the paper, and the same layout for any language pair, from the JSON files of `rarewords score`.

formats.py writes them. The paper's row stands below ours and is marked in the column `from`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rarewords.errors import InputError
from rarewords.report.formats import MISSING, OURS, PAPER, Cell, Table
from rarewords.report.paper import SMT, PaperTable, load_paper, paper_table
from rarewords.textio import PathLike, read_json
from rarewords.vocabulary import Vocabulary

# (group, name): the group is a heading over several columns, where the format has such.
COLUMNS = (
    ("", "system"),
    ("", "from"),
    ("", "segmentation"),
    ("", "shortlist"),
    ("vocabulary", "source"),
    ("vocabulary", "target"),
    ("BLEU", "single"),
    ("BLEU", "ensemble"),
    ("chrF3", "single"),
    ("chrF3", "ensemble"),
    ("F1", "all"),
    ("F1", "rare"),
    ("F1", "OOV"),
)

F1_CLASSES = ("all", "rare", "oov")

ROW_KEYS = (
    "system",
    "label",
    "paper",
    "segmentation",
    "shortlist",
    "vocabulary",
    "best",
    "ensemble",
    "members",
    "updates",
)


@dataclass(frozen=True)
class _System:
    """One row of input with its two score files read (None: not given)."""

    row: dict[str, Any]
    best: dict[str, Any] | None
    ensemble: dict[str, Any] | None

    def scores(self) -> list[dict[str, Any]]:
        return [scores for scores in (self.best, self.ensemble) if scores is not None]


def parse_rows(texts: Sequence[str]) -> list[dict[str, Any]]:
    """The systems to show, each a JSON map with exactly the keys of ROW_KEYS; raises InputError otherwise.

    `vocabulary` names the vocabulary files of source and target side; they are replaced by their sizes.
    """
    rows = []
    for number, text in enumerate(texts, 1):
        try:
            row = json.loads(text)
        except json.JSONDecodeError as error:
            raise InputError(f"row {number}: not JSON ({error.msg} at column {error.colno}): {text}") from error
        wrong = set(row) ^ set(ROW_KEYS) if isinstance(row, dict) else set(ROW_KEYS)
        if wrong:
            names = ", ".join(sorted(wrong))
            raise InputError(f"row {number}: keys missing or unknown: {names}; give {', '.join(ROW_KEYS)}.")
        if not isinstance(row["vocabulary"], list) or len(row["vocabulary"]) != 2:
            raise InputError(f"row {number}: `vocabulary` must be a list of two files, source and target side.")
        rows.append(row | {"vocabulary": [len(Vocabulary.load(path)) for path in row["vocabulary"]]})
    return rows


def score_table(rows: list[dict[str, Any]], pair: str, test_set: str) -> Table:
    """The table of one language pair and test set, with the paper's rows where it has them.

    `best` and `ensemble` of a row are paths of score files, null where there is none. Raises InputError if the score
    files do not belong to one test set, one set of training counts or one metric.
    """
    systems = [_System(row, _read_score(row["best"]), _read_score(row["ensemble"])) for row in rows]
    paper = paper_table(pair)
    cells = [] if paper is None else [_paper_cells(paper.row(SMT))]
    for system in systems:
        cells.append(_our_cells(system))
        if paper is not None and system.row["paper"] is not None:
            cells.append(_paper_cells(paper.row(system.row["paper"])))
    return Table(_caption(systems, pair, test_set, paper), list(COLUMNS), cells)


def _read_score(path: PathLike | None) -> dict[str, Any] | None:
    if path is None:
        return None
    if not isinstance(path, str | os.PathLike):
        raise InputError(f"{path!r} is no name of a score file; `best` and `ensemble` of a row are file names or null.")
    scores = read_json(path)
    if not _is_score_file(scores):
        raise InputError(f"{path}: not a score file; write one with `rarewords score --json`.")
    return dict(scores)


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


def _our_cells(system: _System) -> list[Cell]:
    row = system.row
    pairs: list[Cell] = [
        None if scores is None else float(scores[metric]["score"])
        for metric in ("bleu", "chrf3")
        for scores in (system.best, system.ensemble)
    ]
    return [
        row["label"],
        OURS,
        row["segmentation"],
        row["shortlist"],
        *row["vocabulary"],
        *pairs,
        *_f1(system.ensemble),
    ]


def _f1(ensemble: dict[str, Any] | None) -> list[Cell]:
    if ensemble is None or ensemble["unigram_f1"] is None:
        return [None, None, None]
    values = [ensemble["unigram_f1"]["classes"][name]["f1"] for name in F1_CLASSES]
    return [None if value is None else float(value) for value in values]


def _paper_cells(row: dict[str, Any]) -> list[Cell]:
    start: list[Cell] = [row["label"], PAPER, row["segmentation"], row["shortlist"]]
    return start + row["vocabulary"] + row["bleu"] + row["chrf3"] + row["f1"]


def _caption(systems: list[_System], pair: str, test_set: str, paper: PaperTable | None) -> list[str]:
    everything = [scores for system in systems for scores in system.scores()]
    sentences = _common(everything, "number of sentences", lambda scores: scores["sentences"])
    sizes = f"members: {_range(systems, 'members')}, updates of each: {_range(systems, 'updates')}"
    caption = [f"{pair}, {test_set}, {sentences} sentences. Single: the best single model; ensemble: {sizes}."]
    for metric in ("bleu", "chrf3"):
        metrics = [scores[metric] for scores in everything]
        name = _common(metrics, f"{metric} name", lambda score: score["name"])
        signature = _common(metrics, f"{metric} signature", lambda score: score["signature"])
        caption.append(f"{name}: {signature}.")
    caption += _unigram_caption(everything)
    if paper is not None:
        printed = load_paper()
        caption.append(
            f"Rows marked '{PAPER}' are printed in Sennrich, Haddow and Birch (2016), table {paper.number}: "
            f"full WMT15 training data, {printed['test_set']}, ensemble of {printed['ensemble']}; "
            f"n of F1 all/rare/OOV: {'/'.join(map(str, paper.n))}."
        )
    return caption


def _unigram_caption(everything: list[dict[str, Any]]) -> list[str]:
    unigrams = [scores["unigram_f1"] for scores in everything if scores["unigram_f1"] is not None]
    if not unigrams:
        return []
    n = _common(unigrams, "n of unigram F1", lambda f1: "/".join(str(f1["classes"][name]["n"]) for name in F1_CLASSES))
    rank = _common(unigrams, "rank of rare words", lambda f1: f1["rare_rank"])
    frequency = _common(unigrams, "training frequency of rare words", lambda f1: f1["cut_frequency"])
    where = "" if frequency is None else f" (training frequency {frequency})"
    return [
        f"F1: unigram F1 of the ensemble in percent; n of all/rare/OOV: {n} tokens of the reference; "
        f"rare: rank above {rank}{where} and seen in training."
    ]


def _common(items: list[dict[str, Any]], what: str, value: Callable[[dict[str, Any]], Any]) -> Any:
    """The one value that all scores share; scores that differ in it cannot stand in one table."""
    values = list(dict.fromkeys(value(item) for item in items))
    if len(values) > 1:
        raise InputError(
            f"The score files differ in {what} ({', '.join(map(str, values))}): "
            "score all systems of a table on one test set with the same training counts and program version."
        )
    return values[0] if values else MISSING


def _range(systems: list[_System], key: str) -> str:
    values = sorted({system.row[key] for system in systems if system.row[key] is not None})
    if not values:
        return MISSING
    return str(values[0]) if len(values) == 1 else f"{values[0]} to {values[-1]}"
