"""Search in candidate lists against the plain search among the same units, and the lists against their rules."""

import pytest
from search import EOS, plain_beam_search
from test_decoding import SIZE, SOURCES, model

from rarewords.alignment.lexicon import Lexicon
from rarewords.decoding.beam import beam_search
from rarewords.decoding.candidates import Candidates, Translations, UnitLists, block_list, sentence_lists
from rarewords.decoding.ensemble import Ensemble
from rarewords.decoding.translator import Translator
from rarewords.errors import InputError
from rarewords.model.padding import pad
from rarewords.saved_model import SavedModel
from rarewords.settings import CandidateSettings, DecodingSettings
from rarewords.vocabulary import Vocabulary

SOURCE = Vocabulary(dict.fromkeys("abcdefg", 1))
TARGET = Vocabulary(dict.fromkeys("qrstuvwxy", 1))  # ids 2 to 10
# In the order of the file; X and Y are in no vocabulary, z is no source unit.
LEXICON = Lexicon(
    (source, target, 0.5)
    for source, targets in [("a", "Xyqw"), ("b", "vy"), ("c", "Y"), ("d", "x"), ("z", "u"), ("e", "ut"), ("f", "w")]
    for target in targets
)


def translations(common=4, per_word=2, block=None):
    return Translations(
        Candidates(LEXICON, CandidateSettings(common=common, per_word=per_word, block=block)), SOURCE, TARGET
    )


def listed(beam, common, per_word, block=None):
    lists = CandidateSettings(common=common, per_word=per_word, block=block)
    return DecodingSettings(beam=beam, candidates=lists)


def plain_list(sentence, common, per_word):
    """The rule in other words: the common ids, and the first known translations of every known word."""
    units = set(range(common))
    for word in sentence:
        known = [t for s, t, _ in LEXICON if s == word and word in "abcdefg" and t in "qrstuvwxy"]
        units |= {"qrstuvwxy".index(t) + 2 for t in known[:per_word]}
    return units


def members_of(seeds):
    return [SavedModel(model(seed), SIZE, SOURCE, TARGET, {}) for seed in seeds]


SENTENCES = ["a b", "c d e z", "g", "b b b b", "d a", "f e d c b a a"]
ALL_LISTS = {
    "apart": UnitLists(3, [[9, 4, 10], [], [5], [3, 4, 5, 6, 7, 8, 9, 10], [7], [10, 8]]),
    "one for all": UnitLists(4, [[9, 7]]),
    "only common": UnitLists(6, [[]]),
    "EOS, UNK and others": UnitLists(2, [[k] for k in range(2, 8)]),
}


@pytest.mark.parametrize("beam", [1, 3, 12])
@pytest.mark.parametrize("seeds", [(1,), (2, 4, 7)])
@pytest.mark.parametrize("lists", ALL_LISTS.values(), ids=ALL_LISTS)
def test_a_batch_with_lists_finds_what_the_plain_search_finds_among_their_units(beam, seeds, lists):
    members = [model(seed) for seed in seeds]
    found = beam_search(Ensemble(members), *pad(SOURCES, EOS), DecodingSettings(beam=beam), lists)
    assert any(found)
    for k, source in enumerate(SOURCES):
        units = {*range(lists.common), *lists.others[k if len(lists.others) > 1 else 0]}
        expected = plain_beam_search(members, source, beam, units)
        assert [h.ids for h in found[k]] == [words for _, words in expected]
        assert [h.cost for h in found[k]] == pytest.approx([cost for cost, _ in expected], rel=1e-9)


def test_a_list_of_all_units_in_another_order_is_the_whole_vocabulary():
    ensemble, batch = Ensemble([model(17)]), pad(SOURCES, EOS)
    whole = beam_search(ensemble, *batch, DecodingSettings())
    listed = beam_search(ensemble, *batch, DecodingSettings(), UnitLists(4, [[10, 9, 8, 7, 6, 5, 4]]))
    assert [[h.ids for h in found] for found in listed] == [[h.ids for h in found] for found in whole]


def test_lists_have_the_common_units_and_known_translations_of_known_words():
    sentences = [sentence.split() for sentence in SENTENCES]
    for common in (3, 4, 6, 11, 50):
        for per_word in (1, 2, 10):
            lists = sentence_lists(translations(per_word=per_word), sentences, common)
            for sentence, others in zip(sentences, lists.others, strict=True):
                units = [*range(lists.common), *others]
                assert len(units) == len(set(units))
                assert set(units) == plain_list(sentence, min(common, 11), per_word)
    # X is outside the vocabulary and does not count; q (id 2) is common
    assert sentence_lists(translations(), [["a"]], 4).others == [[10]]


@pytest.mark.parametrize("common", range(3, 14))
def test_a_blocks_list_has_as_many_units_as_asked_for(common):
    sentences = [sentence.split() for sentence in SENTENCES]
    lists = block_list(translations(common, per_word=1, block=100), sentences)
    (others,) = lists.others
    assert len({*range(lists.common), *others}) == lists.common + len(others) == min(common, 11)
    assert lists.common >= 2
    wanted = [10, 7, 9, 6, 8]  # y v x u w in the order of their words
    assert {k for k in wanted[: common - 2] if k >= lists.common} == set(others)


def test_a_blocks_translations_take_the_place_of_the_rarest_common_units():
    lists = block_list(translations(6, per_word=2, block=100), [["a"], ["f"]])  # y q w
    assert lists == UnitLists(4, [[10, 8]])  # EOS UNK q r, and s t made room


@pytest.mark.parametrize("seeds", [(1,), (2, 4, 7)])
@pytest.mark.parametrize("batch_size", [1, 2, 100])
def test_translations_are_those_of_the_plain_search_in_each_sentences_list(seeds, batch_size):
    members = members_of(seeds)
    sentences = [sentence.split() for sentence in SENTENCES]
    found = Translator(members).translate(sentences, listed(5, 4, 2), batch_size, lexicon=LEXICON)
    parameters = [member.parameters for member in members]
    for sentence, units in zip(sentences, found, strict=True):
        source = [*SOURCE.encode(sentence), EOS]
        (_, words), *_ = plain_beam_search(parameters, source, 5, plain_list(sentence, 4, 2))
        assert units == TARGET.decode(words)


def test_blocks_are_of_lines_in_their_order_whatever_the_batch():
    members = members_of([1])
    sentences = [sentence.split() for sentence in ["", *SENTENCES]]
    expected = []
    for start in range(0, len(sentences), 3):
        block = sentences[start : start + 3]
        lists = block_list(translations(5, 1, 3), block)
        units = {*range(lists.common), *lists.others[0]}
        for sentence in block:
            source = [*SOURCE.encode(sentence), EOS]
            plain = plain_beam_search([members[0].parameters], source, 5, units)
            expected.append(TARGET.decode(plain[0][1]) if sentence else [])
    for batch_size in (1, 2, 100):
        assert Translator(members).translate(sentences, listed(5, 5, 1, 3), batch_size, lexicon=LEXICON) == expected


def test_lists_are_widened_where_nothing_ends():
    """Whatever is common is more probable than EOS; only unit 8 (w), once produced, is followed by the end."""
    (member,) = members_of([3])
    parameters = member.parameters
    for name, value in parameters.items():
        parameters[name] = value * 0
    parameters["readout.output_bias"][:] = 0.0
    parameters["readout.output_bias"][EOS] = -60.0
    parameters["readout.output_bias"][8] = 5.0
    # features of unit 8 as the previous word speak for EOS, of the others for nothing
    parameters["target.embedding"][8] = 1.0
    parameters["readout.previous"][:] = 1.0
    parameters["readout.maxout"][:] = 1.0
    parameters["readout.output"][EOS] = 1.0
    translator = Translator([member])
    calls = []
    search = translator._search

    def spy(batch, settings, lists):
        calls.append((len(batch), lists.common))
        return search(batch, settings, lists)

    translator._search = spy
    lexicon = Lexicon([("a", "w", 1.0)])
    found = translator.translate([["a"], ["b"], ["c"]], listed(1, 3, 1), lexicon=lexicon)
    # the list of the first has w; the others need twice, then four times as many as 3
    assert calls == [(3, 3), (2, 6), (2, 11)]
    assert found == [["w"], ["w"], ["w"]]


def test_widening_ends_with_the_whole_vocabulary():
    (member,) = members_of([3])
    member.parameters["readout.output_bias"][EOS] = -1e9
    assert Translator([member]).translate([["a"], ["b"]], listed(4, 3, 1), lexicon=LEXICON) == [[], []]


def test_too_few_common_units_are_refused():
    with pytest.raises(InputError, match="2 common units are too few: EOS and UNK count"):
        Candidates(LEXICON, CandidateSettings(common=2, per_word=1))
