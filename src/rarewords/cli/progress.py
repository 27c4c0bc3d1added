"""Progress on standard error, shown only on a terminal."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import click

from rarewords.text.streams import is_terminal

Item = TypeVar("Item")

LINES_EVERY = 1000
MERGES_EVERY = 100


def watched(items: Iterable[Item], name: str) -> Iterable[Item]:
    """The items; if standard error is a terminal, it shows lines and lines per second as they pass."""
    return _counted(items, name) if is_terminal(sys.stderr) else items


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
    if not is_terminal(sys.stderr):
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
    """Give a callback (bytes so far, bytes in all or None) that shows a bar if standard error is a terminal."""
    if not is_terminal(sys.stderr):
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


class TranslationProgress:
    """Prints the progress of a translation now and then; on a terminal it rewrites its line."""

    def __init__(self, label: str, total: int | None = None) -> None:
        """`total` is the number of sentences, None if it is not known in advance."""
        self.label, self.total = label, total
        self.began = self.last = time.monotonic()
        self.open_line = False

    def __call__(self, done: int) -> None:
        now, terminal = time.monotonic(), is_terminal(sys.stderr)
        if now - self.last < (0.5 if terminal else 15) and done != self.total:
            return
        self.last = now
        rate = done / max(now - self.began, 1e-9)
        line = f"{self.label}: {done:,}{self._of_total(done, rate)}"
        click.echo(f"\r\033[K{line}" if terminal else line, nl=not terminal or done == self.total, err=True)
        self.open_line = terminal and done != self.total

    def end(self) -> None:
        """End the rewritten line if the total was not known."""
        if self.open_line:
            click.echo(err=True)

    def _of_total(self, done: int, rate: float) -> str:
        if self.total is None:
            return f" lines  {rate:.1f} per second"
        return f"/{self.total:,} sentences  {rate:.1f} per second  {(self.total - done) / max(rate, 1e-9):.0f} s left"
