"""Cut a line of running text into its sentences.

The rules are those of Moses' split-sentences.perl with its lists of abbreviations, for the full stops, question marks
and quotation marks of all scripts (Unicode's Sentence_Terminal). Where a script has no sign for the end of a sentence
(Thai, Lao), a line stays whole.
"""

from __future__ import annotations

from functools import cache

import regex
from sacremoses import MosesTokenizer

from rarewords.text.letters import is_small

_GREEK = ";\u037e"  # a question mark
# Tibetan ends a sentence with a shad, and the ellipsis may end one; Unicode's property has neither.
_END = r"[\p{Sentence_Terminal}…།༎]"
_IS_END = regex.compile(_END + f"|[{_GREEK}]")
# They need white space after them; all other ends do without: 。 । ። ។
_NEEDS_SPACE = frozenset(".?!…‼⁇⁈⁉؟" + _GREEK)

LOOK_AHEAD = 12  # characters in which the first letter of a sentence is looked for, behind quotation marks and dashes
# Languages that put nothing between two sentences.
WITHOUT_SPACE_BETWEEN = frozenset(["ja", "zh", "yue", "wuu"])


def split_sentences(line: str, language: str) -> list[str]:
    """The sentences of a line, without white space at their ends; a line of white space has none.

    A full stop ends a sentence unless it belongs to an abbreviation or initial, or a small letter follows. Takes time
    in proportion to the length of the line, whatever stands in it.
    """
    found, start = [], 0
    for match in _ends(language).finditer(line):
        if _ends_sentence(line, match, _abbreviations(language)):
            found.append(line[start : match.end()].strip())
            start = match.end()
    found.append(line[start:].strip())
    return [sentence for sentence in found if sentence]


def join_sentences(sentences: list[str], language: str) -> str:
    """Sentences of a language as one line; empty ones leave nothing behind."""
    return ("" if language in WITHOUT_SPACE_BETWEEN else " ").join(filter(None, sentences))


@cache
def _ends(language: str) -> regex.Pattern[str]:
    """What can end a sentence: its marks, then the quotation marks and brackets that close there."""
    end = rf"[{_END}{_GREEK}]" if language == "el" else _END
    # “ and « close in some languages and open in others: where a letter follows, they open
    closing = r"""(?:[\p{Pe}\p{Pf}"'\u200e\u200f\u2069]|\p{Pi}(?!\w)|[ \u00a0\u202f]»(?!\S))"""
    return regex.compile(rf"(?V1){end}++(?:{closing}++{end}*+)*+")


@cache
def _abbreviations(language: str) -> tuple[frozenset[str], frozenset[str]]:
    """Words after whose full stop a sentence continues, always and before a number."""
    tables = MosesTokenizer(language)
    return frozenset(tables.NONBREAKING_PREFIXES), frozenset(tables.NUMERIC_ONLY_PREFIXES)


def _ends_sentence(line: str, match: regex.Match[str], abbreviations: tuple[frozenset[str], frozenset[str]]) -> bool:
    following = line[match.end() : match.end() + LOOK_AHEAD]
    rest = following.lstrip()
    if not rest or regex.match(_END, rest):  # `? !` and `. . .` go on
        return False
    marks = match[0]
    spaced = following[0].isspace()
    if not _NEEDS_SPACE.issuperset(filter(_IS_END.match, marks)):
        if not spaced and not _IS_END.match(marks[-1]):
            return not following[0].isalnum()  # 「はい。」と goes on
        return not (marks == "．" and following[0].isdigit())
    if not spaced or is_small(next(filter(str.isalnum, rest), "")):
        return False
    return marks != "." or not _keeps_full_stop(line, match.start(), rest, abbreviations)


def _keeps_full_stop(
    line: str, place: int, following: str, abbreviations: tuple[frozenset[str], frozenset[str]]
) -> bool:
    """Whether the full stop at `place` belongs to the word before it, and what follows goes on with the sentence."""
    never, before_number = abbreviations
    start = place
    while start and not line[start - 1].isspace():
        start -= 1
    word = line[start:place].lstrip("\"'([{«„“‘¿¡-–—")
    return (
        word in never
        or (word in before_number and "0" <= following[:1] <= "9")
        or (len(word) == 1 and word.isalpha() and not is_small(word))  # an initial; i and I in other scripts as well
        or regex.fullmatch(r"\p{Lu}(?:\.\p{Lu})+", word) is not None
    )
