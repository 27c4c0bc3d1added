"""Disk and memory of an experiment against sums by hand, and Snakemake's table of jobs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rarewords.cli import cli
from rarewords.cli.plan import length_of, parse_jobs
from rarewords.errors import InputError
from rarewords.experiment.budget import disk, size_of, training_memory, training_pairs
from rarewords.experiment.files import read_config
from rarewords.experiment.plan import Experiment

ROOT = Path(__file__).parents[2]
CONFIG = [ROOT / "config/corpora.yaml", ROOT / "config/systems.yaml"]


def experiment(name: str, **training: Any) -> Experiment:
    config = read_config([*CONFIG, ROOT / f"config/{name}.yaml"])
    config["training"] |= training
    return Experiment(config)


def test_the_papers_networks_have_the_papers_sizes() -> None:
    wmt15 = experiment("wmt15")
    counts = {system: size_of(wmt15, system, "en-de").count() for system in wmt15.trained}
    # docs/reproduction/network.md; the last: 28,516,000 and 620 · 310,000 + 1241 · 510,000 + 2 · 620
    assert counts == {
        "wunk": 835_017_240, "c2": 140_177_240, "bpe": 140_177_240, "bpe-joint": 196_007_240, "c2-500k": 853_627_240,
    }  # fmt: skip
    assert size_of(wmt15, "bpe-joint", "en-ru").count() == 208_417_240


def test_memory_of_a_training() -> None:
    whole = experiment("wmt15", partition_vocabulary=None)
    assert training_memory(whole, "bpe", "en-de") == 4.5 * 140_177_240 * 4
    # 28,516,000 and 620 · 30,000 + 620 + 620 · 30,000 + 620 + 621 · 30,000 with the loaded part
    loaded = 28_516_000 + 3 * 620 * 30_000 + 30_000 + 2 * 620
    assert training_memory(experiment("wmt15"), "bpe", "en-de") == (3 * 140_177_240 + 4.5 * loaded) * 4


def test_disk_of_a_pair() -> None:
    demo = experiment("config")
    needs = {need.what: need.size for need in disk(demo, "en-de", 1000)}
    models = sum(size_of(demo, system, "en-de").count() for system in ("wunk", "bpe", "bpe-joint"))
    runs, saved = len(demo.runs), demo.saved_models
    assert needs == {
        "prepared text": 4 * 2 * 1000 * 150,
        "segmented text and integers": 3 * (1.2 * 2 * 1000 * 150 + 2 * 1000 * (25 * 4 + 8)),
        "saved models and checkpoints": runs * (saved + 2) * 3 * 4 * models,
        "members": runs * saved * 4 * models,
    }


def test_training_pairs_are_counted_or_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(ROOT)
    assert training_pairs(experiment("config"), "en-de") == 26_697
    monkeypatch.chdir(tmp_path)
    wmt15 = experiment("wmt15")
    told = training_pairs(wmt15, "en-de")
    assert told is not None
    assert 4_400_000 < told < 4_600_000
    path = tmp_path / "data/wmt15/given/en-de/europarl-v7.en"
    path.parent.mkdir(parents=True)
    path.write_text("a\nb\n", encoding="utf-8")
    counted = training_pairs(wmt15, "en-de")
    assert counted == told - 1_920_209 + 2
    config = read_config([*CONFIG, ROOT / "config/config.yaml"])
    config["corpora"]["libreoffice-short"]["pairs"]["en-de"]["train"] = ["absent.{lang}"]
    assert training_pairs(Experiment(config), "en-de") is None


def test_jobs_are_read_from_snakemakes_table() -> None:
    table = ["job      count", "-----  -------", "clean        2", "train       16", "total       18"]
    output = "\n".join(["Building DAG of jobs...", "Job stats:", *table, "", "x 3", ""])
    assert parse_jobs(output) == {"clean": 2, "train": 16}
    assert parse_jobs("Nothing to be done (all requested files are present and up to date).\n") == {}


@pytest.mark.slow
def test_the_plan_of_the_papers_experiment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    arguments = ["plan", "config/wmt15.yaml", "--tokens-per-second", "20000", "--devices", "4"]
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 0, result.output
    rows = dict(line.split()[:2] for line in result.output.splitlines() if len(line.split()) == 2)
    assert (rows["train"], rows["finetune_fixed_embeddings"]) == ("18", "72")
    # 2 runs of 300,000 and 8 continuations of 20,000 updates, 80 pairs of 25 units each, 5 systems and 4
    hours = 9 * (2 * 300_000 + 8 * 20_000) * 80 * 25 / 20_000 / 3600
    assert ["together", "-", "-", "-", f"{hours:.1f}", "-"] in [line.split() for line in result.output.splitlines()]
    assert f"The training runs take {hours / 4:.0f} hours (2.0 days) on 4 devices." in result.output


def test_a_plan_of_nothing_names_the_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"absent\.yaml: cannot be read"):
        read_config([tmp_path / "absent.yaml"])


@pytest.mark.parametrize(
    ("hours", "length"),
    [
        (1 / 60, "1 minute"),
        (0.65, "39 minutes"),
        (1.04, "1.0 hours"),
        (9.26, "9.3 hours"),
        (240.0, "240 hours (10.0 days)"),
    ],
)
def test_a_length_of_time_is_in_a_unit_that_fits(hours: float, length: str) -> None:
    assert length_of(hours) == length
