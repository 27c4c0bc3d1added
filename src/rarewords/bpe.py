"""Byte pair encoding from Python and on the command line, in the place of subword-nmt.

    from rarewords.bpe import BPE, learn_bpe

    with open("train.de", encoding="utf-8") as text, open("codes", "w", encoding="utf-8") as codes:
        learn_bpe(text, codes, num_symbols=3000)
    with open("codes", encoding="utf-8") as codes:
        bpe = BPE(codes)
    bpe.process_line("das Forschungsinstitut\\n")

Names, arguments and results are those of subword-nmt. Codes for bytes take and give bytes; open their files in binary
mode. `python -m rarewords.bpe learn-bpe` takes the command lines of `subword-nmt learn-bpe`, and so on; see
docs/subword-nmt.md.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import IO, Any, TypeVar

from rarewords.errors import InputError
from rarewords.segmentation.bpe.codes import Codes, encoding, parse_codes
from rarewords.segmentation.bpe.input import AT_THE_ENDS, count_text, parse_allowed_units, parse_dictionary
from rarewords.segmentation.bpe.learn import initial_symbols, learn_merges
from rarewords.segmentation.bpe.text import Options, TextSegmenter, segment_line, segment_lines
from rarewords.text.files import read_whole_lines

Text = TypeVar("Text", str, bytes)


class BPE:
    """The merges of a codes file, applied to text; with codes for bytes, to bytes."""

    def __init__(
        self,
        codes: IO[Any],
        merges: int = -1,
        separator: str = "@@",
        vocab: Collection[Any] | None = None,
        glossaries: Sequence[str] | None = None,
    ) -> None:
        """Read an open codes file from its start.

        `merges` is how many to use, -1 for all. `vocab` are the units that may be made, see `read_vocabulary`; None
        and an empty one filter nothing. Raises InputError for a damaged codes file, separator or glossary.
        """
        codes.seek(0)
        content = (line if isinstance(line, bytes) else line.encode() for line in codes)
        read = parse_codes(content, getattr(codes, "name", "codes"))
        self._codes = read.first(None if merges == -1 else merges)
        self.is_bytes = read.of_bytes
        allowed = frozenset(map(self._decoded, vocab)) if vocab else None
        self._options = Options(separator, allowed, tuple(glossaries or ()))
        self._segmenter = TextSegmenter(self._codes, self._options)

    def process_line(self, line: Text, dropout: float = 0) -> Text:
        """Segment a line; white space at its ends is kept. `dropout` draws from Python's module `random`."""
        return self._encoded(segment_line(self._decoded(line), self._words(dropout)), line)

    def segment(self, sentence: Text, dropout: float = 0) -> Text:
        """Segment a sentence without white space at its ends."""
        return self._encoded(segment_line(self._decoded(sentence).strip(AT_THE_ENDS), self._words(dropout)), sentence)

    def segment_tokens(self, tokens: Iterable[Text], dropout: float = 0) -> list[Text]:
        """The units of words."""
        cut = self._words(dropout)
        return [
            self._encoded(unit, token) for token in tokens if token for unit in cut(self._decoded(token)).split(" ")
        ]

    def process_lines(self, filename: str, outfile: IO[Any], dropout: float = 0, num_workers: int = 1) -> None:
        """Segment a file and write to an open one; without dropout in several processes."""
        lines: Iterator[str] = read_whole_lines(filename, self._codes.encoding)
        if dropout:
            words = self._words(dropout)
            segmented: Iterable[str] = (segment_line(line, words) for line in lines)
        else:
            segmented = segment_lines(self._codes, self._options, lines, num_workers)
        for line in segmented:
            outfile.write(line.encode("latin-1") if self.is_bytes else line)

    def _words(self, dropout: float) -> Callable[[str], str]:
        """What makes the units of a word, separated by spaces."""
        if dropout:
            return lambda word: self._segmenter.segment_at_random(word, dropout, random.random)
        return self._segmenter.segment_text_of_word

    def _decoded(self, text: Any) -> str:
        if self.is_bytes and not isinstance(text, bytes):
            raise InputError(f"{text[:60]!r} is text, but these codes are for bytes; encode it as UTF-8.")
        return text.decode(self._codes.encoding) if isinstance(text, bytes) else text

    def _encoded(self, text: str, like: Text) -> Text:
        return text.encode(self._codes.encoding) if isinstance(like, bytes) else text


def learn_bpe(
    infile: Iterable[Any],
    outfile: IO[Any],
    num_symbols: int,
    min_frequency: int = 2,
    verbose: bool = False,
    is_dict: bool = False,
    is_bytes: bool = False,
    total_symbols: bool = False,
    num_workers: int = 1,
) -> None:
    """Learn at most `num_symbols` merges from lines of text, or `word count` lines, and write them as a codes file.

    With `is_bytes`, lines are bytes and `outfile` is open in binary mode. `total_symbols` subtracts the different
    characters. Raises InputError for a line of another form.
    """
    path = getattr(infile, "name", "input")
    lines = (line.decode(encoding(is_bytes)) if isinstance(line, bytes) else line for line in infile)
    counts = parse_dictionary(lines, path) if is_dict else count_text(lines, num_workers)
    asked = max(0, num_symbols - initial_symbols(counts)) if total_symbols else num_symbols
    codes = Codes("0.2", tuple(learn_merges(counts, asked, min_frequency)), is_bytes)
    if verbose:
        print_merges(codes)
    for line in codes.lines():
        outfile.write(line.encode("latin-1") if is_bytes else line)


def read_vocabulary(vocab_file: Iterable[Any], threshold: int | None) -> set[Any]:
    """The units of `unit count` lines with a count of `threshold` or more, for the argument `vocab` of `BPE`."""
    path = getattr(vocab_file, "name", "vocabulary")
    lines = list(vocab_file)
    if lines and isinstance(lines[0], bytes):
        units = parse_allowed_units((line.decode("latin-1") for line in lines), threshold, path)
        return {unit.encode("latin-1") for unit in units}
    return set(parse_allowed_units(lines, threshold, path))


def get_vocab(train_file: Iterable[str], vocab_file: IO[str]) -> None:
    """Count the words of a text and write `word count` lines, the most frequent first."""
    counts = count_text(train_file)
    for word in sorted(counts, key=counts.__getitem__, reverse=True):
        vocab_file.write(f"{word} {counts[word]}\n")


def print_merges(codes: Codes) -> None:
    """Print each merge on standard error, as `--verbose` asks for."""
    for number, (left, right) in enumerate(codes.merges):
        print(f"pair {number}: {left} {right} -> {left}{right}", file=sys.stderr)


if __name__ == "__main__":
    from rarewords.cli import main

    main(["bpe", *sys.argv[1:]])
