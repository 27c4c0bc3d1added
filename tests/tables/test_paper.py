"""The paper's numbers, and precision and recall of unseen words beside them."""

from __future__ import annotations

from typing import Any

import pytest

from rarewords.errors import InputError
from rarewords.report import formats
from rarewords.report.oov_table import oov_table
from rarewords.report.paper import load_paper, paper_table
from rarewords.report.scores import ScoreRow

from .conftest import scores


def unseen(precision: float, recall: float, f1: float, types: int = 500) -> dict[str, Any]:
    found = scores(1.0, 1.0, (50.0, 9.0, f1))
    found["unigram_f1"] |= {"training_types": types, "by_frequency": []}
    found["unigram_f1"]["classes"]["oov"] |= {"precision": precision, "recall": recall, "n": 40}
    return found


def test_unseen_words_beside_the_papers() -> None:
    rows = [
        ScoreRow("c2", "C2", "C2-50k", "ours", unseen(30.04, 20.0, 24.0)),
        ScoreRow("wunk", "WUnk", "WUnk", "ours", unseen(0.0, 0.0, 0.0)),
    ]
    table = oov_table(rows, "en-de", "test")
    assert formats.tsv(table).split("\n")[2:-1] == [
        "system\tfrom\tOOV precision\tOOV recall\tOOV F1\tn",
        "syntax-based SMT\tpaper\t-\t-\t37.7\t1168",
        "C2\tours\t30.0\t20.0\t24.0\t40",
        "C2-50k\tpaper\t29.1\t33.0\t30.9\t1168",
        "WUnk\tours\t0.0\t0.0\t0.0\t40",
        "WUnk\tpaper\t-\t-\t0.0\t1168",
    ]
    assert table.caption[0].startswith(
        "en-de, test: words that are not among the 500 types of the training text; n: their 40"
    )
    assert [row[1] for row in oov_table(rows, "de-en", "test").rows] == ["ours", "ours"]
    # English-Russian has another test set than the one that was scored
    apart = [row[:2] for row in oov_table(rows, "en-ru", "test").rows]
    assert apart[2:] == [[name, "paper, newstest2015"] for name in ("phrase-based SMT", "C2-50k", "WUnk")]
    with pytest.raises(InputError, match=r"differ in number of training types \(500, 501\)"):
        oov_table([*rows, ScoreRow("x", "X", None, "ours", unseen(0, 0, 0, types=501))], "en-de", "test")


def test_the_papers_precision_and_recall_give_its_f1() -> None:
    for pair in ("en-de", "en-ru"):
        table = paper_table(pair)
        assert table is not None
        assert table.oov
        for name, (precision, recall) in table.oov.items():
            f1 = 2 * precision * recall / (precision + recall)
            assert f1 == pytest.approx(table.row(name)["f1"][2], abs=0.1)


def test_paper_numbers_are_complete_and_consistent() -> None:
    for pair in ("en-de", "en-ru"):
        table = paper_table(pair)
        assert table is not None
        assert list(table.rows) == ["SMT", "WUnk", "WDict", "C2-50k", "BPE-60k", "BPE-J90k"]
        # 9 to 11 % of the tokens are rare or unseen (section 4), so the two classes do not overlap.
        assert 9.0 <= 100 * sum(table.n[1:]) / table.n[0] <= 11.5
        for row in table.rows.values():
            assert [len(row[key]) for key in ("vocabulary", "bleu", "chrf3", "f1")] == [2, 2, 2, 3]
    assert paper_table("de-en") is None
    assert len(load_paper()["table1"]) == 10
