"""Table 1: cells, caption and the paper's rows; the figure; mistakes."""

import json

import pytest

from rarewords.errors import InputError
from rarewords.report import figures, formats
from rarewords.report.inputs import StatisticsFile
from rarewords.report.table1 import figure_points, read_rows, statistics_table


@pytest.fixture
def row(tmp_path):
    """Write statistics; returns the row for them."""

    def write(label, paper=None, **changes):
        statistics = {
            "language": "de",
            "words": 200,
            "word_types": 50,
            "tokens": 300,
            "types": 40,
            "types_without_joiner": 30,
            "hapax_units": 4,
            "split_words": 60,
            "unknown": {"dev": 3, "test": 1},
            "consistency": {"common": 8, "alike": 6},
        }
        path = tmp_path / f"{label}.json"
        path.write_text(json.dumps(statistics | changes), encoding="utf-8")
        return StatisticsFile(label, paper, str(path))

    return write


def test_ours_and_the_papers_row(row):
    table = statistics_table(read_rows([row("BPE-9", "bpe"), row("mine", consistency=None)]), "en-de")
    assert table.rows == [
        ["BPE-9", "ours", 300, 40, 30, 3, 1, 150.0, 30.0, 10.0, 75.0],
        ["BPE", "paper", 112_000_000, 63_000, None, 0, None, 112.0, None, None, None],
        ["mine", "ours", 300, 40, 30, 3, 1, 150.0, 30.0, 10.0, None],
    ]
    assert len(table.columns) == len(table.rows[0])
    assert table.caption[0] == "en-de, de side of the training text: 200 words, 50 of them distinct."
    assert "Alike: of the 8 words that both languages share, those that are cut alike." in table.caption
    for write in (formats.tsv, formats.markdown, formats.latex):
        assert "BPE-9" in write(table)


def test_another_pair_has_no_paper_rows(row):
    table = statistics_table(read_rows([row("BPE-9", "bpe")]), "en-ru")
    assert [cells[1] for cells in table.rows] == ["ours"]
    assert "paper" not in " ".join(table.caption)


def test_points_are_relative_to_words(row):
    rows = read_rows([row("BPE-9", "bpe"), row("mine")])
    with_paper, without = figure_points(rows, "en-de")
    assert (with_paper.tokens, with_paper.types) == (1.5, 0.8)
    assert (with_paper.paper_tokens, with_paper.paper_types) == (1.12, 0.036)
    assert without.paper_tokens is None
    assert figure_points(rows, "en-ru")[0].paper_types is None


def test_figures_are_the_same_each_time(row, tmp_path):
    points = figure_points(read_rows([row(f"s{number}", "words") for number in range(12)]), "en-de")
    for run in ("a", "b"):
        figures.write_figure(figures.types_against_tokens(points), tmp_path / f"{run}.svg", tmp_path / f"{run}.png")
    for suffix in ("svg", "png"):
        assert (tmp_path / f"a.{suffix}").read_bytes() == (tmp_path / f"b.{suffix}").read_bytes()
    assert "open: the paper" in (tmp_path / "a.svg").read_text(encoding="utf-8")


def test_mistakes(row, tmp_path):
    with pytest.raises(InputError, match="no row 'bep': it has words, characters"):
        statistics_table(read_rows([row("x", "bep")]), "en-de")
    with pytest.raises(InputError, match=r"differ in words \(200, 201\)"):
        read_rows([row("x"), row("y", words=201)])
    (tmp_path / "other").write_text("{}")
    with pytest.raises(InputError, match="other: not statistics"):
        read_rows([StatisticsFile("x", None, str(tmp_path / "other"))])
