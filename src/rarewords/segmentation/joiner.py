"""The joiner `@@`: every unit of a word but the last ends in it, as in the released tool.

    lowest -> low@@ est        undone by deleting `@@ `

One kind of word needs care: one that itself ends in `@@`, because its last unit would look as if the word went on. Such
a unit gives up its last character as a unit of its own (`foo@@` -> `foo@@@ @`), so the last unit of a word never ends
in `@@`. Nothing is escaped: deleting the last two characters of the units that end in `@@` restores every text, and a
text in which no word ends in `@@` is cut exactly as by the released tool.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

JOINER = "@@"


def mark(parts: Sequence[str], joiner: str = JOINER) -> str:
    """Turn the parts of one word into units, separated by spaces: `["low", "est"]` -> `low@@ est`.

    Another joiner must have two characters or more, or no word may end in it.
    """
    last = parts[-1]
    if last.endswith(joiner):
        parts = [*parts[:-1], last[:-1], last[-1]]
    return f"{joiner} ".join(parts)


def join(units: Iterable[str]) -> list[str]:
    """Join units to words. A network may end a sentence in the middle of a word: the last joiner is then removed."""
    words = []
    start = ""
    for unit in units:
        if unit.endswith(JOINER):
            start += unit[: -len(JOINER)]
        else:
            words.append(start + unit)
            start = ""
    return [*words, start] if start else words
