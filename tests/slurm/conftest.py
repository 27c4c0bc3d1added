"""Snakemake on the test's own Slurm; the experiment run once without a disturbance."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from rarewords.training.checkpoint import load_state

from ..workflow.conftest import ROOT, TINY, write_corpus
from .cluster import SEARCH, Cluster, missing_programs

BINARIES = Path(sys.executable).parent
RUN = Path("models/tiny/en-de/wunk/run1")
# One training, from which a checkpoint stays after 100 updates; two members.
OVERLAY = {
    "experiment": {"systems": ["wunk"]},
    "training": {"clip_norms": [50], "updates": 300, "save_every": 200, "saved_models": 2},
}
# The many steps before the training go into one Slurm job, to save time; the last two as in the profile.
TEXT_RULES = [
    *("import_text", "tokenise", "clean", "train_truecaser", "truecase", "count_words"),
    *("fit_segmentation", "build_vocabulary", "segment", "encode"),
]
GROUPS = ["--groups", *(f"{rule}=text" for rule in TEXT_RULES), "translate=translation", "score=translation"]


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    with running() as cluster:
        yield cluster


@contextlib.contextmanager
def running(*nodes: str, **options: int) -> Iterator[Cluster]:
    """A Slurm of these nodes, or of one; skips where there is none."""
    if missing := missing_programs():
        pytest.skip(f"no Slurm here ({', '.join(missing)}): apt-get install slurmctld slurmd slurm-client munge")
    # Not pytest's own folder: munge wants one that everybody may enter, and the path of a socket must be short.
    with tempfile.TemporaryDirectory(prefix="rarewords-slurm-", ignore_cleanup_errors=True) as folder:
        os.chmod(folder, 0o755)
        cluster = Cluster(Path(folder), nodes, **options)
        try:
            cluster.start()
            yield cluster
        except (AssertionError, subprocess.SubprocessError) as error:
            pytest.fail(f"the test's Slurm does not start: {error}\n{cluster.logs()}")
        finally:
            cluster.stop()


@pytest.fixture(scope="session")
def config(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("config") / "overlay.yaml"
    path.write_text(yaml.safe_dump(OVERLAY), encoding="utf-8")
    return path


class Submission:
    """Snakemake with the Slurm profile in a folder of its own; its jobs are named after the folder."""

    def __init__(self, cluster: Cluster, folder: Path, config: Path, *arguments: str) -> None:
        self.cluster, self.folder, self.name = cluster, folder, folder.name
        command = [
            sys.executable, str(Path(__file__).with_name("impatient.py")),
            "--snakefile", str(ROOT / "Snakefile"), "--directory", str(folder),
            "--workflow-profile", str(ROOT / "profiles/slurm"),
            # what a cluster without accounts changes in the profile
            "--slurm-status-command", "squeue", "--slurm-no-account", "--slurm-jobname-prefix", self.name,
            "--configfile", str(TINY), str(config), *arguments,
        ]  # fmt: skip
        self.output = folder / "snakemake.out"
        with open(self.output, "w", encoding="utf-8") as stream:
            self.process = subprocess.Popen(
                command, stdout=stream, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=environment(cluster)
            )

    def finish(self, seconds: float = 1200.0) -> str:
        """Wait for the end, which must be a good one; what Snakemake printed."""
        try:
            self.process.wait(timeout=seconds)
        finally:
            self.process.kill()
        printed = self.output.read_text(encoding="utf-8")
        assert self.process.returncode == 0, f"{printed}\n{self.said()}"
        return printed

    def reported(self) -> int:
        """Updates that the training has reported so far."""
        return reported(self.folder / RUN)

    def trainer(self) -> int:
        """Process id of the training, from its lock."""
        return int(lock_of(self.folder / RUN)["process"])

    def said(self) -> str:
        """What its Slurm jobs printed; Slurm's logs of successful jobs are not kept."""
        logs = sorted((self.folder / ".snakemake/slurm_logs").rglob("*.log"))
        return "".join(path.read_text(encoding="utf-8", errors="replace") for path in logs)

    def log(self) -> str:
        """What the training printed in its last slice."""
        return (self.folder / "logs/train/tiny/en-de/wunk/run1.log").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def undisturbed(cluster: Cluster, config: Path, tmp_path_factory: pytest.TempPathFactory) -> Submission:
    """The experiment up to its table, finished."""
    folder = tmp_path_factory.mktemp("undisturbed")
    write_corpus(folder)
    run = Submission(cluster, folder, config, *GROUPS, "--", "table2")
    run.finish()
    return run


def environment(cluster: Cluster) -> dict[str, str]:
    return {**os.environ, "PATH": os.pathsep.join([str(cluster.clients), str(BINARIES), SEARCH])}


def lock_of(run: Path) -> dict[str, Any]:
    """The note of a training's lock: its host, process and Slurm job; nothing if no training is there."""
    path = run / "checkpoints.lock"
    note: dict[str, Any] = json.loads((path.read_text() if path.exists() else "") or "{}")
    return note


def reported(run: Path) -> int:
    path = run / "checkpoints/metrics.jsonl"
    lines = path.read_text().split("\n")[:-1] if path.exists() else []
    return json.loads(lines[-1])["updates"] if lines else 0


def copy_of_data(undisturbed: Submission, folder: Path) -> Path:
    """A folder in which everything before the training is done."""
    for name in ("given", "data"):
        shutil.copytree(undisturbed.folder / name, folder / name)
    return folder


def same_models(one: Submission, other: Submission) -> bool:
    """Whether the saved models of two runs are equal bit for bit, accumulators and counters included."""
    for name in ("saved1.safetensors", "saved2.safetensors"):
        left, right = (load_state(run.folder / RUN / name) for run in (one, other))
        left.seconds = right.seconds = 0.0
        if left.counters() != right.counters():
            return False
        for mine, its in (
            (left.parameters, right.parameters),
            (left.squares, right.squares),
            (left.deltas, right.deltas),
        ):
            if mine.keys() != its.keys() or not all(mine[key].equal(its[key]) for key in mine):
                return False
    return True
