"""The paper's comparisons, on its own scores and on made-up ones of which the answer is known."""

from __future__ import annotations

import pytest

from rarewords.report.pattern import FAILS, HOLDS, OPEN, SystemScores, statements


def system(role: str, rare: float | None, oov: float | None, matches: int = 50) -> SystemScores:
    classes = {name: {"f1": f1, "matches": matches} for name, f1 in (("all", 50.0), ("rare", rare), ("oov", oov))}
    names = {"WUnk": "WUnk", "WDict": "WDict", "subword": "BPE-60k"}
    return SystemScores(role, f"my {role}", names[role], {"unigram_f1": {"classes": classes}})


def verdicts(*systems: SystemScores, pair: str = "en-de") -> list[str]:
    return [statement.verdict for statement in statements(systems, pair)]


def test_the_papers_own_numbers_are_as_in_the_paper() -> None:
    # table 2: BPE-60k is above both word systems on rare words, but below WDict on unseen ones
    rows = system("WUnk", 20.4, 0.0), system("WDict", 36.8, 36.8), system("subword", 40.9, 29.3)
    found = statements(rows, "en-de")
    assert [one.verdict for one in found] == [HOLDS, HOLDS, HOLDS, HOLDS, HOLDS, HOLDS, FAILS]
    assert [one.in_paper for one in found] == [one.verdict for one in found]
    assert [one.claim for one in found[3:]] == [
        "my subword is above WUnk on rare words.",
        "my subword is above WDict on rare words.",
        "my subword is above WUnk on OOV words.",
        "my subword is above WDict on OOV words.",
    ]
    assert found[-1].ours == "my subword 29.3, my WDict 36.8: -7.5."
    assert found[-1].paper == "BPE-60k 29.3, WDict 36.8."
    # table 3: above WDict on unseen words, too
    assert statements(rows, "en-ru")[-1].in_paper == HOLDS


def test_equal_scores_are_no_advantage() -> None:
    assert verdicts(system("WUnk", 5.0, 0.0), system("WDict", 5.0, 0.1), system("subword", 5.0, 0.1)) == [
        HOLDS, FAILS, HOLDS, FAILS, FAILS, HOLDS, FAILS,
    ]  # fmt: skip


def test_an_unseen_word_of_wunk_contradicts_the_claim() -> None:
    assert verdicts(system("WUnk", 1.0, 0.2))[0] == FAILS


def test_missing_systems_and_classes_are_said_so() -> None:
    rows = system("WUnk", 1.0, None), system("subword", 2.0, None)
    found = statements(rows, "en-de")
    assert [one.verdict for one in found] == [OPEN, OPEN, OPEN, HOLDS, OPEN]
    assert [one.in_paper for one in found] == [HOLDS] * 5
    assert found[1].ours == "The experiment lacks a system that the claim is about."
    assert found[1].paper == "WDict 36.8, WUnk 20.4."
    assert found[-1].ours == "The test set has no such words."


def test_few_words_are_stated() -> None:
    rows = system("WUnk", 1.0, 0.0), system("subword", 2.0, 1.0, matches=4)
    assert statements(rows, "en-de")[-1].ours.endswith("This rests on 4 words that my subword has right.")


def test_a_pair_or_a_system_without_printed_numbers() -> None:
    found = statements([system("WUnk", 1.0, 0.0)], "de-fr")[0]
    assert (found.in_paper, found.paper) == (OPEN, "The paper has no such pair.")
    unknown = SystemScores("subword", "mine", None, system("subword", 2.0, 1.0).scores)
    found = statements([system("WUnk", 1.0, 0.0), unknown], "en-de")[-1]
    assert (found.verdict, found.in_paper, found.paper) == (HOLDS, OPEN, "WUnk 0.0.")


def test_scores_without_unigram_f1_cannot_be_tested() -> None:
    bare = SystemScores("WUnk", "WUnk", None, {"unigram_f1": None})
    assert set(verdicts(bare)) == {OPEN}


@pytest.mark.parametrize("pair", ["en-de", "en-ru"])
def test_without_systems_nothing_can_be_tested(pair: str) -> None:
    assert verdicts(pair=pair) == [OPEN, OPEN, OPEN]
