"""Tables 2 and 3: hand-written expected texts in the three formats, and refused mixtures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rarewords.errors import InputError
from rarewords.report import formats, html_tables
from rarewords.report.inputs import SystemFiles
from rarewords.report.table import Table, columns
from rarewords.report.tables import read_system

from .conftest import score_table, scores, write

BOTH = ("best", "ensemble")

CAPTION = [
    "en-de, test, 2169 sentences. Single: the best single model. Ensemble: 4 members of 3000 updates each.",
    "BLEU: case:mixed|tok:13a.",
    "chrF3: nc:6|nw:0.",
    "F1: unigram F1 of the ensemble in percent; n of all/rare/OOV: 44085/50/0 tokens of the reference; "
    "rare: rank above 2000 (training frequency 3) and seen in training.",
    "Rows marked 'paper' are printed in Sennrich, Haddow and Birch (2016), table 2: full WMT15 training data, "
    "newstest2015, ensemble of 8; n of F1 all/rare/OOV: 44085/2900/1168.",
]

TSV = [
    "system\tfrom\tsegmentation\tshortlist\tvocabulary source\tvocabulary target\tBLEU single\tBLEU ensemble\t"
    "chrF3 single\tchrF3 ensemble\tF1 all\tF1 rare\tF1 OOV",
    "syntax-based SMT\tpaper\t-\t-\t-\t-\t24.4\t-\t55.3\t-\t59.1\t46.0\t37.7",
    "BPE-J90k\tours\tBPE (joint)\t-\t8000\t12000\t12.3\t14.0\t40.0\t41.0\t51.3\t10.0\t-",
    "BPE-J90k\tpaper\tBPE (joint)\t-\t90000\t90000\t22.8\t24.7\t51.7\t54.1\t58.5\t41.8\t33.6",
    "my_50% & co\tours\ta|b\t5000\t8000\t-\t10.0\t-\t38.0\t-\t-\t-\t-",
]

MARKDOWN = r"""
| system | from | segmentation | shortlist | vocabulary source | vocabulary target | BLEU single | BLEU ensemble | chrF3 single | chrF3 ensemble | F1 all | F1 rare | F1 OOV |
| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| *syntax-based SMT* | *paper* | *-* | *-* | *-* | *-* | *24.4* | *-* | *55.3* | *-* | *59.1* | *46.0* | *37.7* |
| BPE-J90k | ours | BPE (joint) | - | 8,000 | 12,000 | 12.3 | 14.0 | 40.0 | 41.0 | 51.3 | 10.0 | - |
| *BPE-J90k* | *paper* | *BPE (joint)* | *-* | *90,000* | *90,000* | *22.8* | *24.7* | *51.7* | *54.1* | *58.5* | *41.8* | *33.6* |
| my_50% & co | ours | a\|b | 5,000 | 8,000 | - | 10.0 | - | 38.0 | - | - | - | - |
"""  # noqa: E501

LATEX = r"""\begin{tabular}{lllrrrrrrrrrr}
\toprule
 &  &  &  & \multicolumn{2}{c}{vocabulary} & \multicolumn{2}{c}{BLEU} & \multicolumn{2}{c}{chrF3} & \multicolumn{3}{c}{F1} \\
\cmidrule(lr){5-6} \cmidrule(lr){7-8} \cmidrule(lr){9-10} \cmidrule(lr){11-13}
system & from & segmentation & shortlist & source & target & single & ensemble & single & ensemble & all & rare & OOV \\
\midrule
\textit{syntax-based SMT} & \textit{paper} & \textit{-} & \textit{-} & \textit{-} & \textit{-} & \textit{24.4} & \textit{-} & \textit{55.3} & \textit{-} & \textit{59.1} & \textit{46.0} & \textit{37.7} \\
BPE-J90k & ours & BPE (joint) & - & 8\,000 & 12\,000 & 12.3 & 14.0 & 40.0 & 41.0 & 51.3 & 10.0 & - \\
\textit{BPE-J90k} & \textit{paper} & \textit{BPE (joint)} & \textit{-} & \textit{90\,000} & \textit{90\,000} & \textit{22.8} & \textit{24.7} & \textit{51.7} & \textit{54.1} & \textit{58.5} & \textit{41.8} & \textit{33.6} \\
my\_50\% \& co & ours & a\textbar{}b & 5\,000 & 8\,000 & - & 10.0 & - & 38.0 & - & - & - & - \\
\bottomrule
\end{tabular}
\end{table*}
"""  # noqa: E501


def test_tsv(rows: list[dict[str, Any]]) -> None:
    lines = formats.tsv(score_table(rows, "en-de", "test")).split("\n")
    assert lines[:5] == [f"# {sentence}" for sentence in CAPTION]
    assert lines[5:] == [*TSV, ""]


def test_markdown(rows: list[dict[str, Any]]) -> None:
    assert formats.markdown(score_table(rows, "en-de", "test")) == " ".join(CAPTION) + "\n" + MARKDOWN


def test_latex(rows: list[dict[str, Any]]) -> None:
    text = formats.latex(score_table(rows, "en-de", "test"))
    caption = " ".join(CAPTION).replace("|", r"\textbar{}")
    assert text == "\\begin{table*}\n\\centering\n\\caption{" + caption + "}\n" + LATEX


def test_every_latex_special_character_is_escaped() -> None:
    table = Table(["#$%&_{}"], columns(r"\~^"), [["<|>"]])
    text = formats.latex(table)
    assert r"\caption{\#\$\%\&\_\{\}}" in text
    assert r"\textbackslash{}\textasciitilde{}\textasciicircum{} \\" in text
    assert r"\textless{}\textbar{}\textgreater{} \\" in text
    assert "multicolumn" not in text


def test_pair_that_the_paper_has_not(rows: list[dict[str, Any]]) -> None:
    table = score_table(rows, "de-en", "test")
    assert [row[1] for row in table.rows] == ["ours", "ours"]
    assert not any("Sennrich" in sentence for sentence in table.caption)


def test_the_papers_rows_of_another_test_set_stand_apart(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    table = score_table(rows, "en-ru", "test")  # of 2,818 sentences in the paper, not 2,169
    elsewhere = "paper, newstest2015"
    assert [row[:2] for row in table.rows] == [
        ["BPE-J90k", "ours"],
        ["my_50% & co", "ours"],
        ["phrase-based SMT", elsewhere],
        ["BPE-J90k", elsewhere],
    ]
    assert table.rows[3][4:8] == [90_000, 100_000, 20.4, 24.1]
    assert "That is another test set" in table.caption[-1]
    assert [table.is_paper(row) for row in table.rows] == [False, False, True, True]
    page = html_tables.compared(table)
    assert [[line.kind for line in block] for block in page.blocks] == [["ours"], ["ours"], ["paper"], ["paper"]]
    # so many sentences, but other text: hyphens split, say
    other = {name: write(tmp_path / f"{name}.json", scores(12, 40, (50.0, 9.0, None), n=45_000)) for name in BOTH}
    table = score_table([rows[0] | other], "en-de", "newstest2015")
    assert [row[1] for row in table.rows] == ["ours", elsewhere, elsewhere]
    # a tokeniser that differs in a few tokens
    other = {name: write(tmp_path / f"{name}.json", scores(12, 40, (50.0, 9.0, None), n=44_086)) for name in BOTH}
    table = score_table([rows[0] | other], "en-de", "mine")
    assert [row[1] for row in table.rows] == ["paper", "ours", "paper"]
    page = html_tables.compared(table)
    assert [[line.kind for line in block] for block in page.blocks] == [["paper"], ["ours", "paper", "difference"]]


def test_unknown_paper_row(rows: list[dict[str, Any]]) -> None:
    with pytest.raises(InputError, match=r"table 2 has no row 'BPE-J9k': it has SMT, WUnk, .*BPE-J90k"):
        score_table([rows[0] | {"paper": "BPE-J9k"}], "en-de", "test")


def test_scores_of_another_reference_are_refused(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    (tmp_path / "best.json").write_text(json.dumps(scores(1, 1, (1.0, 1.0, None), n=44086)), encoding="utf-8")
    with pytest.raises(InputError, match="differ in n of unigram F1 \\(44086/50/0, 44085/50/0\\)"):
        score_table(rows, "en-de", "test")


def test_scores_of_another_metric_are_refused(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    other = scores(1, 1, None)
    other["bleu"]["signature"] = "case:lc"
    (tmp_path / "mine.json").write_text(json.dumps(other), encoding="utf-8")
    with pytest.raises(InputError, match="bleu signature"):
        score_table(rows, "en-de", "test")


def test_not_a_score_file(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    (tmp_path / "best.json").write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match=r"best\.json: not a score file"):
        score_table(rows, "en-de", "test")
    for damage in (
        {"bleu": 3},
        {"bleu": {"score": "12", "name": "BLEU", "signature": "s"}},
        {"chrf3": []},
        {"sentences": [100]},
        {"unigram_f1": {"classes": {}}},
        {"unigram_f1": 7},
    ):
        (tmp_path / "best.json").write_text(json.dumps(scores(1, 1, None) | damage), encoding="utf-8")
        with pytest.raises(InputError, match=r"best\.json: not a score file"):
            score_table(rows, "en-de", "test")
    for text in ("[1, 2]", "3", "null", '"bleu"'):
        (tmp_path / "best.json").write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=r"best\.json: not a score file"):
            score_table(rows, "en-de", "test")
    with pytest.raises(InputError, match=r"absent\.json: cannot be read"):
        score_table([rows[0] | {"best": str(tmp_path / "absent.json")}], "en-de", "test")


def test_systems_of_different_budgets_show_the_range(rows: list[dict[str, Any]]) -> None:
    caption = score_table([rows[0], rows[1] | {"members": 8, "updates": None}], "en-de", "test").caption
    assert "4 to 8 members of 3000 updates each." in caption[0]
    ended_early = score_table([row | {"updates": None} for row in rows[:2]], "en-de", "test").caption
    assert ended_early[0].endswith("Ensemble: 4 members.")


def test_vocabularies_are_shown_by_their_sizes(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    path = tmp_path / "vocabulary"
    path.write_text("der 5\ndie 4\ndas 1\n", encoding="utf-8")
    assert read_system(SystemFiles(**rows[0] | {"vocabulary": (str(path), None)})).vocabulary == [5, None]


def test_a_system_without_members_is_one_sentence(rows: list[dict[str, Any]]) -> None:
    with pytest.raises(InputError, match="system mine has scores of neither a single model nor an ensemble"):
        score_table([rows[1] | {"best": None}], "en-de", "test")
