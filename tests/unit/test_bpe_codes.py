"""Codes files of both versions, and what is said about files that are none."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rarewords.errors import InputError
from rarewords.segmentation.bpe.codes import Codes, read_codes, write_codes
from rarewords.segmentation.bpe.input import parse_allowed_units, parse_dictionary
from rarewords.segmentation.bpe.learn import learn_merges

COUNTS = {"low": 5, "lower": 2, "newest": 6, "widest": 3, "низ\u00a0кий": 3}


@pytest.mark.parametrize("version", ["0.1", "0.2"])
def test_round_trip(tmp_path, version):
    merges = learn_merges(COUNTS, 40, version=version)
    write_codes(tmp_path / "codes", Codes(version, tuple(merges)))
    assert read_codes(tmp_path / "codes") == Codes(version, tuple(merges))


def test_format(tmp_path):
    write_codes(tmp_path / "new", Codes("0.2", (("l", "o"), ("lo", "w</w>"))))
    write_codes(tmp_path / "old", Codes("0.1", (("l", "o"), ("lo", "</w>"))))
    write_codes(tmp_path / "bytes", Codes("0.2", (("\xc3", "\xb6</w>"),), of_bytes=True))
    assert (tmp_path / "new").read_bytes() == b"#version: 0.2\nl o\nlo w</w>\n"
    assert (tmp_path / "old").read_bytes() == b"l o\nlo </w>\n"
    assert (tmp_path / "bytes").read_bytes() == b"#version: 0.2 byte\n\xc3 \xb6</w>\n"
    assert read_codes(tmp_path / "bytes") == Codes("0.2", (("\xc3", "\xb6</w>"),), of_bytes=True)


def test_no_merges_and_trailing_empty_lines(tmp_path):
    (tmp_path / "codes").write_text("#version: 0.2\n\n")
    assert read_codes(tmp_path / "codes") == Codes("0.2", ())


@pytest.mark.parametrize(
    ("text", "line", "complaint"),
    [
        ("#version: 0.2\nl o\nlo", 3, "not a merge"),
        ("#version: 0.2\nl o\nlo ", 3, "not a merge"),
        ("#version: 0.2\nl o 12\n", 2, "not a merge"),
        ("#version: 0.2\n\nl o\n", 2, "not a merge"),
        ("#version: 0.3\nl o\n", 1, "version '0.3'"),
        ("#version: 0.2 bytes\nl o\n", 1, "version '0.2 bytes'"),
        ("#version: 0.2 byte\nl o\nö b\n", 3, "'Ã¶' is neither"),  # a character of two bytes
        ("the 5120\nof 4031\n", 1, "neither a character"),  # a vocabulary file
        ("#version: 0.2\nl o\nlow er\n", 3, "'low'"),  # lost lines
        ("l o\ns t</w>\n", 2, "'t</w>'"),  # a lost header
        ("#version: 0.2\nl </w>\n", 2, "'</w>'"),  # a header too many
        ("this is a sentence\n", 1, "not a merge"),
    ],
)
def test_errors_name_file_and_line(tmp_path, text, line, complaint):
    path = tmp_path / "codes"
    path.write_text(text)
    with pytest.raises(InputError) as error:
        read_codes(path)
    assert str(error.value).startswith(f"{path}, line {line}: ")
    assert complaint in str(error.value)


def test_missing_file(tmp_path):
    with pytest.raises(InputError, match="nothing"):
        read_codes(tmp_path / "nothing")


# Characters that end lines, open files or separate words somewhere else.
HOSTILE = [
    "a",
    "b",
    "\r",
    "\ufeff",
    "\u2028",
    "\x85",
    "\x0b",
    "\x0c",
    "\x1c",
    "\t",
    "\x00",
    "\xa0",
    "\u3000",
    "#",
    "</w>",
]


@pytest.mark.parametrize("version", ["0.1", "0.2"])
@given(words=st.lists(st.lists(st.sampled_from(HOSTILE), min_size=1, max_size=6).map("".join), min_size=1, max_size=4))
@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_learned_from_any_words_can_be_read(tmp_path, version, words):
    codes = Codes(version, tuple(learn_merges(dict.fromkeys(words, 3), 30, version=version)))
    write_codes(tmp_path / "codes", codes)
    assert read_codes(tmp_path / "codes") == codes


def test_codes_with_line_ends_of_another_system_are_read(tmp_path):
    (tmp_path / "codes").write_bytes(b"#version: 0.2\r\nl o\r\nlo w</w>\r\n")
    assert read_codes(tmp_path / "codes") == Codes("0.2", (("l", "o"), ("lo", "w</w>")))


def test_a_word_that_begins_with_a_carriage_return_is_the_same_in_a_vocabulary():
    assert parse_allowed_units([" \rfoo 3\r\n", "\r\r 2\n", "bar 1\r\n"], 1, "v") == {"\rfoo", "\r\r", "bar"}
    assert parse_dictionary(["\rfoo 3\n", "foo 2\n"], "d") == {"\rfoo": 3, "foo": 2}
