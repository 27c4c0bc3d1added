"""The symbols of byte pair encoding by number, for learning."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np


class SymbolTable:
    """Strings and their numbers; the code points of symbol s for compiled code, `points[offsets[s]:offsets[s + 1]]`."""

    def __init__(self, strings: Iterable[str]) -> None:
        self.strings: list[str] = []
        self._numbers: dict[str, int] = {}
        self.points = np.zeros(1, np.uint32)
        self.offsets = np.zeros(2, np.int64)
        for string in strings:
            self.number(string)

    def __len__(self) -> int:
        return len(self.strings)

    def number(self, string: str) -> int:
        """The number of a symbol; a new string gets the next one."""
        number = self._numbers.setdefault(string, len(self.strings))
        if number == len(self.strings):
            self.strings.append(string)
            self._add_points(number, string)
        return number

    def _add_points(self, number: int, string: str) -> None:
        start = int(self.offsets[number])
        end = start + len(string)
        self.points = _with_room(self.points, end)
        self.points[start:end] = [ord(character) for character in string]
        self.offsets = _with_room(self.offsets, number + 2)
        self.offsets[number + 1] = end


def _with_room(array: np.ndarray, size: int) -> np.ndarray:
    """The array itself, or a copy of at least twice its size if it is smaller than `size`."""
    if size <= array.size:
        return array
    larger = np.zeros(2 * size, array.dtype)
    larger[: array.size] = array
    return larger
