"""Learning byte pair encoding: golden example, the released tool and docs/plain_bpe.py as oracles."""

import importlib.util
import io
import math
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from subword_nmt import learn_bpe

from rarewords.segmentation.bpe import learn
from rarewords.segmentation.bpe.apply import Bpe
from rarewords.segmentation.bpe.compiled_learner import CompiledLearner
from rarewords.segmentation.bpe.learn import initial_symbols, learn_merges
from rarewords.segmentation.bpe.plain_learner import PlainLearner

PLAIN_BPE = Path(__file__).parents[2] / "docs/plain_bpe.py"
SPECIFICATION = importlib.util.spec_from_file_location("plain_bpe", PLAIN_BPE)
plain_bpe = importlib.util.module_from_spec(SPECIFICATION)
SPECIFICATION.loader.exec_module(plain_bpe)

LOWEST = {"low": 5, "lower": 2, "newest": 6, "widest": 3}

# Few letters make ties and runs of repeated characters; combining marks and emoji are ordinary characters.
LETTERS = st.sampled_from(["ab", "abc", "аяъ", "e\u0301e", "😀😁a", "a@b<", "\\.a*", "aй\u0306и", "a</w>"])
DICTIONARIES = LETTERS.flatmap(
    lambda letters: st.dictionaries(st.text(letters, min_size=1, max_size=9), st.integers(1, 6), max_size=12)
)


@pytest.fixture(scope="module", autouse=True, params=[math.inf, -1], ids=["plain", "compiled"])
def learner(request):
    """Every test with both learners."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(learn, "MOST_PLAIN_WORK", request.param)
        yield


def released(
    counts: dict[str, int], merges: int, minimum: int = 2, total_symbols: bool = False
) -> list[tuple[str, ...]]:
    out = io.StringIO()
    dictionary = io.StringIO("".join(f"{word} {count}\n" for word, count in counts.items()))
    learn_bpe.learn_bpe(dictionary, out, merges, min_frequency=minimum, is_dict=True, total_symbols=total_symbols)
    header, *lines = out.getvalue().splitlines()
    assert header == "#version: 0.2"
    return [tuple(line.split(" ")) for line in lines]


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


def test_the_plain_learner_prints_the_merges_of_a_text():
    text = " ".join(" ".join([word] * count) for word, count in LOWEST.items())
    done = subprocess.run([sys.executable, PLAIN_BPE, "3"], input=text, capture_output=True, text=True, check=True)
    assert done.stdout == "s t</w>\ne st</w>\nl o\n"


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


def test_first_encountered_tie_rule_with_a_separate_marker():
    merges = learn_merges(LOWEST, 5, version="0.1", tie_break="first")
    assert merges == [("e", "s"), ("es", "t"), ("est", "</w>"), ("l", "o"), ("lo", "w")]
    assert Bpe(merges, "0.1").cut("lowest") == ["low", "est"]


def test_equal_strings_are_one_symbol_however_they_were_made():
    # ab+c and a+bc make the same string, and so do b</w> of the text and the marked b at the end of a word.
    counts = {"abcx": 4, "abq": 9, "bcq": 8, "xabc": 3, "b</w>a": 5, "ab": 5, "zb</w>a": 4}
    for version in ("0.1", "0.2"):
        assert learn_merges(counts, 60, 1, version) == plain_bpe.learn(counts, 60, 1, version)


def test_spaces_other_than_the_space_belong_to_words():
    # The released tool splits words at such characters while it merges.
    counts = {"a\u00a0b": 3, "a\u2028b": 3, "\tb": 4, "b\u00a0": 2}
    assert learn_merges(counts, 20) == plain_bpe.learn(counts, 20, 2, "0.2")


def test_initial_symbols():
    # inner l o w e n s i d, final w r t
    assert initial_symbols(LOWEST) == 11
    assert learn_merges(LOWEST, 15 - initial_symbols(LOWEST)) == released(LOWEST, 15, total_symbols=True)
    assert initial_symbols({"ab": 1, "": 1}, "0.1") == 3
    assert learn_merges(LOWEST, -8) == []


@settings(max_examples=150, deadline=None)
@given(
    DICTIONARIES,
    st.integers(0, 30),
    st.integers(1, 3),
    st.sampled_from(["0.1", "0.2"]),
    st.sampled_from(["larger", "first"]),
)
def test_equals_the_plain_learner(counts, merges, minimum, version, tie_break):
    learned = learn_merges(counts, merges, minimum, version, tie_break)
    assert learned == plain_bpe.learn(counts, merges, minimum, version, tie_break)


@pytest.mark.parametrize("tie_break", ["larger", "first"])
@pytest.mark.parametrize(("letters", "size"), [("ab", 60), ("abcdefghij", 500)])
def test_equals_the_plain_learner_when_the_index_is_built_anew(letters, size, tie_break, monkeypatch):
    monkeypatch.setattr(learn, "MOST_PLAIN_WORK", -1)
    rebuilt = []
    original = CompiledLearner._rebuild_index
    monkeypatch.setattr(CompiledLearner, "_rebuild_index", lambda self: (rebuilt.append(self), original(self)))
    draw = random.Random(5)
    counts = {"".join(draw.choices(letters, k=draw.randint(1, 30))): draw.randint(1, 9) for _ in range(size)}
    assert learn_merges(counts, 250, 2, "0.2", tie_break) == plain_bpe.learn(counts, 250, 2, "0.2", tie_break)
    assert rebuilt


@settings(max_examples=150, deadline=None)
@given(DICTIONARIES.filter(lambda counts: any(len(word) > 1 for word in counts)), st.integers(1, 3))
def test_equals_the_released_tool(counts, minimum):
    assert learn_merges(counts, 30, minimum) == released(counts, 30, minimum)


def test_long_words_and_many_merges_are_work_for_the_compiled_learner(monkeypatch):
    monkeypatch.setattr(learn, "MOST_PLAIN_WORK", 10_000_000)
    words = {f"word{number:06d}": 2 for number in range(1000)}
    used = [
        type(learn._new_learner(counts, merges, 2, "0.2", "larger"))
        for counts, merges in [(words, 1000), (words, 100_000), ({"ab" * 1000: 2}, 1000)]
    ]
    assert used == [PlainLearner, CompiledLearner, CompiledLearner]


def test_learning_and_applying_a_short_text_load_neither_compiler_nor_arrays(tmp_path):
    (tmp_path / "text").write_text("low lower newest widest\nnewest low\n", encoding="utf-8")
    program = (
        "import sys; from rarewords.cli import main\n"
        "try: main()\n"
        "except SystemExit: print(sorted({'numba', 'numpy', 'torch'} & set(sys.modules)))"
    )
    for command in ("learn -s 9 -i text -o codes", "apply -c codes -i text -o out", "vocab -i text -o counts"):
        run = [sys.executable, "-c", program, "bpe", *command.split()]
        done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=True)
        assert done.stdout == "[]\n", command
    assert (tmp_path / "out").exists()
