"""Truecasing as the Moses scripts of 2015 did it: the first word of a sentence gets the case it has elsewhere.

Independent of sacremoses, whose trainer counts other words and keeps the whole corpus in memory. Here memory grows
with the number of different words only. Lines are tokenised text (paper section 4; docs/reproduction/preprocessing.md).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import dropwhile, pairwise

from rarewords.errors import InputError
from rarewords.text import letters
from rarewords.text.files import PathLike, read_lines, split_words, write_lines

SENTENCE_END = frozenset(".:?!")
# After one of these, the next word still counts as the beginning.
OPENING = frozenset(["(", "[", '"', "'", "&apos;", "&quot;", "&#91;", "&#93;"])

_COUNT = re.compile(r"\((\d{1,18}(?:\.\d{1,18})?)(?:/(\d{1,18}(?:\.\d{1,18})?))?\)", re.ASCII)


class TruecaseModel:
    """How often each form of a word was seen where its case says something.

    `best` maps a lower-cased word to its most frequent form; ties go to the lower-cased form, then to the first in
    code point order (the script broke them at random).
    """

    def __init__(self, counts: Mapping[str, float], language: str | None = None) -> None:
        """`language` matters for Turkish and Azeri, whose i and ı are two letters."""
        self.counts, self.language = dict(counts), language
        self.best: dict[str, str] = {}
        for form in self.counts:
            lower = letters.lower(form, language)
            self.best[lower] = min(form, self.best.get(lower, form), key=self._rank)

    def _rank(self, form: str) -> tuple[float, bool, str]:
        return -self.counts[form], form != letters.lower(form, self.language), form

    def apply(self, line: str) -> str:
        """Truecase one tokenised line.

        At a sentence start a known word gets its best form. Elsewhere a form seen in training stays, an unseen form of
        a known word gets the best form. Unknown words stay as they are.
        """
        counts, best, language = self.counts, self.best, self.language
        words = split_words(line)
        start = True
        for position, word in enumerate(words):
            if start or word not in counts:
                words[position] = best.get(letters.lower(word, language), word)
            start = word in SENTENCE_END or (start and word in OPENING)
        return " ".join(words)

    def save(self, path: PathLike) -> None:
        """Write the model as text: a line for every word, `best (count/total) other (count) ...`, frequent words first.

        This is the format of train-truecaser.perl. The file appears only when it is complete.
        """
        forms: dict[str, list[str]] = {}
        for form in self.counts:
            forms.setdefault(letters.lower(form, self.language), []).append(form)
        totals = {lower: sum(self.counts[form] for form in group) for lower, group in forms.items()}
        order = sorted(forms, key=lambda lower: (-totals[lower], lower))
        write_lines(path, (self._model_line(forms[lower], totals[lower]) for lower in order))

    def _model_line(self, forms: list[str], total: float) -> str:
        best, *others = sorted(forms, key=self._rank)
        return " ".join(
            [f"{best} ({self.counts[best]}/{total})", *(f"{form} ({self.counts[form]})" for form in others)]
        )

    @classmethod
    def load(cls, path: PathLike, language: str | None = None) -> TruecaseModel:
        """Read a model, ours or one of train-truecaser.perl; raises InputError with file and line for anything else."""
        counts: dict[str, float] = {}
        for number, line in enumerate(read_lines(path), 1):
            fields = line.split(" ")
            found = [_COUNT.fullmatch(field) for field in fields[1::2]]
            if len(fields) % 2 or not all(fields) or not all(found):
                raise InputError(
                    f"{path}, line {number}: not a truecasing model (expected `word (count/total)` and further "
                    "`word (count)`); train it again with `rarewords corpus train-truecaser`."
                )
            own = {form: _number(match[1]) for form, match in zip(fields[::2], found, strict=True) if match}
            total = found[0] and found[0][2]
            if len(own) < len(found) or not own.keys().isdisjoint(counts):
                raise InputError(f"{path}, line {number}: a form is there twice; train the model again.")
            if total and not math.isclose(sum(own.values()), _number(total), rel_tol=1e-6):
                raise InputError(
                    f"{path}, line {number}: damaged (the counts do not make the total {total}); train the model again."
                )
            counts |= own
        return cls(counts, language)


def _number(digits: str) -> float:
    return float(digits) if "." in digits else int(digits)


def train_truecaser(lines: Iterable[str], language: str | None = None) -> TruecaseModel:
    """Count the forms of all words except those whose case may be due to their place.

    Those are the first word of a line, after opening quotation marks and brackets, and the word right after `. : ? !`.
    Words without upper and lower case are left out; they would change nothing.
    """
    counts: Counter[str] = Counter()
    for line in lines:
        words = dropwhile(OPENING.__contains__, split_words(line))
        counts.update([word for previous, word in pairwise(words) if previous not in SENTENCE_END])
    cased = {word: count for word, count in counts.items() if word.lower() != word.upper()}
    return TruecaseModel(cased, language)


def detruecase(line: str, language: str | None = None) -> str:
    """Give every sentence of a tokenised line a capital letter again; the inverse of truecasing on ordinary text.

    The letter is in title case, by the rules of the language where it has its own (`letters.capitalised`).
    """
    words = split_words(line)
    start = True
    for position, word in enumerate(words):
        if start:
            words[position] = letters.capitalised(word, language)
        start = word in SENTENCE_END or (start and word in OPENING)
    return " ".join(words)
