"""WordPiece: the vocabulary, longest match first, and words that nothing covers."""

import subprocess
import sys

import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordPiece

from rarewords.errors import InputError
from rarewords.segmentation import joiner, registry
from rarewords.segmentation.wordpiece import WordPieceSegmenter

WORDS = {
    stem + ending: 3 for stem in ("arbeit", "haus", "spiel", "frag", "lieb") for ending in ("e", "en", "er", "es", "st")
}
VOCABULARY = ["un", "una", "##aff", "##able", "##ab", "##le", "a", "##f", "##a"]


def given_vocabulary(vocabulary=VOCABULARY) -> WordPieceSegmenter:
    return WordPieceSegmenter(WordPieceSegmenter.complete({"vocabulary": 9}), "en", vocabulary)


def fitted(counts=WORDS, **settings) -> WordPieceSegmenter:
    return WordPieceSegmenter.fit({"vocabulary": 60} | settings, [counts], ["de"])[0]


@pytest.mark.parametrize(
    ("word", "units"),
    [
        ("unaffable", "una ##f ##f ##able"),  # not `un ##aff ##able`: the longest first
        ("unable", "unable"),  # `una`, and `ble` fails
        ("ununab", "ununab"),  # `un` is no inner piece
        ("aaff", "a ##aff"),
        ("aable", "a ##able"),
        ("aabf", "a ##ab ##f"),
        ("una", "una"),
        ("ableaff", "ableaff"),
    ],
)
def test_longest_match_first(word, units):
    assert " ".join(given_vocabulary().segment_word(word)) == units


@pytest.mark.parametrize("trainer", ["sentencepiece", "tokenizers"])
def test_cuts_like_the_library(trainer):
    segmenter = fitted(trainer=trainer)
    numbers = {piece: number for number, piece in enumerate([*segmenter.vocabulary, "[UNK]"])}
    library = Tokenizer(WordPiece(numbers, unk_token="[UNK]"))
    for word in [*WORDS, "spielhaus", "arbeitsfrage", "hausä", "xyz"]:
        pieces = library.encode(word).tokens
        units = segmenter.segment_word(word)
        assert units == ([word] if pieces == ["[UNK]"] else pieces)


@pytest.mark.parametrize("trainer", ["sentencepiece", "tokenizers"])
def test_all_words_of_the_text_are_covered_by_the_vocabulary(trainer):
    # Words with Q at the start only, with y inside only.
    segmenter = fitted(WORDS | {"Qu": 1, "ay": 1}, trainer=trainer)
    assert len(segmenter.vocabulary) <= 60
    assert len(set(segmenter.vocabulary)) == len(segmenter.vocabulary)
    for word in [*WORDS, "Qu", "ay"]:
        assert set(segmenter.segment_word(word)) <= set(segmenter.vocabulary)


def test_an_uncovered_word_is_one_unit_and_restored():
    segmenter = fitted()
    assert segmenter.segment(["hausж", "haus"])[0] == "hausж"
    assert segmenter.restore(segmenter.segment(["##ж", "haus", "#"])) == ["##ж", "haus", "#"]


def test_continuations():
    assert joiner.mark_continuations(["low", "est"]) == "low ##est"
    assert joiner.mark_continuations(["##", "a"]) == "# ### ##a"
    assert joiner.join_continuations(["#", "###", "##a", "b"]) == ["##a", "b"]
    assert joiner.join_continuations(["##ing", "low", "##est", "##"]) == ["ing", "lowest"]
    assert joiner.join_continuations([]) == []


def test_the_trainer_of_tokenizers_finds_the_same_vocabulary_each_time():
    """The library numbers characters by chance, anew in every process."""
    program = (
        "from rarewords.segmentation.wordpiece import WordPieceSegmenter as S\n"
        "words = {a + b + c: 2 for a in 'abcd' for b in 'efgh' for c in 'ijkl'}\n"
        "print(S.fit({'vocabulary': 30, 'trainer': 'tokenizers'}, [words], ['de'])[0].vocabulary)"
    )
    runs = [subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout for _ in range(3)]
    assert len(runs[0]) > 50
    assert runs[0] == runs[1] == runs[2]


def test_a_joint_vocabulary():
    source, target = WordPieceSegmenter.fit({"vocabulary": 50, "joint": True}, [{"house": 5}, WORDS], ["en", "de"])
    assert source.vocabulary == target.vocabulary


# "ab" and "Qb": Q, a, b; inside b; at the start a, Q. sentencepiece keeps every character inside words and those at the
# start; tokenizers every character at the start and those inside.
@pytest.mark.parametrize(("trainer", "least"), [("sentencepiece", 3 + 2), ("tokenizers", 3 + 1)])
def test_a_vocabulary_is_never_larger_than_asked_for(trainer, least):
    counts = {"ab": 3, "Qb": 1}
    with pytest.raises(InputError) as caught:
        fitted(counts, trainer=trainer, vocabulary=least - 1)
    assert str(caught.value) == (
        f"segmentation wordpiece: the setting 'vocabulary' is {least - 1}, but the characters at the start of "
        f"words and inside them are {least} pieces; give {least} or more."
    )
    assert len(fitted(counts, trainer=trainer, vocabulary=least).vocabulary) == least


@pytest.mark.parametrize("trainer", ["sentencepiece", "tokenizers"])
def test_all_sizes_from_the_least_one_are_kept_to(trainer):
    counts = WORDS | {"Qu": 1, "ay": 1}
    characters = {character for word in counts for character in word}
    others = {word[0] for word in counts} if trainer == "sentencepiece" else set("".join(word[1:] for word in counts))
    least = len(characters) + len(others)
    for size in range(least, least + 12):
        segmenter = fitted(counts, trainer=trainer, vocabulary=size)
        assert len(set(segmenter.vocabulary)) == len(segmenter.vocabulary) <= size
        assert all(set(segmenter.segment_word(word)) <= set(segmenter.vocabulary) for word in counts)


@pytest.mark.parametrize("trainer", ["sentencepiece", "tokenizers"])
def test_a_size_that_is_not_reached_is_told(trainer):
    segmenter = fitted({"a": 5}, trainer=trainer, vocabulary=9)
    assert segmenter.summary() == f"{len(segmenter.vocabulary)} of 9 pieces"
    assert "a" in segmenter.vocabulary


@pytest.mark.parametrize("trainer", ["sentencepiece", "tokenizers"])
def test_a_text_without_words_is_one_sentence(trainer):
    with pytest.raises(
        InputError, match="segmentation wordpiece: there are no words to learn pieces from; give a text"
    ):
        fitted({}, trainer=trainer)


def test_save_and_load(tmp_path):
    segmenter = fitted(trainer="tokenizers")
    segmenter.save(tmp_path / "de.json")
    assert registry.load(tmp_path / "de.json").to_json() == segmenter.to_json()


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"vocabulary": 5}, "the setting 'vocabulary' is 5, but .*; give 19 or more"),
        ({"pieces": 5}, "unknown setting 'pieces'"),
        ({"trainer": "bert"}, "must be sentencepiece or tokenizers"),
        ({"joint": "yes"}, "true or false"),
        ({"vocabulary": 0}, "1 or more"),
    ],
)
def test_wrong_settings(settings, complaint):
    with pytest.raises(InputError, match=f"segmentation wordpiece: .*{complaint}"):
        fitted(**settings)
