"""A training that an earlier version began, with other names for its settings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

from rarewords.settings import OLD_NAMES, TrainingLength, TrainingSettings
from rarewords.training.checkpoint import CheckpointFolder, load_state
from rarewords.training.encoded import encode_pairs
from rarewords.training.session import Machine, finetune, train
from rarewords.vocabulary import Vocabulary

SETTINGS = TrainingSettings(embedding=4, hidden=6, clip_norm=1.0, seed=1, batch_size=2, partition_vocabulary=None)
CPU = Machine("cpu")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Five encoded pairs."""
    lines = ["a b", "b", "c a b", "b b", "a"]
    for side in ("source", "target"):
        (tmp_path / side).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        Vocabulary({"a": 4, "b": 4, "c": 1}).save(tmp_path / f"{side}.vocabulary")
    files = ("source", "target", "source.vocabulary", "target.vocabulary")
    encode_pairs(*(tmp_path / name for name in files), tmp_path / "pairs")
    return tmp_path / "pairs"


def trained(data: Path, folder: Path, updates: int) -> Path:
    """A training run up to so many updates; its saved model."""
    length = TrainingLength(updates=updates, save_every=1)
    train(data, SETTINGS, length, [folder / "saved"], folder / "checkpoints", CPU, "x")
    return folder / "saved"


def make_old(folder: Path) -> None:
    """Write the newest checkpoint as an earlier version did."""
    checkpoints = CheckpointFolder(folder / "checkpoints")
    state, _ = checkpoints.newest("cpu", at_most=99)
    now = {new: old for old, new in OLD_NAMES.items()}
    state.fingerprint = {now.get(name, name): value for name, value in state.fingerprint.items()}
    assert {"deviation", "cutoff", "loaded_vocabulary"} < set(state.fingerprint)
    checkpoints.save(state, set())


def test_it_goes_on_where_it_was_bit_for_bit_and_is_continued(data: Path, tmp_path: Path, capfd) -> None:
    whole = load_state(trained(data, tmp_path / "whole", 5), torch.device("cpu"))
    trained(data, tmp_path / "old", 3)
    make_old(tmp_path / "old")
    capfd.readouterr()
    saved = trained(data, tmp_path / "old", 5)
    assert "continuing from update 3" in capfd.readouterr().err
    state = load_state(saved, torch.device("cpu"))
    assert state.fingerprint == whole.fingerprint
    assert all(torch.equal(value, state.parameters[name]) for name, value in whole.parameters.items())

    make_old(tmp_path / "old")
    (old,) = (tmp_path / "old/checkpoints").glob("*5.safetensors")
    finetune(data, old, 2, tmp_path / "member", tmp_path / "member/checkpoints", CPU, "x")
    described = json.loads((tmp_path / "member/model.json").read_text(encoding="utf-8"))["training"]
    assert described["fingerprint"]["clip_norm"] == 1.0
    assert "cutoff" not in described["fingerprint"]
