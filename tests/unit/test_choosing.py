"""The choice of example sentences: hand-made candidates whose order is known."""

from __future__ import annotations

from rarewords.report.choosing import Candidate, choose


def candidate(
    line: int, length: int = 8, text: str = "", unseen: str = "", rare: str = "", right: str = ""
) -> Candidate:
    """Words are letters; of two systems the first has the words in `right`, the second none."""
    found = {word: (word in right, False) for word in unseen + rare}
    return Candidate(line, length, text or str(line), frozenset(unseen), frozenset(rare), found)


def test_unseen_and_rare_words_take_turns_and_lines_are_in_order() -> None:
    candidates = [candidate(k, unseen=word, right=word) for k, word in enumerate("abc", 1)]
    candidates += [candidate(k, rare=word, right=word) for k, word in enumerate("xyz", 4)]
    assert choose(candidates, 4) == [1, 2, 4, 5]
    assert choose(candidates, 6) == [1, 2, 3, 4, 5, 6]


def test_sentences_on_which_systems_differ_come_before_others() -> None:
    candidates = [candidate(1, unseen="a"), candidate(2, rare="b", right="b"), candidate(3, unseen="c", right="c")]
    assert choose(candidates, 2) == [2, 3]
    assert choose(candidates, 3) == [1, 2, 3]


def test_sentences_of_a_readable_length_come_first() -> None:
    candidates = [
        candidate(k, length, unseen=word, right=word) for k, (length, word) in enumerate(zip((30, 2, 9), "abc"))
    ]
    assert choose(candidates, 1) == [2]
    assert choose(candidates, 2) == [1, 2]


def test_no_word_and_no_reference_twice() -> None:
    same_word = [candidate(1, unseen="a", right="a"), candidate(2, unseen="a", right="a")]
    assert choose(same_word, 2) == [1]
    same_text = [candidate(1, text="t", unseen="a", right="a"), candidate(2, text="t", unseen="b", right="b")]
    assert choose(same_text, 2) == [1]


def test_a_sentence_without_rare_words_is_never_chosen() -> None:
    assert choose([candidate(1), candidate(2)], 5) == []
