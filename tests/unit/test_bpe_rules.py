"""Byte pair encoding after splitting rules."""

import pytest

from rarewords.errors import InputError
from rarewords.segmentation import registry
from rarewords.segmentation.bpe.rules import RulesBpeSegmenter, sample_words

DNA = [["[START_DNA]", "[END_DNA]"]]


def fitted(counts, merges=50, **settings) -> RulesBpeSegmenter:
    return RulesBpeSegmenter.fit({"merges": merges} | settings, [counts], ["en"])[0]


@pytest.mark.parametrize(
    ("word", "units"),
    [
        ("1998", "1@@ 9@@ 9@@ 8"),
        ("x2", "x@@ 2"),
        ("(low)", "(@@ low@@ )"),
        ("low+low=low", "low@@ +@@ low@@ =@@ low"),
        ("[START_DNA]low[END_DNA]", "[START_DNA]@@ l@@ o@@ w@@ [END_DNA]"),
        ("low[START_DNA]A1[END_DNA]low", "low@@ [START_DNA]@@ A@@ 1@@ [END_DNA]@@ low"),
        ("[START_DNA]low", "[@@ S@@ T@@ A@@ R@@ T@@ _@@ D@@ N@@ A@@ ]@@ low"),  # never closed
        ("٣٤", "٣@@ ٤"),  # digits of other scripts, too
        ("@-@", "@@@ -@@ @"),
        ("low", "low"),
    ],
)
def test_rules(word, units):
    assert " ".join(fitted({"low": 9}, wrapped=DNA).segment_word(word)) == units


def test_without_rules_it_is_byte_pair_encoding():
    counts = {"1998": 4, "1997": 3, "a+b": 4, "(low)": 9}
    plain = registry.create("bpe", {"merges": 8}, [counts], ["en"])[0]
    without = fitted(counts, 8, split_digits=False, split_operators=False)
    assert without.to_json()["data"] == plain.to_json()["data"]
    for word in [*counts, "(low)+1998"]:
        assert without.segment_word(word) == plain.segment_word(word)


def test_nothing_is_merged_across_what_the_rules_cut():
    assert fitted({"1998": 90, "ab1": 5, "1ab": 4}).merges == [("a", "b</w>")]
    assert fitted({"[START_DNA]abab[END_DNA]": 90, "cd": 2}, wrapped=DNA).merges == [("c", "d</w>")]


def test_a_sample_is_part_of_the_text_and_the_same_each_time():
    counts = {f"w{number}": number for number in range(1, 400)}
    sample = sample_words(counts, 0.02, 1)
    assert sample == sample_words(counts, 0.02, 1) != sample_words(counts, 0.02, 2)
    assert all(0 < count <= counts[word] for word, count in sample.items())
    assert abs(sum(sample.values()) - 0.02 * sum(counts.values())) < 200  # five standard deviations
    assert sample_words(counts, 1, 1) == counts


def test_only_the_sample_is_learned():
    counts = {"abcdef": 3} | {f"x{chr(0x3B1 + k)}": 3 for k in range(20)}
    assert 0 < len(fitted(counts, sample=0.3).merges) < len(fitted(counts).merges)


def test_joint():
    first, second = RulesBpeSegmenter.fit({"merges": 2, "joint": True}, [{"ab": 2}, {"cd": 9}], ["en", "de"])
    assert first.merges == second.merges == [("c", "d</w>"), ("a", "b</w>")]


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"split_digit": True}, "did you mean 'split_digits'"),
        ({"split_digits": 1}, "'split_digits' is 1; it must be true or false"),
        ({"wrapped": ["a", "b"]}, "pairs of strings"),
        ({"wrapped": [["a", ""]]}, "pairs of strings"),
        ({"wrapped": [["a b", "c"]]}, "pairs of strings"),
        ({"sample": 0}, "'sample' is 0; it must be a number above 0"),
        ({"seed": -1}, "0 or more"),
    ],
)
def test_wrong_settings(settings, complaint):
    with pytest.raises(InputError, match=f"segmentation bpe-rules: .*{complaint}"):
        fitted({"low": 1}, **settings)
