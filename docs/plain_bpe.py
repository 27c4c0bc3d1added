"""Byte pair encoding as plainly as it goes (paper, section 3.2, Algorithm 1): slow, and meant to be read.

    python docs/plain_bpe.py 10 < TEXT

prints the first ten merges of a text. The tests compare rarewords' fast learner with it.
"""

from __future__ import annotations

import sys
from collections import Counter
from itertools import pairwise


def learn(
    words: dict[str, int], merges: int, minimum: int = 2, version: str = "0.2", tie_break: str = "larger"
) -> list[tuple[str, str]]:
    """Up to `merges` pairs of symbols, in the order in which they are merged; `words` holds the count of every word."""
    segmented = {word: start(word, version) for word in words if word}
    learned: list[tuple[str, str]] = []
    while len(learned) < merges:
        counts: Counter[tuple[str, str]] = Counter()
        for word, symbols in segmented.items():
            for pair in pairwise(symbols):
                counts[pair] += words[word]
        largest = max(counts.values(), default=0)
        if largest == 0 or largest < minimum:
            break
        ties = [pair for pair, count in counts.items() if count == largest]
        best = max(ties) if tie_break == "larger" else ties[0]  # the larger in code-point order, or the first seen
        learned.append(best)
        segmented = {word: merge(symbols, best) for word, symbols in segmented.items()}
    return learned


def start(word: str, version: str) -> list[str]:
    """The characters of a word and its end mark: a symbol in version 0.1, part of the last character in 0.2."""
    return [*word, "</w>"] if version == "0.1" else [*word[:-1], word[-1] + "</w>"]


def merge(symbols: list[str], pair: tuple[str, str]) -> list[str]:
    """The symbols with every occurrence of the pair, from left to right, made into one."""
    merged, position = [], 0
    while position < len(symbols):
        length = 2 if tuple(symbols[position : position + 2]) == pair else 1
        merged.append("".join(symbols[position : position + length]))
        position += length
    return merged


if __name__ == "__main__":
    for left, right in learn(Counter(sys.stdin.read().split()), int(sys.argv[1])):
        print(left, right)
