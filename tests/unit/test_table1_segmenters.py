"""Compound splitting, Morfessor and hyphenation: the segmentations that only the paper's Table 1 has."""

import random

import morfessor
import pytest

from rarewords.errors import InputError
from rarewords.segmentation import registry
from rarewords.segmentation.compound_splitting import CompoundSegmenter
from rarewords.segmentation.hyphenation import HyphenationSegmenter
from rarewords.segmentation.morfessor_baseline import MorfessorSegmenter

PARTS = {
    "Haus": 20,
    "haus": 2,
    "Tür": 12,
    "Aktion": 40,
    "Plan": 30,
    "akt": 1,
    "Amt": 9,
    "Arbeit": 50,
    "Ei": 90,
    "der": 500,
    "Aktionär": 8,
}


def compound(counts=PARTS, **settings) -> CompoundSegmenter:
    return CompoundSegmenter.fit(settings, [counts], ["de"])[0]


class TestCompoundSplitting:
    @pytest.mark.parametrize(
        ("word", "parts"),
        [
            ("Aktionsplan", "Aktion Plan"),  # the example of Koehn and Knight, with the filler s
            ("aktionsplan", "Aktion Plan"),  # parts in their most frequent casing
            ("Arbeitsamt", "Arbeit Amt"),
            ("Hausplan", "Haus Plan"),
            ("Hausamt", "Hausamt"),  # Amt has three letters
            ("Arbeitsplanx", "Arbeitsplanx"),
            ("Haus", "Haus"),
            ("HAUS", "HAUS"),  # frequent in other casings
            ("2015", "2015"),
            ("Unbekannt", "Unbekannt"),
        ],
    )
    def test_splits(self, word, parts):
        assert " ".join(compound().segment_word(word)) == parts

    def test_size_is_counted_in_characters_with_the_filler(self):
        assert compound(minimum_size=3).segment_word("Haustür") == ["Haus", "Tür"]
        assert compound().segment_word("Haustür") == ["Haustür"]
        assert compound().segment_word("Hausstür") == ["Haus", "Tür"]

    def test_the_largest_geometric_mean_wins(self):
        counts = {"Wein": 100, "Berg": 100, "Weinberg": 10, "Schnecke": 8, "Bergschnecke": 5}
        assert compound(counts).segment_word("Weinbergschnecke") == ["Wein", "Berg", "Schnecke"]
        counts["Weinberg"] = 1_000_000
        assert compound(counts).segment_word("Weinbergschnecke") == ["Weinberg", "Schnecke"]

    def test_a_word_with_a_small_count_competes_with_its_parts(self):
        counts = PARTS | {"Hausplan": 26}
        assert compound(counts, maximum_count=99).segment_word("Hausplan") == ["Hausplan"]
        assert compound(PARTS | {"Hausplan": 24}, maximum_count=99).segment_word("Hausplan") == ["Haus", "Plan"]

    def test_it_is_one_way(self):
        assert not compound().offers.restorable
        with pytest.raises(InputError, match="compound-splitting cannot be undone"):
            compound().restore(["Haus", "Tür"])

    def test_save_and_load(self, tmp_path):
        fitted = compound(fillers=["n"])
        fitted.save(tmp_path / "de.json")
        loaded = registry.load(tmp_path / "de.json")
        assert loaded.to_json() == fitted.to_json()
        for word in ("Aktionsplan", "Hausplan", "Aktionnplan", ""):
            assert loaded.segment_word(word) == fitted.segment_word(word)

    @pytest.mark.parametrize("settings", [{"minimum_size": 0}, {"fillers": "s"}, {"fillers": [""]}, {"size": 3}])
    def test_wrong_settings(self, settings):
        with pytest.raises(InputError, match="segmentation compound-splitting"):
            compound(**settings)


class TestHyphenation:
    def test_german_and_russian(self):
        german, russian = HyphenationSegmenter.fit({}, [{}, {}], ["de", "ru"])
        assert " ".join(german.segment(["Abwasserbehandlungsanlage"])) == (
            "Ab@@ was@@ ser@@ be@@ hand@@ lungs@@ an@@ la@@ ge"
        )
        assert " ".join(russian.segment(["Клаустрофобия"])) == "Клау@@ стро@@ фо@@ бия"
        assert german.segment(["IBM", "e", ""]) == ["IBM", "e", ""]

    def test_a_language_without_patterns(self):
        with pytest.raises(InputError, match=r"no hyphenation patterns for the language 'xx'; known ones: .*de, "):
            HyphenationSegmenter.fit({}, [{}, {}], ["de", "xx"])
        with pytest.raises(InputError, match="no hyphenation patterns for the language 'xx'"):
            HyphenationSegmenter.check_languages(["de", "xx"])
        HyphenationSegmenter.check_languages(["xx", "de"])

    def test_only_the_target_language_needs_patterns(self, tmp_path):
        source, target = HyphenationSegmenter.fit({}, [{}, {}], ["xx", "de"])
        assert source.summary() == "no patterns for xx, words stay whole"
        assert target.segment_word("Anlage") == ["An@@", "la@@", "ge"]
        source.save(tmp_path / "xx.json")
        for segmenter in (source, registry.load(tmp_path / "xx.json")):
            assert segmenter.segment_word("Anlage") == ["Anlage"]

    def test_a_file_needs_the_patterns_that_it_was_made_with(self):
        stored = HyphenationSegmenter.fit({}, [{}], ["de"])[0].to_json()
        with pytest.raises(InputError, match="no hyphenation patterns for the language 'xx'"):
            HyphenationSegmenter.from_json(stored | {"language": "xx"})


WORDS = {
    stem + ending: 3 for stem in ("arbeit", "haus", "spiel", "frag", "lieb") for ending in ("e", "en", "er", "es", "st")
}


class TestMorfessor:
    def test_is_the_package(self):
        fitted = MorfessorSegmenter.fit({"seed": 4}, [WORDS], ["de"])[0]
        model = morfessor.BaselineModel(forcesplit_list=["-"], corpusweight=1.0)
        model.load_data(((count, word) for word, count in WORDS.items()), count_modifier=lambda count: 1)
        random.seed(4)
        model.train_batch()
        for word in [*WORDS, "arbeitshaus", "spiel-haus", "xyz"]:
            assert fitted.segment_word(word) == [
                *(part + "@@" for part in model.viterbi_segment(word, addcount=0)[0][:-1]),
                model.viterbi_segment(word, addcount=0)[0][-1],
            ]
        assert "-@@" in fitted.segment_word("spiel-haus")

    def test_does_not_touch_the_random_numbers_of_others(self):
        random.seed(1)
        expected = random.random()
        random.seed(1)
        MorfessorSegmenter.fit({}, [WORDS], ["de"])
        assert random.random() == expected

    @pytest.mark.parametrize("settings", [{"dampening": "two"}, {"corpus_weight": 0}, {"seed": -1}])
    def test_wrong_settings(self, settings):
        with pytest.raises(InputError, match="segmentation morfessor"):
            MorfessorSegmenter.fit(settings, [WORDS], ["de"])
