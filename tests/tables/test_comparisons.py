"""Spread over single models, marks of differences from the baseline, translations made elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rarewords.errors import InputError
from rarewords.evaluation.files import read_significance
from rarewords.report import formats
from rarewords.report.inputs import ScoreFile
from rarewords.report.scores import ScoreRow, read_score_rows

from .conftest import comparison, score_table, scores, write


def test_the_spread_of_single_models_is_three_numbers_for_programs_and_one_cell_for_people(
    rows: list[dict[str, Any]], tmp_path: Path
) -> None:
    members = [scores(bleu, bleu + 30, None) for bleu in (10.0, 11.0, 15.0)]
    rows[0]["singles"] = [write(tmp_path / f"{number}.json", member) for number, member in enumerate(members)]
    table = score_table(rows, "en-de", "test")
    assert "Mean (range): of the single models, from the lowest score to the highest." in table.caption
    ours = dict(zip(table.header(), table.rows[1]))
    assert [ours[f"BLEU {name}"] for name in ("mean", "minimum", "maximum")] == [12.0, 10.0, 15.0]
    assert [ours[f"chrF3 {name}"] for name in ("mean", "minimum", "maximum")] == [42.0, 40.0, 45.0]
    assert "\t12.3\t14.0\t12.0\t10.0\t15.0\t40.0\t41.0\t42.0\t40.0\t45.0\t51.3" in formats.tsv(table)
    assert "| 12.3 | 14.0 | 12.0 (10.0–15.0) | 40.0 | 41.0 | 42.0 (40.0–45.0) | 51.3 |" in formats.markdown(table)
    assert "BLEU mean (range) | chrF3 single" in formats.markdown(table)
    assert r"& 12.0 (10.0--15.0) &" in formats.latex(table)
    assert "{lllrrrrrrrrrrrr}" in formats.latex(table)


def test_without_test_scores_the_caption_has_the_spread_on_the_development_set(
    rows: list[dict[str, Any]], tmp_path: Path
) -> None:
    rows[0]["choice"] = write(tmp_path / "choice.json", {"member": "b", "bleu": {"a": 8.0, "b": 12.0, "c": 10.0}})
    table = score_table(rows, "en-de", "test")
    sentence = (
        "BLEU of the single models on the development set, mean (minimum to maximum): BPE-J90k 10.0 (8.0 to 12.0)."
    )
    assert sentence in table.caption
    assert "BLEU mean" not in table.header()
    rows[0]["choice"] = write(tmp_path / "choice.json", {"member": "b"})
    with pytest.raises(InputError, match=r"choice\.json: not the choice of a member"):
        score_table(rows, "en-de", "test")


def test_differences_from_the_baseline_are_marked(rows: list[dict[str, Any]]) -> None:
    rows[0]["system"] = "bpe"
    table = score_table(rows, "en-de", "test", significance=comparison(bpe=0.004))
    assert table.caption[-1] == (
        "*: differs from my_50% & co with p < 0.05 (paired bootstrap test of the ensembles, two-sided, 1000 samples, "
        "seed 7; the p values are in the TSV file). "
        "The test covers chance in the choice of test sentences, not in training."
    )
    ours = dict(zip(table.header(), table.rows[1]))
    assert (ours["BLEU p"], ours["F1 p rare"]) == (0.004, 0.004)
    assert "chrF3 p" not in table.header()
    assert "F1 p all" not in table.header()
    assert "\t12.3\t14.0\t0.004\t40.0\t41.0\t51.3\t10.0\t-\t0.004\n" in formats.tsv(table)
    assert r"| 12.3 | 14.0\* | 40.0 | 41.0 | 51.3 | 10.0\* | - |" in formats.markdown(table)
    assert r"12.3 & 14.0* & 40.0 & 41.0 & 51.3 & 10.0* & - \\" in formats.latex(table)
    # right-aligned still: marked numbers are numbers
    assert "---: | ---: |" in formats.markdown(table).splitlines()[3]
    unmarked = score_table(rows, "en-de", "test", significance=comparison(bpe=0.05))
    assert r"14.0\*" not in formats.markdown(unmarked)


def test_few_sentences_get_no_marks(rows: list[dict[str, Any]]) -> None:
    rows[0]["system"] = "bpe"
    for sentences, marked in ((1, False), (29, False), (30, True)):
        significance = comparison(bpe=0.004) | {"sentences": sentences}
        table = score_table(rows, "en-de", "test", significance=significance)
        assert (r"14.0\*" in formats.markdown(table)) is marked
        few = f"{sentences} sentences are too few to call a difference significant; at least 30 are needed."
        assert (few in table.caption) is not marked


def test_an_external_translation_stands_where_the_paper_has_its_smt(rows: list[dict[str, Any]]) -> None:
    given = [
        ScoreRow("smt", "My SMT", "SMT", "external", scores(20.0, 50.0, (60.0, 40.0, None))),
        ScoreRow("online", "Online", None, "external", scores(21.0, 51.0, (61.0, 41.0, None))),
    ]
    table = score_table(rows, "en-de", "test", given, comparison(smt=0.001))
    assert [row[:2] for row in table.rows[:4]] == [
        ["My SMT", "external"], ["syntax-based SMT", "paper"], ["Online", "external"], ["BPE-J90k", "ours"],
    ]  # fmt: skip
    shown = formats.markdown(table)
    assert r"| My SMT | external | - | - | - | - | 20.0\* | - | 50.0 | - | 60.0 | 40.0\* | - |" in shown
    assert "Made elsewhere and scored in the same way, F1 included: My SMT, Online." in table.caption
    # without a counterpart the paper's SMT stays on top
    table = score_table(rows, "en-de", "test", given[1:])
    assert [row[0] for row in table.rows[:2]] == ["syntax-based SMT", "Online"]
    assert [row[1] for row in score_table(rows, "de-en", "test", given).rows] == ["external"] * 2 + ["ours"] * 2


def test_external_scores_of_another_test_set_are_refused(rows: list[dict[str, Any]]) -> None:
    other = scores(20.0, 50.0, (60.0, 40.0, None)) | {"sentences": 99}
    with pytest.raises(InputError, match=r"differ in number of sentences \(2169, 99\)"):
        score_table(rows, "en-de", "test", [ScoreRow("smt", "My SMT", "SMT", "external", other)])


def test_a_file_that_holds_no_scores_is_named(tmp_path: Path) -> None:
    row = ScoreFile("x", "X", None, "external", write(tmp_path / "x.json", {"bleu": 1}))
    with pytest.raises(InputError, match=r"x\.json: not "):
        read_score_rows([row])


def test_a_file_that_is_no_comparison(tmp_path: Path) -> None:
    for content in ({}, [], comparison() | {"metrics": []}, comparison() | {"metrics": {"bleu": {"x": {}}}}):
        path = write(tmp_path / "significance.json", content)
        with pytest.raises(InputError, match=r"not a comparison of systems .*; write one with `rarewords significance"):
            read_significance(path)
    assert read_significance(None) is None
