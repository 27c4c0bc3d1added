"""A large dictionary of German-like words, the same each time, for benchmarks of byte pair encoding.

    python bench/bpe_dictionary.py --types 1750000 --output dictionary

The words of the embedded German text come first, the most frequent ones in front; then words made of them: inflected
forms, compounds of two or three with linking elements, double names with a hyphen, numbers. Counts follow the law of
Zipf and Mandelbrot, with 45% of the words occurring once, and add up to 57 times the number of words, as in the paper's
German training text (1.75 million types, 100 million tokens). One line a word, `word count`.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np

from rarewords.text.files import read_lines, write_lines

DEMO = Path(__file__).parents[1] / "data" / "demo"
TEXTS = [DEMO / corpus / "en-de" / "train.de.gz" for corpus in ("libreoffice-help", "gnome-help")]

ENDINGS = ["", "", "e", "en", "er", "es", "n", "s", "ern", "ung", "ungen", "lich", "liche", "lichen", "isch", "bar"]
LINKS = ["", "", "s", "n", "en", "es", "er"]
TOKENS_A_TYPE = 57
ONCE = 0.45
SHIFT = 2.7


def words(types: int) -> list[str]:
    """So many different words."""
    counts = Counter(word for path in TEXTS for line in read_lines(path) for word in re.findall(r"\w+|[^\w\s]", line))
    found = dict.fromkeys(word for word, _ in counts.most_common())
    for word in _made_words([word for word in found if word.isalpha() and 3 <= len(word) <= 8]):
        if len(found) >= types:
            break
        found[word] = None
    return list(found)[:types]


def _made_words(stems: list[str]) -> Iterator[str]:
    random = Random(20160811)
    nouns = [stem for stem in stems if stem.istitle()]

    def common(choice: list[str]) -> str:
        return choice[int(len(choice) * random.random() ** 2)]  # the front of the list more often

    while True:
        kind = random.random()
        if kind < 0.03:
            yield str(random.randrange(10 ** random.randint(2, 7)))
        elif kind < 0.08:
            yield f"{common(nouns)}-{common(nouns)}"
        elif kind < 0.3:
            yield common(stems) + random.choice(ENDINGS)
        else:
            parts = [common(nouns)]
            for _ in range(1 if kind < 0.97 else 2):
                parts += [random.choice(LINKS), common(nouns).lower()]
            yield "".join(parts) + random.choice(ENDINGS)


def frequencies(types: int) -> np.ndarray:
    """Falling counts: C / (rank + 2.7)^a, at least 1, with a such that they have the right sum."""
    ranks = np.arange(1, types + 1) + SHIFT
    low, high = 0.5, 3.0
    for _ in range(40):
        exponent = (low + high) / 2
        # The first word of those that occur once has 1.5 before rounding.
        counts = np.maximum(1, np.rint(1.5 * (((1 - ONCE) * types + SHIFT) / ranks) ** exponent))
        low, high = (exponent, high) if counts.sum() < TOKENS_A_TYPE * types else (low, exponent)
    return counts.astype(np.int64)


def write_dictionary(path: Path, types: int) -> None:
    """Write the dictionary; words beyond the first thousand are shuffled, so that long ones are not all rare."""
    entries = words(types)
    rest = entries[1000:]
    Random(1).shuffle(rest)
    counts = frequencies(len(entries)).tolist()
    write_lines(path, (f"{word} {count}" for word, count in zip(entries[:1000] + rest, counts, strict=True)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--types", type=int, default=1_750_000)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    write_dictionary(arguments.output, arguments.types)
