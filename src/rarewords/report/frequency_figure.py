"""Figures 2 and 3 of the paper: unigram F1 by the rank and frequency of words in the training text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import matplotlib.ticker
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from rarewords.report.figures import COLOURS, plain
from rarewords.report.frequency import Distribution, curve, distribution
from rarewords.report.scores import ScoreRow, unigram_scores

LINES: tuple[Any, ...] = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 2)), (0, (1, 1)), (0, (3, 3)))
# Two ticks must be as far apart on the axis of ranks, in powers of ten.
CLOSEST_TICKS = 0.3


def f1_by_frequency(rows: Sequence[ScoreRow], title: str) -> Figure:
    """One smoothed curve for each system over its bins (light points), with unseen words at the right end.

    Raises InputError if the rows were not scored with one reference and one training text.
    """
    shared = distribution(rows)
    figure = Figure(figsize=(8, 4.8), layout="constrained")
    axes = figure.add_subplot()
    for number, row in enumerate(rows):
        colour = COLOURS[number % len(COLOURS)]
        points, smooth = curve(row, shared)
        axes.plot(
            points[:, 0], points[:, 1], ".", color=colour, alpha=0.25, markersize=4, markeredgewidth=0, clip_on=False
        )
        style = LINES[(number + number // len(COLOURS)) % len(LINES)]  # another one where a colour comes again
        axes.plot(smooth[:, 0], smooth[:, 1], color=colour, linestyle=style, label=plain(row.label))
        if unigram_scores(row)["by_frequency"][-1]["frequency"] == 0:
            axes.plot(*points[-1], "o", color=colour, markersize=5, clip_on=False)
    _rank_axis(axes, shared)
    _frequency_axis(axes, shared, _ranks_of_frequencies(rows, shared))
    axes.set_ylim(0, 102)
    axes.set_ylabel("unigram F1 (%)")
    axes.set_title(plain(title), fontsize="medium")
    axes.grid(axis="y", alpha=0.3)
    axes.legend(frameon=False, fontsize="small")
    return figure


def _rank_axis(axes: Axes, shared: Distribution) -> None:
    """Ranks below, unseen words as a tick of their own behind a dotted line, and the limit of rare words."""
    axes.set_xscale("log")
    axes.set_xlim(0.8, 1.3 * shared.unseen_rank())
    decades = [10**power for power in range(int(math.log10(shared.types)) + 1)]
    axes.xaxis.set_major_locator(matplotlib.ticker.FixedLocator([*decades, shared.unseen_rank()]))
    labels = [f"{rank:,}" for rank in decades]
    if math.log10(shared.unseen_rank() / decades[-1]) < CLOSEST_TICKS:
        labels[-1] = ""
    axes.xaxis.set_major_formatter(matplotlib.ticker.FixedFormatter([*labels, "OOV"]))
    axes.xaxis.set_minor_locator(matplotlib.ticker.NullLocator())
    axes.set_xlabel("rank of the word in the training text")
    axes.axvline(math.sqrt(shared.types * shared.unseen_rank()), color="grey", linestyle=":", linewidth=0.8)
    if shared.cut_frequency is not None and shared.rare_rank < shared.types:
        axes.axvline(shared.rare_rank + 0.5, color="grey", linewidth=0.8)
        note = f"rare: rank > {shared.rare_rank:,} "
        axes.text(shared.rare_rank + 0.5, 99, note, ha="right", va="top", fontsize="small", color="dimgrey")


def _frequency_axis(axes: Axes, shared: Distribution, ranks: dict[int, float]) -> None:
    """An axis above with the frequency of the words at these ranks, about one tick for every power of ten."""
    above = axes.secondary_xaxis("top")
    chosen = [min(ranks, key=lambda found: abs(math.log10(found / 10**power))) for power in range(8)]
    ticks = sorted({ranks[frequency]: frequency for frequency in chosen}.items())
    spread = [ticks[0], *(right for left, right in pairwise(ticks) if math.log10(right[0] / left[0]) > CLOSEST_TICKS)]
    above.set_xticks([rank for rank, _ in spread], [f"{frequency:,}" for _, frequency in spread])
    above.xaxis.set_minor_locator(matplotlib.ticker.NullLocator())
    above.set_xlabel("frequency of the word in the training text")


def _ranks_of_frequencies(rows: Sequence[ScoreRow], shared: Distribution) -> dict[int, float]:
    bins = [found for row in rows for found in unigram_scores(row)["by_frequency"]]
    return {found["frequency"]: shared.rank(found) for found in bins if found["frequency"] > 0}
