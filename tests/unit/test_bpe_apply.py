"""Applying byte pair encoding: golden examples, the released tool as oracle, the vocabulary filter."""

import gzip
import io
import itertools
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from subword_nmt import apply_bpe

from rarewords.corpus.importing import count_words
from rarewords.segmentation.bpe.apply import Bpe, segment_line
from rarewords.segmentation.bpe.codes import Codes
from rarewords.segmentation.bpe.learn import learn_merges
from rarewords.segmentation.bpe.segmenter import BpeSegmenter

DEMO = Path(__file__).parents[2] / "data/demo/libreoffice-help/en-de/train.de.gz"
LOWEST = learn_merges({"low": 5, "lower": 2, "newest": 6, "widest": 3}, 10)
LETTERS = st.sampled_from(["ab", "abc", "аяъ", "e\u0301e", "😀😁a", "a</w>"])


def merges(*lines: str) -> list[tuple[str, str]]:
    return [(left, right) for left, right in (line.split(" ") for line in lines)]


def segmenter(codes: list[tuple[str, str]], version: str = "0.2") -> BpeSegmenter:
    return BpeSegmenter.from_codes(Codes(version, tuple(codes)))


def segment(text: str, codes: list[tuple[str, str]], version: str = "0.2") -> str:
    return " ".join(segmenter(codes, version).segment(text.split(" ")))


def released(codes: list[tuple[str, str]], version: str, vocabulary: set[str] | None = None) -> apply_bpe.BPE:
    header = "#version: 0.2\n" if version == "0.2" else ""
    # The released tool refuses an empty list of merges; this one never applies.
    lines = "".join(f"{left} {right}\n" for left, right in codes or [("#", "#")])
    return apply_bpe.BPE(io.StringIO(header + lines), vocab=vocabulary)


@pytest.mark.parametrize(
    ("codes", "version", "text", "expected"),
    [
        (LOWEST, "0.2", "lowest newer", "lo@@ west ne@@ w@@ e@@ r"),
        (merges("u n", "un d", "und </w>"), "0.1", "funds fun und", "f@@ und@@ s f@@ un und"),
        (merges("u n", "un d</w>"), "0.2", "funds fun und", "f@@ un@@ d@@ s f@@ u@@ n und"),
        (merges("a a"), "0.2", "aaaa aaaaa", "aa@@ a@@ a aa@@ aa@@ a"),
        ([], "0.2", "abc a", "a@@ b@@ c a"),
        ([], "0.1", "abc a", "a@@ b@@ c a"),
    ],
)
def test_golden_examples(codes, version, text, expected):
    assert segment(text, codes, version) == expected


@pytest.mark.skipif(not DEMO.exists(), reason="no demo text")
def test_equals_the_released_tool_on_the_demo_text():
    with gzip.open(DEMO, "rt", encoding="utf-8", newline="\n") as stream:
        lines = [line.rstrip("\n") for line in itertools.islice(stream, 1500)]
    codes = learn_merges(count_words(lines[:500]), 500)
    ours, theirs = segmenter(codes), released(codes, "0.2")
    assert not any(word.endswith("@@") for line in lines for word in line.split(" "))
    for line in lines:
        assert segment_line(line, ours.segment_word) == theirs.process_line(line)


def test_lowest_rank_comes_first_wherever_it_is():
    assert segment("abc", merges("b c</w>", "a b")) == "a@@ bc"
    assert segment("abc", merges("a b", "b c</w>")) == "ab@@ c"


def test_of_a_repeated_merge_the_first_rank_counts():
    assert segment("abcd", merges("a b", "b c", "a b")) == "ab@@ c@@ d"


@pytest.mark.parametrize("version", ["0.1", "0.2"])
def test_text_that_looks_like_the_end_marker_stays(version):
    word = "a</w></w>"
    codes = learn_merges({word: 5}, 30, version=version)
    assert "".join(Bpe(codes, version).cut(word)) == word
    assert Bpe(codes, version).cut(word) == [word]
    assert "".join(Bpe([], version).cut(word)) == word


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("  low  low\tlow ", "  lo@@ w lo@@ w@@ \t@@ lo@@ w "),
        ("   ", "   "),
        ("", ""),
        ("low\u00a0low", "lo@@ w@@ \u00a0@@ lo@@ w"),
        ("low \r", "lo@@ w \r"),
        ("\u2028low", "\u2028@@ lo@@ w"),
    ],
)
def test_white_space_is_kept_as_by_the_released_tool(line, expected):
    codes = merges("l o")
    assert segment_line(line, segmenter(codes).segment_word) == expected
    assert released(codes, "0.2").process_line(line) == expected


@settings(max_examples=200, deadline=None)
@given(
    st.data(),
    LETTERS,
    st.sampled_from(["0.1", "0.2"]),
    st.integers(0, 25),
)
def test_equals_the_released_tool(data, letters, version, size):
    words = data.draw(st.lists(st.text(letters, min_size=1, max_size=8), min_size=1, max_size=8))
    codes = learn_merges(dict.fromkeys(words, 2), size, version=version)
    line = data.draw(st.text(letters + "  ", max_size=30))
    assert segment_line(line, segmenter(codes, version).segment_word) == released(codes, version).process_line(line)


@settings(max_examples=200, deadline=None)
@given(st.data(), st.sampled_from(["ab", "abc", "аяъ"]), st.integers(1, 25))
def test_vocabulary_filter_equals_the_released_tool(data, letters, size):
    words = data.draw(st.lists(st.text(letters, min_size=1, max_size=8), min_size=1, max_size=8))
    codes = learn_merges(dict.fromkeys(words, 2), size)
    line = data.draw(st.text(letters + " ", max_size=30))
    plain = segmenter(codes)
    units = sorted(set(plain.segment([*words, *(word for word in line.split(" ") if word)])))
    allowed = data.draw(st.sets(st.sampled_from(units), min_size=1))
    expected = released(codes, "0.2", allowed).process_line(line)
    assert segment_line(line, plain.restricted_to(allowed).segment_word) == expected


def test_vocabulary_filter_undoes_merges_until_units_are_allowed():
    codes = segmenter(LOWEST)
    assert codes.segment_word("newest") == ["newest"]
    assert codes.restricted_to({"ne@@", "west"}).segment_word("newest") == ["ne@@", "west"]
    assert codes.restricted_to({"ne@@", "w@@", "est"}).segment_word("newest") == ["ne@@", "w@@", "est"]
    assert codes.restricted_to({"ne@@", "w@@"}).segment_word("newest") == ["ne@@", "w@@", "e@@", "s@@", "t"]


def test_vocabulary_filter_undoes_the_earliest_merge_of_a_string():
    codes = merges("a b", "ab c", "b c", "a bc")
    allowed = {"ab@@", "c@@", "a@@", "bc@@", "d"}
    assert segmenter(codes).restricted_to(allowed).segment_word("abcd") == ["ab@@", "c@@", "d"]
    assert released(codes, "0.2", allowed).segment("abcd") == "ab@@ c@@ d"


def test_an_empty_vocabulary_takes_everything_apart():
    units = segmenter(LOWEST).restricted_to(set()).segment(["newest", "low"])
    assert " ".join(units) == "n@@ e@@ w@@ e@@ s@@ t l@@ o@@ w"


def test_restricting_leaves_the_original_alone():
    codes = segmenter(LOWEST)
    codes.restricted_to(set())
    assert codes.segment_word("newest") == ["newest"]


def test_vocabulary_filter_of_version_01_makes_no_empty_units():
    codes = segmenter(merges("u n", "un d", "und </w>"), "0.1")
    assert codes.segment_word("und") == ["und"]
    assert codes.restricted_to({"un@@", "d"}).segment_word("und") == ["un@@", "d"]
    assert codes.restricted_to(set()).segment_word("und") == ["u@@", "n@@", "d"]


@settings(max_examples=150, deadline=None)
@given(st.data(), LETTERS, st.sampled_from(["0.1", "0.2"]))
def test_a_filtered_word_is_still_the_word(data, letters, version):
    words = data.draw(st.lists(st.text(letters, min_size=1, max_size=8), min_size=1, max_size=8))
    codes = learn_merges(dict.fromkeys(words, 2), 20, version=version)
    for word in words:
        parts = Bpe(codes, version, allowed=frozenset()).cut(word)
        assert "".join(parts) == word
        assert all(parts)
