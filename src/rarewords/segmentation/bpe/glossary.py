"""Parts of words that byte pair encoding leaves whole, as in the released tool."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from rarewords.errors import InputError


class Glossary:
    """Regular expressions (or plain strings); what matches one of them, even inside a word, is left whole.

    `USA`: 1934USABUSA -> 1934 USA B USA. Each expression cuts what the ones before it have left, in the order given.
    With `of_bytes` the words hold a character for each byte of their UTF-8, and so are the expressions read. Raises
    InputError for an invalid expression.
    """

    def __init__(self, expressions: Iterable[str], of_bytes: bool = False) -> None:
        self._patterns = [_compiled(expression, of_bytes) for expression in expressions]

    def cut(self, word: str, cut: Callable[[str], list[str]]) -> list[str]:
        """The parts of a word: its glossary terms, and what `cut` makes of the rest."""
        if not self._patterns:
            return cut(word)
        pieces = [word]
        for pattern in self._patterns:
            pieces = [new for piece in pieces for new in _isolated(piece, pattern)]
        return [part for piece in pieces for part in ([piece] if self._keeps(piece) else cut(piece))]

    def _keeps(self, piece: str) -> bool:
        return any(pattern.fullmatch(piece) for pattern in self._patterns)


def _compiled(expression: str, of_bytes: bool) -> re.Pattern[str]:
    try:
        if of_bytes:
            return re.compile(expression.encode().decode("latin-1"), re.ASCII)
        return re.compile(expression)
    except re.error as error:
        raise InputError(
            f"the glossary entry {expression!r} is not a regular expression ({error}); "
            "write a backslash before characters that are meant literally."
        ) from error


def _isolated(word: str, pattern: re.Pattern[str]) -> list[str]:
    """The matches and what lies between them; matches of nothing are ignored."""
    pieces = []
    end = 0
    for match in pattern.finditer(word):
        if match.group():
            pieces += [word[end : match.start()], match.group()]
            end = match.end()
    pieces.append(word[end:])
    return [piece for piece in pieces if piece]
