"""Applying byte pair encoding: golden examples, the released tool as oracle, the vocabulary filter."""

import io
import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from subword_nmt import apply_bpe

from rarewords.errors import InputError
from rarewords.segmentation import joiner
from rarewords.segmentation.bpe.apply import Bpe
from rarewords.segmentation.bpe.codes import Codes
from rarewords.segmentation.bpe.learn import learn_merges
from rarewords.segmentation.bpe.segmenter import BpeSegmenter
from rarewords.segmentation.bpe.symbols import word_symbols
from rarewords.segmentation.bpe.text import Options, segment_lines

LOWEST = learn_merges({"low": 5, "lower": 2, "newest": 6, "widest": 3}, 10)
LETTERS = st.sampled_from(["ab", "abc", "аяъ", "e\u0301e", "😀😁a", "a</w>"])


def merges(*lines: str) -> list[tuple[str, str]]:
    return [(left, right) for left, right in (line.split(" ") for line in lines)]


def segmenter(codes: list[tuple[str, str]], version: str = "0.2") -> BpeSegmenter:
    return BpeSegmenter(BpeSegmenter.complete({"merges": len(codes), "version": version}), "", codes)


def segment(text: str, codes: list[tuple[str, str]], version: str = "0.2") -> str:
    return " ".join(segmenter(codes, version).segment(text.split(" ")))


def lines_of(
    text: list[str], codes: list[tuple[str, str]], version: str = "0.2", workers: int = 1, **options
) -> list[str]:
    return list(segment_lines(Codes(version, tuple(codes)), Options(**options), text, workers))


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
    assert lines_of([line], codes) == [expected]
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
    assert lines_of([line], codes, version) == [released(codes, version).process_line(line)]


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
    assert lines_of([line], codes, allowed=allowed) == [expected]


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


@pytest.mark.parametrize("version", ["0.1", "0.2"])
def test_all_occurrences_are_merged_before_a_pair_of_lower_rank_that_a_merge_makes(version):
    # abc is made by ranks 1 and 3; the first makes `abc x` rank 2 usable, the last must not stop half-way for it.
    codes = merges("b c", "a bc", "abc a", "a b", "ab c", "x ab", "abca b")
    for word in map("".join, itertools.product("abcx", repeat=6)):
        assert " ".join(segmenter(codes, version).segment_word(word)) == released(codes, version).segment(word)


@pytest.mark.parametrize("dropout", [0.1, 0.5, 1.0])
def test_dropout_equals_the_released_tool_with_the_same_random_numbers(dropout):
    words = ["lowest", "newestnewest", "widest", "aaaaaaaaa", "low", "x"] * 20
    codes = [*LOWEST, ("a", "a"), ("aa", "aa")]
    theirs = released(codes, "0.2")
    random.seed(3)
    expected = [theirs.segment_tokens([word], dropout) for word in words]
    ours, numbers = Bpe(codes, "0.2"), random.Random(3)
    assert [joiner.mark(ours.cut_at_random(word, dropout, numbers.random)) for word in words] == [
        " ".join(units) for units in expected
    ]


def test_dropout_depends_on_the_seed_and_the_line_alone():
    text = ["newest lowest widest"] * 4001
    first = lines_of(text, LOWEST, dropout=0.3, seed=5)
    assert first == lines_of(text, LOWEST, dropout=0.3, seed=5, workers=2)
    assert first != lines_of(text, LOWEST, dropout=0.3, seed=6)
    assert len(set(first)) > 20
    assert all(line.replace("@@ ", "") == text[0] for line in first)


def test_dropout_leaves_no_trace():
    bpe = Bpe(LOWEST, "0.2")
    assert bpe.cut_at_random("newest", 1.0, random.Random(1).random) == list("newest")
    assert bpe.cut("newest") == ["newest"]


def test_several_processes_keep_the_order():
    text = [f"lowest{number} newest" for number in range(9000)]
    assert lines_of(text, LOWEST, workers=3) == lines_of(text, LOWEST)


def test_an_error_in_a_process_is_reported():
    with pytest.raises(InputError, match="ends in the separator"):
        lines_of(["low~"] * 5000, LOWEST, workers=2, separator="~")


@pytest.mark.parametrize(
    ("glossaries", "line"),
    [
        (["USA"], "1934USABUSA USA"),
        (["USA", "1934"], "1934USABUSA 1934 x1934"),
        (["[0-9]+", "<[a-z]+>"], "12<b>low</b>34 <lowest>"),
        (["USA", "S"], "USA USAS lowS"),
        (["low"], "lowest lower slow low"),
    ],
)
def test_glossaries_equal_the_released_tool(glossaries, line):
    codes = "#version: 0.2\n" + "".join(f"{left} {right}\n" for left, right in LOWEST)
    theirs = apply_bpe.BPE(io.StringIO(codes), glossaries=glossaries)
    assert lines_of([line], LOWEST, glossaries=glossaries) == [theirs.process_line(line)]


def test_glossary_golden_example():
    assert lines_of(["1934USABUSA USA"], LOWEST, glossaries=["USA"]) == ["1@@ 9@@ 3@@ 4@@ USA@@ B@@ USA USA"]


def test_glossaries_with_groups_do_not_repeat_text():
    theirs = apply_bpe.BPE(io.StringIO("#version: 0.2\n# #\n"), glossaries=["(lo)"])
    assert theirs.process_line("xlox") == "x@@ lo@@ lo@@ x"
    assert lines_of(["xlox lo"], [], glossaries=["(lo)"]) == ["x@@ lo@@ x lo"]


def test_glossaries_with_alternatives_match_the_whole_part():
    # The released tool reads `^lo|est$` and would keep every word that begins with `lo`.
    assert lines_of(["lowest low est"], [], glossaries=["lo|est"]) == ["lo@@ w@@ est lo@@ w est"]


def test_glossaries_that_match_nothing_do_nothing():
    assert lines_of(["low a"], LOWEST, glossaries=["a*"]) == ["low a"]


def test_a_glossary_that_is_no_expression():
    with pytest.raises(InputError, match="the glossary entry '\\(' is not a regular expression"):
        lines_of(["low"], LOWEST, glossaries=["("])


def test_separators():
    assert lines_of(["lowest low@@"], LOWEST, separator="~") == ["lo~ west lo~ w~ @~ @"]
    assert lines_of(["lowest low~~"], LOWEST, separator="~~") == ["lo~~ west lo~~ w~~ ~~~ ~"]
    with pytest.raises(InputError, match="the word 'low~' ends in the separator '~'"):
        lines_of(["low low~"], LOWEST, separator="~")
    for unusable in ("", "@ "):
        with pytest.raises(InputError, match="must have a character, but no space"):
            lines_of([], LOWEST, separator=unusable)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.text("lowest@~ \t\u2028\u00a0", max_size=20), max_size=4),
    st.sampled_from(["@@", "~~", "@~", "esto"]),
    st.sampled_from([0.0, 0.4]),
    st.sampled_from([(), ("lo", "w+")]),
)
def test_removing_the_separators_gives_the_text_back(text, separator, dropout, glossaries):
    lines = lines_of(text, LOWEST, separator=separator, dropout=dropout, glossaries=glossaries)
    restored = [" ".join(joined(line.split(" "), separator)) if line.strip("\r\n ") else line for line in lines]
    assert [" ".join(filter(None, line.split(" "))) for line in restored] == [
        " ".join(filter(None, line.split(" "))) for line in text
    ]


def joined(units: list[str], separator: str) -> list[str]:
    words, start = [], ""
    for unit in units:
        if unit.endswith(separator):
            start += unit.removesuffix(separator)
        else:
            words.append(start + unit)
            start = ""
    return words


@pytest.mark.parametrize("version", ["0.1", "0.2"])
@given(words=st.lists(st.text("ab", min_size=2, max_size=12), min_size=1, max_size=6), word=st.text("abc", min_size=2))
@settings(deadline=None, max_examples=200)
def test_long_words_are_merged_like_others(version: str, words: list[str], word: str) -> None:
    bpe = Bpe(learn_merges(dict.fromkeys(words, 2), 40, version=version), version)
    symbols = word_symbols(word, version)
    assert bpe._merge_long(list(symbols)) == bpe._merge(list(symbols))


def test_a_word_of_a_hundred_thousand_letters() -> None:
    bpe = Bpe([("a", "b"), ("ab", "ab"), ("abab", "a"), ("b", "a")], "0.2")
    assert bpe.cut("ab" * 50_000) == ["abab"] * 24_999 + ["ab", "a", "b"]
