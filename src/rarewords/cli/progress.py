"""Progress on standard error, only when a person looks at it."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator

MERGES_EVERY = 100
LINES_EVERY = 10_000


@contextlib.contextmanager
def merge_progress() -> Iterator[Callable[[int, int], None] | None]:
    """Give a callback for learning merges, or None if standard error is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return

    def show(done: int, total: int) -> None:
        if done % MERGES_EVERY == 0 or done == total:
            print(f"\r{done} of {total} merges", end="", file=sys.stderr, flush=True)

    yield show
    print(file=sys.stderr)


def counted_lines(lines: Iterable[str]) -> Iterator[str]:
    """The lines, counted on standard error if that is a terminal."""
    if not sys.stderr.isatty():
        yield from lines
        return
    number = 0
    for number, line in enumerate(lines, 1):
        yield line
        if number % LINES_EVERY == 0:
            print(f"\r{number} lines", end="", file=sys.stderr, flush=True)
    print(f"\r{number} lines", file=sys.stderr)
