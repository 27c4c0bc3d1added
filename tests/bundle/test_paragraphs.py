"""Several sentences on a line, and lines that no model can translate."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rarewords.bundle.contents import Settings
from rarewords.bundle.export import Sources, write_bundle
from rarewords.bundle.translator import Notice, Translator
from rarewords.saved_model import load_model, save_model

from .conftest import ENGLISH

SENTENCES = [*ENGLISH[:2], "Trees are green.", "The tree is old."]


def test_a_paragraph_is_translated_like_its_sentences(translator: Translator) -> None:
    alone = translator.translate(SENTENCES)
    assert translator.translate([" ".join(SENTENCES), "", "  ".join(SENTENCES[:2])]) == [
        " ".join(filter(None, alone)),
        "",
        " ".join(filter(None, alone[:2])),
    ]
    whole = translator.translations([" ".join(SENTENCES)], split=False)[0][0]
    assert len(whole.pieces) == 1


def test_translations_of_a_line_are_those_of_its_sentences_put_together(translator: Translator) -> None:
    line = " ".join(SENTENCES[:2])
    (by_sentence,) = translator.sentence_translations([line], number=3)
    assert len(by_sentence) == 2
    found = translator.translations([line], number=3)[0]
    assert found[0].words == by_sentence[0][0].words + by_sentence[1][0].words
    assert found[0].cost == pytest.approx(sum(best[0].cost for best in by_sentence) / 2)
    assert [one.cost for one in found] == sorted(one.cost for one in found)


TRAINED: tuple[dict[str, Any], ...] = (
    {"usual_source_length": 9, "fingerprint": {"max_length": 100}},
    {"fingerprint": {"max_length": 7}},
    {},
)


def test_no_piece_is_longer_than_what_the_members_were_trained_on(tmp_path: Path, sources: Sources) -> None:
    members = []
    for number, (member, training) in enumerate(zip(sources.members, TRAINED, strict=True)):
        members.append(tmp_path / f"m{number}")
        save_model(members[-1], replace(load_model(member), training=training))
    write_bundle(tmp_path / "b", replace(sources, members=members), Settings("toy", "en", "de", beam=2))
    trained = Translator.load(tmp_path / "b", device="cpu")
    assert trained.longest == 7
    assert Translator.load(tmp_path / "b", members=[1], device="cpu").longest == 9
    assert Translator.load(tmp_path / "b", members=[3], device="cpu").longest == 500
    found = trained.translations(["I see a house, and the house sees me."])[0][0]
    assert len(found.pieces) > 1
    assert all(len(piece.source) <= 7 for piece in found.pieces)


@pytest.mark.parametrize(
    "line", ["60,000", "-----", "." * 60_000, "😀 👩‍👩‍👧", "? " * 3000, "42 %", "A" * 501, "aB3/+" * 10_000]
)
def test_what_no_model_can_translate_is_copied(translator: Translator, line: str) -> None:
    notices: list[Notice] = []
    assert translator.translate([line]) == [line.strip()]
    assert translator.translations([line], notice=notices.append)[0][0].cost == 0
    assert notices == [Notice(0, 0, 0, 0)]


def test_an_endless_token_is_copied_in_its_place(translator: Translator) -> None:
    token = "aB3/+" * 200
    before, after = translator.translate(["The old house", "is green."])
    assert translator.translate([f"The old house {token} is green."]) == [f"{before} {token} {after}"]
    chinese = translator.translations(["汉" * 2000], longest=500)[0][0]
    assert [len(piece.source) for piece in chinese.pieces] == [500] * 4


def test_a_stream_asks_for_no_line_before_it_has_answered(translator: Translator) -> None:
    asked = []

    def lines() -> object:
        for line in SENTENCES:
            asked.append(line)
            yield line

    answers = translator.stream(lines())  # type: ignore[arg-type]
    assert asked == []
    assert next(answers) == translator.translate(SENTENCES[:1])[0]
    assert asked == SENTENCES[:1]
    assert list(answers) == translator.translate(SENTENCES[1:])
