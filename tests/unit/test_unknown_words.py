"""Which source word an unknown word stands for, and what takes its place."""

import numpy as np
import pytest
import torch
from click.testing import CliRunner

from rarewords.alignment.lexicon import Lexicon
from rarewords.cli import cli, replace_unknown
from rarewords.decoding.forced import forced_attention
from rarewords.decoding.translator import Translator
from rarewords.decoding.unknown_words import HEURISTICS, replace_unknown_words, replacement
from rarewords.errors import InputError
from rarewords.model.parameters import initial_parameters
from rarewords.model.size import NetworkSize
from rarewords.saved_model import SavedModel, save_model
from rarewords.schema import schema
from rarewords.segmentation.registry import create
from rarewords.vocabulary import EOS, Vocabulary

SOURCE = Vocabulary(dict.fromkeys("abcde", 1))
TARGET = Vocabulary(dict.fromkeys("vwxyz", 1))
LEXICON = Lexicon([("a", "Alpha", 0.9), ("a", "alpha", 0.1), ("Berlin", "Berlino", 1.0), ("ärger", "anger", 1.0)])


def member(seed):
    size = NetworkSize(len(SOURCE), len(TARGET), embedding=4, hidden=6)
    generator = torch.Generator().manual_seed(seed)
    drawn = initial_parameters(size, seed)
    noisy = {name: value + torch.randn(value.shape, generator=generator) for name, value in drawn.items()}
    return SavedModel(noisy, size, SOURCE, TARGET, {})


def split(*lines):
    return [line.split() for line in lines]


@pytest.mark.parametrize(
    ("word", "copy", "dictionary", "lowercase"),
    [
        ("a", "a", "Alpha", "Alpha"),
        ("Berlin", "Berlin", "Berlino", "Berlin"),
        ("ärger", "ärger", "anger", "anger"),
        ("unseen", "unseen", "unseen", "unseen"),
        ("1990", "1990", "1990", "1990"),
    ],
)
def test_the_three_heuristics(word, copy, dictionary, lowercase):
    assert [replacement(word, LEXICON, heuristic) for heuristic in HEURISTICS] == [copy, dictionary, lowercase]


def test_the_word_with_most_attention_is_taken_and_never_the_end_of_the_sentence(monkeypatch):
    translator = Translator([member(1)])
    weights = np.array([[0.5, 0.2, 0.3, 0.0], [0.1, 0.2, 0.0, 0.7], [0.0, 0.1, 0.2, 0.7]])
    monkeypatch.setattr(translator, "attention", lambda *_: [weights])
    found = replace_unknown_words(
        translator, split("b", "a Berlin Ding", ""), split("x", "<unk> <unk> <unk>", ""), LEXICON, "dictionary"
    )
    assert found == split("x", "Alpha Berlino Ding", "")


@pytest.mark.parametrize("batch_size", [1, 2, 16])
def test_attention_is_that_of_all_members_while_the_translation_is_fed_back(batch_size):
    members = [member(seed) for seed in (1, 2, 3)]
    sentences = split("a b c unseen d", "b", "Berlin a c", "e d c b a", "", "c c d e Name")
    translations = split("v <unk> w x <unk>", "<unk> v", "x y", "<unk> <unk> y <unk>", "", "z <unk> v v <unk> <unk>")
    found = replace_unknown_words(Translator(members), sentences, translations, LEXICON, "copy", batch_size)
    parameters = [m.parameters for m in members]
    taken = set()
    for sentence, units, replaced in zip(sentences, translations, found, strict=True):
        assert len(units) == len(replaced)
        if not sentence:
            continue
        source = [[*SOURCE.encode(sentence), EOS]]
        (weights,) = forced_attention(parameters, source, [TARGET.encode(units)])
        for unit, word, row in zip(units, replaced, weights, strict=True):
            assert word == (sentence[int(np.argmax(row[:-1]))] if unit == "<unk>" else unit)
        taken |= set(replaced) - set(units)
    assert len(taken) > 2  # not always the same word


def test_mistakes_are_named():
    translator = Translator([member(1)])
    with pytest.raises(InputError, match="2 source lines, but 1 translations"):
        replace_unknown_words(translator, split("a", "b"), split("v"), LEXICON, "copy")
    with pytest.raises(InputError, match="line 2: 'Wort' is not a unit of the members"):
        replace_unknown_words(translator, split("a", "b"), split("v", "<unk> Wort"), LEXICON, "copy")
    with pytest.raises(InputError, match="line 1: an empty source line has a translation"):
        replace_unknown_words(translator, split(""), split("<unk>"), LEXICON, "copy")


@pytest.fixture
def folder(tmp_path):
    save_model(tmp_path / "m1", member(1))
    segmenter, _ = create("words", {}, [{"a": 1}, {"v": 1}], ["en", "de"])
    segmenter.save(tmp_path / "segmenter.json")
    (tmp_path / "source").write_text("Berlin unseen\n\nunseen\n", encoding="utf-8")
    (tmp_path / "translation").write_text("<unk> v\n\nx <unk>\n", encoding="utf-8")
    LEXICON.save(tmp_path / "lexicon.tsv")
    return tmp_path


def run(folder, *arguments):
    options = {"member": "m1", "input": "source", "translation": "translation", "segmenter": "segmenter.json"}
    files = [f"--{name}={folder / path}" for name, path in options.items()]
    return CliRunner().invoke(cli, ["replace-unknown", *files, "--language=de", "--device=cpu", *arguments])


def test_the_command_writes_units_words_and_text(folder):
    outputs = [f"--{name}={folder / name}" for name in ("units", "truecased", "text")]
    result = run(folder, f"--lexicon={folder / 'lexicon.tsv'}", *outputs)
    assert (result.exit_code, result.output) == (0, "")
    for name in ("units", "truecased"):
        first, second, third = (folder / name).read_text(encoding="utf-8").splitlines()
        assert first in ("Berlino v", "unseen v")
        assert (second, third) == ("", "x unseen")
    assert (folder / "text").read_text(encoding="utf-8").splitlines()[2] == "X unseen"


def test_only_copying_needs_no_lexicon(folder):
    assert run(folder, "--heuristic=copy").output.splitlines()[1:] == ["", "X unseen"]
    refused = run(folder)
    assert refused.exit_code == 2
    assert "The heuristic dictionary needs a dictionary: give --lexicon." in refused.output


def test_the_command_names_the_file_of_a_mistake(folder):
    (folder / "translation").write_text("v\n\nWort\n", encoding="utf-8")
    result = run(folder, "--heuristic=copy")
    assert str(result.exception).startswith(f"{folder}/translation, line 3: 'Wort' is not a unit")


def test_the_heuristics_have_the_same_names_everywhere():
    assert replace_unknown.HEURISTICS == HEURISTICS
    keys = schema()["properties"]["systems"]["additionalProperties"]["properties"]
    assert tuple(keys["unknown_words"]["enum"]) == HEURISTICS
