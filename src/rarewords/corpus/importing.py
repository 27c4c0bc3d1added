"""Bring parallel text into the workflow, and count words."""

from __future__ import annotations

import contextlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TextIO

from rarewords.errors import InputError, named_for_user
from rarewords.parallel import Chunk, map_chunks
from rarewords.text.files import PathLike, atomic_writer, put_in_place, read_lines, read_parallel
from rarewords.text.seals import seal_of
from rarewords.text.shapes import natural
from rarewords.vocabulary import write_unit_counts

# In characters. Beyond this a test set surely does not have one sentence a line, and it could not be translated.
LONGEST_TEST_LINE = 5_000


def import_text(parts: Sequence[tuple[PathLike, PathLike]], outputs: tuple[PathLike, PathLike]) -> int:
    """Concatenate the parts of a parallel corpus, in order, into a source and a target file; returns the pairs.

    `parts` are (source path, target path), plain or .gz. CR LF becomes LF, empty lines stay. Raises InputError for
    parts that are not aligned or not UTF-8 and for an empty result; then the outputs are as they were before.
    """
    return _import(parts, outputs, longest_line=None)


def import_test_set(parts: Sequence[tuple[PathLike, PathLike]], outputs: tuple[PathLike, PathLike]) -> int:
    """Like import_text, but refuses a line longer than LONGEST_TEST_LINE: no test set has such a sentence."""
    return _import(parts, outputs, longest_line=LONGEST_TEST_LINE)


def _import(
    parts: Sequence[tuple[PathLike, PathLike]], outputs: tuple[PathLike, PathLike], longest_line: int | None
) -> int:
    pairs = 0
    blank = [True, True]
    if [str(path) for part in parts for path in part].count("-") > 1:
        raise InputError("standard input (-) is given twice; use it for only one of the files.")
    with parallel_writer(*outputs) as (source_out, target_out):
        for part in parts:
            for number, (source, target) in enumerate(read_parallel(*part), 1):
                if longest_line is not None:
                    _check_length(source, longest_line, part[0], number)
                    _check_length(target, longest_line, part[1], number)
                # a byte order mark that came into the middle of a text when files were put together
                source, target = source.lstrip("\ufeff"), target.lstrip("\ufeff")
                source_out.write(source + "\n")
                target_out.write(target + "\n")
                blank = [blank[0] and not source.strip(), blank[1] and not target.strip()]
                pairs += 1
        for side in (0, 1):
            if blank[side]:
                names = ", ".join(str(part[side]) for part in parts) or "the list of parts"
                raise InputError(f"there is no text in {names}; check how the files were fetched.")
    return pairs


def _check_length(line: str, longest: int, path: PathLike, number: int) -> None:
    if len(line) > longest:
        raise InputError(
            f"{path}, line {number}: {len(line):,} characters, but a sentence of a test set has at most {longest:,}; "
            "check that the file has one sentence a line."
        )


@contextlib.contextmanager
def parallel_writer(source: PathLike, target: PathLike) -> Iterator[tuple[TextIO, TextIO]]:
    """Open the two sides of a parallel text for writing; both files appear when both are complete, or neither does."""
    if "-" in (str(source), str(target)):
        raise InputError("two files are written together, and neither can be standard output; name both.")
    finals = [Path(os.path.realpath(source)), Path(os.path.realpath(target))]
    if finals[0] == finals[1]:
        raise InputError(f"{source} is given for both the source and the target side; name two different files.")
    for final in finals:
        if final.exists() and not final.is_file():
            raise InputError(f"{final} is not a regular file; name the file to write.")
    # The end of the name stays, because it decides about compression.
    staged = [final.with_name(f".{os.getpid()}.{final.name}") for final in finals]
    names = {str(path): str(named) for path, named in zip(staged, (source, target), strict=True)}
    try:
        with named_for_user(names), atomic_writer(staged[0]) as left, atomic_writer(staged[1]) as right:
            yield left, right
        _put_in_place(staged, finals)
    finally:
        for path in staged:
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)
                seal_of(path).unlink(missing_ok=True)


def _put_in_place(staged: Sequence[Path], finals: Sequence[Path]) -> None:
    for complete, final in zip(staged, finals, strict=True):
        try:
            put_in_place(complete, final)
        except OSError as error:
            raise InputError(f"{final}: cannot be written ({error.strerror or error}).") from error


def write_parallel(source: PathLike, target: PathLike, pairs: Iterable[tuple[str, str]]) -> int:
    """Write the two sides of some pairs, see `parallel_writer`; returns how many there were."""
    number = 0
    with parallel_writer(source, target) as (source_out, target_out):
        for left, right in pairs:
            source_out.write(left + "\n")
            target_out.write(right + "\n")
            number += 1
    return number


def count_words(lines: Iterable[str], workers: int = 1) -> dict[str, int]:
    """Count words, in order of first occurrence (ranks with equal counts depend on it).

    Words are what single spaces (U+0020) separate; any other character may be part of a word.
    """
    counts: Counter[str] = Counter()
    for part in map_chunks(_chunk_counter, lines, workers):
        counts.update(part)
    counts.pop("", None)
    return dict(counts)


def _chunk_counter() -> Callable[[Chunk], Counter[str]]:
    return _count_chunk


def _count_chunk(chunk: Chunk) -> Counter[str]:
    return Counter(" ".join(chunk.lines).split(" "))


def write_counts(path: PathLike, counts: Mapping[str, int]) -> None:
    """Write `word count` lines, separated by one space, in the order given."""
    write_unit_counts(path, counts)


def read_counts(path: PathLike) -> dict[str, int]:
    """Read `word count` lines in their order; raises InputError with file and line for anything else."""
    counts: dict[str, int] = {}
    for number, line in enumerate(read_lines(path), 1):
        word, _, count = line.rpartition(" ")
        if not word or " " in word or not (found := natural(count)):
            raise InputError(
                f"{path}, line {number}: expected a word, one space and a count above zero, found {line[:60]!r}; "
                "write the file with `rarewords corpus count`."
            )
        if word in counts:
            raise InputError(
                f"{path}, line {number}: the word {word!r} has a count in an earlier line; keep only one of the two."
            )
        counts[word] = found
    return counts
