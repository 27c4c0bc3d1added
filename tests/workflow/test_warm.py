"""The server of warm programs does not outlive the tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import ROOT

# A process that starts the server and a long command in it, then is killed as a test run may be.
KILLED = """
import os, signal, subprocess
from tests.warm import Warm
warm = Warm()
command = subprocess.Popen([warm.programs / "rarewords", "bpe", "learn"], stdin=subprocess.PIPE)
os.write(1, str(warm.programs).encode())
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.slow
def test_the_server_ends_when_the_tests_are_killed() -> None:
    # The server and what it runs hold standard error, so that the call returns once all of them have ended.
    run = subprocess.run([sys.executable, "-c", KILLED], cwd=ROOT, capture_output=True, check=False, timeout=60)
    assert run.returncode == -9, run.stderr
    programs = Path(run.stdout.decode())
    assert programs.name == "bin"
    assert not programs.parent.exists()
