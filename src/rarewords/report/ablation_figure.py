"""The figure of a grid: the headline metrics against the value that is varied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from rarewords.evaluation.registry import HEADLINE, Metric
from rarewords.experiment.axes import describe
from rarewords.report.ablation import shown
from rarewords.report.figures import COLOURS, MARKERS, plain
from rarewords.report.table import LEVEL, cell_text
from rarewords.report.variants import Variant, baseline_of

SHIFT = 0.06  # between the bars of lines that share a position
LONG = 12  # characters of a tick that would run into its neighbour


def draw(variants: Sequence[Variant], title: str, significance: Mapping[str, Any] | None = None) -> Figure:
    """A panel for each metric; the first axis is horizontal, each combination of the others is a line.

    Marks are the ensembles, filled if they differ from the baseline; bars reach from the lowest to the highest of the
    members, each alone. Of replicates the mark is the mean of their ensembles, the bar their range, and
    p is over seeds. A place on the horizontal axis is one value; lines are shifted a little against each other.
    """
    axis, others = next(iter(variants[0].values), None), list(variants[0].values)[1:]
    ticks = list(dict.fromkeys(_tick(axis, variant) for variant in variants))
    lines: dict[str, list[Variant]] = {}
    for variant in variants:
        name = ", ".join(describe(other, variant.values[other]) for other in others)
        lines.setdefault(name, []).append(variant)
    tests = significance, baseline_of(variants, significance)
    rows = (len(HEADLINE) + 1) // 2
    figure = Figure(figsize=(8, 3 * rows), layout="constrained")
    for number, metric in enumerate(HEADLINE, 1):
        panel = figure.add_subplot(rows, 2, number)
        for line, members in enumerate(lines.values()):
            shift = SHIFT * (line - (len(lines) - 1) / 2)
            places = [ticks.index(_tick(axis, variant)) + shift for variant in members]
            _line(panel, places, members, metric, line, tests)
        panel.set_title(plain(metric.label), fontsize="medium")
        panel.set_xticks(range(len(ticks)), list(map(plain, ticks)))
        if max(map(len, ticks)) > LONG:
            panel.tick_params(axis="x", rotation=20, labelsize="small")
        panel.set_xlim(-0.4, len(ticks) - 0.6)
        panel.grid(axis="y", alpha=0.3)
        panel.spines[["top", "right"]].set_visible(False)
        panel.set_xlabel(plain(axis or ""))
        panel.set_ylim(bottom=max(0.0, panel.get_ylim()[0]))  # no score is below 0
    figure.suptitle(title, fontsize="medium")
    _legend(figure, list(lines), variants, tests)
    return figure


def _line(
    panel: Axes,
    places: Sequence[float],
    variants: Sequence[Variant],
    metric: Metric,
    number: int,
    tests: tuple[Mapping[str, Any] | None, Variant | None],
) -> None:
    colour, marker = COLOURS[number % len(COLOURS)], MARKERS[number % len(MARKERS)]
    points = [(place, variant.mean(metric), variant) for place, variant in zip(places, variants, strict=True)]
    panel.plot(places, [float("nan") if value is None else value for _, value, _ in points], color=colour, linewidth=1)
    for place, value, variant in points:
        if (spread := variant.spread(metric)) is not None:
            panel.vlines(place, spread[1], spread[2], color=colour, alpha=0.4, linewidth=3)
        if value is not None:
            p = variant.p_value(metric, *tests)
            face = colour if p is not None and p < LEVEL else "white"
            panel.plot(place, value, marker, color=colour, markerfacecolor=face, markersize=7)


def _tick(axis: str | None, variant: Variant) -> str:
    """The value of the horizontal axis; only the seed varies without one."""
    return cell_text(shown(axis, variant.values[axis])) if axis else f"{len(variant.seeds)} seeds"


def _legend(
    figure: Figure,
    names: Sequence[str],
    variants: Sequence[Variant],
    tests: tuple[Mapping[str, Any] | None, Variant | None],
) -> None:
    panel, replicated = figure.axes[0], variants[0].is_replicated()
    if len(names) > 1:
        for number, name in enumerate(names):
            marker, colour = MARKERS[number % len(MARKERS)], COLOURS[number % len(COLOURS)]
            panel.plot([], [], marker + "-", color=colour, label=plain(name))
    if replicated or any(variant.singles for variant in variants):
        of_what = f"{len(variants[0].seeds)} seeds" if replicated else "members"
        panel.plot([], [], color="0.4", alpha=0.4, linewidth=3, label=f"range of the {of_what}")
    mark = "mean of the ensembles" if replicated else "ensemble"
    panel.plot([], [], "o", color="0.4", markerfacecolor="white", label=mark)
    if any(variant.p_value(metric, *tests) is not None for variant in variants for metric in HEADLINE):
        panel.plot([], [], "o", color="0.4", label=f"{mark}, p < {LEVEL} against the baseline")
    figure.legend(loc="outside lower center", frameon=False, ncols=3, fontsize="small")
