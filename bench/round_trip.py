"""How many lines of a raw text come back from the chain: normalise, tokenise, truecase, segment, and all of it undone.

    python bench/round_trip.py de newstest2014.de newstest2013.de

Truecaser and segmentation (BPE, 3,000 merges) are learned from the text itself. Lines are compared after normalisation
of punctuation and white space; those that differ are counted by what differs in them.
"""

from __future__ import annotations

import argparse
import unicodedata
from collections import Counter

from rarewords.corpus.importing import count_words
from rarewords.segmentation.registry import create
from rarewords.text.chain import Chain, Preprocessing
from rarewords.text.files import read_lines
from rarewords.text.moses import detokenise, normalise_punctuation
from rarewords.text.truecasing import train_truecaser


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language")
    parser.add_argument("texts", nargs="+")
    parser.add_argument("--show", type=int, default=0, help="Print this many lines that differ.")
    given = parser.parse_args()
    raw = [line for path in given.texts for line in read_lines(path)]
    lines = [" ".join(normalise_punctuation(line, given.language).split()) for line in raw]
    steps = Preprocessing(given.language)
    tokens = list(map(steps.tokens, lines))
    truecaser = train_truecaser(tokens, given.language)
    (segmenter,) = create("bpe", {"merges": 3000}, [count_words(map(truecaser.apply, tokens))], [given.language])
    chain = Chain(steps, truecaser, segmenter)
    back = [chain.text(chain.restore(chain.units(chain.words(line)))) for line in lines]
    kinds = Counter(map(difference, lines, back))
    only_tokens = sum(detokenise(line, given.language) == wanted for line, wanted in zip(tokens, lines, strict=True))
    print(f"{len(lines):,} lines; tokenised and detokenised alike: {100 * only_tokens / len(lines):.2f} %")
    print(f"the whole chain: {', '.join(f'{kind} {number:,}' for kind, number in kinds.most_common())}")
    print(f"alike: {100 * kinds['alike'] / len(lines):.2f} %")
    for line, found in [pair for pair in zip(lines, back, strict=True) if pair[0] != pair[1]][: given.show]:
        print(f"- {line}\n+ {found}")


def difference(line: str, back: str) -> str:
    """What is the first difference between a line and what came back."""
    if line == back:
        return "alike"
    composed = unicodedata.normalize("NFC", line)
    if composed == back:
        return "no normal form C"
    if composed.lower() == back.lower():
        return f"capitals {capitals(composed, back)}"
    if composed.replace(" ", "").lower() == back.replace(" ", "").lower():
        return f"spaces {spaces(composed, back)}"
    return "other characters"


def capitals(line: str, back: str) -> str:
    """Where the first letter of the other case stands."""
    place = next(k for k, (one, other) in enumerate(zip(line, back, strict=False)) if one != other)
    before = line[:place].rstrip(" \"'([")
    if not before:
        return "at the beginning"
    return f"after {before[-1]}" if before[-1] in ".:?!" else "inside"


def spaces(line: str, back: str) -> str:
    """The sign beside the first space that is in one of both only."""
    place = next((k for k, (one, other) in enumerate(zip(line, back, strict=False)) if one != other), len(back) - 1)
    longer = line if line[place] == " " else back
    beside = [sign for sign in (longer[place + 1], longer[place - 1]) if not sign.isalnum()]
    return f"beside {beside[0]}" if beside else "between letters"


if __name__ == "__main__":
    main()
