"""Raw-text systems: what the segmentations see, and that every line comes back character for character."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarewords.corpus.cleaning import clean_pairs
from rarewords.experiment.forms import corpus_form, form_name, system_form
from rarewords.segmentation import registry
from rarewords.text.chain import Chain, Preprocessing
from rarewords.text.clean_up import SETTINGS, clean_line
from rarewords.text.files import split_words
from rarewords.text.raw import from_words, to_words

RAW = Preprocessing("en", normalise=False, tokenise=False, truecase=False)
CORPUS = {"normalise": True, "aggressive": False}
LINES = [
    'He said: "id!ot" 👍🏽  twice ',
    "sequence [DNA]GATTACA[/DNA] and [SMILES]CC(=O)O[/SMILES] in 2024",
    "<a href='x'>a|b</a> &amp; c",
] * 3
# As systems of an experiment have them; each is fitted on LINES.
SYSTEMS: dict[str, dict[str, Any]] = {
    "words": {},
    "char-ngrams": {"n": 2, "shortlist": 2},
    "bpe": {"merges": 20},
    "bpe-joint": {"merges": 20},
    "bpe-bytes": {"merges": 20},
    "bpe-rules": {"merges": 20, "wrapped": [["[DNA]", "[/DNA]"], ["[SMILES]", "[/SMILES]"]]},
    "raw-bytes": {},
    "source-bytes": {"merges": 20, "spaces": True},
    "sentencepiece": {"vocabulary": 80, "model": "bpe", "placeholders": 5},
    "wordpiece": {"vocabulary": 120},
    "morfessor": {},
}


def chain(method: str, side: int = 0) -> Chain:
    counts = dict(Counter(word for line in LINES for word in split_words(RAW.tokens(line))))
    segmenters = registry.create(method, SYSTEMS[method], [counts, counts], ["en", "de"])
    return Chain(RAW, segmenter=registry.from_json(json.loads(json.dumps(segmenters[side].to_json())), "a file"))


def back(system: Chain, line: str) -> str:
    return system.text(system.restore(system.units(system.words(line))))


def test_words_of_raw_text() -> None:
    assert to_words("Hello  world ") == "Hello \u2420 world \u2420"
    assert to_words("") == from_words("") == ""
    assert to_words(" ") == "\u2420 \u2420"
    assert to_words("\u2420 a\u2420") == "\u2420\u2420 a\u2420"


@given(
    st.text(st.one_of(st.sampled_from(" \u2420a"), st.characters(exclude_characters="\n", exclude_categories=["Cs"])))
)
def test_words_of_raw_text_are_reversible(line: str) -> None:
    assert from_words(to_words(line)) == line
    assert split_words(to_words(line)) == list(filter(None, to_words(line).split(" ")))


def random_lines(number: int) -> list[str]:
    """Lines of characters from all of Unicode, most of them from a few scripts, and of spaces in every place."""
    random = Random(17)
    ranges = [(0x20, 0x7E), (0xA0, 0x17F), (0x400, 0x45F), (0x600, 0x6FF), (0x4E00, 0x4FFF), (0x1F300, 0x1F6FF)]
    every = [*ranges * 3, (0x1, 0x9), (0xB, 0xD7FF), (0xE000, 0x10FFFF)]
    marks = [" ", "  ", "@@", "##", "\u2581", "\u2420", "</w>", "&amp;", "[DNA]", "[/DNA]", "placeholder-1", "\ufeff"]

    def piece() -> str:
        if random.random() < 0.3:
            return random.choice(marks)
        return chr(random.randint(*random.choice(every)))

    return ["".join(piece() for _ in range(random.randint(0, 25))) for _ in range(number)]


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("method", SYSTEMS)
def test_every_line_comes_back(method: str, side: int) -> None:
    system = chain(method, side)
    for line in [*LINES, *random_lines(1000)]:
        assert back(system, line) == line


@pytest.mark.slow
@pytest.mark.parametrize("method", SYSTEMS)
def test_a_hundred_thousand_lines_come_back(method: str) -> None:
    system = chain(method)
    assert all(back(system, line) == line for line in random_lines(100_000))


def test_what_bytes_see() -> None:
    """Misspellings, an emoji of several characters, quotation marks and spaces, as they are in the text."""
    units = chain("source-bytes").units(chain("source-bytes").words('"id!ot"  👍🏽'))
    encoded = '"id!ot"  👍🏽'.encode()
    assert units == [chr(byte) if 0x21 <= byte < 0x7F else chr(0x100 + byte) for byte in encoded]
    tokenised = Preprocessing("en").tokens('"id!ot"')
    assert tokenised == "&quot; id ! ot &quot;"


def test_what_splitting_rules_see() -> None:
    """A wrapped sequence within a word is cut into its characters, and the marks stay whole."""
    system = chain("bpe-rules")
    units = system.units(system.words("[DNA]GATTACA[/DNA] [SMILES]C(=O)[/SMILES]"))
    marks = ["[DNA]", *"GATTACA", "[/DNA]", "[SMILES]", *"C(=O)", "[/SMILES]"]
    assert [unit.removesuffix("@@") for unit in units] == marks


def test_escapes_are_one_unit_for_splitting_rules() -> None:
    segmenter = registry.create("bpe-rules", {"merges": 0}, [{"&#91;": 2}, {"a": 1}], ["en", "de"])[0]
    assert segmenter.segment(["&#91;", "a&amp;b", "&#92;"]) == [
        "&#91;", "a@@", "&amp;@@", "b", "&@@", "#@@", "9@@", "2@@", ";",
    ]  # fmt: skip


def test_a_vocabulary_counts_units_not_merges() -> None:
    counts = {"low": 5, "lower": 2, "newest": 6, "widest": 3, "2": 4, "(": 1}
    settings = {"vocabulary": 20, "minimum_frequency": 1}
    segmenter = registry.create("bpe-rules", settings, [counts, counts], ["en", "de"])[0]
    # 2 and ( of the rules; l o w e n s i d inside words, w r t at their ends
    assert len(segmenter.to_json()["data"]) == 20 - 2 - 8 - 3


@pytest.mark.parametrize(
    ("line", "cleaned"),
    [
        ("See https://example.org/a?b=1.", "See URL."),
        ("(www.example.org/x_(y)/) and http://a.b", "(URL) and URL"),
        ("@user, #tag! a@b.org &#91; C#", "USER, HASHTAG! a@b.org &#91; C#"),
        ("مَرْحَبًا", "مرحبا"),
        ("\u064e", "\u064e"),
    ],
)
def test_clean_up_of_raw_lines(line: str, cleaned: str) -> None:
    assert clean_line(line, SETTINGS) == cleaned


def test_clean_up_comes_before_tokenisation_and_its_tokens_stay_whole() -> None:
    steps = Preprocessing("en", clean=SETTINGS)
    line = "Visit https://example.org/a?b=1, says @user."
    assert steps.tokens(line) == "Visit URL , says USER ."
    counts = {"Visit": 2, "says": 2, ",": 2, ".": 2, "URL": 2, "USER": 2}
    settings = {"segmentation": {"method": "char-ngrams", "n": 1, "shortlist": 0}}
    segmenter = registry.create("cleaned", settings, [counts, counts], ["en", "de"])[0]
    assert Chain(steps, segmenter=segmenter).units(steps.tokens(line).split())[-8:] == [
        "URL", ",", "s@@", "a@@", "y@@", "s", "USER", "."
    ]  # fmt: skip
    assert {"URL", "USER", "HASHTAG"} <= set(segmenter.reserved_units())


def test_the_same_pairs_are_kept_in_another_form() -> None:
    tokenised = [("a b", "c"), ("", "d"), ("e", "f " * 99), ("g", "h")]
    raw = [("a  b", "c "), ("x", "d"), ("e", "f"), ("", "h")]
    kept, counts = clean_pairs(tokenised, others=raw)
    assert list(kept) == [("a  b", "c "), ("", "h")]
    assert counts.kept == 2


@pytest.mark.parametrize(
    ("own", "name"),
    [
        (None, None),
        ({}, None),
        ({"normalise": True}, None),
        ("raw", "raw"),
        ({"escape": False}, "no-escape"),
        ({"truecase": False, "clean": ["urls", "mentions"]}, "clean-mentions-clean-urls-no-truecase"),
    ],
)
def test_names_of_forms(own: Any, name: str | None) -> None:
    assert form_name(CORPUS, own) == name
    if own != "raw":
        assert system_form(CORPUS, own) == corpus_form(CORPUS) | (own or {})
