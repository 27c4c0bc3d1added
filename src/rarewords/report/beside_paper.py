"""The place of the paper's rows: below ours if both are about the same test set, otherwise separate, to compare."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from rarewords.report.paper import SMT, PaperTable, load_paper
from rarewords.report.table import ELSEWHERE, PAPER

Row = TypeVar("Row")


def rows_beside_paper(
    ours: Sequence[tuple[Row, str | None]],
    paper: PaperTable | None,
    same_test_set: bool,
    printed: Callable[[PaperTable, str, str], Row],
) -> list[Row]:
    """Our rows, each with the id of its row in the paper (or None), and the paper's rows in between or after them.

    `printed` makes a row of the paper's from its id and what stands in the column `from`. The paper's system without a
    neural network comes first where ours has none. If no row of ours names one of the paper's, there is none.
    """
    named = [name for _, name in ours if name is not None]
    if paper is None or not named:
        return [row for row, _ in ours]
    names = list(dict.fromkeys(named if SMT in named else [SMT, *named]))
    if not same_test_set:
        return [*(row for row, _ in ours), *(printed(paper, name, ELSEWHERE) for name in names)]
    result = [] if SMT in named else [printed(paper, SMT, PAPER)]
    for row, name in ours:
        result.append(row)
        if name is not None:
            result.append(printed(paper, name, PAPER))
    return result


def is_papers_test_set(paper: PaperTable | None, scores: dict[str, Any]) -> bool:
    """Whether a score file is about the paper's test set, by its number of sentences and, if counted, of tokens."""
    if paper is None or scores["sentences"] != paper.sentences:
        return False
    unigram = scores["unigram_f1"]
    # tokenisers differ by a few tokens; other ways to split hyphens by several hundred
    return unigram is None or abs(unigram["classes"]["all"]["n"] - paper.n[0]) <= paper.n[0] // 1000


def paper_caption(paper: PaperTable | None, same_test_set: bool, where: str, details: str = "") -> list[str]:
    """A sentence about the paper's rows; `where` names the part of the paper, `details` say more about its scores."""
    if paper is None:
        return []
    test_set = load_paper()["test_set"]
    source = f"Sennrich, Haddow and Birch (2016), {where}: full WMT15 training data, {test_set}{details}"
    if same_test_set:
        return [f"Rows marked '{PAPER}' are printed in {source}."]
    return [
        f"Rows marked '{ELSEWHERE}' are printed in {source}. That is another test set: its numbers show how the "
        "paper's systems differ from each other, but cannot be compared with ours."
    ]
