"""Whether systems that read raw text give back every line, character for character: random lines of all of Unicode.

    python bench/raw_round_trip.py --lines 100000

A segmentation is learned on the first 500 lines and undone on all of them.
"""

from __future__ import annotations

import argparse
import random
from typing import Any

from rarewords.api import fit_segmenters
from rarewords.text.chain import Chain, Preprocessing

METHODS: dict[str, dict[str, Any]] = {
    "words": {},
    "char-ngrams": {"n": 2, "shortlist": 100},
    "bpe": {"merges": 500},
    "bpe-bytes": {"merges": 500},
    "source-bytes": {"merges": 100, "spaces": True},
    "bpe-rules": {"vocabulary": 5000},
    "sentencepiece": {"vocabulary": 9000, "model": "unigram"},
    "wordpiece": {"vocabulary": 9000},
}
FORBIDDEN = {"\n", "\r"}  # ends of lines


def random_line(rng: random.Random) -> str:
    """Up to 40 characters of one of three kinds: any code point, letters of the first planes, or ASCII with spaces."""
    length = rng.randint(0, 40)
    kinds = (range(1, 0x110000), range(0x20, 0x3000), range(0x20, 0x7F))
    points = rng.choice(kinds)
    text = "".join(chr(rng.choice(points)) if rng.random() > 0.2 else " " for _ in range(length))
    return "".join(c for c in text if c not in FORBIDDEN and not 0xD800 <= ord(c) < 0xE000)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    lines = [random_line(rng) for _ in range(arguments.lines)]
    raw = Preprocessing("en", normalise=False, tokenise=False, truecase=False)
    sample = [raw.tokens(line) for line in lines[:500]]
    print("| segmentation | lines | given back |\n| --- | --- | --- |", flush=True)
    for method, settings in METHODS.items():
        chain = Chain(raw, segmenter=fit_segmenters(method, {"en": sample, "de": sample[:100]}, **settings)["en"])
        same = sum(chain.text(chain.restore(chain.units(chain.words(line)))) == line for line in lines)
        print(f"| `{method}` | {len(lines):,} | {same:,} |", flush=True)


if __name__ == "__main__":
    main()
