"""The script of a text, and the scripts of a language by Unicode's CLDR (through babel)."""

from __future__ import annotations

from collections import Counter
from functools import cache

import regex
from babel.core import Locale, get_global

LATIN = "Latn"
WITHOUT_SPACES = frozenset(["bo", "dz", "ja", "km", "lo", "my", "th", "yue", "zh"])

# Scripts of CLDR that combine several of Unicode's; all codes are those of ISO 15924.
_PARTS = {
    "Hans": "Hani",
    "Hant": "Hani",
    "Hanb": "Hani Bopo",
    "Jpan": "Hani Hira Kana",
    "Kore": "Hang Hani",
}


# Further scripts in which languages of today are written; the part of CLDR that babel has lacks them.
_FURTHER = {
    "be": "Latn",
    "cr": "Latn",
    "gag": "Cyrl",
    "jv": "Java",
    "kab": "Tfng",
    "kk": "Latn",
    "kok": "Knda Latn",
    "ks": "Deva",
    "lad": "Latn",
    "mni": "Mtei",
    "ro": "Cyrl",
    "rom": "Cyrl",
    "sat": "Beng Deva Latn Orya",
    "su": "Sund",
    "tk": "Arab Cyrl",
    "tly": "Cyrl",
    "tt": "Latn",
    "tzm": "Tfng",
}


def scripts_of_language(language: str) -> frozenset[str]:
    """The scripts in which a language is written somewhere; empty for a language that CLDR does not have."""
    modern = _modern(language)
    found = {
        locale.split("_")[1] for key, locale in get_global("likely_subtags").items() if key.split("_")[0] == modern
    }
    if not found:
        return frozenset()
    spoken = {locale for languages in get_global("territory_languages").values() for locale in languages}
    found |= {
        locale.split("_")[1] for locale in spoken if locale.startswith(f"{modern}_") and len(locale) - len(modern) == 5
    }
    return _of_unicode(found | set(_FURTHER.get(modern, "").split()))


def usual_scripts(language: str) -> frozenset[str]:
    """The scripts in which most text of a language is written; empty for a language that CLDR does not have."""
    locale = get_global("likely_subtags").get(_modern(language))
    return _of_unicode({locale.split("_")[1]}) if locale else frozenset()


def name_of_script(code: str) -> str:
    """Its English name, such as Cyrillic."""
    return str(Locale("en").scripts.get(code, code))


def script_of_line(line: str) -> str | None:
    """The script of most letters of a line, None if it has fewer than five letters."""
    found = Counter(script for script in map(_script, line) if script)
    return found.most_common(1)[0][0] if found.total() >= 5 else None


def _modern(language: str) -> str:
    """The code in use of a language, such as he for iw."""
    return str(get_global("language_aliases").get(language, language)).split("_")[0]


def _of_unicode(scripts: set[str]) -> frozenset[str]:
    return frozenset(part for script in scripts for part in _PARTS.get(script, script).split(" "))


@cache
def _script(character: str) -> str | None:
    """The script of a letter; a vowel sign is none."""
    if not character.isalpha():
        return None
    return next((code for code, pattern in _patterns().items() if pattern.match(character)), None)


@cache
def _patterns() -> dict[str, regex.Pattern[str]]:
    codes = sorted(_of_unicode({locale.split("_")[1] for locale in get_global("likely_subtags").values()}))
    found = {}
    for code in [LATIN, *codes]:
        try:
            found[code] = regex.compile(rf"\p{{Script={code}}}")
        except regex.error:  # newer than the library, or a variant such as Latf
            continue
    return found
