"""Dropping unsuitable sentence pairs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarewords.corpus.cleaning import CleaningCounts, clean_pairs


def words(number: int) -> str:
    return " ".join(["w"] * number)


@pytest.mark.parametrize(
    ("source", "target", "rule"),
    [
        (words(1), words(1), "kept"),
        (words(80), words(80), "kept"),
        (words(81), words(80), "too_long"),
        (words(80), words(81), "too_long"),
        (words(9), words(1), "kept"),
        (words(10), words(1), "ratio"),
        (words(2), words(19), "ratio"),
        (words(2), words(18), "kept"),
        ("", words(3), "empty"),
        (words(3), "   ", "empty"),
        ("", "", "empty"),
        ("w" * 1000, "w", "kept"),
        ("a", "w" * 1001, "long_word"),
    ],
)
def test_default_rules(source: str, target: str, rule: str) -> None:
    kept, counts = clean_pairs([(source, target)])
    assert list(kept) == ([(source, target)] if rule == "kept" else [])
    assert counts == CleaningCounts(read=1, **{rule: 1})


def test_own_limits() -> None:
    pairs = [(words(1), words(2)), (words(2), words(2)), (words(2), words(4)), (words(2), words(3)), ("w xxx", "w w")]
    kept, counts = clean_pairs(pairs, minimum=2, maximum=4, ratio=1.5, longest_word=2)
    assert list(kept) == [pairs[1], pairs[3]]
    assert counts == CleaningCounts(read=5, kept=2, too_short=1, ratio=1, long_word=1)


def test_an_empty_side_is_dropped_whatever_the_minimum() -> None:
    kept, counts = clean_pairs([("", "")], minimum=0)
    assert list(kept) == []
    assert counts.empty == 1


def test_spaces_collapse_and_other_characters_stay() -> None:
    kept, _ = clean_pairs([("  a   b ", "c\u00a0d\u2028e")])
    assert list(kept) == [("a b", "c\u00a0d\u2028e")]


def test_a_bar_is_an_ordinary_character() -> None:
    # clean-corpus-n takes a corpus as factored if its first line has a bar, and deletes bars otherwise.
    pairs = [("a|b", "|"), ("|", "x|")]
    assert list(clean_pairs(pairs)[0]) == pairs


def test_pairs_stream() -> None:
    def endless() -> Iterator[tuple[str, str]]:
        while True:
            yield "a", "b"

    kept, counts = clean_pairs(endless())
    assert next(kept) == ("a", "b")
    assert counts.read == counts.kept == 1


def test_description_for_people() -> None:
    counts = CleaningCounts(read=3000, kept=1, empty=1234, too_short=2, too_long=3, ratio=4, long_word=5)
    assert counts.describe() == (
        "1,234 empty, 2 too short, 3 too long, 4 too different in length, 5 with an overlong word"
    )


@given(st.lists(st.tuples(st.text(st.sampled_from("a |")), st.text(st.sampled_from("b "))), max_size=20))
def test_every_pair_is_counted_once_and_cleaning_again_drops_nothing(pairs: list[tuple[str, str]]) -> None:
    iterator, counts = clean_pairs(pairs, maximum=5, ratio=2, longest_word=3)
    kept = list(iterator)
    assert counts.read == len(pairs)
    assert counts.kept == len(kept)
    assert (
        counts.read == counts.kept + counts.empty + counts.too_short + counts.too_long + counts.ratio + counts.long_word
    )
    assert list(clean_pairs(kept, maximum=5, ratio=2, longest_word=3)[0]) == kept
