"""SentencePiece: the pieces are those of the library, placeholders stay whole and are in every vocabulary."""

import pytest
import sentencepiece

from rarewords.errors import InputError
from rarewords.segmentation import registry
from rarewords.segmentation.sentencepiece_segmenter import SentencePieceSegmenter
from rarewords.vocabulary import Vocabulary, unit_counts

WORDS = {
    stem + ending: 3 for stem in ("arbeit", "haus", "spiel", "frag", "lieb") for ending in ("e", "en", "er", "es", "st")
}


def fitted(counts=WORDS, **settings) -> SentencePieceSegmenter:
    return SentencePieceSegmenter.fit({"vocabulary": 60} | settings, [counts], ["de"])[0]


@pytest.mark.parametrize("model", ["unigram", "bpe"])
def test_pieces_are_those_of_the_library(model, tmp_path):
    (tmp_path / "counts.tsv").write_text("".join(f"{word}\t{count}\n" for word, count in WORDS.items()), "utf-8")
    sentencepiece.SentencePieceTrainer.Train(
        f"--input={tmp_path}/counts.tsv --input_format=tsv --model_type={model} --vocab_size=60 "
        "--hard_vocab_limit=false "
        "--normalization_rule_name=identity --remove_extra_whitespaces=false --treat_whitespace_as_suffix=true "
        f"--bos_id=-1 --eos_id=-1 --minloglevel=2 --num_threads=1 --model_prefix={tmp_path}/library"
    )
    library = sentencepiece.SentencePieceProcessor(model_file=f"{tmp_path}/library.model")
    segmenter = fitted(model=model)
    for word in [*WORDS, "spielhaus", "arbeitsfrage", "xyz", "liebes▁"]:
        pieces = library.encode(word, out_type=str)
        assert " ".join(segmenter.segment_word(word)) == "@@ ".join(pieces).removesuffix("▁").removesuffix("@@ ")


def test_the_end_of_a_word_is_told_from_its_inside():
    segmenter = fitted({"ab": 50, "abab": 20, "abc": 30}, vocabulary=9, model="bpe")
    assert segmenter.segment(["ab", "abab"]) == ["ab", "ab@@", "ab"]
    # An unknown character is a unit, too; the mark of the end belongs to it.
    assert segmenter.segment(["abz", "z▁", "▁"]) == ["ab@@", "z", "z@@", "▁", "▁"]


def test_counts_matter():
    assert fitted({"ab": 9, "cd": 1}, vocabulary=8, model="bpe").segment_word("ab") == ["ab"]
    assert fitted({"ab": 1, "cd": 9}, vocabulary=8, model="bpe").segment_word("ab") == ["a@@", "b"]


def test_a_joint_model_cuts_both_sides_alike():
    settings = {"vocabulary": 40, "joint": True}
    source, target = SentencePieceSegmenter.fit(settings, [{"haus": 9, "house": 5}, WORDS], ["en", "de"])
    assert source.model == target.model
    source, target = SentencePieceSegmenter.fit({"vocabulary": 40}, [{"haus": 9, "house": 5}, WORDS], ["en", "de"])
    assert source.model != target.model


def test_placeholders_are_reserved_and_stay_whole(tmp_path):
    segmenter = fitted(placeholders=3, vocabulary=40)
    assert segmenter.reserved_units() == ["placeholder-1", "placeholder-2", "placeholder-3"]
    assert segmenter.segment(["placeholder-2"]) == ["placeholder-2"]
    assert len(segmenter.segment(["placeholder-4"])) > 1
    assert len(segmenter._processor) <= 37
    counts = unit_counts(segmenter.segment_word, WORDS)
    vocabulary = Vocabulary.build(counts, 20, segmenter.reserved_units())
    assert len(vocabulary) == 20
    assert vocabulary.encode(["placeholder-1", "placeholder-3"]) == [17, 19]
    vocabulary.save(tmp_path / "vocabulary")
    assert Vocabulary.load(tmp_path / "vocabulary").fingerprint() == vocabulary.fingerprint()


def test_words_with_a_tab_are_not_learned_but_restored():
    segmenter = fitted(WORDS | {"a\tb": 500, "\r": 3, "": 7})
    words = ["a\tb", "\r", "haus"]
    assert segmenter.restore(segmenter.segment(words)) == words


def test_the_summary_tells_of_fewer_pieces():
    assert fitted({"ab": 3}, vocabulary=50).summary().endswith("of 50 unigram pieces")
    assert fitted(placeholders=2, vocabulary=30, model="bpe").summary() == "28 bpe pieces, 2 placeholders"


def test_files_are_the_same_each_time_and_checked():
    stored = fitted().to_json()
    assert stored == fitted().to_json()
    for damaged in ("", "AAAA", "%"):
        with pytest.raises(InputError, match="damaged"):
            registry.find("sentencepiece").from_json(stored | {"data": damaged})


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"vocabulary": 5}, "cannot train a unigram model of 5 pieces .*change the setting 'vocabulary'"),
        ({"vocab": 5}, "unknown setting 'vocab'; did you mean 'vocabulary'"),
        ({"model": "word"}, "must be unigram or bpe"),
        ({"placeholders": 59}, "none is left for text"),
        ({"character_coverage": 1.5}, "above 0, at most 1"),
        ({"joint": 1}, "true or false"),
    ],
)
def test_wrong_settings(settings, complaint):
    with pytest.raises(InputError, match=f"segmentation sentencepiece: .*{complaint}"):
        fitted(**settings)
