"""A command that is stopped by SIGTERM or SIGHUP leaves no half-written file behind, and what was there before."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

# SIGHUP as in a terminal, also where these tests run under nohup: a command inherits that it is ignored.
AS_IN_A_TERMINAL = "import signal; signal.signal(signal.SIGHUP, signal.SIG_DFL)"
PROGRAM = [sys.executable, "-c", f"{AS_IN_A_TERMINAL}; from rarewords.cli import main; main()"]


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize(
    ("command", "half_written"),
    [
        ("corpus tokenise --language en --input - --output en", 1),
        ("corpus count --input - --output en --num-workers 2", 0),
        ("corpus import --source-part - --target-part given --source en --target de", 2),
    ],
)
def test_nothing_half_written_is_left(tmp_path: Path, command: str, half_written: int, ending: signal.Signals) -> None:
    (tmp_path / "en").write_text("as before\n", encoding="utf-8")
    (tmp_path / "given").write_text("Eine Zeile.\n" * 200_000, encoding="utf-8")
    before = sorted(tmp_path.iterdir())
    process = subprocess.Popen(
        [*PROGRAM, *command.split()], stdin=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path
    )
    assert process.stdin is not None
    assert process.stderr is not None
    try:
        # More than is read at once, so that the command takes some of it: then it runs, and waits for the rest.
        process.stdin.write(b"A line.\n" * 100_000)
        deadline = time.monotonic() + 300
        while len(list(tmp_path.glob(".*.tmp"))) < half_written:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        process.send_signal(ending)
        assert process.wait(300) == 128 + ending
        assert process.stderr.read() == b""
    finally:
        process.kill()
        process.stdin.close()
    assert sorted(tmp_path.iterdir()) == before
    assert (tmp_path / "en").read_text(encoding="utf-8") == "as before\n"


@pytest.mark.parametrize("command", ["score --hypothesis a --reference a", "translate-units --model a --input a"])
def test_no_traceback_while_libraries_load(tmp_path: Path, command: str) -> None:
    draw = random.Random(5)
    for _ in range(6):
        process = subprocess.Popen([*PROGRAM, *command.split()], cwd=tmp_path, stderr=subprocess.PIPE)
        time.sleep(draw.uniform(0.05, 1.5))
        process.terminate()
        _, errors = process.communicate(timeout=300)
        assert b"Traceback" not in errors, errors.decode()
        assert process.returncode in (-signal.SIGTERM, 128 + signal.SIGTERM, 2), errors.decode()


def workers_of(process: subprocess.Popen[bytes], number: int) -> list[int]:
    """The process ids of so many workers, once they are there."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    deadline = time.monotonic() + 300
    while len(found := children.read_text().split()) < number:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return [int(child) for child in found]


def feed(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write(b"A line of text.\n" * 50_000)
        process.stdin.flush()


@pytest.fixture
def counting(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A command with two workers that waits for more text."""
    command = [*PROGRAM, *["corpus", "count", "--input", "-", "--output", "counts", "--num-workers", "2"]]
    process = subprocess.Popen(command, cwd=tmp_path, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    feed(process)
    yield process
    process.kill()
    process.communicate()


def test_workers_end_with_their_parent(counting: subprocess.Popen[bytes]) -> None:
    workers = workers_of(counting, 2)
    counting.kill()
    deadline = time.monotonic() + 300
    while any(lives(worker) for worker in workers):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def lives(process: int) -> bool:
    """Whether a process is there and is more than an entry that nobody has asked for its exit code."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_killed_worker_is_one_sentence(counting: subprocess.Popen[bytes], tmp_path: Path) -> None:
    os.kill(workers_of(counting, 2)[0], signal.SIGKILL)
    feed(counting)
    _, errors = counting.communicate(timeout=300)
    assert counting.returncode == 2
    assert errors.decode() == (
        "rarewords: a worker process was killed, perhaps because the memory was full; start again with fewer of them "
        "(--num-workers).\n"
    )
    assert list(tmp_path.iterdir()) == []
