"""How far the trainings below a folder are, from what they reported."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from rarewords.errors import InputError
from rarewords.textio import PathLike
from rarewords.training.metrics import FILE_NAME, read_reports
from rarewords.training.progress import clock

HEADINGS = ("training", "updates", "epoch", "loss/token", "clipped", "tokens/s", "memory MiB", "last report")


def status_rows(models: PathLike, now: float | None = None) -> list[tuple[str, ...]]:
    """A row of text for each training below a models folder that has reported, under HEADINGS, sorted by folder.

    `now` (seconds since 1970) is the time that the age of the last report is counted from. Checkpoints that were set
    aside are left out. Raises InputError if there is no such folder or no training in it has reported yet.
    """
    models = Path(models)
    if not models.is_dir():
        raise InputError(f"{models}: there is no such folder; give the one that holds the models.")
    found = sorted(path for path in models.rglob(f"checkpoints/{FILE_NAME}"))
    reported = [(path, reports[-1]) for path in found if (reports := read_reports(path))]
    if not reported:
        raise InputError(
            f"{models}: no training below this folder has reported yet; start one, or give another folder."
        )
    now = time.time() if now is None else now
    return [(str(path.parent.parent.relative_to(models)), *_cells(last, now)) for path, last in reported]


def _cells(report: dict[str, Any], now: float) -> tuple[str, ...]:
    loss = report["loss_per_token"]
    return (
        f"{report['updates']:,}/{report['of']:,}",
        str(report["epoch"] + 1),
        "nan" if loss is None else f"{loss:.3f}",
        f"{report['clipped']:.0%}",
        f"{report['tokens_per_second']:,}",
        f"{report['peak_memory_mib']:,}",
        "done" if report["updates"] == report["of"] else f"{clock(max(now - report['time'], 0))} ago",
    )
