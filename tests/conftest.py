"""What all tests share: one thread each, as they run side by side, and programs that need not be imported anew."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from .warm import Warm

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before anything imports torch


@pytest.fixture(scope="session")
def warm() -> Iterator[Path]:
    """A folder for PATH with `rarewords` and `snakemake` that start at once, see warm.py."""
    server = Warm()
    try:
        yield server.programs
    finally:
        server.close()
