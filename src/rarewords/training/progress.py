"""What a training tells while it runs: a live line for people, JSON lines for programs."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TextIO

SECONDS_BETWEEN_LINES = 15.0  # where standard error is not a terminal


class Progress:
    """Counts what happens between two reports.

    On a terminal one line is rewritten; elsewhere (a log, a workflow's output) a line is printed now and then. Each
    report also goes to `metrics` as a JSON object.
    """

    def __init__(self, label: str, start: int, total: int, metrics: Path, stream: TextIO | None = None) -> None:
        self.label, self.total, self.metrics = label, total, metrics
        self.stream = stream or sys.stderr
        self.began, self.start = time.monotonic(), start
        self.last_line = 0.0
        self._reset()

    def count(self, tokens: int, loss: float, norm: float, clipped: bool) -> None:
        """Add one update: its real target positions, summed loss and gradient norm before clipping."""
        self.updates += 1
        self.tokens += tokens
        self.loss += loss
        self.norm += norm
        self.clipped += clipped

    def report(self, updates: int, epoch: int, broken: int) -> None:
        """Write the means since the last report and start anew."""
        now = time.monotonic()
        values = {
            "updates": updates,
            "epoch": epoch,
            "loss_per_token": round(self.loss / max(self.tokens, 1), 5),
            "gradient_norm": round(self.norm / max(self.updates, 1), 4),
            "clipped": round(self.clipped / max(self.updates, 1), 4),
            "broken": broken,
            "tokens_per_second": round(self.tokens / max(now - self.since, 1e-9)),
        }
        self.metrics.parent.mkdir(parents=True, exist_ok=True)
        with open(self.metrics, "a", encoding="utf-8") as out:
            out.write(json.dumps(values) + "\n")
        if self.stream.isatty() or now - self.last_line >= SECONDS_BETWEEN_LINES or updates >= self.total:
            left = (now - self.began) / max(updates - self.start, 1) * (self.total - updates)
            self.line(
                f"update {updates:,}/{self.total:,} ({updates / self.total:.0%})  epoch {epoch + 1}  "
                f"loss/token {values['loss_per_token']:.3f}  {values['tokens_per_second']:,} tokens/s  "
                f"{_clock(left)} left",
                live=updates < self.total,
            )
            self.last_line = now
        self._reset()

    def line(self, text: str, live: bool = False) -> None:
        """Print one line, rewritten by the next one where `live` on a terminal."""
        if self.stream.isatty():
            self.stream.write(f"\r\033[K{self.label}: {text}" + ("" if live else "\n"))
        else:
            self.stream.write(f"{self.label}: {text}\n")
        self.stream.flush()

    def _reset(self) -> None:
        self.since = time.monotonic()
        self.updates = self.tokens = self.clipped = 0
        self.loss = self.norm = 0.0


def _clock(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}h{minutes:02d}m" if hours else f"{minutes}m{seconds:02d}s"
