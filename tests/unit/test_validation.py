"""The development text while training: its loss, the early stop, and that measuring changes nothing."""

from __future__ import annotations

import io
import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest
import torch
from click.testing import CliRunner

from rarewords.cli import cli
from rarewords.errors import InputError
from rarewords.model.size import NetworkSize
from rarewords.settings import TrainingSettings
from rarewords.training.batches import Corpus
from rarewords.training.checkpoint import CheckpointFolder, load_counters
from rarewords.training.encoded import encode_pairs
from rarewords.training.metrics import read_reports
from rarewords.training.progress import Progress
from rarewords.training.schedule import Schedule
from rarewords.training.trainer import initial_state, run
from rarewords.training.validation import Validation, load_validation

IDS = np.array([2, 3, 0, 3, 0, 4, 4, 2, 0, 2, 0, 3, 3, 0], dtype=np.int32)
CORPUS = Corpus(IDS, np.array([0, 3, 5, 9, 11, 14]), IDS, np.array([0, 3, 5, 9, 11, 14]), np.arange(5))
SETTINGS = TrainingSettings(embedding=4, hidden=6, init_std=0.1, clip_norm=1.0, batch_size=2, max_length=9, seed=1)


def validation(**options) -> Validation:
    return Validation(CORPUS, batch_size=2, every=4, **options)


def trained(folder: Path, measured: Validation | None, updates: int = 12):
    state = initial_state(SETTINGS, NetworkSize(5, 5, 4, 6), torch.device("cpu"))
    progress = Progress("x", 0, updates, folder / "metrics.jsonl", stream=io.StringIO())
    schedule = Schedule(updates, frozenset([updates]))
    run(state, CORPUS, SETTINGS, schedule, CheckpointFolder(folder / "c"), progress, validation=measured)
    return state, read_reports(folder / "metrics.jsonl")


def test_the_loss_of_a_network_that_knows_nothing_is_that_of_chance() -> None:
    state = initial_state(SETTINGS, NetworkSize(5, 5, 4, 6), torch.device("cpu"))
    for value in state.parameters.values():
        value.zero_()  # then all five units are equally likely
    assert validation().measure(state.parameters) == {"dev_loss_per_token": round(math.log(5), 5)}


def test_the_loss_does_not_depend_on_the_minibatches() -> None:
    state = initial_state(SETTINGS, NetworkSize(5, 5, 4, 6), torch.device("cpu"))
    one, all_ = (Validation(CORPUS, size, 4).measure(state.parameters)["dev_loss_per_token"] for size in (1, 5))
    assert one == pytest.approx(all_, abs=2e-5)


def test_measuring_changes_no_model_and_is_reported_counting_back_from_the_end(tmp_path) -> None:
    without, _ = trained(tmp_path / "without", None, updates=10)
    state, reports = trained(tmp_path / "with", validation(bleu=lambda parameters: 12.345), updates=10)
    assert all(torch.equal(value, without.parameters[name]) for name, value in state.parameters.items())
    assert [report["updates"] for report in reports if "dev_loss_per_token" in report] == [2, 6, 10]
    assert reports[-1]["dev_bleu"] == 12.35 or reports[-1]["dev_bleu"] == 12.34
    last = CheckpointFolder(tmp_path / "with/c").path(10).read_bytes()
    assert last == CheckpointFolder(tmp_path / "without/c").path(10).read_bytes()


@pytest.mark.parametrize(
    ("losses", "patience", "expected"),
    [
        ([3.0, 2.0, 2.5, 2.4], 2, True),
        ([3.0, 2.0, 2.5], 2, False),
        ([3.0, 2.0, 2.0], 1, True),  # as good is not better
        ([None, None, 2.0], 2, False),
        ([None, None], 1, True),
        ([1.0, 2.0, 3.0], None, False),
    ],
)
def test_patience(losses, patience, expected) -> None:
    assert validation(patience=patience).enough(losses) is expected


def test_patience_waits_for_as_many_models_as_are_wanted(files) -> None:
    saved = [f"--saved=many/{k}" for k in range(30)]
    done = invoke(*files, "--updates=400", "--patience=1", "--checkpoints=many/c", *saved)
    assert done.exit_code == 0
    assert load_counters("many/29")["updates"] >= 150


@pytest.fixture
def files(tmp_path, monkeypatch) -> list[str]:
    """The command of a training whose development text gets worse when the training text is learned."""
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "s": "a b\nb a\na\n" * 4, "t": "A B\nB A\nA\n" * 4, "vs": "a 9\nb 9\n", "vt": "A 9\nB 9\n",
        "ds": "a b\nb\n", "dt": "B A\nB\n",
    }.items():  # fmt: skip
        Path(name).write_text(text, encoding="utf-8")
    encode_pairs("s", "t", "vs", "vt", "pairs")
    return [
        "train", "run", "--data=pairs", "--device=cpu", "--embedding=6", "--hidden=8", "--init-std=0.3",
        "--clip-norm=50", "--batch-size=4", "--save-every=5", "--dev-source=ds", "--dev-target=dt",
    ]  # fmt: skip


def invoke(*arguments: str):
    return CliRunner().invoke(cli, arguments, catch_exceptions=False)


def test_an_early_stop_keeps_the_last_models_and_resumes_bit_for_bit(files, tmp_path) -> None:
    def start(where: str, updates: int, *more: str):
        return invoke(
            *files,
            f"--updates={updates}",
            f"--saved={where}/1",
            f"--saved={where}/2",
            f"--checkpoints={where}/c",
            *more,
        )

    done = start("whole", 400, "--patience=2")
    assert done.exit_code == 0
    assert "the development loss has not fallen since" in done.output
    reports = read_reports(Path("whole/c/metrics.jsonl"))
    losses = [report["dev_loss_per_token"] for report in reports if "dev_loss_per_token" in report]
    assert len(losses) < 80
    assert min(losses) == losses[-3]
    assert reports[-1]["of"] == reports[-1]["updates"] == 5 * len(losses)
    again = start("whole", 400, "--patience=2")
    assert again.exit_code == 0
    assert f"continuing from update {5 * len(losses)} " in again.output
    assert Path("whole/2").read_bytes() == CheckpointFolder("whole/c").path(5 * len(losses)).read_bytes()
    # a training that lost its last checkpoints makes the same ones again
    last = Path("whole/2").read_bytes()
    before = Path("whole/1").read_bytes()
    CheckpointFolder("whole/c").path(5 * len(losses)).unlink()
    again = start("whole", 400, "--patience=2")
    assert again.exit_code == 0
    assert f"continuing from update {5 * len(losses) - 5} " in again.output
    assert (Path("whole/1").read_bytes(), Path("whole/2").read_bytes()) == (before, last)
    # and so does one that stopped in between, which remembers the losses until then
    assert start("pieces", 5 * len(losses) - 5, "--patience=2").exit_code == 0
    resumed = start("pieces", 400, "--patience=2")
    assert f"continuing from update {5 * len(losses) - 5} " in resumed.output
    assert (Path("pieces/1").read_bytes(), Path("pieces/2").read_bytes()) == (before, last)


def test_a_run_ends_with_its_first_saved_model_after_its_time(files, monkeypatch) -> None:
    """Every look at the clock is a second: an update looks once, and again where the development text is measured."""
    ticks = itertools.count()
    monkeypatch.setattr("rarewords.training.trainer.time.monotonic", lambda: float(next(ticks)))

    def start(hours: float, updates: int = 400):
        arguments = (
            "--saved=timed/1",
            "--saved=timed/2",
            "--checkpoints=timed/c",
            f"--updates={updates}",
            f"--hours={hours}",
        )
        return invoke(*files, *arguments)

    first = start(22 / 3600)
    assert "hours are over" in first.output
    reached = read_reports(Path("timed/c/metrics.jsonl"))[-1]
    assert reached["updates"] % 5 == 0
    assert 10 <= reached["updates"] < 25
    assert reached["seconds"] >= 22
    assert reached["of"] == reached["updates"]
    again = start(22 / 3600)  # its time is over already
    assert read_reports(Path("timed/c/metrics.jsonl"))[-1] == reached
    assert again.exit_code == 0
    assert start(44 / 3600).exit_code == 0
    further = read_reports(Path("timed/c/metrics.jsonl"))[-1]
    assert further["updates"] > reached["updates"]
    assert 44 <= further["seconds"] < 66


def test_greedy_bleu_and_status(files) -> None:
    Path("counts").write_text("A 9\nB 9\n", encoding="utf-8")
    invoke(
        "segment", "fit", "--method", "words", "--source-language", "en", "--target-language", "de", "--source-counts",
        "counts", "--target-counts", "counts", "--source-segmenter", "en.json", "--target-segmenter", "de.json",
    )  # fmt: skip
    done = invoke(*files, "--updates=5", "--saved=m/1", "--checkpoints=m/c", "--dev-segmenter=de.json")
    assert done.exit_code == 0
    (report,) = read_reports(Path("m/c/metrics.jsonl"))
    assert 0 <= report["dev_bleu"] <= 100
    assert f"development loss/token {report['dev_loss_per_token']:.3f}, BLEU" in done.output
    assert f"{report['dev_loss_per_token']:.3f}" in invoke("train", "status", "m").output
    assert json.loads(Path("m/c/metrics.jsonl").read_text())["updates"] == 5


def test_half_a_development_text_is_refused(files) -> None:
    done = invoke(*files[:-1], "--updates=5", "--saved=m/1", "--checkpoints=m/c")
    assert done.exit_code == 2
    assert "needs both sides" in done.output
    Path("empty").write_text("\n\n", encoding="utf-8")
    with pytest.raises(InputError, match="no pair has units"):
        load_validation("empty", "dt", "pairs", 2, 5)


@pytest.fixture
def seconds(monkeypatch) -> None:
    """Every look at the clock is a second: an update looks once, and again where the development text is measured."""
    ticks = itertools.count()
    monkeypatch.setattr("rarewords.training.trainer.time.monotonic", lambda: float(next(ticks)))


SAVED = ("--saved=timed/1", "--saved=timed/2", "--checkpoints=timed/c")


def saved_at(path: str) -> int:
    return load_counters(path)["updates"]


@pytest.mark.usefixtures("seconds")
def test_models_are_saved_by_the_clock(files) -> None:
    by_time = [argument.replace("--save-every=5", "--save-every=0.2 minutes") for argument in files]
    done = invoke(*by_time, "--updates=400", f"--hours={40 / 3600}", *SAVED)
    assert done.exit_code == 0, done.output
    assert "hours are over" in done.output
    reports = read_reports(Path("timed/c/metrics.jsonl"))
    measured = [report for report in reports if "dev_loss_per_token" in report]
    assert [report["seconds"] // 12 for report in measured] == [1, 2, 3, 4]  # the first after 12, 24, 36, 48 seconds
    assert [saved_at("timed/1"), saved_at("timed/2")] == [report["updates"] for report in measured[-2:]]
    last = Path("timed/2").read_bytes()
    CheckpointFolder("timed/c").path(measured[-1]["updates"]).unlink()  # it is made again, whenever that is
    again = invoke(*by_time, "--updates=400", f"--hours={40 / 3600}", *SAVED)
    assert again.exit_code == 0, again.output
    assert saved_at("timed/1") == measured[-2]["updates"]
    assert len(last) == Path("timed/2").stat().st_size
    # what is done too soon for so many models goes on when there are more updates
    few = [argument.replace("timed", "few") for argument in SAVED]
    with pytest.raises(InputError, match=r"all 5 updates were done in 0m0.s, which gave 1 of 2 saved models 0\.2 min"):
        invoke(*by_time, "--updates=5", *few)
    assert invoke(*by_time, "--updates=20", *few).exit_code == 0
    assert saved_at("few/2") == 20


@pytest.mark.usefixtures("seconds")
@pytest.mark.parametrize("more", [["--hours=0.001"], ["--patience=1"], ["--hours=0.004", "--save-every=0.1 minutes"]])
@pytest.mark.parametrize("at", [7, 30])
def test_a_training_that_gets_an_end_goes_on_from_its_checkpoint(files, more, at) -> None:
    """Whether it is finished, or was stopped in between (as here by fewer updates, whose last is no saved model)."""
    first = invoke(*files, f"--updates={at}", "--saved=timed/1", "--checkpoints=timed/c") if at == 7 else None
    first = first or invoke(*files, "--updates=30", *SAVED)
    assert first.exit_code == 0
    done = invoke(*files, "--updates=30", *SAVED, *more)
    assert done.exit_code == 0, done.output
    assert f"continuing from update {at} " in done.output
    assert "another training" not in done.output
    if at == 30:
        assert [saved_at("timed/1"), saved_at("timed/2")] == [25, 30]
    # and without them again
    assert invoke(*files, "--updates=30", *SAVED).exit_code == 0
    assert [saved_at("timed/1"), saved_at("timed/2")] == [25, 30]
    assert not list(Path("timed").glob("*.old-*"))


def test_losses_on_another_development_text_do_not_count(files) -> None:
    assert invoke(*files, "--updates=400", "--patience=2", *SAVED).exit_code == 0
    before = load_counters("timed/2")
    assert len(before["dev_losses"]) > 2
    Path("dt").write_text("A B\nB\n", encoding="utf-8")
    assert invoke(*files, f"--updates={before['updates'] + 5}", "--patience=2", *SAVED).exit_code == 0
    after = load_counters("timed/2")
    assert after["updates"] == before["updates"] + 5
    assert len(after["dev_losses"]) == 1
