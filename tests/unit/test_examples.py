"""Tables 4 and 5: two systems on three sentences, everything counted by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from rarewords.errors import InputError
from rarewords.report import example_formats
from rarewords.report.examples import example_table, group_units
from rarewords.report.formats import read_tsv
from rarewords.report.inputs import ExampleTexts, UnitFiles
from rarewords.report.paper import load_paper


def write(folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


@pytest.fixture
def texts(tmp_path: Path) -> ExampleTexts:
    write(
        tmp_path,
        source="the solar system .\nthe sun .\nthe sun shines .\n",
        reference="das Sonnensystem .\ndie Sonne .\ndie Sonne scheint .\n",
        source_counts="the 9\n. 8\nsun 3\nsystem 2\n",
        target_counts="die 9\n. 8\ndas 7\nSonne 2\n",
    )
    return ExampleTexts(*(str(tmp_path / name) for name in ("source", "reference", "source_counts", "target_counts")))


@pytest.fixture
def systems(tmp_path: Path) -> list[UnitFiles]:
    write(
        tmp_path,
        words_in="the solar system .\nthe sun .\nthe sun shines .\n",
        words_out="das <unk> .\ndie Sonne .\ndie Sonne <unk> .\n",
        words_vocabulary="the 9\n. 8\nsun 3\n",
        bpe_in="the so@@ lar system .\nthe sun .\nthe sun sh@@ ines .\n",
        bpe_out="das Sonnen@@ system .\ndie Sonne .\ndie Son@@ ne Schein@@\n",
        bpe_vocabulary="the 9\n. 8\nsun 3\nso@@ 3\nsystem 2\nsh@@ 1\nines 1\n",
    )
    return [
        UnitFiles(name, name.upper(), *(str(tmp_path / f"{name}_{part}") for part in ("in", "out", "vocabulary")))
        for name in ("words", "bpe")
    ]


@pytest.fixture
def content(texts: ExampleTexts, systems: list[UnitFiles]) -> dict[str, Any]:
    """Ranks above 3 are rare: `Sonne` (2) is; `Sonnensystem` and `scheint` are unseen."""
    return example_table(texts, systems, ("en-de", "test"), rare_rank=3)


def test_units_are_grouped_to_words() -> None:
    assert group_units(["low", "##est", "#", "###x"]) == [["low", "est"], ["#", "#x"]]
    assert group_units(["low@@", "##est", "yes"]) == [["low", "##est"], ["yes"]]
    assert group_units(["low@@", "est", "yes", "foo@@@", "@", "dangling@@"]) == [
        ["low", "est"], ["yes"], ["foo@", "@"], ["dangling"],
    ]  # fmt: skip


def test_sentences_are_chosen_by_the_words_on_which_systems_differ(content: dict[str, Any]) -> None:
    # line 1: only BPE has Sonnensystem; lines 2, 3: both have Sonne, none has scheint, so these two only fill up
    assert [example["line"] for example in content["examples"]] == [1, 2, 3]
    assert content["chosen"] == "automatically"
    assert content["cut_frequency"] == 7


def test_words_of_interest_say_how_frequent_and_who_is_right(content: dict[str, Any]) -> None:
    first, _, third = (example["words"] for example in content["examples"])
    assert first == [{"word": "Sonnensystem", "class": "OOV", "frequency": 0, "found_by": ["BPE"]}]
    assert third == [
        {"word": "Sonne", "class": "rare", "frequency": 2, "found_by": ["WORDS", "BPE"]},
        {"word": "scheint", "class": "OOV", "frequency": 0, "found_by": []},
    ]


def test_systems_read_unknown_units_and_write_right_or_wrong_words(content: dict[str, Any]) -> None:
    words, bpe = content["examples"][0]["systems"]
    assert words["source"][1] == {"parts": ["solar"], "class": "OOV", "frequency": 0, "unknown": [0]}
    assert bpe["source"][1] == {"parts": ["so", "lar"], "class": "OOV", "frequency": 0, "unknown": [1]}
    assert words["output"][1] == {"parts": ["<unk>"], "unknown": [0]}
    assert bpe["output"][1] == {"parts": ["Sonnen", "system"], "class": "OOV", "frequency": 0, "right": True}
    dangling = content["examples"][2]["systems"][1]["output"][2]
    assert dangling == {"parts": ["Schein"], "class": "OOV", "frequency": 0, "right": False}


def test_a_word_is_right_as_often_as_the_reference_has_it(texts: ExampleTexts, systems: list[UnitFiles]) -> None:
    Path(systems[1].output).write_text(".\n.\nSonne Sonne\n", encoding="utf-8")
    content = example_table(texts, systems, ("en-de", "test"), 3, lines=[3])
    output = content["examples"][0]["systems"][1]["output"]
    assert [token["right"] for token in output] == [True, False]


def test_given_lines_are_shown_in_their_order(texts: ExampleTexts, systems: list[UnitFiles]) -> None:
    content = example_table(texts, systems, ("en-de", "test"), 3, number=1, lines=[3, 1])
    assert [example["line"] for example in content["examples"]] == [3, 1]
    assert content["chosen"] == "given"


def test_a_line_that_is_not_there_is_named(texts: ExampleTexts, systems: list[UnitFiles]) -> None:
    with pytest.raises(InputError, match=r"line 4 cannot be an example: .*source has lines 1 to 3"):
        example_table(texts, systems, ("en-de", "test"), 3, lines=[4])


def test_files_of_another_length_are_named(texts: ExampleTexts, systems: list[UnitFiles]) -> None:
    Path(systems[0].output).write_text("eins\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"words_out has 1 lines but .*source has 3"):
        example_table(texts, systems, ("en-de", "test"), 3)


def test_tsv_shows_units_between_bars(content: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "t.tsv").write_text(example_formats.tsv(content), encoding="utf-8")
    table = read_tsv(tmp_path / "t.tsv")
    assert table.header() == ["line", "words", "system", "source", "translation"]
    note = "Sonnensystem (OOV; right in BPE)"
    assert table.rows[:3] == [
        [1, note, "reference", "the solar system .", "das Sonnensystem ."],
        [1, note, "WORDS", "the <unk> <unk> .", "das <unk> ."],
        [1, note, "BPE", "the so|<unk> system .", "das Sonnen|system ."],
    ]


def test_markdown_and_latex_mark_rare_words_and_escape_bars(content: dict[str, Any]) -> None:
    markdown = example_formats.markdown(content)
    assert r"| BPE | the **so\|\<unk\>** **system** . | das **Sonnen\|system** . |" in markdown
    latex = example_formats.latex(content)
    assert r"das \textbf{Sonnen\textbar{}system} . \\" in latex
    assert r"\textless{}unk\textgreater{}" in latex


def test_hostile_words_stay_one_cell(content: dict[str, Any]) -> None:
    content["examples"][0]["reference"] = [{"parts": ["a|b*"]}, {"parts": ["x&_y"]}]
    assert r"a\|b\*" in example_formats.markdown(content)
    assert r"x\&\_y" in example_formats.latex(content)


def test_phrases_are_found_in_any_case_and_each_has_a_line_of_its_own(
    texts: ExampleTexts, systems: list[UnitFiles]
) -> None:
    def lines(*phrases: str) -> list[int]:
        content = example_table(texts, systems, ("en-de", "test"), 3, phrases=phrases)
        assert content["chosen"] == "given"
        return [example["line"] for example in content["examples"]]

    assert lines("The  sun") == [2]
    assert lines("the sun", "the sun", "solar system") == [2, 3, 1]
    for wrong in (["sola"], ["the sun"] * 3):
        with pytest.raises(InputError, match=r"source has no \(other\) line with the words '(sola|the sun)'"):
            lines(*wrong)


def test_what_the_paper_prints_of_a_phrase_stands_below_ours(
    texts: ExampleTexts, systems: list[UnitFiles], tmp_path: Path
) -> None:
    source = (tmp_path / "source").read_text(encoding="utf-8").replace("the sun shines", "the Mirzayeva shines")
    (tmp_path / "source").write_text(source, encoding="utf-8")
    content = example_table(texts, systems, ("en-ru", "test"), 3, lines=[1], phrases=["Mirzayeva"])
    (tmp_path / "t.tsv").write_text(example_formats.tsv(content), encoding="utf-8")
    table = read_tsv(tmp_path / "t.tsv")
    assert [row[2:] for row in table.rows if row[0] == 3][3:] == [
        ["reference, paper", "Mirzayeva", "Мирзаева (Mirzaeva)"],
        ["WDict, paper", "Mirzayeva", "UNK → Mirzayeva"],
        ["C2-50k, paper", "Mi|rz|ay|ev|a", "Ми|рз|ае|ва (Mi|rz|ae|va)"],
        ["BPE-60k, paper", "Mirz|ayeva", "Мир|за|ева (Mir|za|eva)"],
        ["BPE-J90k, paper", "Mir|za|yeva", "Мир|за|ева (Mir|za|eva)"],
    ]
    assert len([row for row in table.rows if row[0] == 1]) == 3
    assert "print for the sentence" in " ".join(table.caption)


def test_the_phrases_of_the_configuration_are_those_of_the_paper() -> None:
    config = yaml.safe_load((Path(__file__).parents[2] / "config/wmt15.yaml").read_text(encoding="utf-8"))
    printed = load_paper()["phrases"]
    assert {pair: list(rows) for pair, rows in printed.items()} == config["report"]["examples"]
    for rows in (rows for of_pair in printed.values() for rows in of_pair.values()):
        assert [row[0] for row in rows] == ["reference", "WDict", "C2-50k", "BPE-60k", "BPE-J90k"]
