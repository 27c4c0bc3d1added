"""One process a training: who is refused, and which locks are stale."""

import json
import os
import socket
import subprocess
import sys
import threading
import time

import pytest

from rarewords.errors import InputError
from rarewords.training.lock import locked

HOLD = """
import sys, time
from pathlib import Path
from rarewords.training.lock import locked
with locked(Path(sys.argv[1])):
    print("locked", flush=True)
    time.sleep(600)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.delenv("SLURM_JOB_ID", raising=False)
    return tmp_path / "run1" / "checkpoints"


@pytest.fixture
def holder(folder):
    environment = {**os.environ, "SLURM_JOB_ID": "4711"}
    process = subprocess.Popen([sys.executable, "-c", HOLD, folder], stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout.readline() == "locked\n"
    yield process
    process.kill()
    process.wait()


def acquire(folder):
    with locked(folder):
        return True


def leave_note(folder, **note):
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.with_name("checkpoints.lock").write_text(
        json.dumps({"host": "elsewhere", "process": 1, "slurm_job": None, **note})
    )


def squeue(tmp_path, monkeypatch, script):
    program = tmp_path / "bin" / "squeue"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")


def test_a_free_folder_can_be_locked_again_and_again(folder):
    assert acquire(folder)
    assert acquire(folder)
    assert not folder.exists()  # the lock lies beside it, so that the folder can be renamed under it


def test_a_second_process_is_told_who_holds_it(folder, holder):
    with pytest.raises(InputError) as refusal:
        acquire(folder)
    owner = f"process {holder.pid} on host {socket.gethostname()}, Slurm job 4711"
    assert str(refusal.value) == (
        f"{folder} is in use by another training run ({owner}); "
        f"wait for it, or remove {folder}.lock if it has certainly ended."
    )
    with pytest.raises(InputError):  # the refused one has not broken the lock
        acquire(folder)


def test_the_lock_of_a_killed_process_is_stale(folder, holder):
    holder.kill()
    holder.wait()
    assert json.loads(folder.with_name("checkpoints.lock").read_text())["process"] == holder.pid
    assert acquire(folder)


def test_the_lock_is_free_after_an_error(folder):
    with pytest.raises(ZeroDivisionError), locked(folder):
        raise ZeroDivisionError
    assert folder.with_name("checkpoints.lock").read_text() == ""
    assert acquire(folder)


def test_a_note_of_another_host_is_respected(folder):
    leave_note(folder)
    with pytest.raises(InputError, match=r"process 1 on host elsewhere\)"):
        acquire(folder)
    folder.with_name("checkpoints.lock").unlink()
    assert acquire(folder)


def test_a_requeued_slurm_job_takes_over_from_its_earlier_run(folder, monkeypatch):
    leave_note(folder, slurm_job="4711")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(InputError, match="host elsewhere, Slurm job 4711"):
        acquire(folder)
    monkeypatch.setenv("SLURM_JOB_ID", "4711")
    assert acquire(folder)


@pytest.mark.parametrize(
    ("script", "free"),
    [
        ("true", True),  # known, but not in the queue any more
        ("echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1", True),
        ('test "$*" = "--noheader --jobs 4711" && echo "4711 gpu train R 1:00 1 node7"', False),
        ("echo 'Unable to contact slurm controller' >&2; exit 1", False),
    ],
)
def test_slurm_is_asked_whether_the_job_of_another_host_has_ended(folder, tmp_path, monkeypatch, script, free):
    squeue(tmp_path, monkeypatch, script)
    leave_note(folder, slurm_job="4711")
    if free:
        assert acquire(folder)
    else:
        with pytest.raises(InputError, match="Slurm job 4711"):
            acquire(folder)


def grow_old(path, seconds):
    past = time.time() - seconds
    os.utime(path, (past, past))


@pytest.mark.parametrize("job", [None, "4711"])
def test_an_owner_elsewhere_that_has_been_silent_for_long_is_gone(folder, monkeypatch, job):
    monkeypatch.setenv("PATH", "")  # nobody to ask
    monkeypatch.setattr("rarewords.training.lock.SECONDS_BETWEEN_SIGNS", 0.1)
    leave_note(folder, slurm_job=job)
    grow_old(folder.with_name("checkpoints.lock"), 1700)
    with pytest.raises(InputError, match="host elsewhere"):
        acquire(folder)
    grow_old(folder.with_name("checkpoints.lock"), 1900)
    assert acquire(folder)


def test_the_owner_gives_signs_of_life(folder, monkeypatch):
    monkeypatch.setattr("rarewords.training.lock.SECONDS_BETWEEN_SIGNS", 0.01)
    path = folder.with_name("checkpoints.lock")
    with locked(folder):
        grow_old(path, 1900)
        end = time.monotonic() + 300
        while path.stat().st_mtime < time.time() - 100:
            assert time.monotonic() < end
            time.sleep(0.01)
        with pytest.raises(InputError):  # the lock itself is held, too
            acquire(folder)
    grow_old(path, 1900)
    time.sleep(0.1)
    assert path.stat().st_mtime < time.time() - 100  # and none afterwards


@pytest.mark.parametrize("seconds", [1900, -10_000_000])
def test_an_owner_elsewhere_that_gives_signs_is_alive_whatever_the_clock_says(folder, monkeypatch, seconds):
    """Somebody set the clock forwards, or backwards, since the last sign."""
    monkeypatch.setattr("rarewords.training.lock.SECONDS_BETWEEN_SIGNS", 3.0)
    leave_note(folder)
    path = folder.with_name("checkpoints.lock")
    grow_old(path, seconds)
    sign = threading.Timer(0.2, grow_old, (path, seconds - 1))
    sign.start()
    with pytest.raises(InputError, match="host elsewhere"):
        acquire(folder)
    sign.join()


def test_a_sign_of_the_future_does_not_hold_a_lock_for_ever(folder, monkeypatch):
    monkeypatch.setattr("rarewords.training.lock.SECONDS_BETWEEN_SIGNS", 0.1)
    leave_note(folder)
    grow_old(folder.with_name("checkpoints.lock"), -10_000_000)
    assert acquire(folder)


def test_silence_does_not_break_a_lock_that_is_held_here(folder, holder):
    grow_old(folder.with_name("checkpoints.lock"), 1900)
    with pytest.raises(InputError):
        acquire(folder)


def test_a_note_cut_short_does_not_lock_for_ever(folder):
    leave_note(folder)
    path = folder.with_name("checkpoints.lock")
    path.write_text(path.read_text()[:10])
    assert acquire(folder)


def test_where_the_file_system_has_no_locks_the_note_decides(folder, monkeypatch):
    def unsupported(*_arguments):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr("fcntl.flock", unsupported)
    leave_note(folder, host=socket.gethostname(), process=os.getppid())
    with pytest.raises(InputError, match=f"process {os.getppid()} on host"):
        acquire(folder)
    gone = subprocess.Popen(["true"])
    gone.wait()
    leave_note(folder, host=socket.gethostname(), process=gone.pid)
    assert acquire(folder)
