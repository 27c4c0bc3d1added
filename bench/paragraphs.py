"""BLEU of a bundle on a test set whose sentences stand alone, in twos and in fives on a line.

    python bench/paragraphs.py bundle test.en test.de

The score of paragraphs is compared with that of the same sentences translated alone and then put together.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from rarewords import Translator, bleu
from rarewords.text.files import read_lines
from rarewords.text.sentences import join_sentences


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bundle")
    parser.add_argument("source")
    parser.add_argument("reference")
    parser.add_argument("--members", type=int, nargs="*", default=[], help="Use only these.")
    parser.add_argument("--beam", type=int, help="Default: the bundle's.")
    given = parser.parse_args()
    translator = Translator.load(given.bundle, given.members, device="cpu")
    source, references = list(read_lines(given.source)), list(read_lines(given.reference))
    alone = translator.translate(source, beam=given.beam)
    whole = [found[0].text for found in translator.translations(source, beam=given.beam, longest=500)]
    print(f"sentences alone: BLEU {score(alone, references):.2f}, at most {translator.longest} units at once")
    print(f"                 BLEU {score(whole, references):.2f}, at most 500 units at once")
    languages = translator.settings.source_language, translator.settings.target_language
    for number in (2, 5):
        paragraphs = translator.translate(joined(source, number, languages[0]), beam=given.beam)
        expected = joined(references, number, languages[1])
        print(
            f"{number} sentences a line: BLEU {score(paragraphs, expected):.2f}; translated alone, then put together "
            f"{score(joined(alone, number, languages[1]), expected):.2f}"
        )


def joined(lines: list[str], number: int, language: str) -> list[str]:
    """The lines in paragraphs of `number`."""
    return [join_sentences(lines[start : start + number], language) for start in range(0, len(lines), number)]


def score(hypotheses: Sequence[str], references: Sequence[str]) -> float:
    """BLEU."""
    return float(bleu(hypotheses, references)["score"])


if __name__ == "__main__":
    main()
