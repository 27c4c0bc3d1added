"""Text clean-up before another segmentation."""

import pytest

from rarewords.errors import InputError
from rarewords.segmentation import registry
from rarewords.segmentation.cleaned import CleanedSegmenter
from rarewords.text.clean_up import clean_word
from rarewords.vocabulary import Vocabulary, unit_counts

ALL = {"strip_diacritics": True, "urls": True, "mentions": True, "hashtags": True}
COUNTS = [{"قالَ": 5, "قال": 4, "www.x.org": 9, "@ab": 3, "low": 2}, {"low": 5, "@ab": 3}]
BPE = {"method": "bpe", "merges": 10}


def fitted(**settings) -> list[CleanedSegmenter]:
    return CleanedSegmenter.fit({"segmentation": BPE} | settings, COUNTS, ["ar", "en"])


@pytest.mark.parametrize(
    ("word", "cleaned"),
    [
        ("كَتَبَ", "كتب"),
        ("\u064e", "\u064e"),  # nothing would be left
        ("é", "é"),
        ("e\u0301", "e\u0301"),  # Arabic ones only
        ("https://x.org/a?b=1", "URL"),
        ("WWW.x.org", "URL"),
        ("xhttp://x.org", "xhttp://x.org"),
        ("@user_1", "USER"),
        ("@-@", "@-@"),
        ("#tag", "HASHTAG"),
        ("#", "#"),
        ("", ""),
    ],
)
def test_words(word, cleaned):
    assert clean_word(word, ALL) == cleaned
    assert clean_word(word, dict.fromkeys(ALL, False)) == word


def test_the_other_segmentation_learns_from_cleaned_words():
    source, target = fitted()
    plain = registry.create("bpe", {"merges": 10}, [{"قال": 9, "low": 2}], ["ar"])[0]
    assert source.inner.to_json() == plain.to_json()
    assert source.segment(["قالَ", "http://a.b", "low"]) == [*plain.segment(["قال"]), "URL", *plain.segment(["low"])]
    assert target.segment_word("@ab") == ["@ab"]
    assert (source.summary(), target.summary()[:16]) == (f"cleaned, bpe: {plain.summary()}", "not cleaned, bpe")


def test_restoring_gives_cleaned_words_on_the_source_side_and_all_on_the_other():
    source, target = fitted()
    words = ["قالَ", "@ab", "www.x.org", "low", "URL"]
    assert source.restore(source.segment(words)) == ["قال", "USER", "URL", "low", "URL"]
    assert target.restore(target.segment(words)) == words
    both = fitted(sides="both")[1]
    assert both.restore(both.segment(words)) == source.restore(source.segment(words))


def test_literals_are_in_every_vocabulary():
    source, target = fitted(segmentation={"method": "sentencepiece", "vocabulary": 20, "placeholders": 1})
    assert source.reserved_units() == ["URL", "USER", "HASHTAG", "placeholder-1"]
    assert target.reserved_units() == ["placeholder-1"]
    vocabulary = Vocabulary.build(unit_counts(source.segment_word, COUNTS[0]), 8, source.reserved_units())
    assert "HASHTAG" in vocabulary
    assert vocabulary.counts["URL"] == 9


def test_a_system_may_clean_the_source_side_only():
    def restorable(settings):
        return CleanedSegmenter.capabilities(CleanedSegmenter.complete(settings)).restorable

    assert restorable({"segmentation": BPE})
    assert not restorable({"segmentation": BPE, "sides": "both"})
    assert not restorable({"segmentation": {"method": "compound-splitting"}})


def test_save_and_load(tmp_path):
    for segmenter in fitted(segmentation={"method": "wordpiece", "vocabulary": 30}):
        segmenter.save(tmp_path / "x.json")
        loaded = registry.load(tmp_path / "x.json")
        assert loaded.to_json() == segmenter.to_json()
        assert loaded.segment(["قالَ", "#x", "low"]) == segmenter.segment(["قالَ", "#x", "low"])


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"segmentation": {"merges": 3}}, "segmentation cleaned: .*needs a 'method'"),
        ({"segmentation": "bpe"}, "segmentation cleaned: .*must be a map"),
        ({"segmentation": {"method": "bep"}}, "did you mean 'bpe'"),
        ({"segmentation": {"method": "bpe", "merge": 3}}, "segmentation bpe: .*did you mean 'merges'"),
        ({"clean": {"url": True}}, r"segmentation cleaned\.clean: unknown setting 'url'; did you mean 'urls'"),
        ({"clean": {"urls": 1}}, "true or false"),
        ({"sides": "target"}, "must be source or both"),
    ],
)
def test_wrong_settings(settings, complaint):
    with pytest.raises(InputError, match=complaint):
        fitted(**settings)
