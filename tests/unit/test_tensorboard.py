"""Reports of trainings as event files, read back with TensorBoard's own reader."""

import sys

import pytest

from rarewords.errors import InputError
from rarewords.training.metrics import append_report
from rarewords.training.tensorboard import write_events

REPORT = {
    "updates": 50, "of": 100, "epoch": 0, "loss_per_token": 5.25, "gradient_norm": 12.5, "clipped": 0.5, "broken": 0,
    "tokens_per_second": 400, "peak_memory_mib": 300, "time": 1700000000.0,
}  # fmt: skip


def curves(folder):
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    events = accumulator.EventAccumulator(str(folder))
    events.Reload()
    return {
        tag: [(event.step, event.wall_time, event.value) for event in events.Scalars(tag)]
        for tag in events.Tags()["scalars"]
    }


def write_reports(models):
    append_report(models / "bpe" / "run1" / "checkpoints" / "metrics.jsonl", REPORT)
    later = {**REPORT, "updates": 100, "loss_per_token": float("nan"), "clipped": 1.0, "time": 1700000060.0}
    append_report(models / "bpe" / "run1" / "checkpoints" / "metrics.jsonl", later)
    append_report(models / "bpe" / "run2" / "checkpoints" / "metrics.jsonl", {**REPORT, "gradient_norm": 3.0})


def test_curves_come_back(tmp_path):
    pytest.importorskip("tensorboard")
    write_reports(tmp_path / "models")
    folders = [tmp_path / "events" / "bpe" / run for run in ("run1", "run2")]
    for _ in range(2):  # the second call replaces the files of the first
        assert write_events(tmp_path / "models", tmp_path / "events") == folders
        found = curves(folders[0])
        assert found.keys() == {
            "loss_per_token", "gradient_norm", "clipped", "tokens_per_second", "peak_memory_mib", "epoch",
        }  # fmt: skip
        assert found["clipped"] == [(50, 1700000000.0, 0.5), (100, 1700000060.0, 1.0)]
        assert found["loss_per_token"] == [(50, 1700000000.0, 5.25)]  # null is left out
        assert curves(folders[1])["gradient_norm"] == [(50, 1700000000.0, 3.0)]
        assert len(list(folders[0].iterdir())) == 1


def test_files_of_others_stay(tmp_path):
    pytest.importorskip("tensorboard")
    write_reports(tmp_path / "models")
    other = tmp_path / "events" / "bpe" / "run1" / "events.out.tfevents.1.host"
    other.parent.mkdir(parents=True)
    other.write_bytes(b"")
    write_events(tmp_path / "models", tmp_path / "events")
    assert other.exists()


def test_one_sentence_without_tensorboard(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    with pytest.raises(InputError, match=r"pip install 'rarewords\[tensorboard\]'"):
        write_events(tmp_path, tmp_path / "events")


def test_one_sentence_without_reports(tmp_path):
    pytest.importorskip("tensorboard")
    with pytest.raises(InputError, match="no training run below this folder has reported yet"):
        write_events(tmp_path, tmp_path / "events")
