"""Settings that are allowed and hardly meant."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from snakemake.utils import update_config

from rarewords.cli import cli, plan
from rarewords.experiment import unusual as module
from rarewords.experiment.plan import Experiment
from rarewords.experiment.unusual import unusual

ROOT = Path(__file__).parents[2]


@pytest.fixture
def demo(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    monkeypatch.chdir(ROOT)
    config: dict[str, object] = {}
    for name in ("corpora", "systems", "config"):
        update_config(config, yaml.safe_load((ROOT / f"config/{name}.yaml").read_text(encoding="utf-8")))
    return config


def changed(config: dict[str, object], overlay: dict[str, object]) -> list[str]:
    update_config(config, overlay)
    return unusual(Experiment(config))


def test_the_demo_has_nothing_unusual(demo: dict[str, object]) -> None:
    assert changed(demo, {}) == []


def test_sizes_that_cannot_be_reached_and_no_merges(demo: dict[str, object]) -> None:
    sizes = {"segmentation": {"merges": 5_000_000}, "vocabulary": {"source": 900_000, "target": 3500}}
    found = changed(
        demo,
        {"experiment": {"pairs": ["en-de"]}, "systems": {"bpe": sizes, "bpe-joint": {"segmentation": {"merges": 0}}}},
    )
    assert [sentence.split(",")[0].split(" is ")[0] for sentence in found] == [
        "systems.bpe.segmentation.merges", "systems.bpe.vocabulary.source", "systems.bpe-joint.segmentation.merges",
    ]  # fmt: skip
    assert "is 5,000,000, but the training text of en-de has only about" in found[0]


def test_a_gpu_that_is_not_there(demo: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.shutil, "which", lambda name: None)
    (sentence,) = changed(demo, {"training": {"device": "cuda"}})
    assert "training.device is cuda, but nvidia-smi finds no GPU" in sentence


def test_a_plan_warns_of_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(plan, "job_counts", lambda configs: {})
    overlay = tmp_path / "overlay.yaml"
    overlay.write_text("systems: {bpe: {segmentation: {merges: 0}}}\n", encoding="utf-8")
    arguments = ["plan", "config/config.yaml", str(overlay), "--tokens-per-second", "1000"]
    result = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    assert "warning: systems.bpe.segmentation.merges is 0: words are cut into single characters." in result.stderr
