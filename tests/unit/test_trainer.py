"""The training loop: what it counts, what it keeps, when it gives up."""

import io
import os
import signal
import time
from dataclasses import replace
from itertools import count, cycle
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from rarewords.errors import InputError
from rarewords.model import loops, recurrence, rnnsearch
from rarewords.model.parameters import VOCABULARY_SIZED
from rarewords.model.size import NetworkSize
from rarewords.settings import TrainingSettings
from rarewords.training import adadelta, trainer
from rarewords.training.batches import Corpus
from rarewords.training.checkpoint import CheckpointFolder
from rarewords.training.metrics import read_reports
from rarewords.training.progress import Progress
from rarewords.training.readings import Readings
from rarewords.training.schedule import Schedule
from rarewords.training.trainer import Interrupted, initial_state, run

SETTINGS = TrainingSettings(embedding=4, hidden=6, init_std=0.1, clip_norm=1.0, batch_size=2, max_length=9, seed=1)


@pytest.fixture
def train(tmp_path):
    """Train a tiny network; returns its state, the checkpoint folder and the reports."""
    ids = np.array([2, 3, 0, 3, 0, 4, 4, 2, 0, 2, 0, 3, 3, 0], dtype=np.int32)
    offsets = np.array([0, 3, 5, 9, 11, 14])
    corpus = Corpus(ids, offsets, ids, offsets, np.arange(5))  # five pairs, three batches an epoch

    def start(updates, keep=(), state=None, fixed=False, capture=False):
        if state is None:
            state = initial_state(SETTINGS, NetworkSize(5, 5, 4, 6), torch.device("cpu"))
        checkpoints = CheckpointFolder(tmp_path / "c")
        progress = Progress("x", state.updates, updates, tmp_path / "metrics.jsonl", stream=io.StringIO())
        run(state, corpus, SETTINGS, Schedule(updates, frozenset(keep)), checkpoints, progress, fixed, capture=capture)
        return state, checkpoints, read_reports(tmp_path / "metrics.jsonl")

    return start


def test_the_position_in_the_data_and_the_updates_are_counted(train):
    state, _, _ = train(5)
    assert (state.updates, state.epoch, state.position, state.broken) == (5, 1, 2, 0)
    assert state.seconds > 0


def test_wanted_checkpoints_are_kept_and_reports_cover_every_update_once(train, monkeypatch):
    monkeypatch.setattr(trainer, "REPORT_EVERY", 4)
    _, checkpoints, reports = train(11, keep=[2, 6])
    assert checkpoints.updates() == [2, 6, 11]
    assert [report["updates"] for report in reports] == [2, 4, 6, 8, 11]


def test_a_checkpoint_is_written_at_least_so_often(train, monkeypatch):
    monkeypatch.setattr(trainer, "CHECKPOINT_SECONDS", 0.0)
    _, checkpoints, reports = train(5)
    assert checkpoints.updates() == [4, 5]
    assert [report["updates"] for report in reports] == [1, 2, 3, 4, 5]


def test_the_time_to_the_next_checkpoint_counts_from_the_last_one(train, monkeypatch):
    monkeypatch.setattr(trainer, "CHECKPOINT_SECONDS", 3.0)
    monkeypatch.setattr(trainer, "time", SimpleNamespace(monotonic=count().__next__))  # a second an update
    state, _, reports = train(11)
    assert [report["updates"] for report in reports] == [4, 8, 11]  # one before every checkpoint
    assert state.seconds == 11


def test_a_clock_that_is_set_changes_no_duration(train, monkeypatch):
    monkeypatch.setattr(trainer, "REPORT_EVERY", 1)
    jumps = cycle([1e9, 5.0, 2e9, -3.0])
    monkeypatch.setattr(time, "time", jumps.__next__)
    began = time.monotonic()
    state, _, reports = train(6)
    assert 0 < state.seconds <= time.monotonic() - began
    seconds = [report["seconds"] for report in reports]
    assert seconds == sorted(seconds)
    assert all(report["tokens_per_second"] > 0 for report in reports)


@pytest.mark.parametrize("moment", ["count", "report"])
def test_a_signal_at_any_moment_stops_only_after_a_checkpoint(train, monkeypatch, moment):
    monkeypatch.setattr(trainer, "REPORT_EVERY", 4)
    original = getattr(Progress, moment)

    def interrupted(progress, *arguments):
        os.kill(os.getpid(), signal.SIGTERM)
        return original(progress, *arguments)

    monkeypatch.setattr(Progress, moment, interrupted)
    with pytest.raises(Interrupted) as stopped:
        train(50)
    monkeypatch.undo()
    reached = int(str(stopped.value).split("after update ")[1].split(";")[0])
    _, checkpoints, reports = train(0)  # nothing to do: only to look at what is there
    assert checkpoints.updates() == [reached]
    assert reports[-1]["updates"] == reached


def test_training_lowers_the_loss_and_fixed_embeddings_stay(train, monkeypatch):
    monkeypatch.setattr(trainer, "REPORT_EVERY", 30)
    state, _, reports = train(90)
    assert reports[-1]["loss_per_token"] < reports[0]["loss_per_token"]
    before = {name: value.detach().clone() for name, value in state.parameters.items()}
    state, _, _ = train(150, state=state, fixed=True)
    unchanged = {name for name, value in state.parameters.items() if torch.equal(value, before[name])}
    assert unchanged == set(VOCABULARY_SIZED)


def test_an_update_without_a_usable_gradient_is_counted_and_training_goes_on(train):
    state, _, _ = train(1)
    state.parameters["readout.bias"].detach()[0] = torch.nan  # NaN in every gradient until a step replaces it
    with pytest.raises(
        InputError, match=r"not a number in 50 updates in a row \(at update 51\): .*lower training.clip_norms"
    ):
        train(200, state=state)
    assert state.broken == 50


@pytest.fixture
def as_on_a_gpu(monkeypatch):
    """Training computes in the form for a GPU, and reads nothing between reports."""
    monkeypatch.setattr(adadelta, "steps_on_device", lambda _gradients: True)
    monkeypatch.setattr(rnnsearch, "leaves_padding_out", lambda _ids: False)
    monkeypatch.setattr(recurrence, "_loops_for", lambda _values: loops)
    monkeypatch.setattr(trainer, "Readings", lambda *given, at_once: Readings(*given, at_once=False))


def test_a_training_as_on_a_gpu_is_that_of_the_cpu(train, request, monkeypatch):
    monkeypatch.setattr(trainer, "REPORT_EVERY", 4)
    expected, checkpoints, reports = train(11, keep=[6])
    checkpoints.clear()
    (checkpoints.folder.parent / "metrics.jsonl").unlink()
    request.getfixturevalue("as_on_a_gpu")
    state, checkpoints, found = train(11, keep=[6])
    assert checkpoints.updates() == [6, 11]
    for name, value in expected.parameters.items():
        torch.testing.assert_close(state.parameters[name], value, rtol=0, atol=1e-6, msg=name)
    for name in ("updates", "epoch", "broken", "clipped"):
        assert [report[name] for report in found] == [report[name] for report in reports]
    for name in ("loss_per_token", "gradient_norm"):
        assert [report[name] for report in found] == pytest.approx([report[name] for report in reports], rel=1e-4)


def test_a_training_with_recorded_updates_is_the_same(train, monkeypatch):
    """What is recorded stands for a graph here; minibatches are padded, and 2 of the 3 of an epoch are complete."""
    expected, checkpoints, _ = train(11)
    checkpoints.clear()
    recorded = []

    def record(update_of):
        return lambda batch: (recorded.append(tuple(batch.source.shape)), update_of)[1]

    monkeypatch.setattr(trainer, "recorder", lambda update_of, _optimiser: record(update_of))
    state, _, _ = train(11, capture=True)
    assert recorded == [(4, 2)]
    assert (state.updates, state.epoch, state.position) == (expected.updates, expected.epoch, expected.position)
    for name, value in expected.parameters.items():
        torch.testing.assert_close(state.parameters[name], value, rtol=0, atol=1e-6, msg=name)


def test_numbers_that_are_read_late_end_a_diverged_training_at_the_same_update(train, as_on_a_gpu):
    state, _, _ = train(1)
    state.parameters["readout.bias"].detach()[0] = torch.nan
    with pytest.raises(InputError, match=r"not a number in 50 updates in a row \(at update 51\)"):
        train(200, state=state)
    assert state.broken == 50
    assert state.updates == 100  # where the next report was due


@pytest.mark.parametrize("name", ["init_std", "clip_norm"])
@pytest.mark.parametrize("value", [float("nan"), float("inf"), 0.0, -1.0])
def test_settings_that_are_no_finite_numbers_above_0_are_refused(name, value):
    with pytest.raises(InputError, match=f"{name}: {value} is not a finite number above 0"):
        replace(SETTINGS, **{name: value})
