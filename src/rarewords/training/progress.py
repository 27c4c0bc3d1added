"""The reports of a running training run: a live line for people, JSON lines for programs."""

from __future__ import annotations

import contextlib
import resource
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TextIO

from rarewords.training.metrics import append_report

SECONDS_BETWEEN_LINES = 15.0  # seconds, if standard error is not a terminal


class Progress:
    """Counts what happens between two reports.

    On a terminal one line is rewritten; elsewhere (a log, a workflow's output) a line is printed now and then. Each
    report also goes to the file `metrics`. `first` and `total` are updates: where the training begins (a continuation
    not at 0) and where it ends; `start`, where this process began, is another one if the run continues from a
    checkpoint. With `most_seconds` the run ends about then, if that is before its last update.
    """

    def __init__(self, label: str, first: int, total: int, metrics: Path, stream: TextIO | None = None) -> None:
        self.label, self.first, self.total, self.metrics = label, first, total, metrics
        self.stream = stream or sys.stderr
        self.began, self.start = time.monotonic(), first
        self.most_seconds: float | None = None
        self.last_line = 0.0
        self._reset()

    def count(self, tokens: int, loss: float, norm: float, clipped: bool) -> None:
        """Add one update: its real target positions, summed loss and gradient norm before clipping."""
        self.updates += 1
        self.tokens += tokens
        self.loss += loss
        self.norm += norm
        self.clipped += clipped

    def pause(self, seconds: float) -> None:
        """Leave this many seconds out of the speed of the updates."""
        self.since += seconds

    def report(
        self, updates: int, epoch: int, broken: int, seconds: float, measured: Mapping[str, float] | None = None
    ) -> None:
        """Write the means since the last report and start again; nothing if there was no update since.

        `updates`, `broken` (those without a usable gradient) and `seconds` count from the start of the training;
        `measured` is what was found on the development text.
        """
        if not self.updates:
            return
        now = time.monotonic()
        values = {
            "updates": updates,
            "of": self.total,
            "epoch": epoch,
            "loss_per_token": round(self.loss / max(self.tokens, 1), 5),
            "gradient_norm": round(self.norm / self.updates, 4),
            "clipped": round(self.clipped / self.updates, 4),
            "broken": broken,
            "tokens_per_second": round(self.tokens / max(now - self.since, 1e-9)),
            "peak_memory_mib": peak_memory_mib(),
            "seconds": round(seconds, 1),
            "time": round(time.time(), 1),
            **(measured or {}),
        }
        append_report(self.metrics, values)
        if measured:
            self.line(f"update {updates:,}: {in_words(measured)}")
        if self.stream.isatty() or now - self.last_line >= SECONDS_BETWEEN_LINES or updates >= self.total:
            left = (now - self.began) / max(updates - self.start, 1) * (self.total - updates)
            if self.most_seconds is not None:
                left = min(left, max(self.most_seconds - seconds, 0.0))
            self.line(
                f"update {updates:,}/{self.total:,} ({self._share(updates)})  epoch {epoch + 1}  "
                f"loss/token {values['loss_per_token']:.3f}  {values['tokens_per_second']:,} tokens/s  "
                f"{clock(left)} left",
                live=updates < self.total,
            )
            self.last_line = now
        self._reset()

    def line(self, text: str, live: bool = False) -> None:
        """Print one line, which on a terminal the next one rewrites if it is `live`.

        It is not an error if nobody can read it any more (`| tee` dies of the signal that only stops the training run).
        """
        before, after = ("\r\033[K", "" if live else "\n") if self.stream.isatty() else ("", "\n")
        with contextlib.suppress(BrokenPipeError):
            self.stream.write(f"{before}{self.label}: {text}{after}")
            self.stream.flush()

    def _share(self, updates: int) -> str:
        """How much of the run is done: `12%`; for a continuation only its own part: `5 of 40, 12%`."""
        done, all_of_it = updates - self.first, self.total - self.first
        return (f"{done:,} of {all_of_it:,}, " if self.first else "") + f"{done / all_of_it:.0%}"

    def _reset(self) -> None:
        self.since = time.monotonic()
        self.updates = self.tokens = self.clipped = 0
        self.loss = self.norm = 0.0


def in_words(measured: Mapping[str, float]) -> str:
    """The measurements on the development text, for people."""
    bleu = f", BLEU {measured['dev_bleu']:.1f} by greedy search" if "dev_bleu" in measured else ""
    return f"development loss/token {measured['dev_loss_per_token']:.3f}{bleu}"


def peak_memory_mib() -> int:
    """The most memory that this process has held so far: on the GPU if it uses one, otherwise resident memory."""
    import torch  # here, because `rarewords train status` does without

    if torch.cuda.is_available() and torch.cuda.max_memory_allocated():
        return torch.cuda.max_memory_allocated() >> 20
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak >> (20 if sys.platform == "darwin" else 10)  # bytes there, kilobytes elsewhere


def clock(seconds: float) -> str:
    """A length of time for people: `3m05s`, `12h00m`."""
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}h{minutes:02d}m" if hours else f"{minutes}m{seconds:02d}s"
