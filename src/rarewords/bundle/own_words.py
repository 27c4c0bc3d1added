"""Which words of running text the tokens made of it (or the tokens it was made of) belong to.

Tokenisation, normalisation, truecasing and their inverses change characters here and there. So text and tokens are laid
side by side, character by character; a token without a counterpart belongs to what stands in its place.
"""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher


def words_of_tokens(tokens: Sequence[str], text: str) -> list[list[int]]:
    """For each token the words of the text (what white space separates, counted from 0) that its characters are in."""
    made, token_of = _characters(map(html.unescape, tokens))
    own, word_of = _characters(text.split())
    words: list[set[int]] = [set() for _ in tokens]
    if not own:
        return [[] for _ in tokens]
    changed = []
    for tag, first, last, start, end in SequenceMatcher(None, made, own, autojunk=False).get_opcodes():
        if tag == "equal":
            for k in range(last - first):
                words[token_of[first + k]].add(word_of[start + k])
        else:
            changed.append((range(first, last), range(start, max(end, start + 1))))
    for of_tokens, of_text in changed:
        instead = {word_of[min(k, len(word_of) - 1)] for k in of_text}
        for token in {token_of[k] for k in of_tokens}:
            words[token] = words[token] or instead
    return [sorted(found) for found in words]


def _characters(words: Iterable[str]) -> tuple[list[str], list[int]]:
    """The characters of words in their simplest form, and the number of the word that each is from."""
    found = [
        (character, number)
        for number, word in enumerate(words)
        for character in unicodedata.normalize("NFKC", word).casefold()
        if not character.isspace()
    ]
    return [character for character, _ in found], [number for _, number in found]
