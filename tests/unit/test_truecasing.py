"""Training and applying a truecaser."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rarewords.errors import InputError
from rarewords.text.files import read_lines, write_lines
from rarewords.text.truecasing import TruecaseModel, detruecase, train_truecaser


def test_words_at_sentence_starts_are_not_counted() -> None:
    model = train_truecaser(["The house . The house : The house ! The house ? The house"])
    assert model.counts == {"house": 5}


def test_opening_marks_before_the_first_word_are_skipped() -> None:
    model = train_truecaser(["&quot; ( &#91; ' The House"])
    assert model.counts == {"House": 1}


def test_only_the_word_right_after_a_sentence_end_is_skipped() -> None:
    # As in the script: after a quotation mark inside the line, or after two full stops, the word counts.
    assert train_truecaser(["x . &quot; The"]).counts == {"The": 1}
    assert train_truecaser(["x . . The"]).counts == {}
    assert train_truecaser(["x . ) The"]).counts == {"The": 1}


def test_words_without_case_are_left_out() -> None:
    assert train_truecaser(["x 1990 , &quot; 汉字 Ab aB &apos;s"]).counts == {
        "Ab": 1,
        "aB": 1,
        "&quot;": 1,
        "&apos;s": 1,
    }


def test_best_form_and_ties() -> None:
    model = TruecaseModel({"Haus": 3, "haus": 2, "IT": 1, "It": 1, "Gut": 2, "gut": 2, "GUT": 2})
    # More frequent; first in code point order; lower case.
    assert model.best == {"haus": "Haus", "it": "IT", "gut": "gut"}
    assert TruecaseModel({"It": 1, "IT": 1}).best == {"it": "IT"}


def test_apply() -> None:
    model = TruecaseModel({"the": 5, "The": 1, "NATO": 3, "Haus": 2, "house": 2})
    # Sentence start: best form. Elsewhere: a seen form stays, an unseen one of a known word changes.
    assert model.apply("The THE The THE Unknown UNKNOWN") == "the the The the Unknown UNKNOWN"
    assert model.apply("Nato : HOUSE Nato . Haus ! The") == "NATO : house NATO . Haus ! the"


def test_quotation_marks_and_brackets_keep_the_sentence_start() -> None:
    model = TruecaseModel({"the": 5, "The": 1})
    assert model.apply("&quot; ( The The") == "&quot; ( the The"
    assert model.apply("x . &apos; The , The") == "x . &apos; the , The"
    assert model.apply(", The") == ", The"
    assert model.apply("x ( The") == "x ( The"


def test_lines_keep_their_words() -> None:
    model = TruecaseModel({"the": 1})
    assert model.apply("") == model.apply("  ") == ""
    assert model.apply(" The  A\u00a0B ") == "the A\u00a0B"
    assert model.apply("The\u2028x |\t| @@") == "The\u2028x |\t| @@"


def test_detruecase() -> None:
    assert detruecase("the house . it 's : yes , no") == "The house . It 's : Yes , no"
    assert detruecase("&quot; ( we &#91; x") == "&quot; ( We &#91; x"
    assert detruecase("x ( y") == "X ( y"
    assert detruecase("éa iPhone") == "Éa iPhone"
    assert detruecase("") == ""


@given(st.text(st.characters(codec="utf-8", exclude_characters="\n")))
def test_any_line_keeps_its_number_of_words(line: str) -> None:
    words = [word for word in line.split(" ") if word]
    model = train_truecaser([line])
    for changed in (model.apply(line), detruecase(line)):
        assert len(changed.split(" ")) == max(len(words), 1)
        assert "\n" not in changed


WORDS = st.lists(st.from_regex(r"[a-z]{1,6}", fullmatch=True), min_size=1, max_size=8)


@given(st.lists(WORDS, min_size=1, max_size=3))
def test_detruecase_undoes_truecase_on_plain_sentences(sentences: list[list[str]]) -> None:
    model = train_truecaser([" ".join(["x", *words, *words, "."]) for words in sentences])
    text = " ".join(" ".join([words[0].capitalize(), *words[1:], "."]) for words in sentences)
    assert model.apply(text) == text.lower()
    assert detruecase(model.apply(text)) == text


def test_model_file(tmp_path: Path) -> None:
    model = train_truecaser(["x the The the House ( 5 )", "x NATO House the"])
    model.save(tmp_path / "model")
    assert list(read_lines(tmp_path / "model")) == ["the (3/4) The (1)", "House (2/2)", "NATO (1/1)"]
    loaded = TruecaseModel.load(tmp_path / "model")
    assert loaded.counts == model.counts
    assert loaded.best == model.best


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\n\r\ufeff"))))
@settings(deadline=None, max_examples=50)
def test_any_model_can_be_saved(tmp_path_factory: pytest.TempPathFactory, lines: list[str]) -> None:
    model = train_truecaser(lines)
    file = tmp_path_factory.mktemp("model") / "model"
    model.save(file)
    assert TruecaseModel.load(file).best == model.best


def test_models_of_the_script_with_weights_can_be_read(tmp_path: Path) -> None:
    write_lines(tmp_path / "model", ["Haus (2.1/2.3) haus (0.2)", "1990 (4/4)"])
    assert TruecaseModel.load(tmp_path / "model").counts == {"Haus": 2.1, "haus": 0.2, "1990": 4}


@pytest.mark.parametrize("line", ["", "Haus", "Haus 3", "Haus (x)", "Haus (1/2) haus", " (1)", "Haus  (1/1)", "a (-1)"])
def test_bad_model_names_file_and_line(tmp_path: Path, line: str) -> None:
    write_lines(tmp_path / "model", ["the (1/1)", line])
    with pytest.raises(InputError, match=r"model, line 2: not a truecasing model"):
        TruecaseModel.load(tmp_path / "model")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("The (3/7) the (3)\n", "line 1: damaged .the counts do not make the total 7"),
        ("the (3/3)\nthe (2/2)\n", "line 2: a form is there twice"),
        ("the (3/6) the (3)\n", "line 1: a form is there twice"),
        (f"the ({'9' * 5000}/{'9' * 5000})\n", "line 1: not a truecasing model"),
    ],
)
def test_what_no_truecasing_model_can_be(tmp_path, text, complaint):
    (tmp_path / "model").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=complaint):
        TruecaseModel.load(tmp_path / "model")


def test_addresses_and_names_with_a_small_first_letter_stay() -> None:
    line = "see : http : / / a.b ! iPhone : www.a.org . mRNA ? new"
    assert detruecase(line) == "See : http : / / a.b ! iPhone : www.a.org . mRNA ? New"
