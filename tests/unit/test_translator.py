"""Text in, text out: order, batches, empty and too long lines, members that do not fit."""

import json

import numpy as np
import pytest
import torch
from click.testing import CliRunner

from rarewords.cli import choose, translate_units
from rarewords.decoding.translator import Translator
from rarewords.errors import InputError
from rarewords.model.parameters import initial_parameters
from rarewords.model.size import NetworkSize
from rarewords.saved_model import SavedModel, save_model
from rarewords.settings import DecodingSettings
from rarewords.vocabulary import Vocabulary

SOURCE = Vocabulary(dict.fromkeys("abcdefg", 1))
TARGET = Vocabulary(dict.fromkeys("tuvwxyz", 1))
METRIC = {"name": "BLEU", "signature": "s", "score": 3.0}
SCORES = {"sentences": 2, "bleu": METRIC, "chrf3": METRIC, "unigram_f1": None}
SENTENCES = ["a b c", "", "g", "c c c c a b", "f e", "unseen a", "b a", "d d d", "", "g f e d c b a"]


def member(seed, source=SOURCE, target=TARGET):
    """A network with sharp opinions that ends its translations now and then."""
    size = NetworkSize(len(source), len(target), embedding=6, hidden=8)
    generator = torch.Generator().manual_seed(seed)
    drawn = initial_parameters(size, seed)
    noisy = {name: value + 0.8 * torch.randn(value.shape, generator=generator) for name, value in drawn.items()}
    noisy["readout.output_bias"][0] += 8
    return SavedModel(noisy, size, source, target, {})


@pytest.fixture(scope="module")
def translator():
    return Translator([member(3), member(4)])


def split(lines):
    return [line.split() for line in lines]


def test_translations_are_in_the_order_of_the_input(translator):
    together = translator.translate(split(SENTENCES))
    assert len(together) == len(SENTENCES)
    for sentence, found in zip(SENTENCES, together, strict=True):
        assert translator.translate(split([sentence])) == [found]
    assert len({tuple(found) for found in together}) > 3  # they are not all the same, so the order was tested
    backwards = translator.translate(split(SENTENCES[::-1]))
    assert backwards == together[::-1]


@pytest.mark.parametrize("batch_size", [1, 2, 3, 7, 100])
def test_the_batch_size_does_not_matter(translator, batch_size):
    assert translator.translate(split(SENTENCES), batch_size=batch_size) == translator.translate(split(SENTENCES))


def test_empty_lines_stay_empty(translator):
    assert translator.translate([[], []]) == [[], []]
    assert translator.translate([]) == []
    found = translator.translate(split(SENTENCES))
    assert [k for k, units in enumerate(found) if not units and not SENTENCES[k]] == [1, 8]


def test_only_units_of_the_target_vocabulary_come_out(translator):
    units = {unit for found in translator.translate(split(SENTENCES)) for unit in found}
    assert units
    assert units <= {*TARGET.units, "<unk>"}


def test_rules_of_the_search_reach_it():
    members = [member(3), member(4)]
    for one in members:
        one.parameters["readout.output_bias"][:2] += torch.tensor([12.0, 9.0])  # UNK as long as it may not end
    translator = Translator(members)
    usual, ignoring = DecodingSettings(beam=3), DecodingSettings(beam=3, ignore_unknown=True)
    assert any("<unk>" in line for line in translator.translate(split(SENTENCES), usual))
    assert not any("<unk>" in line for line in translator.translate(split(SENTENCES), ignoring))
    means, sums = (
        translator.hypotheses(split(SENTENCES), 4, DecodingSettings(beam=4, length_exponent=exponent))
        for exponent in (1.0, 0.0)
    )
    for mean, whole in zip(means, sums):
        costs = {tuple(units): cost * (len(units) + 1) for cost, units in mean}
        assert {tuple(units): cost for cost, units in whole} == pytest.approx(costs)
        assert [cost for cost, _ in whole] == sorted(cost for cost, _ in whole)


def test_progress_counts_every_sentence(translator):
    seen = []
    translator.translate(split(SENTENCES), batch_size=3, progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == len(SENTENCES)


def test_nothing_that_ends_gives_an_empty_line():
    never = member(1)
    never.parameters["readout.output_bias"][0] = -1e9
    assert Translator([never]).translate([["a"]], DecodingSettings(beam=3)) == [[]]


@pytest.mark.parametrize("batch_size", [1, 3, 100])
def test_attention_is_in_the_order_of_the_input(translator, batch_size):
    sentences = split(SENTENCES)
    translations = translator.translate(sentences)
    found = translator.attention(sentences, translations, batch_size)
    shapes = [(len(units), len(sentence) + 1) for units, sentence in zip(translations, sentences, strict=True)]
    assert [weights.shape for weights in found] == shapes
    for k, weights in enumerate(found):
        (alone,) = translator.attention([sentences[k]], [translations[k]])
        np.testing.assert_allclose(weights, alone, rtol=1e-4)


@pytest.mark.parametrize("side", ["source", "target"])
def test_members_with_other_vocabularies_are_refused(side):
    vocabulary = Vocabulary(dict.fromkeys("abcdefh", 1))
    with pytest.raises(InputError, match=f"members 1 and 3 differ in their {side} vocabulary"):
        Translator([member(1), member(2), member(3, **{side: vocabulary})])


def test_a_vocabulary_in_another_order_is_another_one():
    with pytest.raises(InputError, match="source vocabulary"):
        Translator([member(1), member(2, source=Vocabulary(dict.fromkeys("bacdefg", 1)))])


def test_no_member_is_refused():
    with pytest.raises(InputError, match="no member is given"):
        Translator([])


def test_a_line_that_is_too_long_is_named(translator):
    with pytest.raises(InputError, match=r"line 2 has 10,001 units, but at most 10,000 can"):
        translator.translate([["a"], ["b"] * 10_001])


def test_members_are_read_from_folders(translator, tmp_path):
    for number in (3, 4):
        save_model(tmp_path / str(number), member(number))
    loaded = Translator.load([tmp_path / "3", tmp_path / "4"], device="cpu")
    assert loaded.translate(split(SENTENCES)) == translator.translate(split(SENTENCES))


@pytest.mark.parametrize("device", ["gpu", "cuda:x", "cpu:0", "cuda:", "cuda:99"])
def test_a_device_that_is_not_there_is_refused(device, tmp_path):
    with pytest.raises(InputError, match=r"^device: "):
        Translator.load([tmp_path], device)


@pytest.mark.parametrize(
    ("choice", "reason"),
    [
        ({"bleu": {"m1": 3.0}}, "the key 'member' is missing"),
        ({"member": 3, "bleu": {}}, "member: 3 is not text of the expected form"),
        ({"member": "m1"}, "the key 'bleu' is missing"),
        (["member"], "a list is not a map"),
        (None, "None is not a map"),
    ],
)
def test_a_choice_without_a_member_is_refused(tmp_path, monkeypatch, choice, reason):
    monkeypatch.setattr("rarewords.segmentation.registry.load", lambda _path: None)
    (tmp_path / "choice.json").write_text(json.dumps(choice), encoding="utf-8")
    arguments = ["--choice", str(tmp_path / "choice.json"), "--segmenter=s", "--language=de", "--device=cpu"]
    result = CliRunner().invoke(translate_units.command, arguments, input="a\n")
    assert isinstance(result.exception, InputError)
    assert str(result.exception) == (
        f"{tmp_path}/choice.json: not the choice of a member ({reason}); write one with `rarewords choose`."
    )


@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        (SCORES | {"bleu": 3}, "bleu: 3 is not a map"),
        (SCORES | {"bleu": {"name": "BLEU", "signature": "s"}}, "bleu: the key 'score' is missing"),
        (SCORES | {"bleu": METRIC | {"score": None}}, "bleu.score: None is not a number from 0 to 101"),
        (SCORES | {"bleu": METRIC | {"score": 1e9}}, "bleu.score: 1000000000.0 is not a number from 0 to 101"),
        ({}, "the key 'sentences' is missing"),
        ([], "a list is not a map"),
        (None, "None is not a map"),
    ],
)
def test_a_file_without_scores_is_refused(tmp_path, scores, reason):
    (tmp_path / "scores.json").write_text(json.dumps(scores), encoding="utf-8")
    arguments = [f"--candidate=m1={tmp_path}/scores.json", f"--output={tmp_path}/choice.json"]
    result = CliRunner().invoke(choose.command, arguments)
    assert isinstance(result.exception, InputError)
    assert str(result.exception) == (
        f"{tmp_path}/scores.json: not a score file ({reason}); write one with `rarewords score --json`."
    )


def test_the_best_member_is_chosen_and_of_equal_ones_the_first(tmp_path):
    for name, score in [("m1", 3), ("m2", 4.5), ("m3", 4.5)]:
        (tmp_path / name).write_text(json.dumps(SCORES | {"bleu": METRIC | {"score": score}}), encoding="utf-8")
    arguments = [f"--candidate={name}={tmp_path}/{name}" for name in ("m1", "m2", "m3")]
    result = CliRunner().invoke(choose.command, [*arguments, f"--output={tmp_path}/choice.json"])
    assert result.output == "m2: BLEU 4.50 (of 3.00, 4.50, 4.50)\n"
    assert json.loads((tmp_path / "choice.json").read_text(encoding="utf-8"))["member"] == "m2"
