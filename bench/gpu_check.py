"""Check and measure a GPU: the GPU tests, then training and search at the paper's size; prints and writes one table.

    python bench/gpu_check.py [--output gpu-check.md]        (`make gpu-check`; under 10 minutes)

Training runs of a row run at the same time, each in a process of its own, on the same GPU. The share of the limit is
the floating-point operations of the network's matrix products by the rate of an 8192-cube product at the same
precision. The last column is what all trainings of an experiment take at the row's speed. A row that fails says why.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from measure import table
from projection import CONFIG, read_experiment

from rarewords.experiment.plan import Experiment
from rarewords.experiment.projection import at_flops_per_second, project

NO_GPU = "torch sees no GPU here, so there is nothing to check; docs/faq.md says what can be the reason."
REPOSITORY = Path(__file__).resolve().parents[1]
MINUTES_FOR_TESTS, MINUTES_FOR_A_ROW = 3.0, 2.5


@dataclass(frozen=True)
class Row:
    """A measurement: what is done, how, and how many at once."""

    work: str
    precision: str
    capture: bool = False
    at_once: int = 1

    def command(self, arguments: argparse.Namespace) -> list[str]:
        sizes = ("embedding", "hidden", "units", "batch_size", "seconds", "device")
        given = [f"--{name.replace('_', '-')}={getattr(arguments, name)}" for name in sizes]
        capture = ["--capture"] if self.capture else []
        return [sys.executable, str(Path(__file__).with_name("gpu_work.py")), self.work, *given, *capture,
                f"--precision={self.precision}"]  # fmt: skip


ROWS = [
    *(
        Row("training", precision, capture)
        for precision in ("float32", "tf32", "bfloat16")
        for capture in (False, True)
    ),
    *(Row("training", "tf32", capture, at_once) for capture in (False, True) for at_once in (2, 3, 4)),
    Row("search", "float32"),
    Row("search", "tf32"),
]
HEADINGS = ["work", "precision", "captured", "at once", "a second, together", "share of limit", "MiB each", "hours"]


def measured(row: Row, arguments: argparse.Namespace) -> list[dict[str, float]]:
    """What the processes of a row measured; raises RuntimeError with the last line of one that failed."""
    with contextlib.ExitStack() as stack:
        started: list[tuple[subprocess.Popen[str], Any]] = []
        for _ in range(row.at_once):
            errors = stack.enter_context(tempfile.TemporaryFile("w+"))
            process = subprocess.Popen(
                row.command(arguments), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True
            )
            stack.callback(process.kill)
            started.append((process, errors))

        def stop() -> None:
            for process, _ in started:
                process.kill()

        watch = threading.Timer(60 * MINUTES_FOR_A_ROW, stop)
        stack.callback(watch.cancel)
        watch.start()
        try:
            lines = [process.stdout.readline() for process, _ in started if process.stdout]
            if not all(line == "ready\n" for line in lines):
                raise RuntimeError("it ended before it was ready")
            for process, _ in started:
                print(file=process.stdin, flush=True)
            found = [process.communicate()[0] for process, _ in started]
            return [json.loads(output) for output in found]
        except (RuntimeError, ValueError, OSError) as error:
            said = []
            stop()
            for process, errors in started:
                process.wait()
                errors.seek(0)
                said += errors.read().split("\n")
            raise RuntimeError(next((line for line in reversed(said) if line.strip()), str(error))) from error


def cells(row: Row, arguments: argparse.Namespace, experiment: Experiment) -> list[object]:
    """The row of the table."""
    first = [row.work, row.precision, "yes" if row.capture else "no", row.at_once]
    try:
        found = measured(row, arguments)
    except RuntimeError as error:
        return [*first, f"failed: {error}", "", "", ""]
    operations = sum(one["operations"] for one in found)
    hours = ""
    if row.work == "training":
        hours = f"{sum(p.hours for p in project(experiment, at_flops_per_second(operations))):,.0f}"
    unit = "target tokens" if row.work == "training" else "sentences"
    return [
        *first,
        f"{sum(one['per_second'] for one in found):,.0f} {unit}",
        f"{operations / max(one['rate'] for one in found):.0%}",
        f"{max(one['mebibytes'] for one in found):,}",
        hours,
    ]


def tests_of_the_gpu() -> str:
    """Run tests/gpu; its last line."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(REPOSITORY / "tests/gpu")]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60 * MINUTES_FOR_TESTS, check=False)
    except subprocess.TimeoutExpired:
        return f"not done in {MINUTES_FOR_TESTS:.0f} minutes"
    if done.returncode:
        print(done.stdout[-5000:], file=sys.stderr)
    return (done.stdout.strip().split("\n") or [""])[-1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, default=Path("gpu-check.md"), help="Markdown file to write")
    parser.add_argument("--config", type=Path, default=CONFIG / "wmt15.yaml", help="experiment of the projected hours")
    parser.add_argument("--device", default="cuda", help="cpu tries the program itself, without captured updates")
    parser.add_argument("--embedding", type=int, default=620)
    parser.add_argument("--hidden", type=int, default=1000)
    parser.add_argument("--units", type=int, default=30_000, help="of each vocabulary")
    parser.add_argument("--batch-size", type=int, default=80)
    parser.add_argument("--seconds", type=float, default=6.0, help="of each measurement")
    parser.add_argument("--minutes", type=float, default=9.0, help="after which no further row is begun")
    arguments = parser.parse_args()
    gpu = arguments.device != "cpu"
    if gpu and not torch.cuda.is_available():
        print(NO_GPU)
        return
    end = time.monotonic() + 60 * (arguments.minutes - MINUTES_FOR_A_ROW)
    experiment = read_experiment(arguments.config)
    lines = [
        f"GPU: {torch.cuda.get_device_name() if gpu else 'none, the CPU'}; torch {torch.__version__}; "
        f"{time.strftime('%Y-%m-%d')}. Embedding {arguments.embedding}, hidden {arguments.hidden}, {arguments.units:,} "
        f"units a side, {arguments.batch_size} pairs an update. Hours: all trainings of {arguments.config.name}.",
        f"tests/gpu: {tests_of_the_gpu()}" if gpu else "tests/gpu: not run",
    ]
    print("\n\n".join(lines), flush=True)
    rows = []
    for row in [row for row in ROWS if gpu or not row.capture]:
        rows.append(cells(row, arguments, experiment) if time.monotonic() < end else [row.work, row.precision,
                    "yes" if row.capture else "no", row.at_once, "left out: no time", "", "", ""])  # fmt: skip
        print(*rows[-1], sep="  ", file=sys.stderr, flush=True)
    lines.append(table(HEADINGS, rows))
    print(f"\n{lines[-1]}")
    arguments.output.write_text("\n\n".join(["# GPU check", *lines]) + "\n", encoding="utf-8")
    print(f"\n{arguments.output} written", file=sys.stderr)


if __name__ == "__main__":
    main()
