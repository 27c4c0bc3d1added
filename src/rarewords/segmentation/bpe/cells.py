"""Words as one array of cells, for learning byte pair encoding.

Every symbol occupies as many cells as it has initial symbols. The first cell holds its number, every other one a
negative value; the second and the last of these the negative number of cells, which leads to both neighbours. After
each word, and before the first, stands a boundary: BOUNDARY + number of the word.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rarewords.compiled import compiled
from rarewords.errors import InputError
from rarewords.segmentation.bpe.symbols import END_OF_WORD

BOUNDARY = 1 << 30  # numbers of symbols are below, and so are places in the array

CODE_POINTS = 0x110000


def word_cells(words: Sequence[str], version: str) -> tuple[np.ndarray, list[str]]:
    """The cells of words that are not empty, and their symbols by number, see `symbols.word_symbols`.

    Raises InputError for more than a thousand million characters.
    """
    lengths = np.fromiter(map(len, words), np.int64, len(words))
    extra = 2 if version == "0.1" else 1  # cells of a word beside its characters
    size = int(lengths.sum()) + extra * len(words) + 1
    if size >= BOUNDARY:
        raise InputError(f"the dictionary has {size:,} characters; learn on a part of the text.")
    codes = np.frombuffer("".join(words).encode("utf-32-le", "surrogatepass"), np.uint32).copy()
    ends = np.cumsum(lengths)
    if version == "0.2":
        codes[ends - 1] += CODE_POINTS
    numbers, strings = _initial_symbols(codes)
    boundaries = ends + extra * np.arange(1, len(words) + 1)
    is_character = np.ones(size, bool)
    is_character[0] = False
    is_character[boundaries] = False
    is_character[boundaries - extra + 1] = False
    cells = np.full(size, BOUNDARY, np.int32)
    cells[is_character] = numbers[codes]
    if version == "0.1":
        cells[boundaries - 1] = len(strings)
        strings.append(END_OF_WORD)
    cells[boundaries] += np.arange(len(words), dtype=np.int32)
    return cells, strings


def _initial_symbols(codes: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """The number of every code, and the symbols; code points of final characters are raised by CODE_POINTS."""
    occurs = np.zeros(2 * CODE_POINTS, bool)
    occurs[codes] = True
    found = np.flatnonzero(occurs).tolist()
    strings = [chr(code % CODE_POINTS) + (END_OF_WORD if code >= CODE_POINTS else "") for code in found]
    return np.cumsum(occurs, dtype=np.int32) - 1, strings


@compiled
def next_symbol(cells: np.ndarray, at: int) -> int:
    """The first cell of what follows a symbol."""
    inner = cells[at + 1]
    return at - inner if inner < 0 else at + 1


@compiled
def previous_symbol(cells: np.ndarray, at: int) -> int:
    """The first cell of what precedes a symbol."""
    inner = cells[at - 1]
    return at + inner if inner < 0 else at - 1


@compiled
def word_end(cells: np.ndarray, at: int) -> int:
    """The boundary after the word in which a symbol stands; a boundary is its own end."""
    while cells[at] < BOUNDARY:
        at = next_symbol(cells, at)
    return at
