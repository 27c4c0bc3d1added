"""The paper's claims, checked on made-up scores of which the answer is known."""

from __future__ import annotations

import pytest

from rarewords.report.pattern import FAILS, HOLDS, OPEN, SystemScores, statements


def system(role: str, rare: float | None, oov: float | None, matches: int = 50) -> SystemScores:
    classes = {name: {"f1": f1, "matches": matches} for name, f1 in (("all", 50.0), ("rare", rare), ("oov", oov))}
    names = {"WUnk": "WUnk", "WDict": "WDict", "subword": "BPE-60k"}
    return SystemScores(role, f"my {role}", names[role], {"unigram_f1": {"classes": classes}})


def verdicts(*systems: SystemScores, pair: str = "en-de") -> list[str]:
    return [statement.verdict for statement in statements(systems, pair)]


def test_the_papers_own_numbers_hold_where_they_hold() -> None:
    # table 2: BPE-60k is above both word systems on rare words, but below WDict on unseen ones
    rows = system("WUnk", 20.4, 0.0), system("WDict", 36.8, 36.8), system("subword", 40.9, 29.3)
    assert verdicts(*rows) == [HOLDS, HOLDS, HOLDS, HOLDS, FAILS]
    last = statements(rows, "en-de")[-1]
    assert last.ours == "my subword 29.3, my WDict 36.8: -7.5."
    assert last.paper == "WUnk 0.0, WDict 36.8, BPE-60k 29.3."


def test_equal_scores_are_no_advantage() -> None:
    assert verdicts(system("WUnk", 5.0, 0.0), system("WDict", 5.0, 0.1), system("subword", 5.0, 0.1)) == [
        HOLDS, FAILS, HOLDS, FAILS, FAILS,
    ]  # fmt: skip


def test_an_unseen_word_of_wunk_contradicts_the_claim() -> None:
    assert verdicts(system("WUnk", 1.0, 0.2))[0] == FAILS


def test_missing_systems_and_classes_are_said_so() -> None:
    rows = system("WUnk", 1.0, None), system("subword", 2.0, None)
    found = statements(rows, "en-de")
    assert [one.verdict for one in found] == [OPEN, OPEN, OPEN, HOLDS, OPEN]
    assert found[1].ours == "The experiment lacks a system that the claim is about."
    assert found[-1].ours == "The test set has no such words."
    assert "is above WUnk on rare words" in found[3].claim


def test_few_words_are_stated() -> None:
    rows = system("WUnk", 1.0, 0.0), system("subword", 2.0, 1.0, matches=4)
    assert statements(rows, "en-de")[-1].ours.endswith("This rests on 4 words that my subword has right.")


def test_a_pair_without_printed_numbers() -> None:
    assert statements([system("WUnk", 1.0, 0.0)], "de-fr")[0].paper == "The paper has no such pair."


def test_scores_without_unigram_f1_cannot_be_tested() -> None:
    bare = SystemScores("WUnk", "WUnk", None, {"unigram_f1": None})
    assert set(verdicts(bare)) == {OPEN}


@pytest.mark.parametrize("pair", ["en-de", "en-ru"])
def test_without_systems_nothing_can_be_tested(pair: str) -> None:
    assert verdicts(pair=pair) == [OPEN, OPEN, OPEN]
