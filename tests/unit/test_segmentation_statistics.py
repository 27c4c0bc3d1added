"""Statistics of a segmentation on a text small enough to count by hand."""

from rarewords.segmentation import registry
from rarewords.segmentation.statistics import joint_consistency, text_statistics

ENGLISH = {"low": 4, "lower": 1, "Obama": 2}
GERMAN = {"in": 5, "innen": 2, "Obama": 1, "am": 3}


def fit(method, **settings):
    return registry.create(method, settings, [ENGLISH, GERMAN], ["en", "de"])


def test_numbers_of_bigrams():
    # in 5, in@@ ne@@ n 2, Ob@@ am@@ a 1, am 3
    german = fit("char-ngrams", shortlist=0)[1]
    statistics = text_statistics(german, GERMAN, {"dev": {"inne": 3, "am": 1}, "empty": {}})
    assert (statistics.words, statistics.word_types) == (11, 4)
    assert statistics.tokens == 5 + 3 * 2 + 3 * 1 + 3
    assert statistics.types == 8  # in in@@ ne@@ n Ob@@ am@@ a am
    assert statistics.types_without_joiner == 6
    assert statistics.hapax_units == 3
    assert (statistics.split_words, statistics.split_word_types) == (3, 2)
    assert statistics.unknown == {"dev": 3, "empty": 0}  # `ne` at the end of a word is new
    assert statistics.unknown_of == {"dev": 7, "empty": 0}


def test_numbers_of_words():
    statistics = text_statistics(fit("words")[1], GERMAN | {"x@@": 1, "x": 1}, {"dev": {"in": 2, "aus": 3}})
    assert (statistics.tokens, statistics.types, statistics.types_without_joiner) == (13, 6, 6)
    assert (statistics.split_words, statistics.unknown) == (0, {"dev": 3})


def test_numbers_of_compound_splitting():
    splitter = registry.create("compound-splitting", {}, [{"Haus": 9, "Plan": 9}], ["de"])[0]
    statistics = text_statistics(splitter, {"Hausplan": 2, "Haus": 9}, {})
    assert (statistics.tokens, statistics.types, statistics.types_without_joiner) == (13, 2, 2)


def test_joint_consistency():
    for method, alike in (("bpe", 0), ("bpe-joint", 1), ("words", 1)):
        settings = {} if method == "words" else {"merges": 4}
        source, target = fit(method, **settings)
        consistency = joint_consistency(source, ENGLISH, target, GERMAN)
        assert (consistency.common, consistency.alike) == (1, alike), method
