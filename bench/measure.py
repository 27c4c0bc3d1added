"""What the benchmarks share: the rate of a matrix product, a table, a peer's program."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import torch


def product_rate(seconds: float = 1.0, side: int = 1024) -> float:
    """Floating-point operations per CPU second of float32 products of two side×side matrices."""
    return _rate(torch.device("cpu"), side, seconds, time.process_time)


def device_product_rate(device: torch.device, seconds: float = 1.0, side: int = 8192) -> float:
    """The same per second on a GPU, at the precision that torch is set to; it is warm after the first products."""
    _rate(device, side, seconds / 4, time.perf_counter)
    return _rate(device, side, seconds, time.perf_counter)


def _rate(device: torch.device, side: int, seconds: float, clock: Callable[[], float]) -> float:
    left, right, out = (torch.randn(side, side, device=device) for _ in range(3))
    torch.mm(left, right, out=out)
    wait_for(device)
    began, products = clock(), 0
    while clock() - began < seconds:
        torch.mm(left, right, out=out)
        wait_for(device)
        products += 1
    return products * 2 * side**3 / (clock() - began)


def wait_for(device: torch.device) -> None:
    """Until a GPU has done all that it was given; the CPU computes at once."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)


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
