"""What `rarewords translate` needs for a long text: lines per CPU second and peak memory, which must not grow with it.

    python bench/translate.py BUNDLE TEXT [--lines 1000 10000]

BUNDLE is the folder that `rarewords export` wrote, TEXT raw text in its source language, plain or .gz, of which the
first lines are taken; say data/demo/libreoffice-help/en-de/train.en.gz. All members of the bundle translate as an
ensemble, with its beam.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from itertools import islice
from pathlib import Path

from measure import machine, table

from rarewords.text.files import read_lines, write_lines

USAGE = Path(__file__).with_name("usage.py")
LIMIT = 3 * 3600  # seconds


def measure(bundle: str, text: str, number: int) -> list[object]:
    """Lines, lines per CPU second, lines per second, peak memory in MiB."""
    with tempfile.TemporaryDirectory() as name:
        source, output = Path(name) / "source", Path(name) / "output"
        write_lines(source, islice(read_lines(text), number))
        program = [str(Path(sys.executable).with_name("rarewords")), "translate", bundle]
        command = [sys.executable, str(USAGE), str(LIMIT), *program, "--input", str(source), "--output", str(output)]
        used = json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)
        if used["code"]:
            raise SystemExit(f"rarewords translate ended with {used['code']}")
        lines = sum(1 for _ in read_lines(output))
        return [f"{lines:,}", lines / used["cpu"], lines / used["wall"], used["mebibytes"]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bundle")
    parser.add_argument("text")
    parser.add_argument("--lines", type=int, nargs="+", default=[1_000, 10_000])
    arguments = parser.parse_args()
    print(machine(1) + "\n")
    rows = [measure(arguments.bundle, arguments.text, number) for number in arguments.lines]
    print(table(["lines", "lines/CPU s", "lines/s", "peak MiB"], rows))


if __name__ == "__main__":
    main()
