"""Character n-grams with a shortlist."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarewords.errors import InputError
from rarewords.segmentation.char_ngrams import CharNgramSegmenter

COUNTS = {"a": 5, "bbbbb": 5, "ccccc": 1}


def fit(counts, **settings):
    return CharNgramSegmenter.fit(settings, [counts], ["de"])[0]


def test_golden_example_of_the_released_script():
    compatible = fit(COUNTS, shortlist=1, compatible_shortlist=True)
    assert " ".join(compatible.segment(["bbbbb", "ccccc", "abc"])) == "bbbbb cc@@ cc@@ c ab@@ c"


def test_exact_shortlist():
    assert " ".join(fit(COUNTS, shortlist=1).segment(["bbbbb", "a"])) == "bb@@ bb@@ b a"
    assert fit(COUNTS, shortlist=2).shortlist == ["a", "bbbbb"]
    assert fit(COUNTS, shortlist=0).shortlist == []
    assert fit(COUNTS, shortlist=0, compatible_shortlist=True).shortlist == ["a"]
    assert fit(COUNTS, shortlist=99).shortlist == ["a", "bbbbb", "ccccc"]


def test_shortlist_by_count_then_first_occurrence():
    assert fit({"x": 1, "b": 3, "a": 3, "y": 9}, shortlist=3).shortlist == ["y", "b", "a"]


def test_each_side_has_its_own_shortlist():
    english, german = CharNgramSegmenter.fit({"shortlist": 1}, [{"house": 2}, {"Haus": 2}], ["en", "de"])
    assert english.segment(["house", "Haus"]) == ["house", "Ha@@", "us"]
    assert german.segment(["house", "Haus"]) == ["ho@@", "us@@", "e", "Haus"]
    assert (english.language, german.language) == ("en", "de")


def test_shortlists_of_different_size():
    source, target = CharNgramSegmenter.fit({"shortlist": [0, 2]}, [COUNTS, COUNTS], ["en", "de"])
    assert (source.shortlist, target.shortlist) == ([], ["a", "bbbbb"])
    with pytest.raises(InputError, match="has 2 numbers for 1 sides"):
        fit(COUNTS, shortlist=[1, 2])


@pytest.mark.parametrize(
    ("n", "expected"),
    [(1, "а@@ б@@ в@@ г@@ д"), (2, "аб@@ вг@@ д"), (3, "абв@@ гд"), (5, "абвгд"), (9, "абвгд")],
)
def test_chunks_from_the_left(n, expected):
    assert " ".join(fit({}, shortlist=0, n=n).segment_word("абвгд")) == expected


@given(st.text(st.characters(exclude_characters=" @", exclude_categories=["Cs"]), min_size=1), st.integers(1, 4))
def test_all_chunks_but_the_last_have_n_characters(word, n):
    *units, last = fit({}, shortlist=0, n=n).segment_word(word)
    assert all(len(unit) == n + 2 and unit.endswith("@@") for unit in units)
    assert 1 <= len(last) <= n


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({}, "'shortlist' is missing"),
        ({"shortlist": 1, "m": 2}, "unknown setting 'm'"),
        ({"shortlst": 1}, "did you mean 'shortlist'"),
        ({"shortlist": -1}, "0 or more"),
        ({"shortlist": 1, "n": 0}, "1 or more"),
        ({"shortlist": 1, "n": 2.5}, "whole number"),
        ({"shortlist": True}, "whole number"),
        ({"shortlist": [1, "2"]}, "whole number"),
        ({"shortlist": 1, "compatible_shortlist": "yes"}, "true or false"),
    ],
)
def test_wrong_settings(settings, complaint):
    with pytest.raises(InputError, match=complaint):
        CharNgramSegmenter.fit(settings, [COUNTS], ["de"])
