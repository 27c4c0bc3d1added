"""How fast byte pair encoding is, beside the tools that are installed, and whether the results are the same.

    python bench/bpe.py [--big] [--peers /path/to/a/python] [--limit 3600]

Every figure is that of a whole process, start-up included; CPU seconds are the steadier ones. The text is the embedded
German one, dictionaries are those of bench/bpe_dictionary.py. --big adds the one of 1.75 million types, for which
only rarewords is run, because subword-nmt needs hours. `same` compares with subword-nmt: merges in order, or lines.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from bpe_dictionary import TEXTS, write_dictionary
from bpe_peers import NOT_INSTALLED, TOOLS
from measure import machine, table

from rarewords.corpus.importing import count_words, write_counts
from rarewords.text.files import read_lines, write_lines
from rarewords.text.moses import tokenise

PEERS = Path(__file__).with_name("bpe_peers.py")
USAGE = Path(__file__).with_name("usage.py")
OURS = [sys.executable, "-c", "from rarewords.cli import main; main()", "bpe"]
TOOL = "rarewords"
REFERENCE = "subword-nmt"
COMPARABLE = (TOOL, "subword-nmt, gc off")  # the others break ties in another way


@dataclass(frozen=True)
class Work:
    """A task of the benchmark: what is read, and the number of merges or the codes."""

    name: str
    task: str
    source: Path
    parameter: str
    tokens: int = 0  # for a rate

    def command(self, tool: str, peers: str, target: Path) -> list[str]:
        if tool != TOOL:
            return [peers, str(PEERS), tool, self.task, str(self.source), self.parameter, str(target)]
        if self.task == "learn":
            return [*OURS, "learn", "--dict-input", "-i", str(self.source), "-s", self.parameter, "-o", str(target)]
        return [*OURS, "apply", "-i", str(self.source), "-c", self.parameter, "-o", str(target)]


@dataclass(frozen=True)
class Run:
    """What a process has used."""

    code: int
    wall: float
    cpu: float
    mebibytes: float


def run(command: list[str], limit: float) -> Run:
    """Run a command; it is stopped after `limit` seconds."""
    measured = [sys.executable, "-I", "-S", str(USAGE), str(limit), *command]
    return Run(**json.loads(subprocess.run(measured, capture_output=True, check=True).stdout))


def compare(work: Work, tools: list[str], arguments: argparse.Namespace, folder: Path) -> list[list[str]]:
    """The rows of one task: one for each tool that is installed."""
    rows = []
    reference, target = folder / "reference", folder / "target"
    reference.unlink(missing_ok=True)
    for tool in tools:
        result = run(work.command(tool, arguments.peers, target), arguments.limit)
        if result.code == NOT_INSTALLED:
            continue
        if result.code > 0:
            raise SystemExit(f"{tool} ended with code {result.code} on: {work.name}")
        rows.append(row(work, tool, result, target, reference))
        print(*rows[-1], sep=" | ", flush=True)
        if tool == REFERENCE and result.code == 0:
            target.replace(reference)
    return rows


def row(work: Work, tool: str, result: Run, target: Path, reference: Path) -> list[str]:
    """The cells of one tool; a tool that was stopped has no rate and no result."""
    if result.code < 0:
        return [work.name, tool, f"> {result.wall:.0f}", f"> {result.cpu:.0f}", f"{result.mebibytes:,.0f}", "-", "-"]
    rate = f"{work.tokens / result.cpu:,.0f}" if work.tokens else "-"
    same = "-"
    if reference.exists() and tool in COMPARABLE:
        same = "yes" if target.read_bytes() == reference.read_bytes() else "NO"
    return [work.name, tool, f"{result.wall:.2f}", f"{result.cpu:.2f}", f"{result.mebibytes:,.0f}", rate, same]


def prepare(folder: Path, big: bool) -> list[Work]:
    """Write the inputs and the codes that are applied."""
    lines = [tokenise(line, "de") for path in TEXTS for line in read_lines(path)]
    counts = count_words(lines)
    tokens = sum(counts.values())
    write_lines(folder / "text", lines)
    write_counts(folder / "small", counts)
    run([*OURS, "learn", "--dict-input", "-i", str(folder / "small"), "-s", "10000", "-o", str(folder / "codes")], 600)
    write_dictionary(folder / "medium", 87_500)
    works = [
        Work(f"learn 10,000 merges, {len(counts):,} types", "learn", folder / "small", "10000"),
        Work("learn 59,500 merges, 87,500 types", "learn", folder / "medium", "59500"),
        Work(f"apply 10,000 merges, {tokens:,} tokens", "apply", folder / "text", str(folder / "codes"), tokens),
    ]
    if big:
        write_dictionary(folder / "big", 1_750_000)
        works.append(Work("learn 59,500 merges, 1,750,000 types", "learn", folder / "big", "59500"))
    return works


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--big", action="store_true", help="also learn from 1.75 million types")
    parser.add_argument("--peers", default=sys.executable, help="a Python that has the other tools")
    parser.add_argument("--limit", type=float, default=3600, help="seconds after which a tool is stopped")
    arguments = parser.parse_args()
    print(machine(1))
    rows = []
    with tempfile.TemporaryDirectory() as name:
        for work in prepare(Path(name), arguments.big):
            tools = [TOOL] if work.source.name == "big" else [*TOOLS, TOOL]
            rows += compare(work, tools, arguments, Path(name))
    print()
    print(table(["work", "tool", "wall s", "CPU s", "MiB", "tokens / CPU s", "same"], rows))


if __name__ == "__main__":
    main()
