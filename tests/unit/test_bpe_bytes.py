"""Byte pair encoding on bytes: nothing is unknown, and everything that a network makes can be restored."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarewords.errors import InputError
from rarewords.segmentation import registry
from rarewords.segmentation.bpe.bytes import CHARACTERS, ByteBpeSegmenter, from_characters, to_characters
from rarewords.vocabulary import UNK, Vocabulary, unit_counts

COUNTS = {"мать": 4, "Матерь": 2, "größer": 3, "low": 5}
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters=" \n"), min_size=1)


def fitted(counts=COUNTS, **settings) -> ByteBpeSegmenter:
    return ByteBpeSegmenter.fit({"merges": 10} | settings, [counts], ["de"])[0]


def test_every_byte_has_a_character_of_its_own():
    assert len(set(CHARACTERS)) == 256
    assert all(CHARACTERS[byte].isprintable() for byte in range(256) if byte != ord("\n"))
    assert to_characters("Größe@") == "Grǃƶǃ\u019feŀ"  # ö is C3 B6, ß is C3 9F, @ is 40


@given(TEXT)
def test_characters_and_back(word):
    assert from_characters(to_characters(word)) == word


def test_units():
    assert fitted(merges=0).segment_word("Größe") == ["G@@", "r@@", "ǃ@@", "ƶ@@", "ǃ@@", "\u019f@@", "e"]
    assert fitted({"ä": 9}, merges=1).merges == [("ǃ", "Ƥ</w>")]
    assert fitted({"ä": 9}, merges=1).segment(["ä", "ää"]) == ["ǃƤ", "ǃ@@", "Ƥ@@", "ǃƤ"]


def test_merges_are_those_of_the_bytes_of_the_words():
    expected = registry.create("bpe", {"merges": 10}, [{to_characters(word): n for word, n in COUNTS.items()}], ["de"])
    assert fitted().merges == expected[0].merges


@given(st.lists(TEXT))
def test_no_unit_is_unknown_with_fallback(words):
    """Words with characters that the training text does not have are made of units in the vocabulary."""
    segmenter = fitted()
    vocabulary = Vocabulary.build(unit_counts(segmenter.segment_word, COUNTS), 440, segmenter.reserved_units())
    restricted = segmenter.restricted_to(frozenset(vocabulary.units))
    assert UNK not in vocabulary.encode(restricted.segment(words))


def test_without_fallback_only_merges_that_the_text_lost_can_be_unknown():
    segmenter = fitted()
    vocabulary = Vocabulary.build(unit_counts(segmenter.segment_word, COUNTS), 10_000, segmenter.reserved_units())
    assert UNK not in vocabulary.encode(segmenter.segment(["Ω≈ç√", "😀", "@@", "\t"]))


@pytest.mark.parametrize(
    ("units", "words"),
    [
        (["ǃ@@", "r"], ["\ufffdr"]),  # the first byte of ö, then r
        (["Ƥ"], ["\ufffd"]),
        (["ǃ@@"], ["\ufffd"]),  # cut off inside a character
        (["Ġ@@", "a@@", "Ċ"], ["ĠaĊ"]),  # not a space and the end of a line, which would change the text
        (["<unk>"], ["<unk>"]),
        (["€"], ["€"]),  # not made here
    ],
)
def test_broken_bytes_are_replaced(units, words):
    assert fitted().restore(units) == words


def test_joint():
    first, second = ByteBpeSegmenter.fit({"merges": 4, "joint": True}, [{"ab": 2}, {"cd": 9}], ["en", "de"])
    assert first.merges == second.merges == [("c", "d</w>"), ("a", "b</w>")]
    assert first.language == "en"
    first, second = ByteBpeSegmenter.fit({"merges": 4}, [{"ab": 2}, {"cd": 9}], ["en", "de"])
    assert (first.merges, second.merges) == ([("a", "b</w>")], [("c", "d</w>")])


def test_wrong_settings():
    with pytest.raises(InputError, match=r"segmentation bpe-bytes: .*'joint' is 5; it must be true or false"):
        fitted(joint=5)
    with pytest.raises(InputError, match="did you mean 'joint'"):
        fitted(join=True)
