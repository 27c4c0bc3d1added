"""Network vocabularies."""

import gzip
import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rarewords.errors import InputError
from rarewords.segmentation import registry
from rarewords.vocabulary import EOS, UNK, Vocabulary, unit_counts

COUNTS = {"b": 3, "a": 3, "c@@": 7, "<unk>": 1, "</s>": 1}


def test_ids_by_count_then_first_occurrence():
    vocabulary = Vocabulary.build(COUNTS, 100)
    assert (EOS, UNK) == (0, 1)
    assert vocabulary.units == ["c@@", "b", "a", "<unk>", "</s>"]
    assert vocabulary.encode(["c@@", "b", "a", "zzz"]) == [2, 3, 4, UNK]


@pytest.mark.parametrize(("size", "ids"), [(3, 3), (5, 5), (7, 7), (8, 7), (1000, 7)])
def test_size_counts_eos_and_unk(size, ids):
    vocabulary = Vocabulary.build(COUNTS, size)
    assert len(vocabulary) == ids
    assert len(vocabulary.units) == ids - 2


@pytest.mark.parametrize("size", [2, 0, -5])
def test_too_small(size):
    with pytest.raises(InputError, match="3 or more"):
        Vocabulary.build(COUNTS, size)


def test_no_units():
    with pytest.raises(InputError, match="no units"):
        Vocabulary.build({}, 10)


def test_special_symbols_have_no_string():
    vocabulary = Vocabulary.build({"x": 2}, 10)
    assert vocabulary.encode(["<unk>", "</s>", "x"]) == [UNK, UNK, 2]
    assert Vocabulary.build(COUNTS, 100).encode(["<unk>", "</s>"]) == [5, 6]


def test_decode():
    vocabulary = Vocabulary.build(COUNTS, 100)
    assert vocabulary.decode([3, UNK, 2]) == ["b", "<unk>", "c@@"]
    assert vocabulary.decode([3, EOS, 2]) == ["b"]
    for outside in (7, -1):
        with pytest.raises(IndexError, match="vocabulary of 7"):
            vocabulary.decode([outside])


def test_contains():
    vocabulary = Vocabulary.build(COUNTS, 4)
    assert "b" in vocabulary
    assert "a" not in vocabulary


def test_file_format(tmp_path):
    Vocabulary.build(COUNTS, 4).save(tmp_path / "vocabulary")
    assert (tmp_path / "vocabulary").read_bytes() == b"c@@ 7\nb 3\n"


UNITS = st.text(st.characters(exclude_characters=" \n", exclude_categories=["Cs"]), min_size=1)


@settings(max_examples=100, deadline=None)
@given(counts=st.dictionaries(UNITS, st.integers(1, 99), min_size=1))
def test_round_trip(tmp_path_factory, counts):
    path = tmp_path_factory.mktemp("vocabulary") / "v"
    vocabulary = Vocabulary.build(counts, 1000)
    vocabulary.save(path)
    loaded = Vocabulary.load(path)
    assert loaded.counts == vocabulary.counts == counts
    assert loaded.units == vocabulary.units
    assert loaded.fingerprint() == vocabulary.fingerprint() == hashlib.sha256(path.read_bytes()).hexdigest()
    assert loaded.decode(loaded.encode(counts)) == list(counts)


def test_a_byte_order_mark_in_the_first_unit_survives(tmp_path):
    vocabulary = Vocabulary.build({"\ufeffa": 3, "\ufeffb": 1}, 10)
    vocabulary.save(tmp_path / "v")
    assert Vocabulary.load(tmp_path / "v").units == ["\ufeffa", "\ufeffb"]


def test_fingerprint_depends_on_order_and_counts():
    fingerprints = {
        Vocabulary(counts).fingerprint() for counts in ({"a": 1, "b": 1}, {"b": 1, "a": 1}, {"a": 1, "b": 2})
    }
    assert len(fingerprints) == 3


def test_compressed_files(tmp_path):
    vocabulary = Vocabulary.build(COUNTS, 100)
    vocabulary.save(tmp_path / "v.gz")
    assert gzip.decompress((tmp_path / "v.gz").read_bytes()).startswith(b"c@@ 7\n")
    assert Vocabulary.load(tmp_path / "v.gz").counts == vocabulary.counts


@pytest.mark.parametrize(
    ("text", "line", "complaint"),
    [
        ("a 3\nb\t2\n", 2, "tab between unit and count"),
        ("a 3\nb\n", 2, "not `unit count`"),
        ("a 3\n\nb 2\n", 2, "not `unit count`"),
        ("a  3\n", 1, "not `unit count`"),
        ("a b 3\n", 1, "not `unit count`"),
        ("a -3\n", 1, "not `unit count`"),
        ("a three\n", 1, "not `unit count`"),
        ("a 3\nb 2\na 1\n", 3, "'a' occurs a second time"),
    ],
)
def test_errors_name_file_and_line(tmp_path, text, line, complaint):
    path = tmp_path / "v"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as error:
        Vocabulary.load(path)
    assert str(error.value).startswith(f"{path}, line {line}: ")
    assert complaint in str(error.value)


def test_empty_file(tmp_path):
    (tmp_path / "v").write_text("")
    with pytest.raises(InputError, match="is empty"):
        Vocabulary.load(tmp_path / "v")


def test_a_tab_is_an_ordinary_character(tmp_path):
    Vocabulary({"a\tb": 3}).save(tmp_path / "v")
    assert Vocabulary.load(tmp_path / "v").units == ["a\tb"]


def test_unit_counts():
    (segmenter,) = registry.create("char-ngrams", {"shortlist": 0}, [{}], ["en"])
    counts = unit_counts(segmenter.segment_word, {"abab": 2, "ab": 5, "abcab": 1})
    assert list(counts.items()) == [("ab@@", 3), ("ab", 7), ("ca@@", 1), ("b", 1)]


def test_reserved_units_are_always_in():
    counts = {"a": 5, "b": 9, "c": 1, "d": 2}
    vocabulary = Vocabulary.build(counts, 6, ["x", "c"])
    assert vocabulary.counts == {"b": 9, "a": 5, "c": 1, "x": 0}
    assert list(vocabulary.counts) == ["b", "a", "c", "x"]
    with pytest.raises(InputError, match="no room besides the 2 units that the segmentation reserves; give 5 or more"):
        Vocabulary.build(counts, 4, ["x", "c"])
    everything = Vocabulary.build(counts, 7, ["x", *counts])
    assert list(everything.counts) == ["b", "a", "d", "c", "x"]
    with pytest.raises(InputError, match="no room besides the 5 units that the segmentation reserves; give 7 or more"):
        Vocabulary.build(counts, 6, ["x", *counts])


def test_an_unknown_unit_is_one_token_in_text_and_a_unit_of_that_string_stays() -> None:
    units = ["low@@", "<unk>", "b"]
    assert Vocabulary.build({"low@@": 2, "b": 1}, 10).spell_unknown(units) == ["low@@", "UNK", "b"]
    assert Vocabulary.build(COUNTS, 100).spell_unknown(units) == units


def test_a_count_of_very_many_digits_is_one_sentence(tmp_path):
    (tmp_path / "v").write_text(f"a {'9' * 5000}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"line 1: 'a 999.* is not `unit count`"):
        Vocabulary.load(tmp_path / "v")
