"""Applying byte pair encoding to text, with the options of the released tool."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

from rarewords.errors import InputError
from rarewords.parallel import Chunk, map_chunks
from rarewords.segmentation import joiner
from rarewords.segmentation.bpe.apply import Bpe
from rarewords.segmentation.bpe.codes import Codes
from rarewords.segmentation.bpe.glossary import Glossary
from rarewords.segmentation.cache import WordCache


@dataclass(frozen=True)
class Options:
    """How to apply codes: see `Bpe` for `allowed` and `dropout`, `Glossary` for `glossaries`.

    With dropout every line has random numbers of its own, which depend on `seed` and the number of the line only; with
    `one_stream` the lines share one sequence, as in the released tool, and one process does the work.
    """

    separator: str = joiner.JOINER
    allowed: Collection[str] | None = None
    glossaries: Sequence[str] = ()
    dropout: float = 0.0
    seed: int = 1
    one_stream: bool = False


def segment_lines(codes: Codes, options: Options, lines: Iterable[str], workers: int = 1) -> Iterator[str]:
    """Segment a text in several processes; the lines come out in order, and are the same for any number of processes.

    Raises InputError for a separator or a glossary that is unusable.
    """
    if options.one_stream and options.dropout:
        workers = 1
    for chunk in map_chunks(partial(_chunk_segmenter, codes, options), lines, workers):
        yield from chunk


def _chunk_segmenter(codes: Codes, options: Options) -> Callable[[Chunk], list[str]]:
    return TextSegmenter(codes, options).segment_chunk


class TextSegmenter:
    """Cuts the words of a text. Raises InputError for a separator or a glossary that is unusable."""

    def __init__(self, codes: Codes, options: Options) -> None:
        if not options.separator or " " in options.separator:
            raise InputError(
                f"--separator {options.separator!r} must have a character, but no space; give another one."
            )
        self._options = options
        # In codes for bytes all strings are bytes, one character each.
        separator = options.separator.encode().decode(codes.encoding)
        self._separator = separator
        self._bpe = Bpe(codes.merges, codes.version, options.allowed, separator)
        self._glossary = Glossary(options.glossaries, codes.of_bytes)
        self._stream = Random(options.seed) if options.one_stream else None
        self._texts = WordCache(partial(self._text, self._bpe.cut))

    def segment_word(self, word: str) -> list[str]:
        """The units of one word."""
        return self._texts[word].split(" ")

    def segment_text_of_word(self, word: str) -> str:
        """The units of one word, separated by spaces."""
        return self._texts[word]

    def segment_chunk(self, chunk: Chunk) -> list[str]:
        """Some lines of a text, segmented."""
        if not self._options.dropout:
            return [segment_line(line, self._texts.__getitem__) for line in chunk.lines]
        return [self._segment_at_random(line, number) for number, line in enumerate(chunk.lines, chunk.first)]

    def _segment_at_random(self, line: str, number: int) -> str:
        draw = (self._stream or Random(f"{self._options.seed}/{number}")).random
        return segment_line(line, lambda word: self.segment_at_random(word, self._options.dropout, draw))

    def segment_at_random(self, word: str, dropout: float, draw: Callable[[], float]) -> str:
        """The units of one word, separated by spaces, with random numbers, see `Bpe.cut_at_random`."""
        return self._text(lambda part: self._bpe.cut_at_random(part, dropout, draw), word)

    def _text(self, cut: Callable[[str], list[str]], word: str) -> str:
        """The units of a word, separated by spaces.

        A separator of one character could not be told from the end of a word, so words that end in it are refused.
        """
        separator = self._separator
        if len(separator) == 1 and word.endswith(separator):
            raise InputError(
                f"the word {word!r} ends in the separator {separator!r}, so joining the units would not give the text "
                "back; choose another --separator."
            )
        return joiner.mark(self._glossary.cut(word, cut), separator)


def segment_line(line: str, segment_word: Callable[[str], str]) -> str:
    """Segment a line of text as the released tool does; `segment_word` gives the units of a word as text.

    Spaces, CR and LF at both ends are kept as they are, repeated spaces inside become one, a line of white space only
    is passed through. Tabs, no-break spaces and the like belong to the words.
    """
    text = line.strip("\r\n ")
    units = " ".join(map(segment_word, filter(None, text.split(" "))))
    if len(text) == len(line):
        return units
    start = line.index(text) if text else len(line)
    return line[:start] + units + line[start + len(text) :]
