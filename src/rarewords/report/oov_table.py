"""Precision and recall of unseen words, as the paper discusses them in its section 5, beside the paper's numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rarewords.evaluation.registry import METRICS
from rarewords.report.beside_paper import is_papers_test_set, paper_caption, rows_beside_paper
from rarewords.report.paper import PaperTable, paper_table
from rarewords.report.scores import ScoreRow, common, unigram_scores
from rarewords.report.table import ENSEMBLE, FROM, Cell, Column, Table

SHOWN = {"precision": METRICS["precision_oov"], "recall": METRICS["recall_oov"], "F1": METRICS["f1_oov"]}
SCORES = [Column("OOV", name, metric.name, ENSEMBLE) for name, metric in SHOWN.items()]
COLUMNS = [Column("", "system"), FROM, *SCORES, Column("", "n")]


def oov_table(rows: Sequence[ScoreRow], pair: str, test_set: str) -> Table:
    """One row for each system: precision, recall and F1 of words that the training text does not have, in percent.

    Raises InputError for scores without unigram F1, and for scores that differ in their reference or training text.
    """
    paper = paper_table(pair)
    scores = [unigram_scores(row) for row in rows]
    n = common(scores, "n of unseen words", lambda f1: f1["classes"]["oov"]["n"])
    types = common(scores, "number of training types", lambda f1: f1["training_types"])
    same_test_set = is_papers_test_set(paper, rows[0].scores)
    ours = [(_our_cells(row, unigram), row.paper) for row, unigram in zip(rows, scores, strict=True)]
    cells = rows_beside_paper(ours, paper, same_test_set, _paper_cells)
    caption = [
        f"{pair}, {test_set}: words that are not among the {types} types of the training text; n: their {n} tokens in "
        "the reference. Precision, recall and F1 of the ensembles in percent."
    ]
    if paper is not None and any(row.paper for row in rows):
        caption += paper_caption(paper, same_test_set, f"table {paper.number} and section 5")
    return Table(caption, COLUMNS, cells)


def _our_cells(row: ScoreRow, unigram: dict[str, Any]) -> list[Cell]:
    scores = [metric.value(row.scores) for metric in SHOWN.values()]
    return [row.label, row.origin, *scores, unigram["classes"]["oov"]["n"]]


def _paper_cells(paper: PaperTable, name: str, origin: str) -> list[Cell]:
    scores = [paper.value(name, metric) for metric in SHOWN.values()]
    return [paper.row(name)["label"], origin, *scores, paper.n[2]]
