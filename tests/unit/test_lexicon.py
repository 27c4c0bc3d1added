"""The lexical table: counts worked out by hand, another implementation, its file."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarewords.alignment.lexical_table import PairCounts, lexical_entries
from rarewords.alignment.lexicon import Entry, Lexicon
from rarewords.alignment.links import AlignedPair, Link, read_aligned
from rarewords.decoding.candidates import Candidates, Translations
from rarewords.errors import InputError
from rarewords.settings import CandidateSettings
from rarewords.vocabulary import Vocabulary


def pair(source: str, target: str, links: list[Link]) -> AlignedPair:
    return source.split(), target.split(), links


WORDS = st.lists(st.sampled_from("abcd"), min_size=1, max_size=4)
SENTENCES = st.tuples(WORDS, WORDS, st.sets(st.tuples(st.integers(0, 3), st.integers(0, 3)))).map(
    lambda drawn: (*drawn[:2], [(i, j) for i, j in sorted(drawn[2]) if i < len(drawn[0]) and j < len(drawn[1])])
)


def test_probabilities_by_hand() -> None:
    pairs = [
        pair("the house", "das Haus", [(0, 0), (1, 1)]),
        pair("the house", "ein Haus", [(0, 0), (1, 1)]),
        pair("house", "Haus Bau", [(0, 0), (0, 1)]),  # two links of one occurrence
        pair("the", "Haus", []),  # a link with the empty word; Haus' own one counts nowhere
    ]
    assert list(lexical_entries(pairs, 10)) == [
        ("the", "das", 1 / 3),
        ("the", "ein", 1 / 3),
        ("house", "Haus", 3 / 4),
        ("house", "Bau", 1 / 4),
    ]


def test_equal_ones_come_in_the_order_of_the_text_and_the_rest_is_cut_off() -> None:
    pairs = [pair("x", "d", []), pair("a", "c b d", [(0, 2), (0, 0), (0, 1)]), pair("a", "b", [(0, 0)])]
    assert [target for _, target, _ in lexical_entries(pairs, 10)] == ["b", "d", "c"]
    assert [target for _, target, _ in lexical_entries(pairs, 2)] == ["b", "d"]


def test_what_is_outside_the_vocabulary_takes_no_place_but_that_of_the_dictionary() -> None:
    pairs = [pair("a", target, [(0, 0)]) for target in "ppppqqqrrst"] + [pair("b", "s", [(0, 0)])]
    # of a: p 4/11 (the dictionary's, outside), q 3/11 (outside), r 2/11, s and t 1/11
    found = [(source, target) for source, target, _ in lexical_entries(pairs, 2, {"r", "s", "t"})]
    assert found == [("a", "p"), ("a", "r"), ("a", "s"), ("b", "s")]
    found = [(source, target) for source, target, _ in lexical_entries(pairs, 1, {"p", "t"})]
    assert found == [("a", "p"), ("b", "s")]
    lexicon = Lexicon(lexical_entries(pairs, 2, {"r", "s", "t"}))
    source, target = Vocabulary({"a": 11, "b": 1}), Vocabulary({"r": 2, "s": 2, "t": 1})
    lists = Translations(Candidates(lexicon, CandidateSettings(common=3, per_word=2)), source, target)
    assert target.decode(lists.of(["a"])) == ["r", "s"]
    assert lexicon.best("a") == "p"


@given(st.lists(SENTENCES, max_size=6), st.integers(1, 3), st.sets(st.sampled_from("abcd")))
def test_lists_are_cut_after_filtering(pairs: list[AlignedPair], most: int, vocabulary: set[str]) -> None:
    everything, table = Lexicon(lexical_entries(pairs, 99)), Lexicon(lexical_entries(pairs, most, vocabulary))
    for source in "abcd":
        inside = [target for target in everything.candidates(source) if target in vocabulary]
        assert [target for target in table.candidates(source) if target in vocabulary][:most] == inside[:most]
        assert table.best(source) == everything.best(source)


def test_units_without_links_have_no_entries() -> None:
    assert list(lexical_entries([pair("a b", "c", [(1, 0)])], 10)) == [("b", "c", 1.0)]
    assert list(lexical_entries([pair("a", "c", [])], 10)) == []


def counted_with_fractions(pairs: list[AlignedPair]) -> dict[str, list[tuple[Fraction, str]]]:
    counts: Counter[tuple[str, str | None]] = Counter()
    for source, target, links in pairs:
        for i, word in enumerate(source):
            counts.update((word, other) for other in [target[j] for k, j in links if k == i] or [None])
    table: dict[str, list[tuple[Fraction, str]]] = {}
    for (word, other), count in counts.items():
        if other is not None:
            total = sum(number for (first, _), number in counts.items() if first == word)
            table.setdefault(word, []).append((Fraction(count, total), other))
    return {word: sorted(row, reverse=True) for word, row in table.items()}


@given(st.lists(SENTENCES, max_size=6))
def test_another_implementation_agrees(pairs: list[AlignedPair]) -> None:
    table: dict[str, list[tuple[Fraction, str]]] = {}
    probabilities: list[float] = []
    for source, target, probability in lexical_entries(pairs, 99):
        probabilities = [*probabilities, probability] if source in table else [probability]
        assert probabilities == sorted(probabilities, reverse=True)
        table.setdefault(source, []).append((Fraction(probability).limit_denominator(100), target))
    assert {word: sorted(row, reverse=True) for word, row in table.items()} == counted_with_fractions(pairs)


@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from([0, 1, 2**31 - 1]))))
def test_counts_in_small_blocks(drawn: list[tuple[int, int]]) -> None:
    counts = PairCounts(at_once=3)
    for source, target in drawn:
        counts.add(source, target)
    sources, targets, numbers = counts.table()
    found = list(zip(zip(sources.tolist(), targets.tolist()), numbers.tolist()))
    assert found == sorted(Counter(drawn).items())


def entries(lexicon: Lexicon) -> list[Entry]:
    return list(lexicon)


def test_a_file_keeps_the_table(tmp_path: Path) -> None:
    given_entries = [("a", "x", 0.75), ("a", "|||", 0.25), ("b\u2028", "y\u00a0z", 1.0)]
    Lexicon(given_entries).save(tmp_path / "lexicon")
    assert (tmp_path / "lexicon").read_text(encoding="utf-8").startswith("a\tx\t0.7500000\na\t|||\t0.2500000\n")
    loaded = Lexicon.load(tmp_path / "lexicon")
    assert entries(loaded) == given_entries
    assert loaded.candidates("a", 1) == ["x"]
    assert loaded.candidates("a", 5) == ["x", "|||"]
    assert (loaded.best("a"), loaded.best("nowhere"), loaded.candidates("nowhere", 3)) == ("x", None, [])


def test_a_unit_with_a_tab_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="contains a tab"):
        Lexicon([("a", "x\ty", 1.0)]).save(tmp_path / "lexicon")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "line", ["", "a", "a\tb", "a\tb\t", "a\tb\tx", "a\tb\t1.5", "a\tb\t-0.1", "a\tb\tnan", "\tb\t1", "a\t\t1", "a b 1"]
)
def test_a_line_that_is_no_entry_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "lexicon"
    path.write_text(f"a\tb\t0.5\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        Lexicon.load(path)
    assert str(caught.value) == (
        f"{path}, line 2: not `source<TAB>target<TAB>probability`; write it with `rarewords align lexicon`."
    )


@pytest.mark.parametrize(
    ("alignment", "message"),
    [
        ("0-0\n", "fewer lines than"),
        ("0-0\n\n0-0\n", "more lines than"),
        ("0-0\n2-0\n", "line 2: the link 2-0 is outside the sentences of 2 and 1 units"),
        ("0-1\n\n", "line 1: the link 0-1 is outside the sentences of 1 and 1 units"),
        ("0-0 0:1\n\n", "line 1: '0:1' is not a link"),
        ("0-0 -1\n\n", "line 1: '-1' is not a link"),
        ("0-²\n\n", "line 1: '0-²' is not a link"),
    ],
)
def test_an_alignment_of_another_text_is_refused(tmp_path: Path, alignment: str, message: str) -> None:
    for name, text in (("source", "a\na b\n"), ("target", "x\ny\n"), ("links", alignment)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        list(read_aligned(tmp_path / "source", tmp_path / "target", tmp_path / "links"))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "the lexicon is empty"),
        ("a\tx\t0.2\na\ty\t0.7\n", "line 2: the translations of 'a' are not together, or not the most probable first"),
        ("a\tx\t0.2\nb\ty\t0.7\na\tz\t0.1\n", "line 3: the translations of 'a' are not together"),
    ],
)
def test_what_no_lexicon_can_be(tmp_path, text, complaint):
    (tmp_path / "lexicon.tsv").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=complaint):
        Lexicon.load(tmp_path / "lexicon.tsv")
