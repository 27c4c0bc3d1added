"""The table and the figure of a grid, from score files with known numbers."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rarewords.errors import InputError
from rarewords.report import formats
from rarewords.report.ablation import ablation_table
from rarewords.report.ablation_figure import draw
from rarewords.report.inputs import VariantFiles
from rarewords.report.variants import read_variants
from rarewords.vocabulary import Vocabulary

SIGNIFICANCE = {
    "method": "bootstrap",
    "samples": 1000,
    "seed": 12345,
    "baseline": "a",
    "metrics": {"bleu": {"b": {"p": 0.01}}, "f1_rare": {"b": {"p": 0.4}}},
}


def scores(bleu: float, rare: float | None) -> dict[str, Any]:
    classes = {name: {"f1": f1, "n": 9} for name, f1 in (("all", 50.0), ("rare", rare), ("oov", None))}
    return {
        "sentences": 12,
        "bleu": {"name": "BLEU", "score": bleu, "signature": "x"},
        "chrf3": {"name": "chrF3", "score": 2 * bleu, "signature": "y"},
        "unigram_f1": {"rare_rank": 5, "cut_frequency": 2, "classes": classes},
    }


def rows(folder: Path, values: list[dict[str, Any]]) -> list[VariantFiles]:
    def written(name: str, content: dict[str, Any]) -> str:
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
        return str(folder / name)

    Vocabulary({"x": 3, "y": 1}).save(folder / "vocabulary")
    return [
        VariantFiles(
            system=name,
            label=name.upper(),
            values=one,
            ensemble=written(f"{name}.json", scores(10.0 + k, 5.0 * k)),
            singles=tuple(written(f"{name}{m}.json", scores(8.0 + k + m, 1.0)) for m in (0, 1)),
            vocabulary=(str(folder / "vocabulary"), str(folder / "vocabulary")),
        )
        for k, (name, one) in enumerate(zip("abcdefgh", values, strict=False))
    ]


def test_the_table_has_values_scores_p_and_spread(tmp_path: Path) -> None:
    table = ablation_table(
        read_variants(rows(tmp_path, [{"merges": 500}, {"merges": 1000}])), "en-de", "test", SIGNIFICANCE
    )
    assert table.header()[:8] == [
        "merges", "vocabulary source", "vocabulary target",
        "BLEU ensemble", "BLEU p", "BLEU mean", "BLEU minimum", "BLEU maximum",
    ]  # fmt: skip
    assert table.rows[0][:8] == [500, 4, 4, 10.0, None, 8.5, 8.0, 9.0]
    assert table.rows[1][:8] == [1000, 4, 4, 11.0, 0.01, 9.5, 9.0, 10.0]
    assert "F1 OOV ensemble" not in table.header()
    shown = formats.markdown(table)
    assert "| 1,000 | 4 | 4 | 11.0\\* | 9.5 (9.0–10.0) | 22.0 | 19.0 (18.0–20.0) | 5.0 | 1.0 (1.0–1.0) |" in shown
    assert "differs from A with p < 0.05" in shown


def test_a_truth_value_and_no_value_are_words(tmp_path: Path) -> None:
    values = [{"joint": True, "tau": None}, {"joint": False, "tau": 30000}]
    table = ablation_table(read_variants(rows(tmp_path, values)), "en-de", "test")
    assert [row[:2] for row in table.rows] == [["joint", "all"], ["separate", 30000]]


def test_the_first_axis_is_horizontal_and_the_others_are_lines(tmp_path: Path) -> None:
    values = [{"merges": m, "dropout": d} for m in (500, 1000) for d in (0, 0.1)]
    figure = draw(read_variants(rows(tmp_path, values)), "en-de, test", SIGNIFICANCE)
    bleu = figure.axes[0]
    assert [panel.get_title() for panel in figure.axes] == ["BLEU", "chrF3", "F1 rare", "F1 OOV"]
    assert [tick.get_text() for tick in bleu.get_xticklabels()] == ["500", "1,000"]
    lines = [list(line.get_ydata()) for line in bleu.lines if len(line.get_ydata()) == 2]
    assert lines == [[10.0, 12.0], [11.0, 13.0]]
    filled = [line for line in bleu.lines if list(line.get_ydata()) == [11.0]]
    assert filled[0].get_markerfacecolor() == filled[0].get_color()
    open_mark = [line for line in bleu.lines if list(line.get_ydata()) == [10.0]]
    assert open_mark[0].get_markerfacecolor() == "white"
    assert {entry.get_text() for entry in figure.legends[0].get_texts()} >= {"no dropout", "dropout 0.1"}


def test_seeds_are_replicates(tmp_path: Path) -> None:
    """BLEU of the ensembles is 10 and 11 with 500 merges, 12 and 13 with 1,000; the members do not count."""
    values = [{"merges": merges, "seed": seed} for merges in (500, 1000) for seed in (7, 8)]
    variants = read_variants(rows(tmp_path, values))
    table = ablation_table(variants, "en-de", "test", SIGNIFICANCE)
    assert table.header()[:7] == [
        "merges", "vocabulary source", "vocabulary target", "BLEU p", "BLEU mean", "BLEU minimum", "BLEU maximum",
    ]  # fmt: skip
    assert table.rows[0][:7] == [500, 4, 4, None, 10.5, 10.0, 11.0]
    assert table.rows[1][:7] == [1000, 4, 4, pytest.approx(1 / 3), 12.5, 12.0, 13.0]  # 2 of 6 ways
    assert "Mean (range): of the ensembles of 2 seeds, 7 and 8." in table.caption
    assert "With 2 seeds each no p can be below 0.33, so nothing is marked; 4 seeds are enough." in table.caption
    assert "| 500 | 4 | 4 | 10.5 (10.0–11.0) | 21.0 (20.0–22.0) |" in formats.markdown(table)
    figure = draw(variants, "", SIGNIFICANCE)
    bleu = figure.axes[0]
    assert [tick.get_text() for tick in bleu.get_xticklabels()] == ["500", "1,000"]
    assert [list(line.get_ydata()) for line in bleu.lines if len(line.get_ydata()) == 2] == [[10.5, 12.5]]
    ranges = [bar.get_segments()[0][:, 1].tolist() for bar in bleu.collections]
    assert ranges == [[10.0, 11.0], [12.0, 13.0]]
    assert {entry.get_text() for entry in figure.legends[0].get_texts()} == {
        "range of the 2 seeds", "mean of the ensembles", "mean of the ensembles, p < 0.05 against the baseline",
    }  # fmt: skip


def test_four_seeds_each_can_differ(tmp_path: Path) -> None:
    """All scores of one setting are above all of the other: 2 of 70 ways, p = 0.029."""
    values = [{"merges": merges, "seed": seed} for merges in (500, 1000) for seed in (1, 2, 3, 4)]
    variants = read_variants(rows(tmp_path, values))
    tests = SIGNIFICANCE | {"baseline": "b"}  # any replicate stands for its setting
    table = ablation_table(variants, "en-de", "test", tests)
    assert table.rows[1][3] == pytest.approx(2 / 70)
    assert "| 1,000 | 4 | 4 | 15.5 (14.0–17.0)\\* |" in formats.markdown(table)
    assert (
        "*: the mean differs from that of 500 merges with p < 0.05 (exact permutation test over the seeds, two-sided), "
        "which covers chance in training, not in the choice of test sentences."
    ) in table.caption
    assert "Mean (range): of the ensembles of 4 seeds, 1, 2, 3 and 4." in table.caption
    assert "so nothing is marked" not in " ".join(table.caption)
    bleu = draw(variants, "", tests).axes[0]
    marks = [line for line in bleu.lines if len(line.get_ydata()) == 1]
    filled = {float(line.get_ydata()[0]) for line in marks if line.get_markerfacecolor() != "white"}
    assert filled == {15.5}


def test_seeds_are_not_compared_with_a_baseline_outside_the_grid(tmp_path: Path) -> None:
    values = [{"merges": merges, "seed": seed} for merges in (500, 1000) for seed in (7, 8)]
    variants = read_variants(rows(tmp_path, values))
    table = ablation_table(variants, "en-de", "test", SIGNIFICANCE | {"baseline": "other"})
    assert "BLEU p" not in table.header()
    assert "p < " not in " ".join(table.caption)


def test_seeds_alone_are_one_row(tmp_path: Path) -> None:
    variants = read_variants(rows(tmp_path, [{"seed": 7}, {"seed": 8}, {"seed": 9}]))
    table = ablation_table(variants, "en-de", "test")
    assert [row[:5] for row in table.rows] == [[4, 4, 11.0, 10.0, 12.0]]
    assert table.caption[0] == "en-de, test, 12 sentences. Varied: the seed."
    assert [tick.get_text() for tick in draw(variants, "").axes[0].get_xticklabels()] == ["3 seeds"]


def test_one_seed_has_no_replicates(tmp_path: Path) -> None:
    values = [{"merges": 500, "seed": 7}, {"merges": 600, "seed": 7}]
    table = ablation_table(read_variants(rows(tmp_path, values)), "en-de", "test", SIGNIFICANCE)
    assert table.rows[1][:8] == [600, 4, 4, 11.0, 0.01, 9.5, 9.0, 10.0]


def test_whole_maps_are_values(tmp_path: Path) -> None:
    maps = [{"method": "bpe", "merges": 500}, {"method": "char-ngrams", "n": 2, "shortlist": 9}]
    variants = read_variants(rows(tmp_path, [{"segmentation": one, "preprocess": None} for one in maps]))
    table = ablation_table(variants, "en-de", "test")
    assert [row[:2] for row in table.rows] == [
        ["bpe, merges 500", "none"], ["char-ngrams, n 2, shortlist 9", "none"],
    ]  # fmt: skip
    ticks = [tick.get_text() for tick in draw(variants, "").axes[0].get_xticklabels()]
    assert ticks == ["bpe, merges 500", "char-ngrams, n 2, shortlist 9"]


def test_without_scores_of_members_there_is_no_spread(tmp_path: Path) -> None:
    alone = [replace(row, singles=()) for row in rows(tmp_path, [{"beam": 1}, {"beam": 5}])]
    variants = read_variants(alone)
    table = ablation_table(variants, "en-de", "test")
    assert "BLEU mean" not in table.header()
    assert "members" not in " ".join(table.caption)
    assert {entry.get_text() for entry in draw(variants, "").legends[0].get_texts()} == {"ensemble"}


def test_scores_of_another_test_set_do_not_go_together(tmp_path: Path) -> None:
    texts = rows(tmp_path, [{"beam": 1}, {"beam": 5}])
    (tmp_path / "b.json").write_text(
        json.dumps(scores(9.0, 1.0) | {"bleu": {"name": "BLEU", "score": 1.0, "signature": "z"}})
    )
    with pytest.raises(InputError, match=r"The score files differ in bleu signature"):
        ablation_table(read_variants(texts), "en-de", "test")
