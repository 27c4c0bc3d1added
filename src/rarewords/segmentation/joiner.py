"""The joiner `@@`: every unit of a word but the last ends in it, as in the released tool.

    lowest -> low@@ est        undone by deleting `@@ `

One kind of word needs care: one that itself ends in `@@`, because its last unit would look as if the word went on. Such
a unit gives up its last character as a unit of its own (`foo@@` -> `foo@@@ @`), so the last unit of a word never ends
in `@@`. Nothing is escaped: deleting the last two characters of the units that end in `@@` restores every text, and a
text in which no word ends in `@@` is cut exactly as by the released tool.

WordPiece marks the other end: every unit of a word but the first starts with `##`. A word that itself starts with `##`
gives up its first character in the same way (`##foo` -> `# ###foo`), and deleting ` ##` restores every text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

JOINER = "@@"
CONTINUATION = "##"


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


def mark_continuations(parts: Sequence[str]) -> str:
    """Turn the parts of one word into units of WordPiece, separated by spaces: `["low", "est"]` -> `low ##est`."""
    first = parts[0]
    if first.startswith(CONTINUATION):
        parts = [first[0], first[1:], *parts[1:]]
    return f" {CONTINUATION}".join(parts)


def join_continuations(units: Iterable[str]) -> list[str]:
    """Join units of WordPiece to words. A network may start a sentence inside a word: this `##` is removed, too."""
    words: list[str] = []
    for unit in units:
        if not unit.startswith(CONTINUATION):
            words.append(unit)
        elif words:
            words[-1] += unit.removeprefix(CONTINUATION)
        else:
            words.append(unit.removeprefix(CONTINUATION))
    return words


def goes_on(unit: str, following: str) -> bool:
    """Whether a word goes on after a unit, by either mark. For display only: a word may itself start with `##`."""
    return unit.endswith(JOINER) or following.startswith(CONTINUATION)
