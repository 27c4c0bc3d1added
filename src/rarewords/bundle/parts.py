"""The sentences of a line to translate, and the parts to copy because no model can translate them."""

from __future__ import annotations

from typing import NamedTuple

import regex

from rarewords.text.sentences import split_sentences

# A longer run of characters without white space is data and not a word. Training text has none of more than 1,000.
# Scripts without spaces between words have long runs, which the network's units cut.
LONGEST_TOKEN = 500
_ENDLESS = regex.compile(
    r"(?V1)(?<!\S)[\S--[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}\p{Javanese}"
    rf"\p{{Balinese}}\p{{Tai_Le}}\p{{New_Tai_Lue}}\p{{Tai_Tham}}]]{{{LONGEST_TOKEN + 1},}}+(?!\S)"
)


class Part(NamedTuple):
    """A sentence of a line, or something to copy."""

    text: str
    copied: bool


def parts_of_line(line: str, language: str, split: bool) -> list[Part]:
    """The parts of a line in order, without the white space between them; an empty line has none.

    Without `split` a line is one sentence. Endless tokens (more than 500 characters without white space) and sentences
    without any letter are copied.
    """
    found = []
    start = 0
    for match in _ENDLESS.finditer(line):
        found += _sentences(line[start : match.start()], language, split)
        found.append(Part(match[0], copied=True))
        start = match.end()
    return found + _sentences(line[start:], language, split)


def _sentences(text: str, language: str, split: bool) -> list[Part]:
    sentences = split_sentences(text, language) if split else [text.strip()]
    return [Part(sentence, copied=not any(map(str.isalpha, sentence))) for sentence in sentences if sentence]
