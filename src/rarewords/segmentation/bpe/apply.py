"""Applying byte pair encoding to words (paper section 3.2).

A word starts as characters; the pair of lowest rank is merged, from left to right, until no pair has a rank. A word of
one character stays as it is. The result depends only on the merges and the word.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from itertools import pairwise

from rarewords.segmentation.bpe.symbols import END_OF_WORD, Merge, merge_pair, word_symbols
from rarewords.segmentation.joiner import JOINER


class Bpe:
    """Merges to apply. With `allowed`, units outside that set are taken apart again.

    `allowed` holds units as they stand in a segmented text, those inside a word with `@@`. A unit that is not in it is
    undone into the two parts of the earliest merge that makes its string, and these again, until they are allowed or
    single characters; a single character is kept, known or not. An empty set takes everything apart.
    """

    def __init__(self, merges: Iterable[Merge], version: str, allowed: Collection[str] | None = None) -> None:
        self._version = version
        self._allowed = allowed
        self._rank: dict[Merge, int] = {}
        self._parts: dict[str, Merge] = {}
        for rank, pair in enumerate(merges):
            self._rank.setdefault(pair, rank)
            self._parts.setdefault(pair[0] + pair[1], pair)

    def cut(self, word: str) -> list[str]:
        """The parts of a word, without joiners; together they are the word."""
        if len(word) <= 1:
            return [word]
        symbols = self._merge_all(word_symbols(word, self._version))
        # The end marker is always the end of the last symbol, whatever else the word contains.
        last = symbols.pop().removesuffix(END_OF_WORD)
        if last:
            symbols.append(last)
        return symbols if self._allowed is None else self._take_apart(symbols, self._allowed)

    def _merge_all(self, symbols: list[str]) -> list[str]:
        unknown = len(self._rank)
        while len(symbols) > 1:
            pair = min(pairwise(symbols), key=lambda pair: self._rank.get(pair, unknown))
            if pair not in self._rank:
                break
            symbols = merge_pair(symbols, pair)
        return symbols

    def _take_apart(self, parts: list[str], allowed: Collection[str]) -> list[str]:
        inner = [part for unit in parts[:-1] for part in self._undo(unit, False, allowed)]
        return inner + self._undo(parts[-1], True, allowed)

    def _undo(self, part: str, final: bool, allowed: Collection[str]) -> list[str]:
        if (part if final else part + JOINER) in allowed:
            return [part]
        halves = self._final_halves(part) if final else self._parts.get(part)
        if halves is None:
            return [part]
        return self._undo(halves[0], False, allowed) + self._undo(halves[1], final, allowed)

    def _final_halves(self, part: str) -> Merge | None:
        """The halves of the last part of a word, without the end marker."""
        left, right = self._parts.get(part + END_OF_WORD, ("", ""))
        if right.endswith(END_OF_WORD) and right != END_OF_WORD:
            return left, right.removesuffix(END_OF_WORD)
        # Version 0.1: a merge with the bare marker leaves the same string, which was made inside the word.
        return self._parts.get(part) if self._version == "0.1" else None


def segment_line(line: str, segment_word: Callable[[str], list[str]]) -> str:
    """Segment a line of text as the released tool does.

    Spaces, CR and LF at both ends are kept as they are, repeated spaces inside become one, a line of white space only
    is passed through. Tabs, no-break spaces and the like belong to the words.
    """
    text = line.strip("\r\n ")
    if not text:
        return line
    start = line.index(text)
    units = [unit for word in text.split(" ") if word for unit in segment_word(word)]
    return line[:start] + " ".join(units) + line[start + len(text) :]
