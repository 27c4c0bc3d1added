"""The progress of the training runs below a folder, from their reports."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

from rarewords.errors import InputError
from rarewords.text.files import PathLike
from rarewords.training.metrics import FILE_NAME, read_reports
from rarewords.training.progress import clock

HEADINGS = (
    "training",
    "updates",
    "epoch",
    "loss/token",
    "dev loss",
    "dev BLEU",
    "clipped",
    "tokens/s",
    "memory MiB",
    "last report",
)

SHOWN = {"updates", "of", "epoch", "loss_per_token", "clipped", "tokens_per_second", "peak_memory_mib", "time"}
SET_ASIDE = re.compile(r"\.old-\d+$")  # as CheckpointFolder.set_aside names them


def status_rows(models: PathLike, now: float | None = None) -> list[tuple[str, ...]]:
    """A row of text for each training below a models folder that has reported, under HEADINGS.

    `now` (seconds since 1970) is the time that the age of the last report is counted from. Raises InputError as
    `reported_trainings`.
    """
    trainings = reported_trainings(models)
    now = time.time() if now is None else now
    return [(name, *_cells(reports, now)) for name, reports in trainings]


def reported_trainings(models: PathLike) -> list[tuple[str, list[dict[str, Any]]]]:
    """Name and reports of each training below a models folder that has reported, sorted by folder.

    A training is a folder with reports, whatever its name; checkpoints that were set aside are left out. Raises
    InputError if there is no such folder or no training in it has reported yet.
    """
    models = Path(models)
    if not models.is_dir():
        raise InputError(f"{models}: there is no such folder; give the folder of the models.")
    found = sorted(path for path in models.rglob(FILE_NAME) if not SET_ASIDE.search(path.parent.name))
    trainings = [(_name(path.parent, models), reports) for path in found if (reports := _training_reports(path))]
    if not trainings:
        raise InputError(
            f"{models}: no training run below this folder has reported yet; start one, or give another folder."
        )
    return trainings


def _training_reports(path: Path) -> list[dict[str, Any]]:
    """The reports of a training run; a file of another program may have the same name."""
    return [report for report in read_reports(path) if report.keys() >= SHOWN]


def _name(folder: Path, models: Path) -> str:
    """What a training is called: the folder of its checkpoints, or the one above if that is just `checkpoints`."""
    named = folder.parent if folder.name == "checkpoints" and folder != models else folder
    return str(named.relative_to(models))


def _cells(reports: list[dict[str, Any]], now: float) -> tuple[str, ...]:
    report = reports[-1]
    loss = report["loss_per_token"]
    measured = [one["dev_loss_per_token"] for one in reports if "dev_loss_per_token" in one]
    bleu = [one["dev_bleu"] for one in reports if "dev_bleu" in one]
    return (
        f"{report['updates']:,}/{report['of']:,}",
        str(report["epoch"] + 1),
        _loss(loss),
        _loss(measured[-1]) if measured else "-",
        f"{bleu[-1]:.1f}" if bleu else "-",
        f"{report['clipped']:.0%}",
        f"{report['tokens_per_second']:,}",
        f"{report['peak_memory_mib']:,}",
        "done" if report["updates"] == report["of"] else f"{clock(max(now - report['time'], 0))} ago",
    )


def _loss(value: float | None) -> str:
    return "nan" if value is None else f"{value:.3f}"
