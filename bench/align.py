"""How fast text is aligned: `rarewords align run` and `rarewords align lexicon`, whole processes, start-up included.

    python bench/align.py [--pairs 10000] [--merges 5000]

The text is the first lines of the embedded LibreOffice help, en-de, in joint BPE units. A row for fast_align appears
where that program is on the PATH. `units` are those of both sides; an alignment is both directions and what joins them.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from itertools import islice
from pathlib import Path

from bpe import run
from measure import machine, table

from data import prepare
from rarewords.text.files import read_lines, write_lines

OURS = [sys.executable, "-c", "from rarewords.cli import main; main()", "align"]


def write_text(folder: Path, merges: int, pairs: int) -> int:
    """Write so many pairs as `en` and `de`; returns the number of units."""
    text = prepare(folder, merges)
    units = 0
    for language in ("en", "de"):
        lines = list(islice(read_lines(text.path("train", language)), pairs))
        units += sum(len(line.split(" ")) for line in lines)
        write_lines(folder / language, lines)
    return units


def commands(folder: Path) -> dict[str, list[str]]:
    """What is measured, in the order in which it has to run."""
    sides = [f"--source={folder / 'en'}", f"--target={folder / 'de'}"]
    outputs = [f"--{kind}={folder / kind}" for kind in ("forward", "reverse", "symmetrised")]
    aligners = ["thot", "fast_align"] if shutil.which("fast_align") else ["thot"]
    works = {f"align, {aligner}": ["run", *sides, f"--aligner={aligner}", *outputs] for aligner in aligners}
    works["lexicon"] = ["lexicon", *sides, f"--alignment={folder / 'symmetrised'}", f"--output={folder / 'lexicon'}"]
    return works


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=10_000, help="pairs of sentences (default: 10000)")
    parser.add_argument("--merges", type=int, default=5000, help="merges of the segmentation (default: 5000)")
    parser.add_argument("--limit", type=float, default=3600, help="seconds after which a process is stopped")
    arguments = parser.parse_args()
    print(machine(1))
    rows = []
    with tempfile.TemporaryDirectory() as name:
        units = write_text(Path(name), arguments.merges, arguments.pairs)
        for work, command in commands(Path(name)).items():
            used = run([*OURS, *command], arguments.limit)
            if used.code:
                raise SystemExit(f"{work} ended with code {used.code}")
            rows.append([work, f"{units:,}", used.cpu, f"{units / used.cpu:,.0f}", f"{used.mebibytes:,.0f}"])
    print(table(["work", "units", "CPU s", "units / CPU s", "MiB"], rows))


if __name__ == "__main__":
    main()
