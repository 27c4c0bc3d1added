"""Learning byte pair encoding: golden example, the released tool and a naive recount as oracles."""

import gzip
import io
import itertools
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from subword_nmt import learn_bpe

from rarewords.segmentation.bpe.learn import learn_merges

LOWEST = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
DEMO = Path(__file__).parents[2] / "data/demo/libreoffice-help/en-de/train.de.gz"

# Few letters make ties and runs of repeated characters; combining marks and emoji are ordinary characters.
LETTERS = st.sampled_from(["ab", "abc", "аяъ", "e\u0301e", "😀😁a", "a@b<", "\\.a*", "aй\u0306и"])
DICTIONARIES = LETTERS.flatmap(
    lambda letters: st.dictionaries(st.text(letters, min_size=1, max_size=9), st.integers(1, 6), max_size=12)
)


def released(counts: dict[str, int], merges: int, minimum: int = 2) -> list[tuple[str, ...]]:
    out = io.StringIO()
    dictionary = io.StringIO("".join(f"{word} {count}\n" for word, count in counts.items()))
    learn_bpe.learn_bpe(dictionary, out, merges, min_frequency=minimum, is_dict=True)
    header, *lines = out.getvalue().splitlines()
    assert header == "#version: 0.2"
    return [tuple(line.split(" ")) for line in lines]


def recounted(counts: dict[str, int], merges: int, minimum: int, version: str) -> list[tuple[str, str]]:
    """The definition: count all pairs anew for every merge."""
    words = {}
    for word, count in counts.items():
        words[(*word, "</w>") if version == "0.1" else (*word[:-1], word[-1] + "</w>")] = count
    learned = []
    for _ in range(merges):
        pairs: Counter[tuple[str, str]] = Counter()
        for word, count in words.items():
            for pair in itertools.pairwise(word):
                pairs[pair] += count
        if not pairs:
            break
        count, best = max((count, pair) for pair, count in pairs.items())
        if count < minimum:
            break
        learned.append(best)
        merged = {}
        for word, frequency in words.items():
            symbols = list(word)
            for position in range(len(symbols)):
                if tuple(symbols[position : position + 2]) == best:
                    symbols[position : position + 2] = ["".join(best)]
            merged[tuple(symbols)] = frequency
        words = merged
    return learned


def test_golden_example():
    assert [" ".join(pair) for pair in learn_merges(LOWEST, 10)] == [
        "s t</w>",
        "e st</w>",
        "l o",
        "w est</w>",
        "n e",
        "ne west</w>",
        "lo w</w>",
        "w i",
        "wi d",
        "wid est</w>",
    ]


def test_ties_go_to_the_larger_pair():
    assert learn_merges({"abxy": 3}, 1) == [("x", "y</w>")]
    assert learn_merges({"abax": 3, "aяq": 3}, 1) == [("я", "q</w>")]


def test_overlapping_occurrences_count():
    # a a a a</w>: (a, a) twice, (a, a</w>) once, weighted by 2; (b, c</w>) 3 times.
    assert learn_merges({"aaaa": 2, "bc": 3}, 2) == [("a", "a"), ("b", "c</w>")]


def test_version_01_has_a_separate_end_marker():
    # All pairs of `ab` occur three times; the largest by code points is (b, </w>).
    assert learn_merges({"ab": 3}, 2, version="0.1") == [("b", "</w>"), ("a", "b</w>")]


def test_stops_at_the_minimum_frequency():
    assert learn_merges({"ab": 2, "cd": 1}, 10) == [("a", "b</w>")]
    assert learn_merges({"ab": 2, "cd": 1}, 10, minimum_frequency=1) == [("a", "b</w>"), ("c", "d</w>")]
    assert learn_merges({"ab": 2}, 10, minimum_frequency=3) == []


@pytest.mark.parametrize("counts", [{}, {"a": 9}, {"": 4}])
def test_nothing_to_merge(counts):
    assert learn_merges(counts, 10) == []


def test_no_more_merges_than_asked_for():
    assert learn_merges(LOWEST, 3) == learn_merges(LOWEST, 10)[:3]
    assert learn_merges(LOWEST, 0) == []


def test_progress_is_called_after_each_merge():
    calls = []
    learn_merges({"abc": 2}, 5, progress=lambda done, total: calls.append((done, total)))
    assert calls == [(1, 5), (2, 5)]


def test_the_order_of_the_words_does_not_matter():
    assert learn_merges(dict(reversed(LOWEST.items())), 20) == learn_merges(LOWEST, 20)


@settings(max_examples=150, deadline=None)
@given(DICTIONARIES, st.integers(0, 30), st.integers(1, 3), st.sampled_from(["0.1", "0.2"]))
def test_equals_a_naive_recount(counts, merges, minimum, version):
    assert learn_merges(counts, merges, minimum, version) == recounted(counts, merges, minimum, version)


@settings(max_examples=150, deadline=None)
@given(DICTIONARIES.filter(lambda counts: any(len(word) > 1 for word in counts)), st.integers(1, 3))
def test_equals_the_released_tool(counts, minimum):
    assert learn_merges(counts, 30, minimum) == released(counts, 30, minimum)


@pytest.mark.skipif(not DEMO.exists(), reason="no demo text")
def test_equals_the_released_tool_on_the_demo_text():
    with gzip.open(DEMO, "rt", encoding="utf-8", newline="\n") as stream:
        words = [word for line in itertools.islice(stream, 1500) for word in line.strip("\r\n ").split(" ") if word]
    counts = dict(Counter(word for word in words if not any(letter.isspace() for letter in word)))
    assert learn_merges(counts, 600) == released(counts, 600)
