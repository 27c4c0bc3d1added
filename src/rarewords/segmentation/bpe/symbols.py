"""The symbols of a word in byte pair encoding.

A symbol is a string. The end of a word is marked with `</w>`, which depends on the version of the rule:

    0.1 (Algorithm 1 of the paper)    l o w </w>     the marker is a symbol of its own
    0.2 (released in 2017)            l o w</w>      the marker is glued to the last character
"""

from __future__ import annotations

Merge = tuple[str, str]

END_OF_WORD = "</w>"
VERSIONS = ("0.1", "0.2")
TIE_BREAKS = ("larger", "first")


def word_symbols(word: str, version: str) -> list[str]:
    """The code points of a word that is not empty, with the end marker of the version."""
    if version == "0.1":
        return [*word, END_OF_WORD]
    return [*word[:-1], word[-1] + END_OF_WORD]
