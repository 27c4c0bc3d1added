"""Which language a text is probably in, from its function words: enough to notice files in the wrong order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

# Frequent words of languages that share a script. A language that is not here is not guessed, and never contradicted.
FUNCTION_WORDS = {
    "cs": "a je se na v že to s z do jsou který pro nebo jako ale pokud by být podle",
    "da": "og er at en til af det på som med for ikke den kan der har et du hvis eller",
    "de": "der die und das ist in den von zu mit sie ein eine nicht auf für werden wird im oder",
    "en": "the of and to in is a that you for it on with this be are or not can from",
    "es": "de la el que en los y a las un para con una por se del es su no o",
    "fi": "ja on ei se että tai voi ovat joka kun jos mutta myös niin kuin sen hän ole",
    "fr": "de la le les et des en un une du est que pour dans vous par sur pas ou au",
    "hu": "a az és nem hogy egy is van meg vagy ha azt csak mint ez lehet kell",
    "it": "di il la che e per un è in una del non le si con della da sono o nel",
    "nl": "de het een van en in is dat op te voor met niet zijn die aan of als u worden",
    "pl": "w i na z nie się do jest to że o dla lub od jak przez oraz który są po",
    "pt": "de o a que e do da em um para com não uma os no se na por ou mais",
    "ro": "de și în la a cu pe un o nu este pentru să din care sau ce mai prin se",
    "ru": "в и на не с что для по из как это или к если у то вы можно при его",
    "sv": "och i att är en det som på av för med till den inte kan om ett de har eller",
    "tr": "ve bir bu için ile olarak de da veya daha olan en çok gibi ne sonra",
    "uk": "і в на у не з що для до та як це або за якщо від по ви його при",
}
WORDS = {language: frozenset(words.split()) for language, words in FUNCTION_WORDS.items()}
LINES = 2_000  # at the beginning of a text are enough
LEAST_SHARE = 0.08  # of the running words are function words, or nothing is said
LEAD = 1.5  # times as many as of the second language


def function_words(lines: Iterable[str]) -> dict[str, float]:
    """For each language the share of running words that are function words of it, of up to LINES lines."""
    counts: Counter[str] = Counter()
    for number, line in enumerate(lines):
        if number == LINES:
            break
        counts.update(word.strip(".,;:!?()\"'") for word in line.lower().split())
    total = max(1, sum(counts.values()))
    return {language: sum(counts[word] for word in words) / total for language, words in WORDS.items()}


def guess(lines: Iterable[str]) -> str | None:
    """The language whose function words are clearly the most frequent; None if none is."""
    shares = function_words(lines)
    (best, most), (_, second) = sorted(shares.items(), key=lambda entry: entry[1], reverse=True)[:2]
    return best if most >= LEAST_SHARE and most >= LEAD * second else None
