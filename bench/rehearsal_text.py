"""Text for config/ablations/rehearsal.yaml: small, but with as many different words as the paper's vocabularies hold.

    python bench/rehearsal_text.py [--folder data/rehearsal/given]

Training text: 3,000 pairs of the embedded LibreOffice help, and 50,000 pairs of words that are made up from syllables,
7 on the English side and 11 on the other, nearly all different: more than 300,000 and 500,000 types. Development and
test set: 8 pairs each.
"""

from __future__ import annotations

import argparse
import random
from itertools import islice
from pathlib import Path

from rarewords.corpus.importing import parallel_writer
from rarewords.text.files import read_lines

CORPUS = Path(__file__).parents[1] / "data" / "demo" / "libreoffice-help"
# Syllables: a consonant, a vowel, and an ending or none.
SYLLABLES = {
    "en": ("bcdfghjklmnprstvw", "aeiou", ("", "n", "s", "r")),
    "de": ("bcdfghjklmnprstvwz", "aeiouäöü", ("", "n", "s", "r")),
    "ru": ("бвгджзклмнпрстфхцчшщ", "аеёиоуыэюя", ("", "н", "с", "р")),
}
REAL = {"train": 3_000, "dev": 8, "test": 8}
MADE_UP = 50_000  # pairs, short ones: what aligns with what would fill the memory otherwise
WORDS = (7, 11)  # words of such a pair: source, target


def made_up(language: str, chance: random.Random) -> str:
    """A word of two to four syllables."""
    parts = SYLLABLES[language]
    return "".join(chance.choice(part) for _ in range(chance.randint(2, 4)) for part in parts)


def write_pair(folder: Path, pair: str, seed: int = 1) -> None:
    """Write {split}.{language} of a pair below the folder."""
    chance = random.Random(seed)
    languages = pair.split("-")
    for split, number in REAL.items():
        sides = [read_lines(CORPUS / pair / f"{split}.{language}.gz") for language in languages]
        with parallel_writer(*(folder / pair / f"{split}.{language}" for language in languages)) as outputs:
            for lines in islice(zip(*sides, strict=True), number):
                for line, out in zip(lines, outputs, strict=True):
                    out.write(line + "\n")
            for _ in range(MADE_UP if split == "train" else 0):
                for language, words, out in zip(languages, WORDS, outputs, strict=True):
                    out.write(" ".join(made_up(language, chance) for _ in range(words)) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("data/rehearsal/given"))
    folder = parser.parse_args().folder
    for pair in ("en-de", "en-ru"):
        (folder / pair).mkdir(parents=True, exist_ok=True)
        write_pair(folder, pair)
    print(f"{folder}: en-de and en-ru, each {REAL['train'] + MADE_UP:,} pairs of training text")


if __name__ == "__main__":
    main()
