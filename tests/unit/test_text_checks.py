"""Warnings about texts that can be scored but look wrong."""

from __future__ import annotations

import unicodedata

from rarewords.evaluation.text_checks import TextChecks

REFERENCE = ("ref", ["Ein schöner Tag.", "", "Äpfel für Zoë."])


def warnings(lines: list[str], reference: tuple[str, list[str]] = REFERENCE) -> list[str]:
    checks = TextChecks("hyp", reference[0])
    for line, expected in zip(lines, reference[1], strict=True):  # a line at a time, as blocks of a long text
        checks.add([line], [expected])
    return checks.warnings()


def test_nothing_to_say_about_ordinary_text() -> None:
    assert warnings(REFERENCE[1]) == []


def test_another_normalisation_is_told_with_the_characters_that_differ() -> None:
    decomposed = [unicodedata.normalize("NFD", line) for line in REFERENCE[1]]
    # ö | Ä ü ë: a letter and a mark each
    (sentence,) = warnings(decomposed)
    assert sentence.startswith("hyp has 8 and ref has 0 characters that are not in Unicode normalisation form C")
    (sentence,) = warnings(REFERENCE[1], ("ref", decomposed))
    assert sentence.startswith("hyp has 0 and ref has 8 characters")
    # the Ångström sign is one character that form C writes as another
    (sentence,) = warnings(["5 \u212b", "", "x"])
    assert sentence.startswith("hyp has 1 and ref has 0 characters")


def test_unknown_words_that_would_be_three_tokens_are_told() -> None:
    (sentence,) = warnings(["Ein <unk> Tag<unk>", "", "<unk> für Zoë."])
    assert sentence == (
        "hyp contains <unk> 3 times, which BLEU and unigram F1 of raw text count as three tokens each: write UNK for "
        "an unknown word."
    )
    assert warnings(["Ein UNK Tag.", "", "UNK für Zoë."]) == []


def test_missing_translations_are_counted_where_the_reference_has_text() -> None:
    (sentence,) = warnings(["", "", " "])
    assert sentence.startswith("hyp is empty in 2 of 3 lines in which ref has text (the first is line 1)")
    assert warnings(["x", "", "y"]) == []
