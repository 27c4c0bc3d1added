"""Translations and their reference, read in step, so that no text is ever in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from rarewords.errors import InputError
from rarewords.evaluation.statistics import LINES_AT_ONCE
from rarewords.text.files import PathLike, read_lines


@dataclass(frozen=True)
class Block:
    """The next lines of a reference and of its translations by name: of all the same number."""

    hypotheses: Mapping[str, list[str]]
    references: list[str]


def read_blocks(hypotheses: Mapping[str, PathLike], reference: PathLike) -> Iterator[Block]:
    """Yield the lines of all files in step; every file is read once, to its end.

    Raises InputError after the last block for empty files, unequal numbers of lines and a reference without text.
    """
    files = {name: read_lines(path) for name, path in hypotheses.items()}
    references = read_lines(reference)
    counts, lines, has_text = dict.fromkeys(files, 0), 0, False
    while True:
        blocks = {name: list(islice(file, LINES_AT_ONCE)) for name, file in files.items()}
        expected = list(islice(references, LINES_AT_ONCE))
        lines += len(expected)
        for name, block in blocks.items():
            counts[name] += len(block)
        has_text = has_text or any(line.strip() for line in expected)
        if any(len(block) != len(expected) for block in blocks.values()):
            break
        if not expected:
            break
        yield Block(blocks, expected)
    lines += _rest(references)
    for name, file in files.items():
        counts[name] += _rest(file)
    _check({path: counts[name] for name, path in hypotheses.items()}, reference, lines, has_text)


def _rest(lines: Iterable[str]) -> int:
    return sum(1 for _ in lines)


def _check(counts: Mapping[PathLike, int], reference: PathLike, lines: int, has_text: bool) -> None:
    for path, number in [*counts.items(), (reference, lines)]:
        if not number:
            raise InputError(f"{path} is empty; give a translation and its reference.")
    if not has_text:
        raise InputError(f"{reference} has only blank lines: a test set without a reference cannot be scored.")
    for path, number in counts.items():
        if number != lines:
            raise InputError(
                f"{path} has {number} lines but {reference} has {lines}: "
                "a translation needs one line for each line of the reference."
            )
