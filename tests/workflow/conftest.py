"""Running Snakemake on a tiny experiment in a folder of its own."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TINY = ROOT / "tests" / "workflow" / "tiny.yaml"

Snakemake = Callable[..., subprocess.CompletedProcess[str]]


def head(name: str, lines: int) -> bytes:
    with gzip.open(ROOT / "data" / "demo" / name, "rb") as stream:
        return b"".join(line for _, line in zip(range(lines), stream))


def write_corpus(folder: Path, pair: str = "en-de") -> None:
    """The first lines of the embedded corpus as given/{split}.{lang}."""
    (folder / "given").mkdir(parents=True)
    for split, lines in (("train", 200), ("dev", 10), ("test", 30)):  # a test of differences needs 30
        for language in pair.split("-"):
            text = head(f"libreoffice-help/{pair}/{split}.{language}.gz", lines)
            (folder / "given" / f"{split}.{language}").write_bytes(text)


@pytest.fixture(scope="session")
def snakemake(warm: Path) -> Snakemake:
    """Run Snakemake in a folder with some configuration files and further arguments; `first` goes before the PATH.

    With `real`, and with `first`, every job is a process of its own as for a user; else it is a fork of one process
    (tests/warm.py). `timeout` is in seconds.
    """

    def run(
        folder: Path,
        *arguments: str,
        configs: tuple[Path, ...] = (TINY,),
        first: str = "",
        real: bool = False,
        timeout: int = 900,
    ) -> subprocess.CompletedProcess[str]:
        binaries = str(Path(sys.executable).parent)
        programs = binaries if real or first else str(warm)
        command = [f"{programs}/snakemake", "--snakefile", str(ROOT / "Snakefile"), "--directory", str(folder)]
        command += ["--cores", "2", *arguments]
        if configs:
            command += ["--configfile", *map(str, configs)]
        environment = {**os.environ, "PATH": os.pathsep.join([first or programs, binaries, os.environ["PATH"]])}
        return subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,  # one stream, in the order in which a user sees it
            text=True,
            env=environment,
            check=False,
            timeout=timeout,
        )

    return run


def job_counts(output: str) -> dict[str, int]:
    """Jobs by rule, from the statistics that Snakemake prints."""
    counts: dict[str, int] = {}
    lines = iter(output.splitlines())
    for line in lines:
        if line.startswith("Job stats:"):
            next(lines), next(lines)
            for row in lines:
                if not row.strip():
                    break
                rule, count = row.split()
                counts[rule] = int(count)
            break
    return counts
