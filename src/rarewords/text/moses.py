"""Punctuation normalisation, tokenisation and detokenisation as the Moses scripts of May 2015 did them.

This is the only module that knows sacremoses. Its language tables (abbreviations, apostrophe rules, letters of scripts
that Python does not count as letters), its punctuation rules and its detokeniser are used as they are. The order of
the tokeniser's steps is written out here, because the rules of 2015 differ from today's in small ways that change
counts: a number keeps a comma at the end of the line, an abbreviation keeps its full stop there, and `.'` at the end
is not split. docs/reproduction/preprocessing.md lists what still differs from the scripts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache

import regex
from sacremoses import MosesPunctNormalizer, MosesTokenizer
from sacremoses.corpus import NonbreakingPrefixes

from rarewords.text.detokenisation import join_tokens
from rarewords.text.elision import WITHOUT_END
from rarewords.text.letters import is_small

# XML and Moses' own separators; the ampersand first, so that no escape is escaped again.
_ESCAPES = (
    ("&", "&amp;"),
    ("|", "&#124;"),
    ("<", "&lt;"),
    (">", "&gt;"),
    ("'", "&apos;"),
    ('"', "&quot;"),
    ("[", "&#91;"),
    ("]", "&#93;"),
)

# White space becomes one space, but U+001C-U+001F (white space for Python only) are control characters: deleted.
_WHITE_SPACE = re.compile(r"[^\S\x1c-\x1f]+")
_CONTROL = re.compile(r"[\x00-\x1f]")
# Behind a full stop a mark of direction would hide it.
_DIRECTION_AT_END = re.compile(r"(?<=[.,!?])[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+(?=\s|$)")
_DOTS = re.compile(r"\.{2,}")

# The script makes a quotation mark of ’ unless ASCII letters stand beside it: l"été. Where the paper has no text to
# reproduce, any letters or digits do, of scripts whose words have spaces around them.
_PAPERS_LANGUAGES = frozenset(["en", "de", "ru"])
_IN_WORDS = r"[\p{L}\p{M}\p{N}--\p{Han}--\p{Hiragana}--\p{Katakana}]"

# Languages in which a comma belongs after a closing quotation mark, except where one of these says otherwise.
_QUOTE_FAMILY = {"en": "en", "cs": "cs", "cz": "cs"}
_DECIMAL_COMMA = ("de", "es", "cs", "cz", "fr")

# The rule for dots before a quotation mark reads a run of dots again from each of them; the second form reads it once.
_DOTS_BEFORE_QUOTE = r'(\.+)"(\s*[^<])'
_DOTS_AND_PERHAPS_QUOTE = r'(\.+)(?:"(\s*[^<]))?'
Replacement = str | Callable[[re.Match[str]], str]


def has_abbreviations(language: str) -> bool:
    """Whether there is a list of abbreviations for a language; tokens of others are made with the English list."""
    return language in NonbreakingPrefixes().available_langs.values()


def normalise_punctuation(line: str, language: str) -> str:
    """Map quotation marks, dashes, ellipses and spaces around punctuation to plain ASCII forms.

    The rules of normalize-punctuation.perl in 2015 (docs/reproduction/preprocessing.md). White space at both
    ends is removed. Never raises.
    """
    if language not in _PAPERS_LANGUAGES and "’" in line:
        line = _apostrophe(language).sub("'", line)
    # The script sees the line end too, and one of its rules needs a character after a quotation mark.
    line += "\n"
    for pattern, replacement in _punctuation_rules(language):
        line = pattern.sub(replacement, line)
    return line.strip()


def tokenise(line: str, language: str, aggressive: bool = False, escape: bool = True) -> str:
    """Split a line into tokens separated by single spaces, and with `escape` write `& | < > ' " [ ]` as entities.

    The rules of tokenizer.perl in 2015 on text in Unicode normal form C (paper section 4;
    docs/reproduction/preprocessing.md). With `aggressive`, a hyphen inside a word becomes ` @-@ `. Every kind of
    white space, U+2028 included, becomes a space, so a line stays one line. Never raises.
    """
    return _tokeniser(language)(unicodedata.normalize("NFC", line), aggressive, escape)


def detokenise(tokens: str | Iterable[str], language: str, escaped: bool = True) -> str:
    """Join tokens (or a tokenised line) to running text: unescape, and attach punctuation as detokenizer.perl does."""
    text = tokens if isinstance(tokens, str) else " ".join(tokens)
    text = f" {text} ".replace(" @-@ ", "-")
    if escaped:
        for character, entity in reversed(_ESCAPES):
            text = text.replace(entity, character)
    return join_tokens(text.split(), language)


class _Tokeniser:
    """The steps of tokenizer.perl, in its order, for one language."""

    def __init__(self, language: str) -> None:
        tables = MosesTokenizer(language)
        self.never_breaks = frozenset(tables.NONBREAKING_PREFIXES)
        self.keeps_before_number = frozenset(tables.NUMERIC_ONLY_PREFIXES)
        self.commas = (tables.COMMA_SEPARATE_1, tables.COMMA_SEPARATE_2)
        if language == "en":
            self.apostrophes = _with_marks(tables.ENGLISH_SPECIFIC_APOSTROPHE)
        elif language in ("fr", "it"):
            self.apostrophes = _with_marks(tables.FR_IT_SPECIFIC_APOSTROPHE)
        else:
            self.apostrophes = [tables.NON_SPECIFIC_APOSTROPHE]

    def __call__(self, text: str, aggressive: bool, escape: bool) -> str:
        symbol, inner_hyphen = _character_rules()
        text = _CONTROL.sub("", _WHITE_SPACE.sub(" ", text)).strip(" ")
        text = _DIRECTION_AT_END.sub(r" \g<0>", text)
        text = symbol.sub(r" \g<0> ", text)
        # The tests for one character are not part of the rules: most lines lack it, and `in` is far faster than `sub`.
        if aggressive and "-" in text:
            text = inner_hyphen.sub(" @-@ ", text)
        if ".." in text:
            text = _DOTS.sub(r" \g<0> ", text)
        if "," in text:
            for pattern, replacement in self.commas:
                text = pattern.sub(replacement, text)
        if "'" in text:
            for pattern, replacement in self.apostrophes:
                text = pattern.sub(replacement, text)
        text = " ".join(self._split_full_stops(text.split()))
        if escape:
            for character, escaped in _ESCAPES:
                text = text.replace(character, escaped)
        return text

    def _split_full_stops(self, words: list[str]) -> list[str]:
        for position, word in enumerate(words):
            # A run of dots is a token of its own already.
            if word.endswith(".") and word.strip("."):
                following = words[position + 1] if position + 1 < len(words) else ""
                if not self._keeps_full_stop(word[:-1], following):
                    words[position] = word[:-1] + " ."
        return words

    def _keeps_full_stop(self, stem: str, following: str) -> bool:
        return (
            ("." in stem and any(map(str.isalpha, stem)))
            or stem in self.never_breaks
            or is_small(following[:1])
            or (stem in self.keeps_before_number and "0" <= following[:1] <= "9")
        )


@cache
def _tokeniser(language: str) -> _Tokeniser:
    return _Tokeniser(language)


@cache
def _character_rules() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Patterns for a symbol, which stands alone, and for a hyphen between letters or digits.

    The table of sacremoses lacks Chinese characters, Hangul and everything newer than its Unicode version, which would
    fall apart into single characters; Python's tables lack vowel signs. Both together are what Perl calls Alnum. Marks
    and joiners belong to the letter or the symbol before them; an emoji of several parts is one symbol.
    """
    letters = set(MosesTokenizer.IsAlnum)
    letters.update(c for c in map(chr, range(0x110000)) if c.isalpha() or c.isdecimal())
    alphanumeric = _character_class(letters)
    joined = _character_class(letters | _belonging() | _WORD_MARKS)
    extension = f"[{_character_class(_extensions())}]"
    symbol = rf"(?:[\U0001f1e6-\U0001f1ff]{{2}}|[^{joined}\s.'`,\-])"
    whole = rf"{symbol}{extension}*(?:(?<=\u200d){symbol}{extension}*)*"
    return re.compile(whole), re.compile(rf"(?<=[{alphanumeric}])-(?=[{alphanumeric}])")


def _with_marks(rules: list[tuple[re.Pattern[str], str]]) -> list[tuple[re.Pattern[str], str]]:
    """Rules for letters, made to read a mark as a letter."""
    letters = MosesTokenizer.IsAlpha
    marks = "".join(sorted(c for c in _belonging() if unicodedata.category(c)[0] == "M" and c not in letters))
    return [(re.compile(rule.pattern.replace(letters, letters + marks)), new) for rule, new in rules]


@cache
def _belonging() -> frozenset[str]:
    """Characters that belong to the one before them: marks, format characters, skin tones.

    Not the soft hyphen and the zero-width space, which stand alone as in the script.
    """
    points = map(chr, range(0x110000))
    marks = {c for c in points if unicodedata.category(c) in ("Mn", "Mc", "Me", "Cf")}
    return frozenset(marks - {"\u00ad", "\u200b"} | set(map(chr, range(0x1F3FB, 0x1F400))))


def _extensions() -> frozenset[str]:
    """Those of them that symbols have, too: no marks of direction."""
    joiners = {"\u200d", *map(chr, range(0xE0020, 0xE0080))}
    return frozenset(c for c in _belonging() if unicodedata.category(c) != "Cf" or c in joiners)


# Punctuation for Unicode, but inside words: Armenian stress, Hebrew maqaf and geresh, Tibetan tsheg.
_WORD_MARKS = frozenset("\u055a\u055b\u055c\u055e\u055f\u05be\u05f3\u05f4\u0f0b\u0f0c")


def _character_class(characters: Iterable[str]) -> str:
    """Ranges for a regular expression: a hundred times faster to compile and to match than one long list."""
    ranges: list[list[int]] = []
    for point in sorted(map(ord, characters)):
        if ranges and ranges[-1][1] == point - 1:
            ranges[-1][1] = point
        else:
            ranges.append([point, point])
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in ranges)


@cache
def _apostrophe(language: str) -> regex.Pattern[str]:
    """A ’ inside a word, or behind one that has lost its end."""
    shortened = "|".join(WITHOUT_END.get(language, ()))
    behind = rf"|(?<=\b(?:{shortened}))’(?=\s)" if shortened else ""
    return regex.compile(rf"(?V1)(?<={_IN_WORDS})’(?={_IN_WORDS}){behind}")


@cache
def _punctuation_rules(language: str) -> list[tuple[re.Pattern[str], Replacement]]:
    """The rules of sacremoses where it follows the script (`perl_parity`), with three corrections for 2015.

    Single quotation marks become double ones (today: single); every language but English and Czech moves a comma out
    of the quotation marks, not only German, Spanish and French; and letters, digits and spaces are ASCII only, because
    the script worked on bytes.
    """
    family = _QUOTE_FAMILY.get(language, "de")
    normaliser = MosesPunctNormalizer(family, norm_numbers=False, perl_parity=True)
    numbers = normaliser.DE_ES_CZ_CS_FR if language in _DECIMAL_COMMA else normaliser.OTHER
    rules = [*normaliser.substitutions, *numbers]
    return [_rule(old, new) for old, new in rules]


def _rule(old: str, new: str) -> tuple[re.Pattern[str], Replacement]:
    if old == _DOTS_BEFORE_QUOTE:
        return re.compile(_DOTS_AND_PERHAPS_QUOTE, re.ASCII), _quote_before_dots
    return re.compile(old, re.ASCII), '"' if old in ("‘", "‚") else new


def _quote_before_dots(match: re.Match[str]) -> str:
    dots, behind = match.groups()
    return dots if behind is None else f'"{dots}{behind}'
