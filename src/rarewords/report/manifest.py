"""The record of a run: versions, commit, configuration, seeds, machine, time of the steps, checksums of the text."""

from __future__ import annotations

import csv
import platform
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import rarewords
from rarewords.evaluation.files import read_scores
from rarewords.evaluation.registry import TESTED_OF_TEXT
from rarewords.experiment.plan import Experiment
from rarewords.machine import description
from rarewords.machine.product_ways import known_way
from rarewords.text.documents import read_json
from rarewords.text.files import PathLike, sha256

PACKAGES = ("torch", "numpy", "numba", "sacrebleu", "sacremoses", "sil-thot", "snakemake", "morfessor", "pyphen")
# The steps that use a GPU if available, by the names of their benchmarks.
GPU_STEPS = ("train", "finetune_fixed_embeddings", "translate", "replace_unknown_words", "draw_attention")


def manifest(
    experiment: Experiment,
    repository: PathLike,
    benchmarks: PathLike,
    scores: Sequence[PathLike],
    texts: Sequence[PathLike],
    trainings: Mapping[str, PathLike] | None = None,
) -> dict[str, Any]:
    """Everything as one JSON value.

    `benchmarks` is the folder of Snakemake's benchmark files, `scores` are score files (for the metrics' signatures),
    `texts` are the experiment's input files, `trainings` the JSON of `rarewords report training` by pair. Raises
    InputError for files that cannot be read.
    """
    steps = step_costs(benchmarks, [experiment.name, experiment.corpus])
    device = experiment.config["training"]["device"]
    here = description.describe() | {"float32_products": known_way()}
    return {
        "experiment": experiment.name,
        "written": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "versions": {"rarewords": rarewords.__version__, "python": platform.python_version()} | _versions(),
        "commit": description.commit(repository),
        "configuration_sha256": experiment.checksum(),
        "seed": experiment.config["experiment"]["seed"],
        "seeds": _seeds(experiment),
        "device": device,
        "machine": here,
        "trainings": {pair: read_json(path) for pair, path in (trainings or {}).items()},
        "steps": steps,
        "hours": hours(steps, device.startswith("cuda") or (device == "auto" and here["gpus"] != [])),
        "signatures": _signatures(scores),
        "texts": {str(path): sha256(path) for path in texts},
    }


def step_costs(benchmarks: PathLike, names: Sequence[str]) -> list[dict[str, Any]]:
    """Time and memory of each step, summed over its jobs: files `{step}/{name}/….tsv` with name in `names`.

    Of a job that was interrupted and continued only the last part counts, because Snakemake measures only that.
    """
    steps = []
    for folder in sorted(path for path in Path(benchmarks).glob("*") if path.is_dir()):
        jobs = [_benchmark(path) for name in dict.fromkeys(names) for path in sorted((folder / name).rglob("*.tsv"))]
        if jobs:
            memory = [job["max_rss"] for job in jobs if job["max_rss"] is not None]
            steps.append(
                {
                    "step": folder.name,
                    "jobs": len(jobs),
                    "seconds": round(sum(job["s"] or 0.0 for job in jobs), 1),
                    "cpu_seconds": round(sum(job["cpu_time"] or 0.0 for job in jobs), 1),
                    "max_memory_mib": round(max(memory)) if memory else None,
                }
            )
    return steps


def _benchmark(path: Path) -> dict[str, float | None]:
    """The last row of a benchmark file; None for what Snakemake could not measure."""
    with open(path, encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    last = rows[-1] if rows else {}
    return {key: _number(last.get(key)) for key in ("s", "cpu_time", "max_rss")}


def _number(text: str | None) -> float | None:
    try:
        return float(text) if text is not None else None
    except ValueError:  # NA or -: the job was too short to be measured
        return None


def hours(steps: Sequence[Mapping[str, Any]], gpu: bool) -> dict[str, float]:
    """Hours of all jobs one after another, of the CPU, and of jobs that hold a GPU."""
    held = [step["seconds"] for step in steps if gpu and step["step"] in GPU_STEPS]
    return {
        "jobs": round(sum(step["seconds"] for step in steps) / 3600, 3),
        "cpu": round(sum(step["cpu_seconds"] for step in steps) / 3600, 3),
        "gpu": round(sum(held) / 3600, 3),
    }


def _versions() -> dict[str, str | None]:
    """Versions of the packages on which results depend; None for one that is not installed."""
    found: dict[str, str | None] = {}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = None
    return found


def _seeds(experiment: Experiment) -> dict[str, int]:
    """The seed of each training run."""
    return {
        f"{pair} {system} run {run}": experiment.seed(pair, system, run)
        for pair in experiment.pairs
        for system in experiment.trained_in(pair)
        for run in experiment.runs
    }


def _signatures(scores: Sequence[PathLike]) -> dict[str, list[str]]:
    """The signatures of each metric in all score files; only one if all were scored alike."""
    found: dict[str, list[str]] = {}
    for path in scores:
        content = read_scores(path)
        for metric in (content[one.name] for one in TESTED_OF_TEXT if one.name in content):
            known = found.setdefault(metric["name"], [])
            if metric["signature"] not in known:
                known.append(metric["signature"])
    return found
