"""A lexical table p(target | source) on disk and in memory (paper, section 4: dictionary and candidate translations).

The file has one line for each entry, `source<TAB>target<TAB>probability`. The entries of a source unit are adjacent,
the most probable first.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from rarewords.errors import InputError
from rarewords.text.files import PathLike, atomic_writer, read_lines

Entry = tuple[str, str, float]


class Lexicon:
    """Translations of every aligned source unit, in descending order of their probability."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._translations: dict[str, list[tuple[str, float]]] = {}
        for source, target, probability in entries:
            self._translations.setdefault(source, []).append((target, probability))

    @classmethod
    def load(cls, path: PathLike) -> Lexicon:
        """Read a file; raises InputError that names a line that is not an entry."""
        lexicon = cls(_in_order(path, (_parse(path, number, line) for number, line in enumerate(read_lines(path), 1))))
        if not lexicon._translations:
            raise InputError(f"{path}: the lexicon is empty; write it with `rarewords align lexicon`.")
        return lexicon

    def save(self, path: PathLike) -> None:
        """Write all entries; raises InputError for a unit with a tab in it, which would be two columns."""
        with atomic_writer(path) as out:
            for source, target, probability in self:
                _check_columns(path, source, target)
                out.write(f"{source}\t{target}\t{probability:.7f}\n")

    def __iter__(self) -> Iterator[Entry]:
        for source, translations in self._translations.items():
            for target, probability in translations:
                yield source, target, probability

    def candidates(self, source: str, most: int | None = None) -> list[str]:
        """The `most` most probable translations of a source unit, or all; none for a unit without links."""
        return [target for target, _ in self._translations.get(source, [])[:most]]

    def best(self, source: str) -> str | None:
        """The dictionary's entry: the most probable translation, None for a unit without links."""
        return next(iter(self.candidates(source, 1)), None)


def _check_columns(path: PathLike, *units: str) -> None:
    for unit in units:
        if "\t" in unit:
            raise InputError(
                f"{path}: the unit {unit!r} contains a tab; tokenise the text with `rarewords corpus tokenise`."
            )


def _in_order(path: PathLike, entries: Iterable[Entry]) -> Iterator[Entry]:
    """The entries; raises InputError where a more probable one comes later, or the source unit comes again."""
    unit, last, done = "", 0.0, set[str]()
    for number, (source, target, probability) in enumerate(entries, 1):
        if source != unit:
            done.add(unit)
            unit, last = source, 1.0
        if probability > last or source in done:
            raise InputError(
                f"{path}, line {number}: the translations of {source!r} are not together, or not the most probable "
                "first; write the file with `rarewords align lexicon`."
            )
        last = probability
        yield source, target, probability


def _parse(path: PathLike, number: int, line: str) -> Entry:
    source, _, rest = line.partition("\t")
    target, _, probability = rest.partition("\t")
    try:
        value = float(probability)
    except ValueError:
        value = math.nan
    if not (source and target and 0 <= value <= 1):
        raise InputError(
            f"{path}, line {number}: not `source<TAB>target<TAB>probability`; write it with `rarewords align lexicon`."
        )
    return source, target, value
