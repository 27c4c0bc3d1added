"""SIGTERM and SIGHUP: a command ends with the code that shells give it, and nothing half-written stays.

The handler raises SystemExit, so that every block in which something is written is left in order. Libraries that are
just being loaded or compiled would make an error of their own of it; there the signal waits.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from types import FrameType

SECONDS_BETWEEN_TRIES = 0.05
MOST_TRIES = 1200  # a minute, then the process ends at once
IMPORTING = "<frozen importlib._bootstrap>"
COMPILING = ("numba", "llvmlite")

_tries = 0


def end_on_signals() -> None:
    """Install the handler, but not for a signal that is ignored, as nohup does."""
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
