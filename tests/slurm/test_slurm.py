"""The Slurm profile on a real Slurm: the whole experiment, and trainings that are cut off in every way.

A training is frozen (SIGSTOP) after its first checkpoint, so that it cannot end before it is disturbed; Slurm's own
SIGCONT wakes it. The disturbances come in one go, to save time.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import time
from pathlib import Path

import pytest

from rarewords.report.formats import read_tsv

from .cluster import Cluster, wait_until
from .conftest import BINARIES, RUN, Submission, copy_of_data, environment, reported, same_models

pytestmark = pytest.mark.slow

MODEL = str(RUN / "saved2.safetensors")


def test_the_experiment_runs_end_to_end(cluster: Cluster, undisturbed: Submission) -> None:
    assert re.search(r"(\d+) of \1 steps \(100%\) done", undisturbed.finish())
    table = read_tsv(undisturbed.folder / "results/tiny/tables/table2.tsv")
    assert [row[0] for row in table.rows if not table.is_paper(row)] == ["WUnk"]
    # text, training, two continuations, two members on dev, best and ensemble on test: the rest ran here
    jobs = cluster.jobs(undisturbed.name)
    assert len(jobs) == 8
    asked = [cluster.run("scontrol", "show", "job", job) for job in jobs]
    assert sum("gres:gpu:1" in job for job in asked) == 7


class Disturbed:
    """Trainings that were cut off, each in its own way, and have ended all the same."""

    def __init__(self, cluster: Cluster, undisturbed: Submission, config: Path, folder: Path) -> None:
        self.cluster = cluster
        self.runs = {}
        for name in ("cancelled", "warned", "timed-out", "crashed"):
            (folder / name).mkdir()
            place = copy_of_data(undisturbed, folder / name)
            self.runs[name] = Submission(cluster, place, config, "--rerun-triggers", "mtime", "--", MODEL)

    def disturb(self) -> None:
        cluster, runs = self.cluster, self.runs
        waiting = dict(runs)
        end = time.monotonic() + 600
        while waiting and time.monotonic() < end:
            for name, run in list(waiting.items()):
                assert run.process.poll() is None, run.output.read_text(encoding="utf-8")
                if run.reported() > 100:
                    os.kill(run.trainer(), signal.SIGSTOP)
                    del waiting[name]
            time.sleep(0.01)
        assert not waiting, {name: run.said() for name, run in waiting.items()}
        self.first = {name: cluster.jobs(name)[0] for name in runs}
        cluster.run("scancel", self.first["cancelled"])
        # The profile asks for a warning 300 seconds before the limit: it is due at once.
        cluster.run("scontrol", "update", f"JobId={self.first['warned']}", f"EndTime={clock(250)}")
        # At once: warning and limit are then found in one round. In a second, the warning may end the job before.
        cluster.run("scontrol", "update", f"JobId={self.first['timed-out']}", f"EndTime={clock(0)}")
        cut_off = ("cancelled", "warned", "timed-out")
        wait_until(
            lambda: not {self.first[name] for name in cut_off} & set(cluster.jobs("", "running,completing")),
            "the three jobs have ended",
        )
        cluster.crash_node()
        cluster.start_node()

    def finish(self) -> None:
        self.printed = {name: run.finish() for name, run in self.runs.items()}


def clock(seconds: int) -> str:
    """The time so many seconds from now, as Slurm reads it."""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(time.time() + seconds))


@pytest.fixture(scope="module")
def disturbed(
    cluster: Cluster, undisturbed: Submission, config: Path, tmp_path_factory: pytest.TempPathFactory
) -> Disturbed:
    disturbed = Disturbed(cluster, undisturbed, config, tmp_path_factory.mktemp("disturbed"))
    try:
        disturbed.disturb()
        disturbed.finish()
    finally:
        for run in disturbed.runs.values():
            run.process.kill()
    return disturbed


@pytest.mark.parametrize("name", ["cancelled", "warned", "timed-out", "crashed"])
def test_the_training_goes_on_by_itself_to_the_same_model(
    disturbed: Disturbed, undisturbed: Submission, name: str
) -> None:
    run = disturbed.runs[name]
    assert same_models(run, undisturbed)
    assert "continuing from update" in run.log()


@pytest.mark.parametrize("name", ["cancelled", "warned", "timed-out"])
def test_the_slice_ends_with_a_checkpoint_and_a_new_job_follows(disturbed: Disturbed, name: str) -> None:
    run = disturbed.runs[name]
    assert len(disturbed.cluster.jobs(name)) >= 2
    assert "Trying to restart job" in disturbed.printed[name]
    assert "stopped by a signal after update" in run.said()


def test_the_slices_end_for_different_reasons(disturbed: Disturbed) -> None:
    def state(name: str) -> str:
        return disturbed.cluster.run(
            "squeue", "--noheader", "--states=all", f"--jobs={disturbed.first[name]}", "--format=%T"
        )

    assert state("timed-out") == "TIMEOUT"
    assert state("warned") == "FAILED"  # exit code 1 of the step: the training ended by itself before its limit


def test_a_job_that_lost_its_node_is_queued_again(disturbed: Disturbed) -> None:
    assert disturbed.cluster.jobs("crashed") == [disturbed.first["crashed"]]
    assert "Restarts=1" in disturbed.cluster.run("scontrol", "show", "job", disturbed.first["crashed"])
    assert "continuing from update 100 " in disturbed.runs["crashed"].log()


def test_a_second_job_cannot_train_in_the_same_folder(
    cluster: Cluster, undisturbed: Submission, tmp_path: Path
) -> None:
    folder = copy_of_data(undisturbed, tmp_path)
    training = [
        str(BINARIES / "rarewords"), "train", "run", "--device=cpu", "--embedding=8", "--hidden=10",
        "--data=data/tiny/en-de/seg/wunk/pairs",
        "--updates=100000", "--save-every=100000", "--saved=twice/saved1", "--checkpoints=twice/checkpoints",
    ]  # fmt: skip

    def submit(name: str) -> str:
        command = [
            "sbatch",
            "--parsable",
            f"--job-name={name}",
            f"--output={name}.log",
            f"--chdir={folder}",
            "--mem=500",
        ]
        return subprocess.run(
            [*command, f"--wrap=srun -n1 {shlex.join(training)}"],
            check=True, capture_output=True, text=True, env=environment(cluster), cwd=folder,
        ).stdout.strip()  # fmt: skip

    first = submit("first")
    wait_until(lambda: reported(folder / "twice") > 0, "the first job trains")
    second = submit("second")
    wait_until(lambda: second in cluster.jobs("second", "failed"), "the second job has ended")
    refusal = (folder / "second.log").read_text(encoding="utf-8")
    assert "twice/checkpoints is in use by another training run (process " in refusal
    assert f"Slurm job {first})" in refusal
    assert first in cluster.jobs("first", "running")
    cluster.run("scancel", first)
    wait_until(lambda: not cluster.jobs("first", "running,completing"), "the first job has ended")
    assert "stopped by a signal after update" in (folder / "first.log").read_text(encoding="utf-8")
