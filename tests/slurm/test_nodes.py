"""An experiment on a Slurm of two nodes, one of which is lost for good while both train.

The nodes are two `slurmd` on one machine with host names of their own, so that a lock says which of them took it. Each
has memory for one training. The trainings are frozen (SIGSTOP) after their first checkpoint until the node is lost.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from .cluster import Cluster, has_host_names, wait_until
from .conftest import (
    BINARIES,
    OVERLAY,
    RUN,
    Submission,
    copy_of_data,
    environment,
    lock_of,
    reported,
    running,
    same_models,
)

pytestmark = pytest.mark.slow

OTHER_RUN = RUN.with_name("run2")
ALONE = Path("alone")  # a training without Snakemake, whose job Slurm must not start again


@pytest.fixture(scope="module")
def nodes() -> Iterator[Cluster]:
    if not has_host_names():
        pytest.skip("nodes on one machine need host names of their own: run as root, or allow user namespaces")
    with running("node1", "node2", memory=40_000) as cluster:
        yield cluster


class Lost:
    """Two runs on two nodes, and a third training beside the first; their node is lost, and all three end."""

    def __init__(self, cluster: Cluster, undisturbed: Submission, folder: Path) -> None:
        self.cluster, self.folder = cluster, copy_of_data(undisturbed, folder)
        config = folder / "two-runs.yaml"
        overlay: dict[str, Any] = OVERLAY | {"training": OVERLAY["training"] | {"clip_norms": [50, 50]}}
        config.write_text(yaml.safe_dump(overlay), encoding="utf-8")
        models = [str(run / "saved2.safetensors") for run in (RUN, OTHER_RUN)]
        self.submission = Submission(cluster, folder, config, "--rerun-triggers", "mtime", "--", *models)

    def train_alone(self, name: str, node: str) -> str:
        """The number of a job on a node, which Slurm does not start again."""
        training = [
            str(BINARIES / "rarewords"), "train", "run", "--device=cpu", "--embedding=8", "--hidden=10",
            "--data=data/tiny/en-de/seg/wunk/pairs", "--updates=2000", "--save-every=1900",
            f"--saved={ALONE}/saved1", f"--saved={ALONE}/saved2", f"--checkpoints={ALONE}/checkpoints",
        ]  # fmt: skip
        submit = [
            "sbatch", "--parsable", "--no-requeue", f"--job-name={name}", f"--output={name}.log",
            f"--chdir={self.folder}", "--mem=500", f"--nodelist={node}", f"--wrap=srun -n1 {shlex.join(training)}",
        ]  # fmt: skip
        done = subprocess.run(
            submit, check=True, capture_output=True, text=True, env=environment(self.cluster), cwd=self.folder
        )
        return done.stdout.strip()

    def lose_a_node(self) -> None:
        """Both runs are frozen where they are; then the node of the first one has a power cut."""
        waiting = {RUN, OTHER_RUN}
        end = time.monotonic() + 600
        while waiting and time.monotonic() < end:
            for run in list(waiting):
                if reported(self.folder / run) > 100:
                    os.kill(int(lock_of(self.folder / run)["process"]), signal.SIGSTOP)
                    waiting.remove(run)
            time.sleep(0.01)
        assert not waiting, self.submission.said()
        self.before = {run: lock_of(self.folder / run) for run in (RUN, OTHER_RUN)}
        self.alone = [self.train_alone("alone", self.before[RUN]["host"])]
        wait_until(lambda: reported(self.folder / ALONE) > 100, "the third training has a checkpoint")
        self.cluster.crash_node(self.before[RUN]["host"])
        self.left = {run: lock_of(self.folder / run) for run in (RUN, ALONE)}
        self.alone.append(self.train_alone("again", self.before[OTHER_RUN]["host"]))
        os.kill(int(self.before[OTHER_RUN]["process"]), signal.SIGCONT)

    def finish(self) -> None:
        self.submission.finish()
        wait_until(lambda: not self.cluster.jobs("again", "pending,running,completing"), "the third training has ended")


@pytest.fixture(scope="module")
def lost(nodes: Cluster, undisturbed: Submission, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lost]:
    lost = Lost(nodes, undisturbed, tmp_path_factory.mktemp("lost"))
    try:
        lost.lose_a_node()
        lost.finish()
        yield lost
    finally:
        lost.submission.process.kill()


def test_runs_of_one_experiment_train_on_different_nodes(lost: Lost) -> None:
    assert {note["host"] for note in lost.before.values()} == {"node1", "node2"}


def test_a_dead_node_leaves_its_locks_behind(lost: Lost) -> None:
    assert lost.left[RUN] == lost.before[RUN]
    assert lost.left[ALONE]["host"] == lost.before[RUN]["host"]
    assert lost.left[ALONE]["slurm_job"] == lost.alone[0]


def test_the_job_moves_to_the_other_node_and_goes_on_to_the_same_model(lost: Lost, undisturbed: Submission) -> None:
    job = lost.before[RUN]["slurm_job"]
    assert lost.cluster.node_of(job) == lost.before[OTHER_RUN]["host"]
    assert "Restarts=1" in lost.cluster.run("scontrol", "show", "job", job)
    assert "continuing from update 100 " in lost.submission.log()
    assert same_models(lost.submission, undisturbed)
    assert lock_of(lost.folder / RUN) == {}


def test_the_run_on_the_other_node_is_not_disturbed(lost: Lost) -> None:
    job = lost.before[OTHER_RUN]["slurm_job"]
    assert "Restarts=0" in lost.cluster.run("scontrol", "show", "job", job)
    assert (lost.folder / OTHER_RUN / "saved2.safetensors").exists()


def test_another_job_takes_the_lock_of_a_job_that_died_with_its_node(lost: Lost) -> None:
    """Here the host and the number of the job are others: Slurm says that the old job has ended."""
    state = lost.cluster.run("squeue", "--noheader", "--states=all", f"--jobs={lost.alone[0]}", "--format=%T")
    assert state == "NODE_FAIL"
    said = (lost.folder / "again.log").read_text(encoding="utf-8")
    assert "continuing from update " in said
    assert (lost.folder / ALONE / "saved2").exists()
