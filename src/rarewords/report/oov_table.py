"""Precision and recall of unseen words, as the paper discusses them in its section 5, beside the paper's numbers."""

from __future__ import annotations

from collections.abc import Sequence

from rarewords.report.formats import PAPER, Cell, Table
from rarewords.report.paper import SMT, PaperTable, load_paper, paper_table
from rarewords.report.scores import ScoreRow, common, unigram_scores

COLUMNS = [("", "system"), ("", "from"), ("OOV", "precision"), ("OOV", "recall"), ("OOV", "F1"), ("", "n")]


def oov_table(rows: Sequence[ScoreRow], pair: str, test_set: str) -> Table:
    """One row a system: precision, recall and F1 of words that the training text does not have, in percent.

    Raises InputError for scores without unigram F1, or of another reference or training text than the others.
    """
    paper = paper_table(pair)
    scores = [unigram_scores(row) for row in rows]
    n = common(scores, "n of unseen words", lambda f1: f1["classes"]["oov"]["n"])
    types = common(scores, "number of training types", lambda f1: f1["training_types"])
    cells: list[list[Cell]] = []
    if paper is not None and not any(row.paper == SMT for row in rows):
        cells.append(_paper_cells(paper, SMT))
    for row, unigram in zip(rows, scores, strict=True):
        found = unigram["classes"]["oov"]
        cells.append([row.label, row.origin, found["precision"], found["recall"], found["f1"], found["n"]])
        if paper is not None and row.paper is not None:
            cells.append(_paper_cells(paper, row.paper))
    caption = [
        f"{pair}, {test_set}: words that are not among the {types} of the training text; n: their {n} tokens in the "
        "reference. Precision, recall and F1 in percent, of the ensembles."
    ]
    if paper is not None:
        caption.append(
            f"Rows marked '{PAPER}' are stated in Sennrich, Haddow and Birch (2016), table {paper.number} and section "
            f"5: full WMT15 training data, {load_paper()['test_set']}."
        )
    return Table(caption, COLUMNS, cells)


def _paper_cells(paper: PaperTable, name: str) -> list[Cell]:
    row = paper.row(name)
    precision, recall = paper.oov.get(name, [None, None])
    return [row["label"], PAPER, precision, recall, row["f1"][2], paper.n[2]]
