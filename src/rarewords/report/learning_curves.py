"""Learning curves of all training runs of an experiment, from the reports that they wrote while they ran."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib.ticker
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from rarewords.errors import InputError
from rarewords.report.figures import COLOURS, plain
from rarewords.report.inputs import Run
from rarewords.text.files import PathLike, read_lines
from rarewords.training.metrics import parse_report

CURVES = ("loss_per_token", "gradient_norm")
BEGINNING = '{"updates"'  # of every report, see rarewords.training.progress
PLAIN = matplotlib.ticker.FuncFormatter(lambda value, _: f"{value:,g}")
STYLES = ("-", "--", ":", "-.")
REACH = 2  # a point is the mean of its report and this many on each side


def draw(runs: Sequence[Run]) -> Figure:
    """The loss above, the gradient norm before clipping below; one column per pair, one colour per system.

    The thick line is a running mean, the thin one the reports themselves; points are the loss on the development text.
    Training runs without reports are named.
    """
    pairs = list(dict.fromkeys(run.pair for run in runs))
    figure = Figure(figsize=(1.8 + 5.2 * len(pairs), 5.8), layout="constrained")
    grid = figure.subplots(2, len(pairs), squeeze=False, sharex="col")
    colours = {run.label: COLOURS[run.place % len(COLOURS)] for run in runs}
    for column, pair in enumerate(pairs):
        losses, norms = grid[0][column], grid[1][column]
        missing = []
        for run in (one for one in runs if one.pair == pair):
            reports = read_curve(run.metrics)
            if not reports:
                missing.append(f"{plain(run.label)} run {run.run}")
                continue
            style = {"color": colours[run.label], "linestyle": STYLES[(run.run - 1) % len(STYLES)]}
            for axes, key in zip((losses, norms), CURVES, strict=True):
                _line(axes, reports, key, style)
            _development(losses, reports, colours[run.label])
        _finish(losses, norms, pair, missing)
    grid[0][0].set_ylabel("loss per token (nats)")
    grid[1][0].set_ylabel("gradient norm before clipping")
    _legend(figure, runs, colours)
    return figure


def read_curve(path: PathLike) -> list[dict[str, Any]]:
    """The reports of a training run in order; none if there is no file. A last line that was cut short is left out.

    Raises InputError that names the line for anything that is not a report.
    """
    if not Path(path).exists():
        return []
    lines = list(read_lines(path))
    reports = []
    for number, line in enumerate(lines, 1):
        report = parse_report(line)
        if number == len(lines) and line.startswith(BEGINNING) and not line.endswith("}"):
            break
        if report is None or not _is_report(report):
            raise InputError(
                f"{path}, line {number}: not a report of a training run; give the metrics.jsonl of its checkpoints."
            )
        reports.append(report)
    return reports


def _is_report(value: Any) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("updates"), int):
        return False
    return all(key in value and isinstance(value[key], float | int | None) for key in CURVES)


def _line(axes: Axes, reports: list[dict[str, Any]], key: str, style: dict[str, Any]) -> None:
    updates = [report["updates"] for report in reports]
    values = [_number(report.get(key)) for report in reports]
    axes.plot(updates, values, linewidth=0.5, alpha=0.25, color=style["color"])
    axes.plot(updates, running_mean(values, REACH), linewidth=1.4, **style)


def _development(axes: Axes, reports: list[dict[str, Any]], colour: str) -> None:
    """Points for the loss on the development text, where it was measured."""
    measured = [report for report in reports if "dev_loss_per_token" in report]
    values = [_number(report["dev_loss_per_token"]) for report in measured]
    axes.plot([report["updates"] for report in measured], values, "o", markersize=3.5, color=colour)


def _number(value: Any) -> float:
    """A reported number; null stands for NaN or infinity, and leaves a gap."""
    return float(value) if isinstance(value, int | float) else math.nan


def running_mean(values: Sequence[float], reach: int) -> list[float]:
    """Mean of each value and up to `reach` on both sides of it, without those that are NaN; NaN if none is left."""
    means = []
    for place in range(len(values)):
        near = values[max(place - reach, 0) : place + reach + 1]
        finite = [value for value in near if math.isfinite(value)]
        means.append(sum(finite) / len(finite) if finite else math.nan)
    return means


def _finish(losses: Axes, norms: Axes, pair: str, missing: list[str]) -> None:
    losses.set_title(pair, fontsize=11)
    norms.set_xlabel("updates")
    norms.xaxis.set_major_locator(matplotlib.ticker.MaxNLocator(6, integer=True))
    if norms.lines:
        norms.set_yscale("log")
        norms.yaxis.set_major_formatter(PLAIN)
        norms.yaxis.set_minor_formatter(PLAIN)
    for axes in (losses, norms):
        axes.grid(alpha=0.3)
        axes.spines[["top", "right"]].set_visible(False)
    if missing:
        text = "no reports of " + ", ".join(missing)
        losses.text(0.98, 0.98, text, transform=losses.transAxes, ha="right", va="top", fontsize=8, wrap=True)


def _legend(figure: Figure, runs: Sequence[Run], colours: dict[str, str]) -> None:
    """One entry for each system and, if there are several, one for each run."""
    axes = figure.axes[0]
    for label, colour in colours.items():
        axes.plot([], [], color=colour, label=plain(label))
    numbers = sorted({run.run for run in runs})
    if any(line.get_marker() == "o" and np.size(line.get_xdata()) for line in axes.lines):
        axes.plot([], [], "o", markersize=3.5, color="0.4", label="development text")
    for number in numbers if len(numbers) > 1 else ():
        axes.plot([], [], color="0.4", linestyle=STYLES[(number - 1) % len(STYLES)], label=f"run {number}")
    figure.legend(loc="outside right upper", frameon=False)
