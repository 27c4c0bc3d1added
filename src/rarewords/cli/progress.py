"""Progress on standard error, only when a person looks at it."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")

LINES_EVERY = 1000
MERGES_EVERY = 100


def watched(items: Iterable[Item], name: str) -> Iterable[Item]:
    """The items; lines and lines a second show on standard error while they pass, if it is a terminal."""
    return _counted(items, name) if sys.stderr.isatty() else items


def _counted(items: Iterable[Item], name: str) -> Iterator[Item]:
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task(name)
        number = 0
        for number, item in enumerate(items, 1):
            yield item
            if number % LINES_EVERY == 0:
                elapsed = max(progress.tasks[0].elapsed or 0.0, 1e-6)
                progress.update(task, description=f"{name}: {number:,} lines, {number / elapsed:,.0f} lines/s")
        progress.update(task, description=f"{name}: {number:,} lines")


@contextlib.contextmanager
def merge_progress() -> Iterator[Callable[[int, int], None] | None]:
    """Give a callback (merges done, merges in all) that shows a bar, or None if standard error is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task("merges")

        def show(done: int, total: int) -> None:
            if done % MERGES_EVERY == 0 or done == total:
                progress.update(task, completed=done, total=total)

        yield show


@contextlib.contextmanager
def download_progress(name: str) -> Iterator[Callable[[int, int | None], None]]:
    """Give a callback (bytes there are, bytes there will be or None) that shows a bar, if a person looks at it."""
    if not sys.stderr.isatty():
        yield lambda have, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task(name, total=None, start=False)

        def show(have: int, total: int | None) -> None:
            if not progress.tasks[0].started:
                progress.start_task(task)
            progress.update(task, completed=have, total=total)

        yield show
