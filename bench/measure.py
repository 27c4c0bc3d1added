"""What the benchmarks share: the rate of a matrix product, a table, a peer's program."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Sequence
from pathlib import Path

import torch


def machine(threads: int) -> str:
    """The machine in one line."""
    return f"{_processor()}, {os.cpu_count()} cores, {threads} thread(s), torch {torch.__version__}"


def table(headings: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A Markdown table."""
    cells = [[f"{cell:,.1f}" if isinstance(cell, float) else str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(headings, *cells, strict=True)]
    lines = [headings, ["-" * width for width in widths], *cells]
    return "\n".join(
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |" for line in lines
    )


def run_peer(python: str, program: Path, *arguments: object, threads: int, text: str | None = None) -> dict:
    """Run a program with a peer's Python; it prints one line `BENCH {json}`, which is returned."""
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "MKL_NUM_THREADS": str(threads)}
    command = [python, str(program), *map(str, arguments)]
    done = subprocess.run(command, env=environment, input=text, capture_output=True, text=True, check=False)
    for line in done.stdout.splitlines():
        if line.startswith("BENCH "):
            return json.loads(line.removeprefix("BENCH "))
    raise SystemExit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr[-2000:]}")


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
