"""The symbols of a word in byte pair encoding, and the merge of a pair.

A symbol is a string. The end of a word is marked with `</w>`, which depends on the version of the rule:

    0.1 (Algorithm 1 of the paper)    l o w </w>     the marker is a symbol of its own
    0.2 (released in 2017)            l o w</w>      the marker is glued to the last character
"""

from __future__ import annotations

from collections.abc import Sequence

Merge = tuple[str, str]

END_OF_WORD = "</w>"
VERSIONS = ("0.1", "0.2")


def word_symbols(word: str, version: str) -> list[str]:
    """The code points of a word that is not empty, with the end marker of the version."""
    if version == "0.1":
        return [*word, END_OF_WORD]
    return [*word[:-1], word[-1] + END_OF_WORD]


def merge_pair(symbols: Sequence[str], pair: Merge) -> list[str]:
    """Merge the occurrences of a pair from left to right: `a a a` becomes `aa a`."""
    left, right = pair
    merged = []
    position = 0
    last = len(symbols) - 1
    while position <= last:
        symbol = symbols[position]
        if symbol == left and position < last and symbols[position + 1] == right:
            merged.append(left + right)
            position += 2
        else:
            merged.append(symbol)
            position += 1
    return merged
