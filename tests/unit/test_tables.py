"""Tables 2 and 3: hand-written expected texts in the three formats, the paper's numbers, refused mixtures."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from rarewords.errors import InputError
from rarewords.report import formats, terminal
from rarewords.report.oov_table import oov_table
from rarewords.report.paper import load_paper, paper_table
from rarewords.report.scores import ScoreRow, parse_score_rows, read_significance
from rarewords.report.tables import parse_rows, score_table


def scores(bleu: float, chrf3: float, f1: tuple[float | None, ...] | None, n: int = 900) -> dict[str, Any]:
    unigram = None
    if f1 is not None:
        sizes = (n, 50, 0)
        classes = {name: {"f1": f, "n": size} for name, f, size in zip(("all", "rare", "oov"), f1, sizes, strict=True)}
        unigram = {"rare_rank": 2000, "cut_frequency": 3, "classes": classes}
    return {
        "sentences": 100,
        "bleu": {"name": "BLEU", "score": bleu, "signature": "case:mixed|tok:13a"},
        "chrf3": {"name": "chrF3", "score": chrf3, "signature": "nc:6|nw:0"},
        "unigram_f1": unigram,
    }


@pytest.fixture
def rows(tmp_path: Path) -> list[dict[str, Any]]:
    """One system of the paper with all scores, one of ours with a single model only."""

    def write(name: str, content: dict[str, Any]) -> str:
        path = tmp_path / name
        path.write_text(json.dumps(content), encoding="utf-8")
        return str(path)

    common = {"members": 4, "updates": 3000, "singles": [], "choice": None}
    return [
        common
        | {"system": "bpe-j90k", "label": "BPE-J90k", "paper": "BPE-J90k", "segmentation": "BPE (joint)"}
        | {"shortlist": None, "vocabulary": [8000, 12000]}
        | {"best": write("best.json", scores(12.34, 40.05, (50.0, 9.0, None)))}
        | {"ensemble": write("ensemble.json", scores(13.96, 41, (51.26, 10.0, None)))},
        common
        | {"system": "mine", "label": "my_50% & co", "paper": None, "segmentation": "a|b", "shortlist": 5000}
        | {"vocabulary": [8000, None], "best": write("mine.json", scores(9.96, 38.0, None)), "ensemble": None},
    ]


CAPTION = [
    "en-de, test, 100 sentences. Single: the best single model; ensemble: members: 4, updates of each: 3000.",
    "BLEU: case:mixed|tok:13a.",
    "chrF3: nc:6|nw:0.",
    "F1: unigram F1 of the ensemble in percent; n of all/rare/OOV: 900/50/0 tokens of the reference; "
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
    table = formats.Table(["#$%&_{}"], [("", r"\~^")], [["<|>"]])
    text = formats.latex(table)
    assert r"\caption{\#\$\%\&\_\{\}}" in text
    assert r"\textbackslash{}\textasciitilde{}\textasciicircum{} \\" in text
    assert r"\textless{}\textbar{}\textgreater{} \\" in text
    assert "multicolumn" not in text


def test_pair_that_the_paper_has_not(rows: list[dict[str, Any]]) -> None:
    table = score_table(rows, "de-en", "test")
    assert [row[1] for row in table.rows] == ["ours", "ours"]
    assert not any("Sennrich" in sentence for sentence in table.caption)


def test_other_pair_takes_its_own_paper_rows(rows: list[dict[str, Any]]) -> None:
    table = score_table(rows, "en-ru", "test")
    assert table.rows[0][0] == "phrase-based SMT"
    assert table.rows[2][4:8] == [90_000, 100_000, 20.4, 24.1]


def test_unknown_paper_row(rows: list[dict[str, Any]]) -> None:
    with pytest.raises(InputError, match=r"table 2 has no row 'BPE-J9k': it has SMT, WUnk, .*BPE-J90k"):
        score_table([rows[0] | {"paper": "BPE-J9k"}], "en-de", "test")


def test_scores_of_another_reference_are_refused(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    (tmp_path / "best.json").write_text(json.dumps(scores(1, 1, (1.0, 1.0, None), n=901)), encoding="utf-8")
    with pytest.raises(InputError, match="differ in n of unigram F1 \\(901/50/0, 900/50/0\\)"):
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
    with pytest.raises(InputError, match="is no name of a score file"):
        score_table([rows[0] | {"best": {"bleu": 3}}], "en-de", "test")
    with pytest.raises(InputError, match=r"absent\.json: cannot be read"):
        score_table([rows[0] | {"best": str(tmp_path / "absent.json")}], "en-de", "test")


def test_systems_of_different_budgets_show_the_range(rows: list[dict[str, Any]]) -> None:
    caption = score_table([rows[0], rows[1] | {"members": 8, "updates": None}], "en-de", "test").caption
    assert "members: 4 to 8, updates of each: 3000." in caption[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "row 1: not JSON"),
        ("[7]", "row 1: keys missing or unknown: best,"),
        ('{"system": "x", "labl": "X"}', "row 1: keys missing or unknown: .*labl"),
    ],
)
def test_malformed_rows(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_rows([text])


def test_rows_name_two_vocabulary_files_and_get_their_sizes(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    path = tmp_path / "vocabulary"
    path.write_text("der 5\ndie 4\ndas 1\n", encoding="utf-8")
    texts = [json.dumps(row | {"vocabulary": [str(path), str(path)]}) for row in rows]
    assert parse_rows(texts) == [row | {"vocabulary": [5, 5]} for row in rows]
    with pytest.raises(InputError, match="row 2: `vocabulary` must be a list of two files"):
        parse_rows([texts[0], json.dumps(rows[1] | {"vocabulary": [str(path)]})])


def test_tsv_is_read_back(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    table = score_table(rows, "en-de", "test")
    path = tmp_path / "table.tsv"
    path.write_text(formats.tsv(table), encoding="utf-8")
    again = formats.read_tsv(path)
    assert formats.tsv(again) == formats.tsv(table)
    assert [again.is_paper(row) for row in again.rows] == [True, False, True, False]
    assert again.rows[1][4:7] == [8000, 12000, 12.3]


def test_damaged_tsv(tmp_path: Path) -> None:
    path = tmp_path / "table.tsv"
    path.write_text("# caption\na\tb\n1\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 3: 1 cells where the header has 2"):
        formats.read_tsv(path)
    path.write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="holds no table"):
        formats.read_tsv(path)


def test_terminal_fits_in_100_columns(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    path = tmp_path / "table.tsv"
    path.write_text(formats.tsv(score_table(rows, "en-de", "test")), encoding="utf-8")
    out = io.StringIO()
    terminal.show(formats.read_tsv(path), Console(file=out, width=200))
    lines = out.getvalue().split("\n")
    assert max(map(len, lines)) <= 120
    shown = next(line for line in lines if "BPE-J90k" in line and "paper" in line)
    assert " ".join(shown.split()) == "BPE-J90k paper BPE (joint) - 90,000 90,000 22.8 24.7 51.7 54.1 58.5 41.8 33.6"
    assert any(line.startswith("BLEU: case:mixed|tok:13a.") for line in lines)


def write(path: Path, content: object) -> str:
    path.write_text(json.dumps(content), encoding="utf-8")
    return str(path)


def test_the_spread_of_single_models_is_three_numbers_for_programs_and_one_cell_for_people(
    rows: list[dict[str, Any]], tmp_path: Path
) -> None:
    members = [scores(bleu, bleu + 30, None) for bleu in (10.0, 11.0, 15.0)]
    rows[0]["singles"] = [write(tmp_path / f"{number}.json", member) for number, member in enumerate(members)]
    table = score_table(rows, "en-de", "test")
    assert "Mean (range): over the single models, from the lowest score to the highest." in table.caption
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
    with pytest.raises(InputError, match=r"choice\.json: has no scores of members"):
        score_table(rows, "en-de", "test")


def comparison(**p: float | None) -> dict[str, Any]:
    systems = {"mine": {"p": None}} | {name: {"p": value} for name, value in p.items()}
    metrics = dict.fromkeys(("bleu", "f1_rare"), systems)
    return {"method": "bootstrap", "samples": 1000, "seed": 7, "baseline": "mine", "metrics": metrics}


def test_differences_from_the_baseline_are_marked(rows: list[dict[str, Any]]) -> None:
    rows[0]["system"] = "bpe"
    table = score_table(rows, "en-de", "test", significance=comparison(bpe=0.004))
    assert table.caption[-1] == (
        "*: different from my_50% & co with p < 0.05 (paired bootstrap test of the ensembles, two-sided, 1000 samples, "
        "seed 7; the p values are in the TSV file)."
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
    assert "Given from outside and scored the same way, F1 included: My SMT, Online." in table.caption
    # without a counterpart the paper's SMT stays on top
    table = score_table(rows, "en-de", "test", given[1:])
    assert [row[0] for row in table.rows[:2]] == ["syntax-based SMT", "Online"]
    assert [row[1] for row in score_table(rows, "de-en", "test", given).rows] == ["external"] * 2 + ["ours"] * 2


def test_external_scores_of_another_test_set_are_refused(rows: list[dict[str, Any]]) -> None:
    other = scores(20.0, 50.0, (60.0, 40.0, None)) | {"sentences": 99}
    with pytest.raises(InputError, match=r"differ in number of sentences \(100, 99\)"):
        score_table(rows, "en-de", "test", [ScoreRow("smt", "My SMT", "SMT", "external", other)])


def test_a_system_without_members_is_one_sentence(rows: list[dict[str, Any]]) -> None:
    with pytest.raises(InputError, match="system mine: it has neither a single model nor an ensemble"):
        score_table([rows[1] | {"best": None}], "en-de", "test")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"from": "mine"}, "external row 1: `from` is 'mine'; give ours or external"),
        ({"scores": None}, "external row 1: `scores` is null"),
        ({"scroes": 1}, "external row 1: keys missing or unknown: scroes"),
    ],
)
def test_malformed_external_rows(change: dict[str, Any], message: str) -> None:
    row = {"system": "x", "label": "X", "paper": None, "from": "external", "scores": "x.json"} | change
    with pytest.raises(InputError, match=message):
        parse_score_rows([json.dumps(row)], "external row")


def test_a_file_that_is_no_comparison(tmp_path: Path) -> None:
    for content in ({}, [], comparison() | {"metrics": []}, comparison() | {"metrics": {"bleu": {"x": {}}}}):
        path = write(tmp_path / "significance.json", content)
        with pytest.raises(InputError, match="no comparison of systems; write one with `rarewords significance"):
            read_significance(path)
    assert read_significance(None) is None


def test_the_terminal_leaves_out_what_it_has_no_room_for(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    rows[0]["singles"] = [write(tmp_path / "0.json", scores(10.0, 40.0, None))]
    rows[0] |= {"system": "bpe", "label": "a system with a long name"}
    path = tmp_path / "table2.tsv"
    path.write_text(
        formats.tsv(score_table(rows, "en-de", "test", significance=comparison(bpe=0.01))), encoding="utf-8"
    )
    out = io.StringIO()
    terminal.show(formats.read_tsv(path), Console(file=out, width=200))
    lines = out.getvalue().split("\n")
    assert max(map(len, lines)) <= 120
    shown = next(line for line in lines if "a system" in line)
    assert " ".join(shown.split()).endswith("12.3 14.0* 10.0 (10.0–10.0) 40.0 41.0 40.0 (40.0–40.0) 51.3 10.0* -")
    assert "shortlist" not in out.getvalue()
    assert "short-" not in out.getvalue()


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
        "en-de, test: words that are not among the 500 of the training text; n: their 40"
    )
    assert [row[1] for row in oov_table(rows, "de-en", "test").rows] == ["ours", "ours"]
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
