"""From raw text to raw text: `Translator.load("bundle").translate(["A sentence.", …])`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from rarewords.alignment.lexicon import Lexicon
from rarewords.bundle import contents
from rarewords.bundle.archive import unpacked
from rarewords.bundle.chain import source_chain, target_chain
from rarewords.bundle.contents import Bundle, read_bundle
from rarewords.bundle.long_lines import pieces
from rarewords.bundle.own_words import words_of_tokens
from rarewords.bundle.parts import Part, parts_of_line
from rarewords.bundle.ways import cheapest_ways, combine
from rarewords.decoding.translator import BATCH_SIZE
from rarewords.decoding.translator import Translator as UnitTranslator
from rarewords.decoding.unknown_words import replace_unknown_words
from rarewords.errors import InputError
from rarewords.settings import DecodingSettings
from rarewords.text.files import PathLike
from rarewords.text.sentences import join_sentences

LONGEST = 500  # units that are translated at once by members that do not say what they were trained on
LINES_AT_ONCE = 500  # of a stream, so that memory does not grow with its length


class Notice(NamedTuple):
    """A sentence that was cut into parts, or copied (0 parts); lines and sentences count from 0."""

    line: int
    sentence: int
    units: int
    parts: int


@dataclass(frozen=True)
class Piece:
    """What was translated at once: source units, target units as the network wrote them, and without unknown words."""

    source: list[str]
    written: list[str]
    units: list[str]


@dataclass(frozen=True)
class Translation:
    """A translation of a sentence or a line.

    Raw text, and negative log-probability per unit (infinite if the search found no end). `words` are truecased tokens;
    in words and text `UNK` stands for an unknown unit. A sentence has one piece, several if it was too long, none if it
    was copied; a line has those of its sentences.
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
        """Read a bundle, a folder or a tar or zip archive of one.

        `members` are numbers from 1; by default all members form one ensemble. device is auto (a GPU if available),
        cpu, cuda or cuda:N. Raises InputError if it is not a bundle, does not have a member, or a file is damaged.
        """
        with unpacked(folder) as there:
            bundle = read_bundle(there)
            chosen = list(members) or list(range(1, bundle.members + 1))
            folders = [bundle.member(number) for number in chosen]
            bundle.check(chosen)
            return cls(bundle, UnitTranslator.load(folders, device))

    @property
    def lines_at_once(self) -> int:
        """How many lines of a stream to translate in one call; with lists for blocks, those of a block."""
        return (self.settings.candidates and self.settings.candidates.block) or LINES_AT_ONCE

    @property
    def longest(self) -> int:
        """Units that are translated at once: no more than in nearly all sentences that the members were trained on."""
        return self._network.trained_length or LONGEST

    def translate(
        self, lines: Sequence[str], beam: int | None = None, batch_size: int = BATCH_SIZE, split: bool = True
    ) -> list[str]:
        """The best translation of each line, in order; empty lines stay empty. See `translations`."""
        return [found[0].text for found in self.translations(lines, beam=beam, batch_size=batch_size, split=split)]

    def stream(self, lines: Iterable[str], beam: int | None = None, split: bool = True) -> Iterator[str]:
        """The best translation of each line as soon as the line arrives: no further line is read before."""
        for line in lines:
            yield from self.translate([line], beam, split=split)

    def translations(
        self,
        lines: Sequence[str],
        number: int = 1,
        beam: int | None = None,
        batch_size: int = BATCH_SIZE,
        longest: int | None = None,
        progress: Callable[[int], None] | None = None,
        notice: Callable[[Notice], None] | None = None,
        split: bool = True,
    ) -> list[list[Translation]]:
        """The `number` best translations of each line (or as many as there are, at least one), the best first.

        Those of a line with several sentences are the cheapest ways to put translations of its sentences together, and
        the cost is the mean of theirs. The rest is as for `sentence_translations`.
        """
        by_line = self.sentence_translations(lines, number, beam, batch_size, longest, progress, notice, split)
        return [self._of_line(sentences, number) for sentences in by_line]

    def sentence_translations(
        self,
        lines: Sequence[str],
        number: int = 1,
        beam: int | None = None,
        batch_size: int = BATCH_SIZE,
        longest: int | None = None,
        progress: Callable[[int], None] | None = None,
        notice: Callable[[Notice], None] | None = None,
        split: bool = True,
    ) -> list[list[list[Translation]]]:
        """The `number` best translations of each sentence of each line, the best first; an empty line has no sentences.

        Without `split` a line is one sentence. A sentence of more than `longest` units (`self.longest` if it is None)
        is cut, and their translations are joined. A sentence without letters and an endless token are copied, at cost
        0; `notice` is told of both. `beam` is the bundle's if it is None. `progress` is called with the number of
        pieces done. Raises InputError if `number` is above the beam.
        """
        if isinstance(lines, str) or not all(isinstance(line, str) for line in lines):
            raise InputError("translating needs a list of strings, one for each line of the text.")
        beam = beam or self.settings.beam
        if number > beam:
            raise InputError(f"{number} translations of a sentence need a beam of at least {number}, not {beam}.")
        language = self.settings.source_language
        parts = [parts_of_line(line, language, split) for line in lines]
        cut = [[self._pieces(part, longest or self.longest) for part in line] for line in parts]
        if notice:
            _report(parts, cut, notice)
        sources = [piece for line in cut for sentence in line for piece in sentence]
        settings = self._search_settings(beam, max(1, len(sources)))
        found = iter(self._network.hypotheses(sources, number, settings, batch_size, progress, self._lexicon))
        flat = [sentence for line in cut for sentence in line]
        best = [combine([next(found) for _ in sentence], number, self.settings.length_exponent) for sentence in flat]
        made = iter(self._restored(flat, best, batch_size))
        return [[self._sentence(part, next(made)) for part in line] for line in parts]

    def _pieces(self, part: Part, longest: int) -> list[list[str]]:
        return [] if part.copied else pieces(self.source.words(part.text), self.source.units, longest)

    def _sentence(self, part: Part, made: list[Translation]) -> list[Translation]:
        return [Translation(part.text, 0.0, [part.text], [])] if part.copied else made

    def _of_line(self, sentences: list[list[Translation]], number: int) -> list[Translation]:
        """Translations of a line from those of its sentences."""
        if len(sentences) == 1:
            return sentences[0]
        options = [[(translation.cost, int(bool(translation.pieces))) for translation in best] for best in sentences]
        return [
            self._joined([best[k] for best, k in zip(sentences, way, strict=True)], cost)
            for cost, _, way in cheapest_ways(options, number)
        ]

    def _joined(self, sentences: list[Translation], cost: float) -> Translation:
        text = join_sentences([sentence.text for sentence in sentences], self.settings.target_language)
        words = [word for sentence in sentences for word in sentence.words]
        return Translation(text, cost, words, [piece for sentence in sentences for piece in sentence.pieces])

    def _search_settings(self, beam: int, sentences: int) -> DecodingSettings:
        """The bundle's search with this beam; if it wants lists for blocks, one for all of these sentences."""
        lists = self.settings.candidates
        if lists is not None and lists.block is not None:
            lists = replace(lists, block=sentences)
        return replace(self.settings, beam=beam, candidates=lists)

    def _restored(
        self, cut: list[list[list[str]]], best: list[list[tuple[float, list[list[str]]]]], batch_size: int
    ) -> list[list[Translation]]:
        """Translations of sentences from the source units of their pieces, and costs and target units by piece."""
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

    def align(self, translations: Sequence[Translation], batch_size: int = BATCH_SIZE) -> list[list[tuple[int, int]]]:
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

    def align_words(
        self, translations: Sequence[Translation], batch_size: int = BATCH_SIZE
    ) -> list[list[tuple[int, int]]]:
        """The same for tokens: two tokens are linked if a unit of one is linked to a unit of the other."""
        of_units = self.align(translations, batch_size)
        return [self._of_words(links, t) for links, t in zip(of_units, translations, strict=True)]

    def align_text(
        self, lines: Sequence[str], found: Sequence[Sequence[Translation]], batch_size: int = BATCH_SIZE
    ) -> list[list[tuple[int, int]]]:
        """Links between the words of each raw line and those of its translation, which are what white space separates.

        `found` has a translation for each sentence of each line. Two words are linked if a token of one is linked to a
        token of the other. Words count from 0, over all sentences of a line.
        """
        linked = iter(self.align_words([one for sentences in found for one in sentences], batch_size))
        return [self._of_line_words(line, of_line, linked) for line, of_line in zip(lines, found, strict=True)]

    def _of_line_words(
        self, line: str, sentences: Sequence[Translation], linked: Iterator[list[tuple[int, int]]]
    ) -> list[tuple[int, int]]:
        source: list[str] = []
        target: list[str] = []
        links: list[tuple[int, int]] = []
        for sentence in sentences:
            before = len(source), len(target)
            if sentence.pieces:
                source += self.source.restore([unit for piece in sentence.pieces for unit in piece.source])
                target += sentence.words
                links += [(before[0] + i, before[1] + j) for i, j in next(linked)]
            else:  # copied: each word is its own translation
                next(linked)
                copied = sentence.text.split()
                source, target = source + copied, target + copied
                links += [(before[0] + k, before[1] + k) for k in range(len(copied))]
        text = join_sentences([sentence.text for sentence in sentences], self.settings.target_language)
        of_source, of_target = words_of_tokens(source, line), words_of_tokens(target, text)
        return sorted({(i, j) for one, other in links for i in of_source[one] for j in of_target[other]})

    def _of_words(self, links: list[tuple[int, int]], translation: Translation) -> list[tuple[int, int]]:
        # a long line may have been cut inside a word, so all of its units are put together
        whole = [unit for piece in translation.pieces for unit in piece.source]
        source = _word_numbers(self.source.restore, [whole])
        target = _word_numbers(self._words, [piece.units for piece in translation.pieces])
        return sorted({(source[i], target[j]) for i, j in links})


def _report(parts: list[list[Part]], cut: list[list[list[list[str]]]], notice: Callable[[Notice], None]) -> None:
    """Report the sentences that are copied or cut."""
    for line, (sentences, pieces_of) in enumerate(zip(parts, cut, strict=True)):
        for number, (part, found) in enumerate(zip(sentences, pieces_of, strict=True)):
            if part.copied or len(found) > 1:
                notice(Notice(line, number, sum(map(len, found)), len(found)))


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
