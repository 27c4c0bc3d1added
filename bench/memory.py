"""Peak memory of the steps at more and more lines of the same words: what grows here grows with the lines.

    python bench/memory.py [--lines 10000 100000 1000000] [--only score bpe-learn ...]

The text repeats 5,000 sentences of the embedded corpus with the digits of a number behind each, so that every line is
different and the words stay the same. Each step is a command in a process of its own. A long text through `translate`
is in bench/translate.py.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from measure import machine, table

from rarewords.text.files import read_lines, write_lines

ROOT = Path(__file__).parents[1]
COMMAND = "from rarewords.cli import main; main()"
USAGE = Path(__file__).with_name("usage.py")
LIMIT = 3 * 3600  # seconds for one step
MOST_LINES = {"score, two systems": 100_000, "significance": 100_000}  # a million take an hour
# By name: the arguments of `rarewords`.
STEPS = {
    "import": "corpus import --source-part en --target-part de --source i.en --target i.de",
    "tokenise": "corpus tokenise --language de --normalise --input de --output tok.de",
    "clean": "corpus clean --source en --target tok.de --clean-source c.en --clean-target c.de",
    "train-truecaser": "corpus train-truecaser --input tok.de --model model",
    "truecase": "corpus truecase --model model --input tok.de --output tc.de",
    "detruecase": "corpus detruecase --input tc.de --output dtc.de",
    "detokenise": "corpus detokenise --language de --input tc.de --output text.de",
    "count": "corpus count --input tc.de --output counts",
    "count, two workers": "corpus count --input tc.de --output counts --num-workers 2",
    "bpe learn": "bpe learn -i tc.de -o codes -s 2000",
    "bpe apply": "bpe apply -c codes -i tc.de -o bpe.de",
    "bpe apply, two workers": "bpe apply -c codes -i tc.de -o bpe.de --num-workers 2",
    "bpe vocab": "bpe vocab -i bpe.de -o vocab",
    "segment fit": "segment fit --method bpe --settings {\"merges\":2000} --source-language de --source-counts counts"
    " --source-segmenter seg.json",
    "segment apply": "segment apply --segmenter seg.json --input tc.de --output seg.de",
    "segment restore": "segment restore --segmenter seg.json --input seg.de --output restored.de",
    "vocabulary": "vocabulary build --segmenter seg.json --counts counts --size 3000 --output network.vocab",
    "encode": "encode --source seg.de --target seg.de --source-vocabulary network.vocab"
    " --target-vocabulary network.vocab --output pairs",
    "score": "score --reference de --hypothesis text.de --json score.json",
    "score, two systems": "score --reference de --hypothesis a=text.de --hypothesis b=de",
    "significance": "significance --reference de --baseline a=text.de --system b=de --samples 100 --json s.json",
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--only", nargs="+", choices=STEPS, help="Only these rows; the steps before them run, too.")
    given = parser.parse_args()
    measured: dict[str, list[str]] = {name: [] for name in given.only or STEPS}
    seconds: dict[str, float] = {}
    for lines in given.lines:
        with tempfile.TemporaryDirectory() as folder:
            make_text(Path(folder), lines)
            for name, command in STEPS.items():
                if lines > MOST_LINES.get(name, lines):
                    peak, used = "", 0.0
                else:
                    mebibytes, used = usage(command.split(" "), Path(folder))
                    peak = f"{mebibytes:,}"
                if name in measured:
                    measured[name].append(peak)
                    seconds[name] = used or seconds.get(name, 0.0)
    print(machine(1))
    headings = ["peak MiB", *(f"{lines:,} lines" for lines in given.lines), "CPU s of the last"]
    print(table(headings, [(name, *peaks, f"{seconds[name]:.1f}") for name, peaks in measured.items()]))


def make_text(folder: Path, lines: int) -> None:
    """Write en and de of so many different lines."""
    for language in ("en", "de"):
        corpus = list(read_lines(ROOT / "data/demo/libreoffice-help/en-de" / f"train.{language}.gz"))[:5000]
        write_lines(folder / language, numbered(corpus, lines))


def numbered(corpus: list[str], lines: int) -> Iterator[str]:
    for number in range(lines):
        yield f"{corpus[number % len(corpus)]} {' '.join(str(number))}."


def usage(arguments: list[str], folder: Path) -> tuple[int, float]:
    """Peak MiB of a command or one of its processes, and CPU seconds of all of them."""
    program = [sys.executable, str(USAGE), str(LIMIT), sys.executable, "-c", COMMAND, *arguments]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(program, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    used = json.loads(done.stdout)
    if used["code"] != 0:
        raise SystemExit(f"rarewords {' '.join(arguments)} failed.")
    return round(used["mebibytes"]), used["cpu"]


if __name__ == "__main__":
    main()
