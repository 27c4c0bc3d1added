"""A command that is stopped by SIGTERM or SIGHUP leaves no half-written file behind, and what was there before."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PROGRAM = [sys.executable, "-c", "from rarewords.cli import main; main()"]


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
        deadline = time.monotonic() + 60
        while len(list(tmp_path.glob(".*.tmp"))) < half_written:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        process.send_signal(ending)
        assert process.wait(60) == 128 + ending
        assert process.stderr.read() == b""
    finally:
        process.kill()
        process.stdin.close()
    assert sorted(tmp_path.iterdir()) == before
    assert (tmp_path / "en").read_text(encoding="utf-8") == "as before\n"
