"""From raw text to raw text: `Translator.load("bundle").translate(["A sentence.", …])`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rarewords.alignment.lexicon import Lexicon
from rarewords.bundle import contents
from rarewords.bundle.chain import source_chain, target_chain
from rarewords.bundle.contents import Bundle, read_bundle
from rarewords.bundle.pieces import pieces
from rarewords.decoding.candidates import Candidates
from rarewords.decoding.translator import Finished
from rarewords.decoding.translator import Translator as UnitTranslator
from rarewords.decoding.unknown_words import replace_unknown_words
from rarewords.errors import InputError
from rarewords.text.files import PathLike

LONGEST = 500  # units that are translated at once
LINES_AT_ONCE = 500  # of a stream, so that memory does not grow with its length

LongLine = Callable[[int, int, int], None]  # called with the line's place in the list, its units and its pieces


@dataclass(frozen=True)
class Piece:
    """What was translated at once: source units, target units as the network wrote them, and without unknown words."""

    source: list[str]
    written: list[str]
    units: list[str]


@dataclass(frozen=True)
class Translation:
    """A translation of a line: raw text, and negative log-probability per unit (infinite if the search found no end).

    `words` are truecased tokens; in words and text `UNK` stands for an unknown unit. A line has one piece, several if
    it was too long, none if it is empty.
    """

    text: str
    cost: float
    words: list[str]
    pieces: list[Piece]


class Translator:
    """Translates raw text with the members of a bundle. `settings` is what the bundle says of itself."""

    def __init__(self, bundle: Bundle, network: UnitTranslator) -> None:
        """`network` are members of the bundle; use `load`."""
        self.settings = bundle.settings
        self.source = source_chain(bundle, network.source_vocabulary)
        self.target = target_chain(bundle)
        self._network = network
        self._lexicon = Lexicon.load(bundle.folder / contents.LEXICON) if self.settings.needs_lexicon() else Lexicon([])

    @classmethod
    def load(cls, folder: PathLike, members: Sequence[int] = (), device: str = "auto") -> Translator:
        """Read a bundle; `members` count from 1, without any all are one ensemble.

        device is auto (a GPU where there is one), cpu, cuda or cuda:N. Raises InputError for a folder that is no
        bundle, a member that it does not have, and a damaged file.
        """
        bundle = read_bundle(folder)
        chosen = list(members) or list(range(1, bundle.members + 1))
        folders = [bundle.member(number) for number in chosen]
        bundle.check(chosen)
        return cls(bundle, UnitTranslator.load(folders, device))

    @property
    def lines_at_once(self) -> int:
        """How many lines of a stream to translate in one call; with lists for blocks, those of a block."""
        return (self.settings.candidates or {}).get("block") or LINES_AT_ONCE

    def translate(self, lines: Sequence[str], beam: int | None = None, batch_size: int = 16) -> list[str]:
        """The best translation of each line, in order; empty lines stay empty. See `translations`."""
        return [found[0].text for found in self.translations(lines, beam=beam, batch_size=batch_size)]

    def translations(
        self,
        lines: Sequence[str],
        number: int = 1,
        beam: int | None = None,
        batch_size: int = 16,
        longest: int = LONGEST,
        progress: Callable[[int], None] | None = None,
        long_line: LongLine | None = None,
    ) -> list[list[Translation]]:
        """The `number` best translations of each line (or as many as there are, at least one), the best first.

        A line of more than `longest` units is cut into its sentences, and these if need be into windows; `long_line`
        is told. Their translations are joined, and the cost is that of all units. `beam` is the bundle's if it is None.
        `progress` is called with the number of pieces done. Raises InputError if `number` is above the beam.
        """
        if isinstance(lines, str) or not all(isinstance(line, str) for line in lines):
            raise InputError("translating needs a list of strings, one for each line of the text.")
        beam = beam or self.settings.beam
        if number > beam:
            raise InputError(f"{number} translations of a sentence need a beam of {number} at least, not {beam}.")
        cut = [pieces(self.source.words(line), self.source.units, longest) for line in lines]
        for place, parts in enumerate(cut):
            if len(parts) > 1 and long_line:
                long_line(place, sum(map(len, parts)), len(parts))
        sources = [piece for parts in cut for piece in parts]
        candidates = self._candidates(max(1, len(sources)))
        found = iter(self._network.hypotheses(sources, number, beam, batch_size, progress, candidates))
        best = [combine([next(found) for _ in parts], number) for parts in cut]
        return self._restored(cut, best, batch_size)

    def _candidates(self, sentences: int) -> Candidates | None:
        """Candidate lists as the bundle wants them; if it wants lists for blocks, one for all of these sentences."""
        wanted = self.settings.candidates
        if wanted is None:
            return None
        block = sentences if wanted["block"] else None
        return Candidates(self._lexicon, wanted["common"], wanted["per_word"], block)

    def _restored(
        self, cut: list[list[list[str]]], best: list[list[tuple[float, list[list[str]]]]], batch_size: int
    ) -> list[list[Translation]]:
        """Translations of lines from the source units of their pieces, and costs and target units by piece."""
        sources = [source for parts, ways in zip(cut, best, strict=True) for _ in ways for source in parts]
        written = [units for ways in best for _, way in ways for units in way]
        replaced = self._without_unknown(sources, written, batch_size)
        made = map(Piece, sources, written, replaced)
        return [[self._translation(cost, [next(made) for _ in way]) for cost, way in ways] for ways in best]

    def _without_unknown(self, sources: list[list[str]], written: list[list[str]], batch_size: int) -> list[list[str]]:
        heuristic = self.settings.unknown_words
        if heuristic is None:
            return written
        return replace_unknown_words(self._network, sources, written, self._lexicon, heuristic, batch_size)

    def _translation(self, cost: float, made: list[Piece]) -> Translation:
        words = [word for piece in made for word in self._words(piece.units)]
        return Translation(self.target.text(words), cost, words, made)

    def _words(self, units: Sequence[str]) -> list[str]:
        return self.target.restore(self._network.target_vocabulary.spell_unknown(units))

    def align(self, translations: Sequence[Translation], batch_size: int = 16) -> list[list[tuple[int, int]]]:
        """For each target unit of each translation the source unit with the most attention: links (source, target).

        Attention is that of a forced pass, summed over the members; the end of the source is left out (the paper's way
        to find the source word of an unknown word). Units count from 0 over all pieces of a line.
        """
        parts = [piece for translation in translations for piece in translation.pieces if piece.written]
        weights = iter(self._network.attention([p.source for p in parts], [p.written for p in parts], batch_size))
        return [
            _links([next(weights)[:, :-1].argmax(axis=1).tolist() if p.written else [] for p in found.pieces], found)
            for found in translations
        ]

    def align_words(self, translations: Sequence[Translation], batch_size: int = 16) -> list[list[tuple[int, int]]]:
        """The same for words: two words are linked if a unit of one is linked to a unit of the other."""
        of_units = self.align(translations, batch_size)
        return [self._of_words(links, t) for links, t in zip(of_units, translations, strict=True)]

    def _of_words(self, links: list[tuple[int, int]], translation: Translation) -> list[tuple[int, int]]:
        # a long line may have been cut inside a word, so all of its units are put together
        whole = [unit for piece in translation.pieces for unit in piece.source]
        source = _word_numbers(self.source.restore, [whole])
        target = _word_numbers(self._words, [piece.units for piece in translation.pieces])
        return sorted({(source[i], target[j]) for i, j in links})


def combine(found: Sequence[Sequence[Finished]], number: int) -> list[tuple[float, list[list[str]]]]:
    """The `number` cheapest ways to take one translation of each piece: cost per unit, and the units of each piece.

    A piece without translations gets an empty one of infinite cost. Without pieces there is one way, of cost 0.
    """
    ways: list[tuple[float, int, list[list[str]]]] = [(0.0, 0, [])]  # sum of costs, units with ends, units by piece
    for piece in found:
        ways = [
            (total + cost * (len(units) + 1), length + len(units) + 1, [*before, units])
            for total, length, before in ways
            for cost, units in piece or [Finished(float("inf"), [])]
        ]
        ways = sorted(ways, key=lambda way: way[0] / way[1])[:number]
    return [(total / max(1, length), units) for total, length, units in ways]


def _links(attended: list[list[int]], translation: Translation) -> list[tuple[int, int]]:
    """Links of a line from the attended source positions of each piece."""
    links: list[tuple[int, int]] = []
    first_source = first_target = 0
    for positions, piece in zip(attended, translation.pieces, strict=True):
        links += [(first_source + source, first_target + target) for target, source in enumerate(positions)]
        first_source += len(piece.source)
        first_target += len(piece.units)
    return links


def _word_numbers(restore: Callable[[list[str]], list[str]], parts: list[list[str]]) -> list[int]:
    """The number of the word that each unit of a line belongs to, whatever the segmentation."""
    numbers: list[int] = []
    number = -1
    for units in parts:
        start = 0  # of the word so far: that a unit begins a new one shows beside the units of this word alone
        number += bool(units)
        for k in range(len(units)):
            begun = len(restore(units[start : k + 1])) - 1
            if begun > 0:
                number, start = number + begun, k
            numbers.append(number)
    return numbers
