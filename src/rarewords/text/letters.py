"""Letters at the beginning of a sentence, in every script and language."""

from __future__ import annotations

ADDRESSES = frozenset(["http", "https", "ftp", "mailto"])
DOTTED_I = frozenset(["tr", "az"])  # i and İ, ı and I are the same letters there


def is_small(character: str) -> bool:
    """Whether a letter shows that no sentence begins with it.

    Unicode calls the letters of modern Georgian small, but their sentences begin with them.
    """
    return character.islower() and not "\u10d0" <= character <= "\u10ff"


def lower(word: str, language: str | None = None) -> str:
    """A word in lower case; Turkish and Azeri have two letters i."""
    if language in DOTTED_I:
        word = word.replace("I", "ı").replace("İ", "i")
    return word.lower()


def capitalised(word: str, language: str | None = None) -> str:
    """A word with its first letter as sentences begin: in title case, which Unicode tells from upper case.

    Georgian has none; ǆ becomes ǅ, ﬁ becomes Fi; Turkish and Azeri i becomes İ, and Dutch ij IJ. Addresses and
    names like iPhone stay as they are.
    """
    if word in ADDRESSES or word.startswith("www.") or (word[:1].islower() and word[1:2].isupper()):
        return word
    if language in DOTTED_I and word.startswith("i"):
        return "İ" + word[1:]
    if language == "nl" and word.startswith("ij"):
        return "IJ" + word[2:]
    return word[:1].title() + word[1:]
