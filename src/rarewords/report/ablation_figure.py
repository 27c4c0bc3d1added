"""The figure of a grid: the headline metrics against the value that is varied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from rarewords.evaluation.registry import HEADLINE, Metric
from rarewords.experiment.axes import describe
from rarewords.report.ablation import Variant, shown
from rarewords.report.figures import COLOURS, MARKERS, plain
from rarewords.report.formats import LEVEL, cell_text
from rarewords.report.scores import p_value

SHIFT = 0.06  # between the bars of lines that share a position


def draw(variants: Sequence[Variant], title: str, significance: Mapping[str, Any] | None = None) -> Figure:
    """A panel for each metric; the first axis is horizontal, each combination of the others is a line.

    Marks are the ensembles, filled if they differ from the baseline; bars reach from the lowest to the highest of the
    members, each alone. A place on the horizontal axis is one value; lines are shifted a little against each other.
    """
    axis, *others = variants[0].values
    ticks = list(dict.fromkeys(variant.values[axis] for variant in variants))
    lines: dict[str, list[Variant]] = {}
    for variant in variants:
        name = ", ".join(describe(other, variant.values[other]) for other in others)
        lines.setdefault(name, []).append(variant)
    rows = (len(HEADLINE) + 1) // 2
    figure = Figure(figsize=(8, 3 * rows), layout="constrained")
    for number, metric in enumerate(HEADLINE, 1):
        panel = figure.add_subplot(rows, 2, number)
        for line, members in enumerate(lines.values()):
            shift = SHIFT * (line - (len(lines) - 1) / 2)
            places = [ticks.index(variant.values[axis]) + shift for variant in members]
            _line(panel, places, members, metric, line, significance)
        panel.set_title(plain(metric.label), fontsize="medium")
        panel.set_xticks(range(len(ticks)), [cell_text(shown(axis, tick)) for tick in ticks])
        panel.set_xlim(-0.4, len(ticks) - 0.6)
        panel.grid(axis="y", alpha=0.3)
        panel.spines[["top", "right"]].set_visible(False)
        panel.set_xlabel(plain(axis))
        panel.set_ylim(bottom=max(0.0, panel.get_ylim()[0]))  # no score is below 0
    figure.suptitle(title, fontsize="medium")
    _legend(figure, list(lines), any(variant.singles for variant in variants), significance)
    return figure


def _line(
    panel: Axes,
    places: Sequence[float],
    variants: Sequence[Variant],
    metric: Metric,
    number: int,
    significance: Mapping[str, Any] | None,
) -> None:
    colour, marker = COLOURS[number % len(COLOURS)], MARKERS[number % len(MARKERS)]
    points = [(place, metric.value(variant.ensemble), variant) for place, variant in zip(places, variants, strict=True)]
    panel.plot(places, [float("nan") if value is None else value for _, value, _ in points], color=colour, linewidth=1)
    for place, value, variant in points:
        if (spread := variant.spread(metric)) is not None:
            panel.vlines(place, spread[1], spread[2], color=colour, alpha=0.4, linewidth=3)
        if value is not None:
            p = p_value(significance, metric.name, variant.system)
            face = colour if p is not None and p < LEVEL else "white"
            panel.plot(place, value, marker, color=colour, markerfacecolor=face, markersize=7)


def _legend(figure: Figure, names: Sequence[str], with_members: bool, significance: Mapping[str, Any] | None) -> None:
    panel = figure.axes[0]
    if len(names) > 1:
        for number, name in enumerate(names):
            marker, colour = MARKERS[number % len(MARKERS)], COLOURS[number % len(COLOURS)]
            panel.plot([], [], marker + "-", color=colour, label=plain(name))
    if with_members:
        panel.plot([], [], color="0.4", alpha=0.4, linewidth=3, label="range of the members")
    panel.plot([], [], "o", color="0.4", markerfacecolor="white", label="ensemble")
    if significance is not None:
        panel.plot([], [], "o", color="0.4", label=f"ensemble, p < {LEVEL} against the baseline")
    figure.legend(loc="outside lower center", frameon=False, ncols=3, fontsize="small")
