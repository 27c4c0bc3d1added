"""A member on disk: complete, or refused with a sentence."""

import json
import random
from dataclasses import replace

import pytest
import torch

from rarewords import saved_model
from rarewords.errors import InputError
from rarewords.model.parameters import initial_parameters
from rarewords.model.size import NetworkSize
from rarewords.saved_model import SavedModel, load_model, save_model
from rarewords.vocabulary import Vocabulary

SOURCE = Vocabulary({"a@@": 5, "b": 3, "</s>": 2, "\u2028": 1})
TARGET = Vocabulary({"x": 9, "1": 4, "ü": 1})
SIZE = NetworkSize(len(SOURCE), len(TARGET), embedding=4, hidden=6)


@pytest.fixture
def member(tmp_path):
    model = SavedModel(initial_parameters(SIZE, 1), SIZE, SOURCE, TARGET, {"updates": 7, "fingerprint": {"seed": 3}})
    save_model(tmp_path / "member1", model)
    return tmp_path / "member1"


def change(member, edit):
    path = member / "model.json"
    description = json.loads(path.read_text(encoding="utf-8"))
    del description["sha256"]
    edit(description)
    path.write_text(json.dumps(description), encoding="utf-8")


def test_everything_comes_back(member):
    loaded = load_model(member)
    for name, value in initial_parameters(SIZE, 1).items():
        assert torch.equal(loaded.parameters[name], value)
    assert loaded.size == SIZE
    assert (loaded.source_vocabulary.counts, loaded.target_vocabulary.counts) == (SOURCE.counts, TARGET.counts)
    assert loaded.source_vocabulary.units == SOURCE.units  # the order decides the ids
    assert loaded.training == {"updates": 7, "fingerprint": {"seed": 3}}
    assert sorted(path.name for path in member.iterdir()) == ["model.json", "model.safetensors"]


def test_blocks_come_back_and_older_models_have_none(member, tmp_path):
    change(member, lambda description: description["size"].pop("source_blocks"))  # of a version that had no blocks
    assert load_model(member).size == SIZE
    size = replace(SIZE, source_blocks=3)
    save_model(tmp_path / "blocks", SavedModel(initial_parameters(size, 1), size, SOURCE, TARGET, {}))
    loaded = load_model(tmp_path / "blocks")
    assert loaded.size == size
    assert loaded.parameters["source.block_bias"].shape == (3,)
    change(tmp_path / "blocks", lambda description: description["size"].update(source_blocks=2))
    with pytest.raises(InputError, match="do not belong together"):
        load_model(tmp_path / "blocks")


def test_loaded_tensors_are_aligned_memory_of_their_own(member):
    assert all(value.data_ptr() % 64 == 0 for value in load_model(member).parameters.values())


def test_parameters_in_training_can_be_saved(tmp_path):
    parameters = {name: value.requires_grad_() for name, value in initial_parameters(SIZE, 1).items()}
    save_model(tmp_path, SavedModel(parameters, SIZE, SOURCE, TARGET, {}))
    assert not any(value.requires_grad for value in load_model(tmp_path).parameters.values())


def test_no_description_of_an_earlier_member_stands_beside_new_weights(member, monkeypatch):
    def killed(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(saved_model, "write_json", killed)  # the weights are there, the description is not
    with pytest.raises(KeyboardInterrupt):
        save_model(member, SavedModel(initial_parameters(SIZE, 2), SIZE, SOURCE, TARGET, {}))
    assert (member / "model.safetensors").exists()
    with pytest.raises(InputError, match=r"model\.json: cannot be read"):
        load_model(member)


@pytest.mark.parametrize("name", ["model.json", "model.safetensors"])
def test_a_missing_or_truncated_file_is_named(member, name):
    path = member / name
    path.write_bytes(path.read_bytes()[:50])
    with pytest.raises(InputError, match=name):
        load_model(member)
    path.unlink()
    with pytest.raises(InputError, match=name):
        load_model(member)


@pytest.mark.parametrize(
    ("edit", "complaint"),
    [
        (lambda d: d.update(format=99), "not a model of this version"),
        (lambda d: d.pop("format"), "not a model of this version"),
        (lambda d: d.pop("size"), "not a model of this version"),
        (lambda d: d["size"].update(hidden=7), "model.json: damaged"),
        (lambda d: d["size"].pop("hidden"), "not a model of this version"),
        (lambda d: d.update(target_vocabulary=None), "not a model of this version"),
        (lambda d: d["size"].update(hidden=8), "do not belong together"),
        (lambda d: d["source_vocabulary"].pop("b"), "do not belong together"),
        (lambda d: d["target_vocabulary"].update(y=1), "do not belong together"),
    ],
)
def test_a_foreign_or_changed_description_is_refused(member, edit, complaint):
    change(member, edit)
    with pytest.raises(InputError, match=complaint):
        load_model(member)


def test_weights_of_another_member_size_are_refused(member, tmp_path):
    other = NetworkSize(len(SOURCE), len(TARGET), embedding=5, hidden=6)
    save_model(tmp_path / "other", SavedModel(initial_parameters(other, 1), other, SOURCE, TARGET, {}))
    (tmp_path / "other" / "model.safetensors").rename(member / "model.safetensors")
    change(member, lambda description: description.pop("weights"))  # of a version without checksums
    with pytest.raises(InputError, match="do not belong together"):
        load_model(member)


def test_weights_of_another_member_of_this_size_are_refused(member, tmp_path):
    save_model(tmp_path / "other", SavedModel(initial_parameters(SIZE, 2), SIZE, SOURCE, TARGET, {}))
    (tmp_path / "other" / "model.safetensors").rename(member / "model.safetensors")
    with pytest.raises(InputError, match="not the file that belongs here"):
        load_model(member)
    change(member, lambda description: description.pop("weights"))
    assert load_model(member).size == SIZE  # nothing tells


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_weights_that_are_not_finite_are_refused(tmp_path, number):
    parameters = initial_parameters(SIZE, 1)
    parameters[next(iter(parameters))].view(-1)[3] = number
    save_model(tmp_path, SavedModel(parameters, SIZE, SOURCE, TARGET, {}))
    with pytest.raises(InputError, match="is not finite everywhere"):
        load_model(tmp_path)


@pytest.mark.parametrize("name", ["model.json", "model.safetensors"])
def test_flipped_bits_are_noticed(member, name):
    path, draw = member / name, random.Random(1)
    good = path.read_bytes()
    for _ in range(50):
        place = draw.randrange(len(good))
        path.write_bytes(good[:place] + bytes([good[place] ^ 1 << draw.randrange(8)]) + good[place + 1 :])
        with pytest.raises(InputError, match=name):
            load_model(member)


def test_what_is_saved_twice_is_equal_byte_for_byte(member, tmp_path):
    model = SavedModel(initial_parameters(SIZE, 1), SIZE, SOURCE, TARGET, {"updates": 7, "fingerprint": {"seed": 3}})
    save_model(tmp_path / "again", model)
    for name in ("model.json", "model.safetensors"):
        assert (tmp_path / "again" / name).read_bytes() == (member / name).read_bytes()
