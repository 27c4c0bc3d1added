"""Unigram F1 against hand-computed values and an independent implementation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarewords.errors import InputError
from rarewords.evaluation.unigram_f1 import CLASSES, count_classes, unigram_f1, word_totals

# Ranks: the 1, house 2, tree 3, old 4; house and tree tie and stay in this order.
TRAINING = {"the": 9, "house": 3, "tree": 3, "old": 1}


def independent(hypotheses: list[str], references: list[str], training: list[str], rare_rank: int) -> dict:
    """The definition, word occurrence by word occurrence, with no shared code: (matches, hypothesis, reference)."""
    types = sorted(set(training), key=lambda word: (-training.count(word), training.index(word)))
    result = {}
    for name in CLASSES:

        def belongs(word: str, name: str = name) -> bool:
            rank = types.index(word) + 1 if word in types else None
            rare, unseen = rank is not None and rank > rare_rank, rank is None
            return {"all": True, "rare": rare, "oov": unseen, "rare_inclusive": rare or unseen}[name]

        matches = n_hypothesis = n_reference = 0
        for hypothesis, reference in zip(hypotheses, references, strict=True):
            left = [word for word in reference.split(" ") if word and belongs(word)]
            n_reference += len(left)
            for word in hypothesis.split(" "):
                unknown = word in ("UNK", "<unk>")
                if not word or not (name == "all" if unknown else belongs(word)):
                    continue
                n_hypothesis += 1
                if not unknown and word in left:
                    left.remove(word)
                    matches += 1
        result[name] = (matches, n_hypothesis, n_reference)
    return result


words = st.sampled_from(["a", "b", "c", "d", "e", "f", "UNK", "<unk>", "A"])
sentences = st.lists(words, max_size=8).map(" ".join)


@given(
    pairs=st.lists(st.tuples(sentences, sentences), max_size=6),
    training=st.lists(words, min_size=1, max_size=20),
    rare_rank=st.integers(1, 8),
)
def test_equal_to_independent_implementation(pairs, training, rare_rank) -> None:  # type: ignore[no-untyped-def]
    hypotheses, references = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    counts = {word: training.count(word) for word in training}
    found = count_classes(hypotheses, references, counts, rare_rank)
    expected = independent(hypotheses, references, training, rare_rank)
    assert {name: (c.matches, c.hypothesis, c.reference) for name, c in found.items()} == expected
    scores = unigram_f1(hypotheses, references, counts, rare_rank)["classes"]
    for name, (matches, hypothesis, reference) in expected.items():
        if matches:
            precision, recall = matches / hypothesis, matches / reference
            assert scores[name]["f1"] == pytest.approx(100 * 2 * precision * recall / (precision + recall))


def test_by_hand() -> None:
    result = unigram_f1(
        ["the old old tree", "the Baum UNK"],
        ["the old house", "the tree Baum Ast"],
        TRAINING,
        rare_rank=2,
    )
    classes = result["classes"]
    # all: matches the, old, the, Baum = 4 of 7 and of 7 tokens.
    assert classes["all"] == {
        "f1": pytest.approx(400 / 7),
        "precision": pytest.approx(400 / 7),
        "recall": pytest.approx(400 / 7),
        "n": 7,
        "matches": 4,
        "hypothesis_tokens": 7,
        "reference_tokens": 7,
    }
    # rare (tree, old): old matches once, though the hypothesis has it twice; tree is in the other sentence.
    assert (classes["rare"]["matches"], classes["rare"]["hypothesis_tokens"], classes["rare"]["n"]) == (1, 3, 2)
    assert classes["rare"]["f1"] == pytest.approx(100 * 2 * (1 / 3) * (1 / 2) / (1 / 3 + 1 / 2))
    # OOV: Baum matches; Ast is missed; UNK is no word.
    assert (classes["oov"]["precision"], classes["oov"]["recall"], classes["oov"]["n"]) == (100, 50, 2)
    assert (classes["rare_inclusive"]["matches"], classes["rare_inclusive"]["n"]) == (2, 4)
    assert (result["rare_rank"], result["training_types"], result["training_tokens"]) == (2, 4, 16)


def test_ties_keep_the_order_of_first_occurrence() -> None:
    def rare(counts: dict[str, int]) -> int:
        return count_classes([""], ["tree"], counts, rare_rank=2)["rare"].reference

    assert rare(TRAINING) == 1
    assert rare({"the": 9, "tree": 3, "house": 3}) == 0


def test_rank_is_by_count_not_by_order() -> None:
    assert count_classes([""], ["b"], {"a": 1, "b": 5}, rare_rank=1)["rare"].reference == 0


def test_cut_frequency() -> None:
    def cut(rank: int) -> int | None:
        return unigram_f1(["the"], ["the"], TRAINING, rank)["cut_frequency"]

    assert [cut(rank) for rank in (1, 2, 3, 4, 5)] == [9, 3, 3, 1, None]


def test_unknown_never_matches_even_if_the_reference_and_the_training_text_hold_it() -> None:
    found = count_classes(["UNK the"], ["UNK the"], {"the": 2, "UNK": 1}, rare_rank=1)
    assert (found["all"].matches, found["all"].hypothesis, found["all"].reference) == (1, 2, 2)
    assert (found["rare"].matches, found["rare"].hypothesis, found["rare"].reference) == (0, 0, 1)


def test_absent_class_has_no_score_and_a_missed_one_has_zero() -> None:
    classes = unigram_f1(["the"], ["the old"], TRAINING, rare_rank=3)["classes"]
    assert classes["oov"]["f1"] is None
    assert (classes["rare"]["f1"], classes["rare"]["precision"], classes["rare"]["recall"]) == (0.0, 0.0, 0.0)


def test_only_the_space_separates_words() -> None:
    assert dict(word_totals(["a\u00a0b  c"], ["a\u2028b c"]).hypothesis) == {"a\u00a0b": 1, "c": 1}


def test_lines_are_read_one_at_a_time() -> None:
    read: list[str] = []

    def lines(name: str):  # type: ignore[no-untyped-def]
        for _ in range(3):
            read.append(name)
            yield "the"

    word_totals(lines("h"), lines("r"))
    assert read == ["h", "r"] * 3


def test_unequal_lines_and_no_counts() -> None:
    with pytest.raises(ValueError, match="shorter"):
        word_totals(["a", "b"], ["a"])
    with pytest.raises(InputError, match="no training counts"):
        unigram_f1(["a"], ["a"], {})
