"""SIGTERM and SIGHUP: a command ends with the exit code that shells give it and leaves nothing half-written.

The handler raises SystemExit, so that every block that writes something can clean up. Libraries that are being loaded
or compiled would turn it into an error of their own, so there the signal waits.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from types import FrameType

SECONDS_BETWEEN_TRIES = 0.05
MOST_TRIES = 1200  # a minute, after which the process ends at once
IMPORTING = "<frozen importlib._bootstrap>"
COMPILING = ("numba", "llvmlite")

_tries = 0


def end_on_signals() -> None:
    """Install the handler, except for a signal that is ignored, as under nohup."""
    for ending in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(ending) != signal.SIG_IGN:
            signal.signal(ending, _end)


def _end(number: int, frame: FrameType | None) -> None:
    global _tries
    if not _in_a_library(frame):
        sys.exit(128 + number)
    _tries += 1
    if _tries > MOST_TRIES:
        os._exit(128 + number)
    again = threading.Timer(SECONDS_BETWEEN_TRIES, os.kill, (os.getpid(), number))
    again.daemon = True
    again.start()


def _in_a_library(frame: FrameType | None) -> bool:
    """Whether a module is being loaded, or a function compiled, at this moment."""
    while frame is not None:
        if frame.f_code.co_filename == IMPORTING or frame.f_globals.get("__name__", "").startswith(COMPILING):
            return True
        frame = frame.f_back
    return False
