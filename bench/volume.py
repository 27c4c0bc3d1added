"""What every step of preprocessing needs on a long text: lines per CPU second, peak memory, and two jobs at once.

    python bench/volume.py [--lines 1000000 4000000] [--merges 59500]

The text is made from the embedded corpora: their sentences in random order, and in each some words replaced by words
put together from two others, so that new words keep coming as they do in real text. Each step is the command that the
workflow runs, on the German side (cleaning: both). The last column is the wall time of two such jobs side by side by
that of one: 1.0 if the machine has a core for each and they do not disturb each other; it is measured on the first
text only. The second table says how long
one core would need for the paper's training texts.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measure import machine, table

from rarewords.corpus.importing import parallel_writer
from rarewords.text.files import read_lines

ROOT = Path(__file__).parents[1]
USAGE = Path(__file__).with_name("usage.py")
LIMIT = 3 * 3600  # seconds for one step
COMPOUNDS = 0.03  # share of the words that are replaced by new ones
# Sentence pairs of the paper's training texts (paper, section 4), and words of a side of a pair, of which there are 100
# million on the German side (paper, table 1).
PAPER = {"en-de": 4_200_000, "en-ru": 2_600_000}
PAPER_WORDS = 24


def make_text(folder: Path, lines: int, seed: int = 1) -> float:
    """Write raw.en and raw.de of so many lines; returns the words of a German line, punctuation not cut off."""
    corpora = [ROOT / "data" / "demo" / name / "en-de" for name in ("libreoffice-help", "gnome-help")]
    sides = [
        [line for corpus in corpora for line in read_lines(corpus / f"train.{language}.gz")]
        for language in ("en", "de")
    ]
    chance = random.Random(seed)
    words = [[word for line in side for word in line.split(" ") if word.isalpha()] for side in sides]
    total = 0
    with parallel_writer(folder / "raw.en", folder / "raw.de") as outputs:
        for _ in range(lines):
            number = chance.randrange(len(sides[0]))
            total += sides[1][number].count(" ") + 1
            for side, known, out in zip(sides, words, outputs, strict=True):
                sentence = [
                    chance.choice(known) + chance.choice(known).lower() if chance.random() < COMPOUNDS else word
                    for word in side[number].split(" ")
                ]
                out.write(" ".join(sentence) + "\n")
    return total / lines


def steps(folder: Path, merges: int) -> list[tuple[str, list[str]]]:
    """The commands of the workflow, in order."""

    def path(name: str) -> str:
        return str(folder / name)

    settings = json.dumps({"merges": merges})
    fit = ["segment", "fit", "--method", "bpe-joint", "--settings", settings]
    fit += ["--source-language", "en", "--target-language", "de"]
    fit += ["--source-counts", path("counts.en"), "--target-counts", path("counts.de")]
    fit += ["--source-segmenter", path("bpe.en"), "--target-segmenter", path("bpe.de")]
    clean = ["corpus", "clean", "--source", path("tok.en"), "--target", path("tok.de")]
    clean += ["--clean-source", path("clean.en"), "--clean-target", path("clean.de")]
    imported = ["corpus", "import", "--source-part", path("raw.en"), "--target-part", path("raw.de")]
    imported += ["--source", path("imported.en"), "--target", path("imported.de")]

    def convert(command: list[str], before: str, after: str, language: str = "de") -> list[str]:
        return [*command, "--input", path(f"{before}.{language}"), "--output", path(f"{after}.{language}")]

    def truecaser(language: str) -> list[str]:
        return ["corpus", "train-truecaser", "--input", path(f"clean.{language}"), "--model", path(f"model.{language}")]

    def truecase(language: str) -> list[str]:
        return convert(["corpus", "truecase", "--model", path(f"model.{language}")], "clean", "tc", language)

    def tokenise(language: str) -> list[str]:
        return convert(["corpus", "tokenise", "--normalise", "--language", language], "imported", "tok", language)

    return [
        ("import", imported),
        ("", tokenise("en")),
        ("tokenise", tokenise("de")),
        ("clean", clean),
        ("", truecaser("en")),
        ("train truecaser", truecaser("de")),
        ("", truecase("en")),
        ("truecase", truecase("de")),
        ("", convert(["corpus", "count"], "tc", "counts", "en")),
        ("count words", convert(["corpus", "count"], "tc", "counts")),
        ("learn joint BPE", fit),
        ("segment", convert(["segment", "apply", "--segmenter", path("bpe.de")], "tc", "seg")),
    ]


def start(command: list[str]) -> subprocess.Popen[str]:
    program = [str(Path(sys.executable).with_name("rarewords")), *command]
    return subprocess.Popen([sys.executable, str(USAGE), str(LIMIT), *program], stdout=subprocess.PIPE, text=True)


def used(process: subprocess.Popen[str]) -> dict[str, float]:
    output, _ = process.communicate()
    found: dict[str, float] = json.loads(output)
    if found["code"]:
        raise SystemExit(f"a step ended with {found['code']}: {process.args!r}")
    return found


def two_at_once(command: list[str], alone: float) -> str:
    """Wall time of two jobs side by side by that of one; the second one writes beside the outputs of the first."""
    second = list(command)
    for option in {"--output", "--model"} & set(command):
        second[command.index(option) + 1] += ".second"
    began = time.perf_counter()
    for process in [start(command), start(second)]:
        used(process)
    return f"{(time.perf_counter() - began) / alone:.2f}"


def measure(lines: int, merges: int, in_pairs: bool) -> tuple[list[list[object]], float]:
    """The rows of a text and its words a line; `in_pairs`: with two jobs at once, too, which takes as long again."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        words = make_text(folder, lines)
        rows: list[list[object]] = []
        for label, command in steps(folder, merges):
            found = used(start(command))
            if label:
                pairs = in_pairs and bool({"--output", "--model"} & set(command))
                both = two_at_once(command, found["wall"]) if pairs else ""
                rows.append([lines, label, lines / found["cpu"], found["mebibytes"], both])
                print(*rows[-1], file=sys.stderr, flush=True)
        return rows, words


def hours(rows: list[list[object]], lines: int, words: float) -> list[list[object]]:
    """CPU hours of the paper's texts by the speeds measured at `lines` of so many words.

    Two sides where a step is for one side, and in proportion to the words.
    """
    speeds = {str(label): float(str(speed)) for size, label, speed, *_ in rows if size == lines}
    single = ("tokenise", "train truecaser", "truecase", "count words", "segment")
    return [
        [
            pair,
            f"{pairs:,}",
            sum((1 + (label in single)) * pairs / speed for label, speed in speeds.items())
            / 3600
            * PAPER_WORDS
            / words,
        ]
        for pair, pairs in PAPER.items()
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, nargs="+", default=[1_000_000, 4_000_000])
    parser.add_argument("--merges", type=int, default=59_500)
    arguments = parser.parse_args()
    print(machine(1) + "\n")
    rows: list[list[object]] = []
    for lines in arguments.lines:
        measured, words = measure(lines, arguments.merges, in_pairs=not rows)
        rows += measured
    print(table(["lines", "step", "lines/CPU s", "peak MiB", "two jobs/one"], rows))
    print()
    print(table(["paper's text", "pairs", "CPU hours, one segmentation"], hours(rows, lines, words)))


if __name__ == "__main__":
    main()
