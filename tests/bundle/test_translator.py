"""From raw text to raw text: equal to the workflow's steps; long lines, n-best lists, alignments, unknown words."""

from __future__ import annotations

import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from rarewords.bundle.chain import source_chain
from rarewords.bundle.contents import Settings, read_bundle
from rarewords.bundle.export import Sources, write_bundle
from rarewords.bundle.long_lines import pieces, sentences
from rarewords.bundle.translator import Notice, Translator
from rarewords.bundle.ways import combine
from rarewords.decoding.translator import Finished
from rarewords.decoding.translator import Translator as UnitTranslator
from rarewords.errors import InputError
from rarewords.segmentation.registry import load
from rarewords.settings import CandidateSettings, DecodingSettings
from rarewords.text.moses import detokenise, normalise_punctuation, tokenise
from rarewords.text.truecasing import TruecaseModel, detruecase
from rarewords.vocabulary import Vocabulary

from .conftest import ENGLISH

LINES = [
    *ENGLISH[:2],
    "Trees are green",
    "Click the button below the window.",
    "",
    "The „old“ house!",
    "   ",
    "Unseen words: zebra, 42 % @@ <unk> & co.",
]


def by_steps(sources: Sources, lines: list[str], beam: int) -> list[str]:
    """The workflow's steps one after another."""
    truecaser = TruecaseModel.load(sources.truecaser)
    segmented = []
    for line in lines:
        words = truecaser.apply(tokenise(normalise_punctuation(line, "en"), "en"))
        segmented.append(load(sources.source_segmenter).segment_text(words).split())
    found = UnitTranslator.load(sources.members, "cpu").translate(segmented, DecodingSettings(beam=beam))
    spelled = [[unit.replace("<unk>", "UNK") for unit in units] for units in found]
    restored = [" ".join(load(sources.target_segmenter).restore(units)) for units in spelled]
    return [detokenise(detruecase(line), "de") for line in restored]


def test_the_chain_is_that_of_the_workflow(translator: Translator, sources: Sources) -> None:
    translated = translator.translate(LINES)
    assert translated == by_steps(sources, LINES, beam=4)
    assert translator.translate(LINES, split=False) == translated
    assert [not line for line in translated].count(True) == 2
    assert translated[4] == translated[6] == ""
    assert len(set(translated)) > 4


def test_a_line_is_translated_alike_alone_and_among_others(translator: Translator) -> None:
    together = translator.translate(LINES)
    assert [translator.translate([line])[0] for line in LINES] == together
    assert translator.translate(LINES, batch_size=1) == together
    assert translator.translate([]) == []


def test_some_members_are_another_ensemble(bundle: Path, sources: Sources) -> None:
    chosen = Translator.load(bundle, members=[1, 3], device="cpu").translate(LINES)
    assert chosen == by_steps(replace(sources, members=[sources.members[0], sources.members[2]]), LINES, beam=4)


def test_the_best_translations_are_in_ascending_order_of_cost(translator: Translator) -> None:
    found = translator.translations(LINES, number=3)
    assert [best[0].text for best in found] == translator.translate(LINES)
    for best in found:
        costs = [translation.cost for translation in best]
        assert costs == sorted(costs)
    assert max(map(len, found)) == 3
    assert found[4][0].cost == 0
    with pytest.raises(InputError, match="a beam of at least 5, not 4"):
        translator.translations(LINES, number=5)


def test_long_lines_are_translated_in_parts(translator: Translator) -> None:
    line = " ".join(ENGLISH)
    longest = max(len(translator.source.units(sentence)) for sentence in sentences(translator.source.words(line)))
    told: list[Notice] = []
    found = translator.translations(["", line], longest=longest, notice=told.append, split=False)[1][0]
    units = len(translator.source.units(translator.source.words(line)))
    assert told == [Notice(line=1, sentence=0, units=units, parts=5)]
    assert [len(piece.source) <= longest for piece in found.pieces] == [True] * 5
    alone = [translator.translations([sentence])[0][0] for sentence in ENGLISH[:2]]
    assert found.pieces[0].units == alone[0].pieces[0].units
    assert found.words[: len(alone[0].words) + len(alone[1].words)] == alone[0].words + alone[1].words
    lengths = [len(piece.written) + 1 for piece in found.pieces]
    parts = [
        translator._network.hypotheses([piece.source], 1, DecodingSettings(beam=4))[0][0].cost for piece in found.pieces
    ]
    expected = sum(cost * length for cost, length in zip(parts, lengths, strict=True)) / sum(lengths)
    assert found.cost == pytest.approx(expected)


def by_characters(words: list[str]) -> list[str]:
    return list("".join(words))


def test_a_short_line_stays_whole() -> None:
    assert pieces(["a", ".", "b"], by_characters, 3) == [["a", ".", "b"]]
    assert pieces([], by_characters, 3) == []


def test_sentences_end_with_what_closes_there() -> None:
    words = ["a", ".", "&quot;", ")", "b", "?", "!", "c", "...", "&apos;", "d"]
    assert sentences(words) == [["a", ".", "&quot;", ")"], ["b", "?", "!"], ["c", "...", "&apos;"], ["d"]]
    assert sentences([]) == []


def test_windows_are_of_nearly_equal_length_and_cut_between_words() -> None:
    assert pieces(["ab", "cd", "ef", "g"], by_characters, 6) == [list("abcd"), list("efg")]
    assert pieces(["abcdefg", "h"], by_characters, 3) == [list("abc"), list("def"), list("gh")]
    for longest in range(1, 30):
        found = pieces(["abc", "def", "g", "hijklmno", ".", "p", "qr"], by_characters, longest)
        assert "".join("".join(piece) for piece in found) == "abcdefghijklmno.pqr"
        assert all(0 < len(piece) <= longest for piece in found)


def test_pieces_are_combined_by_their_cost_per_unit() -> None:
    first = [Finished(1.0, ["a"]), Finished(2.0, ["b"])]  # with their ends: costs 2 and 4 of two units
    second = [Finished(1.0, ["c", "d"]), Finished(1.5, ["e"])]  # 3 of three, 3 of two
    assert combine([first, second], 3) == [
        (1.0, [["a"], ["c", "d"]]),
        (1.25, [["a"], ["e"]]),
        (1.4, [["b"], ["c", "d"]]),
    ]
    assert combine([], 3) == [(0.0, [])]
    (cost, units), *_ = combine([first, []], 1)
    assert (math.isinf(cost), units) == (True, [["a"], []])


def test_alignments_are_the_greatest_attention(translator: Translator) -> None:
    found = [best[0] for best in translator.translations(LINES)]
    links = translator.align(found)
    for translation, own in zip(found, links, strict=True):
        assert [target for _, target in own] == list(range(len(own)))
        if translation.pieces:
            (piece,) = translation.pieces
            weights = translator._network.attention([piece.source], [piece.written])[0]
            assert [source for source, _ in own] == weights[:, :-1].argmax(axis=1).tolist()
    assert links[4] == []


def test_words_are_linked_where_their_units_are(translator: Translator) -> None:
    found = [best[0] for best in translator.translations(LINES)]
    of_units, of_words = translator.align(found), translator.align_words(found)
    for line, translation, units, words in zip(LINES, found, of_units, of_words, strict=True):
        source = translator.source.words(line)
        word_of = [k for k, word in enumerate(source) for _ in translator.source.units([word])]
        target_of, word = [], 0
        for unit in (unit for piece in translation.pieces for unit in piece.units):
            target_of.append(word)
            word += not unit.endswith("@@")
        assert words == sorted({(word_of[i], target_of[j]) for i, j in units})
    assert any(len(words) < len(units) for units, words in zip(of_units, of_words, strict=True))


def test_alignments_of_a_line_in_parts_count_on(translator: Translator) -> None:
    line = " ".join(ENGLISH)
    found = [translator.translations([line], longest=4, split=False)[0][0]]
    lengths = [len(piece.source) for piece in found[0].pieces]
    links = translator.align(found)[0]
    assert [target for _, target in links] == list(range(sum(len(piece.units) for piece in found[0].pieces)))
    last = [source for source, _ in links][-len(found[0].pieces[-1].units) :]
    assert all(source >= sum(lengths[:-1]) for source in last)
    words = translator.align_words(found)[0]
    assert max(source for source, _ in words) < len(translator.source.words(line))


def test_links_of_a_text_count_its_own_words(translator: Translator) -> None:
    line = "Trees are green. I see a house, and the house sees me."
    (found,) = translator.sentence_translations([line])
    best = [one[0] for one in found]
    assert len(best) == 2
    assert translator.source.words("I see a house, and the house sees me.")[4] == ","
    word_of = [[0, 1, 2, 2], [3, 4, 5, 6, 6, 7, 8, 9, 10, 11, 11]]  # marks belong to the words before them
    (links,) = translator.align_text([line], [best])
    of_tokens = translator.align_words(best)
    assert {i for i, _ in links} == {word_of[k][i] for k, own in enumerate(of_tokens) for i, _ in own}
    assert {j for _, j in links} == set(range(len(" ".join(one.text for one in best).split())))
    copied = [one[0] for one in translator.sentence_translations(["12 - 13"])[0]]
    assert translator.align_text(["12 - 13", ""], [copied, []]) == [[(0, 0), (1, 1), (2, 2)], []]


def test_unknown_words_are_replaced_as_the_bundle_says(tmp_path: Path, sources: Sources) -> None:
    write_bundle(tmp_path / "kept", sources, Settings("toy", "en", "de", beam=4))
    write_bundle(tmp_path / "copied", sources, Settings("toy", "en", "de", beam=4, unknown_words="copy"))
    kept, copied = (Translator.load(tmp_path / name, device="cpu") for name in ("kept", "copied"))
    number = 0
    for line in ENGLISH:
        before, after = kept.translations([line])[0][0], copied.translations([line])[0][0]
        assert before.pieces[0].units == after.pieces[0].written
        for unit, new in zip(before.pieces[0].units, after.pieces[0].units, strict=True):
            number += unit == "<unk>"
            assert new in after.pieces[0].source if unit == "<unk>" else new == unit
    assert number


def test_candidate_lists_are_those_of_the_bundle(tmp_path: Path, sources: Sources) -> None:
    candidates = CandidateSettings(common=10, per_word=2)
    write_bundle(tmp_path / "b", sources, Settings("toy", "en", "de", beam=4, candidates=candidates))
    limited = Translator.load(tmp_path / "b", device="cpu")
    common = set(limited._network.target_vocabulary.units[:8])
    used = {unit for best in limited.translations(ENGLISH) for piece in best[0].pieces for unit in piece.units}
    assert used <= common | {"Haus", "Baum", "ich", "<unk>"}
    assert limited.lines_at_once == 500
    write_bundle(tmp_path / "b", sources, Settings("toy", "en", "de", candidates=replace(candidates, block=3)))
    assert Translator.load(tmp_path / "b", device="cpu").lines_at_once == 3


def test_units_outside_the_vocabulary_are_taken_apart_with_fallback(tmp_path: Path, sources: Sources) -> None:
    write_bundle(tmp_path / "b", sources, Settings("toy", "en", "de", aggressive=True, fallback=True))
    bundle = read_bundle(tmp_path / "b")
    characters = Vocabulary(dict.fromkeys([*"acehorstu", *(f"{letter}@@" for letter in "acehorstu")], 1))
    chain = source_chain(bundle, characters)
    words = chain.words("The house-tree.")
    assert words == ["the", "house", "@-@", "tree", "."]
    assert chain.units(words[:2]) == ["t@@", "h@@", "e", "h@@", "o@@", "u@@", "s@@", "e"]
    plain = source_chain(
        replace(bundle, settings=replace(bundle.settings, fallback=False, aggressive=False)), characters
    )
    assert plain.words("The house-tree.") == ["the", "house-tree", "."]
    assert len(plain.units(words[:2])) < 8


def test_the_package_is_light_until_the_translator_is_asked_for() -> None:
    check = (
        "import sys, rarewords; assert 'torch' not in sys.modules; "
        "from rarewords import Translator; assert 'torch' in sys.modules; print(Translator.__name__)"
    )
    assert subprocess.run([sys.executable, "-c", check], capture_output=True, text=True).stdout == "Translator\n"
