"""Lines that are too long to translate at once: cut at sentence ends and, if that is not enough, into windows."""

from __future__ import annotations

from collections.abc import Callable, Sequence

SENTENCE_END = frozenset([".", "?", "!", "...", "…", "。", "？", "！", "।"])
CLAUSE_END = frozenset([",", ";", ":", "،", "؛", "、", "，", "；", "：", "—", "–", "-", "·", "፣", "፤"])
CLOSING = frozenset([")", "]", "'", '"', "&apos;", "&quot;", "&#93;", "”", "’", "»"])  # they belong to what they close


def pieces(words: Sequence[str], units_of: Callable[[Sequence[str]], list[str]], longest: int) -> list[list[str]]:
    """The units of a line, in as many lists as it takes that none has more than `longest` units.

    A line that is short enough stays whole, and a longer one becomes its sentences. A sentence that is still too long
    is cut between words: after a comma or similar punctuation if that gives a window of at least half of `longest`,
    otherwise into windows of nearly the same length. Only a single word of more than `longest` units is cut inside. An
    empty line has no pieces.
    """
    whole = units_of(words)
    if len(whole) <= longest:
        return [whole] if whole else []
    return [piece for sentence in sentences(words) for piece in _windows(sentence, units_of, longest)]


def sentences(words: Sequence[str]) -> list[list[str]]:
    """Cut tokens after `.`, `?`, `!` and the quotation marks and brackets that close there."""
    found: list[list[str]] = [[]]
    ended = False
    for word in words:
        if ended and word not in CLOSING and word not in SENTENCE_END:
            found.append([])
            ended = False
        found[-1].append(word)
        ended = ended or word in SENTENCE_END
    return [sentence for sentence in found if sentence]


def _windows(words: Sequence[str], units_of: Callable[[Sequence[str]], list[str]], longest: int) -> list[list[str]]:
    units = [(word, units_of([word])) for word in words]
    total = sum(len(found) for _, found in units)
    if total <= longest:
        return [units_of(words)]
    even = -(-total // -(-total // longest))  # as many windows as needed, nearly equal ones
    found: list[list[str]] = [[]]
    for word, added in units:
        if found[-1] and (len(found[-1]) >= even or len(found[-1]) + len(added) > longest):
            found.append([])
        found[-1] += added
        if len(found[-1]) > longest:
            whole = found.pop()
            found += [whole[k : k + longest] for k in range(0, len(whole), longest)]
        if word in CLAUSE_END and longest >= len(found[-1]) >= longest // 2:
            found.append([])
    return [window for window in found if window]
