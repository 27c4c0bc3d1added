"""Word alignments in files: one line a pair of sentences, links `i-j` of source and target positions from 0."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from rarewords.errors import InputError
from rarewords.text.files import PathLike, read_lines, read_parallel, split_words
from rarewords.text.shapes import natural

Link = tuple[int, int]
AlignedPair = tuple[list[str], list[str], list[Link]]


def format_links(links: Iterable[Link]) -> str:
    """A line of a file, in the order given."""
    return " ".join(f"{i}-{j}" for i, j in links)


def read_links(path: PathLike) -> Iterator[list[Link]]:
    """The links of every line; raises InputError that names the line for one that is not `i-j i-j …`."""
    for number, line in enumerate(read_lines(path), 1):
        yield [parse_link(path, number, text) for text in split_words(line)]


def parse_link(path: PathLike, number: int, text: str, separator: str = "-") -> Link:
    """The two positions of one link; `path` and `number` are for the error's sentence."""
    source, _, target = text.partition(separator)
    if not (_is_position(source) and _is_position(target)):
        raise InputError(
            f"{path}, line {number}: '{text}' is not a link; write source and target position from 0, like 0-0."
        )
    return int(source), int(target)


def read_link_files(first: PathLike, second: PathLike) -> Iterator[tuple[list[Link], list[Link]]]:
    """Lines of two alignments of the same text; raises InputError if one has more lines."""
    for number, (left, right) in enumerate(zip_longest(read_links(first), read_links(second)), 1):
        if left is None or right is None:
            shorter = first if left is None else second
            raise InputError(
                f"{shorter} ends after line {number - 1}, but the other alignment goes on; both must be of one text."
            )
        yield left, right


def read_aligned(source: PathLike, target: PathLike, alignment: PathLike) -> Iterator[AlignedPair]:
    """Units of both sides and the links between them, pair by pair.

    Raises InputError if the files differ in their number of lines or a link leaves its sentence.
    """
    lines = zip_longest(read_parallel(source, target), read_links(alignment))
    for number, (texts, links) in enumerate(lines, 1):
        if texts is None or links is None:
            raise InputError(
                f"{alignment} has {'more' if texts is None else 'fewer'} lines than {source}; "
                "give the alignment of this text."
            )
        left, right = split_words(texts[0]), split_words(texts[1])
        _check_within(links, left, right, f"{alignment}, line {number}")
        yield left, right, links


def _check_within(links: Iterable[Link], left: Sequence[str], right: Sequence[str], where: str) -> None:
    for i, j in links:
        if i >= len(left) or j >= len(right):
            raise InputError(
                f"{where}: the link {i}-{j} is outside the sentences of {len(left)} and {len(right)} units; "
                "give the alignment of this text, source first."
            )


def _is_position(text: str) -> bool:
    return natural(text) is not None
