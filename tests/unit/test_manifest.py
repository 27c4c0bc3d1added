"""The manifest: costs of steps from hand-written benchmark files, checksums, signatures, the commit of a checkout."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from rarewords.experiment.plan import Experiment
from rarewords.machine import description
from rarewords.report.manifest import hours, manifest, step_costs

ROOT = Path(__file__).parents[2]
HEADER = "s\th:m:s\tmax_rss\tmax_vms\tmax_uss\tmax_pss\tio_in\tio_out\tmean_load\tcpu_time\n"


def benchmark(path: Path, seconds: str, memory: str, cpu: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(HEADER + f"{seconds}\t0:00:01\t{memory}\t0\t0\t0\t0\t0\t0\t{cpu}\n", encoding="utf-8")


@pytest.fixture
def benchmarks(tmp_path: Path) -> Path:
    folder = tmp_path / "benchmarks"
    benchmark(folder / "train/demo/en-de/bpe/run1.tsv", "100.5", "300.4", "90.0")
    benchmark(folder / "train/demo/en-de/bpe/run2.tsv", "200.0", "310.6", "180.5")
    benchmark(folder / "train/other/en-de/bpe/run1.tsv", "999", "999", "999")
    benchmark(folder / "tokenise/corpus/en-de/train.en.tsv", "0.2", "NA", "NA")
    (folder / "README.md").write_text("time and memory\n", encoding="utf-8")
    return folder


def test_steps_sum_their_jobs_and_leave_out_other_experiments(benchmarks: Path) -> None:
    assert step_costs(benchmarks, ["demo", "corpus"]) == [
        {"step": "tokenise", "jobs": 1, "seconds": 0.2, "cpu_seconds": 0.0, "max_memory_mib": None},
        {"step": "train", "jobs": 2, "seconds": 300.5, "cpu_seconds": 270.5, "max_memory_mib": 311},
    ]


def test_an_experiment_with_the_name_of_its_corpus_counts_once(benchmarks: Path) -> None:
    assert [step["jobs"] for step in step_costs(benchmarks, ["demo", "demo"])] == [2]


def test_a_missing_folder_has_no_steps(tmp_path: Path) -> None:
    assert step_costs(tmp_path / "nothing", ["demo"]) == []


def test_gpu_hours_are_those_of_steps_that_hold_one() -> None:
    steps = [
        {"step": "train", "seconds": 3600.0, "cpu_seconds": 1800.0},
        {"step": "tokenise", "seconds": 7200.0, "cpu_seconds": 7200.0},
    ]
    assert hours(steps, gpu=True) == {"jobs": 3.0, "cpu": 2.5, "gpu": 1.0}
    assert hours(steps, gpu=False)["gpu"] == 0.0


def test_everything_of_a_run(benchmarks: Path, tmp_path: Path) -> None:
    config: dict[str, Any] = {}
    for name in ("corpora", "systems", "wmt15"):  # which have no key in common
        config |= yaml.safe_load((ROOT / f"config/{name}.yaml").read_text(encoding="utf-8"))
    experiment = Experiment(config)
    score, text = tmp_path / "ensemble.json", tmp_path / "train.de"
    metrics: dict[str, Any] = {"sentences": 2, "unigram_f1": None}
    metrics["bleu"] = {"name": "BLEU", "signature": "tok:13a", "score": 20.0}
    metrics["chrf3"] = {"name": "chrF3", "signature": "nc:6", "score": 40.0}
    score.write_text(json.dumps(metrics), encoding="utf-8")
    text.write_bytes(b"Text\n")
    found = manifest(experiment, ROOT, benchmarks, [score, score], [text])
    assert found["texts"] == {str(text): hashlib.sha256(b"Text\n").hexdigest()}
    assert found["signatures"] == {"BLEU": ["tok:13a"], "chrF3": ["nc:6"]}
    assert found["seeds"]["en-de bpe run 2"] == experiment.seed("en-de", "bpe", 2)
    assert found["versions"]["sacrebleu"]
    assert found["configuration_sha256"] == experiment.checksum()
    assert found["machine"]["cores"] >= 1
    json.dumps(found)


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_the_commit_of_a_checkout_and_its_changes(tmp_path: Path) -> None:
    assert description.commit(tmp_path) is None

    def git(*arguments: str) -> str:
        identity = ["-c", "user.name=test", "-c", "user.email=test@localhost"]
        command = ["git", "-C", str(tmp_path), *identity, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    git("init", "--quiet")
    (tmp_path / "file").write_text("one\n", encoding="utf-8")
    git("add", "file")
    git("commit", "--quiet", "--message", "first")
    assert description.commit(tmp_path) == {"id": git("rev-parse", "HEAD"), "changed": False}
    (tmp_path / "untracked").touch()
    assert description.commit(tmp_path) == {"id": git("rev-parse", "HEAD"), "changed": False}
    (tmp_path / "file").write_text("two\n", encoding="utf-8")
    assert description.commit(tmp_path) == {"id": git("rev-parse", "HEAD"), "changed": True}
