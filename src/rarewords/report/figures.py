"""Figures as SVG and PNG, in colours that the colour-blind can tell apart (Okabe and Ito, 2008)."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib
import matplotlib.ticker
from matplotlib.figure import Figure

from rarewords.text.files import PathLike, atomic_file

# Characters that XML, and so an SVG file, does not allow.
NOT_XML = re.compile("[^\\t\\n\\r\\x20-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")

COLOURS = ("#000000", "#E69F00", "#56B4E9", "#009E73", "#D55E00", "#0072B2", "#CC79A7", "#999999")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*", "<", ">")


@dataclass(frozen=True)
class Point:
    """A segmentation: units per running word and types per word type; None for the paper's if it has no such row."""

    label: str
    tokens: float
    types: float
    paper_tokens: float | None = None
    paper_types: float | None = None


def types_against_tokens(points: Sequence[Point]) -> Figure:
    """How much longer a segmentation makes the text and how much smaller the vocabulary; the paper's marks are open."""
    figure = Figure(figsize=(7.5, 4.5), layout="constrained")
    axes = figure.add_subplot()
    for number, point in enumerate(points):
        style: dict[str, Any] = {
            "color": COLOURS[number % len(COLOURS)],
            "marker": MARKERS[number % len(MARKERS)],
            "linestyle": "none",
        }
        axes.plot(point.tokens, point.types, label=plain(point.label), markersize=8, **style)
        if point.paper_tokens is not None and point.paper_types is not None:
            axes.plot(point.paper_tokens, point.paper_types, markerfacecolor="none", markersize=8, **style)
    if any(point.paper_tokens is not None for point in points):
        axes.plot([], [], "o", color="black", markerfacecolor="none", label="open: the paper")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("tokens, in multiples of the words")
    axes.set_ylabel("types, in multiples of the types of words")
    axes.xaxis.set_major_locator(matplotlib.ticker.FixedLocator([1, 1.5, 2, 3, 4, 5, 6, 8]))
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_locator(matplotlib.ticker.NullLocator())
    axes.grid(alpha=0.3)
    figure.legend(loc="outside right upper", frameon=False)
    return figure


def plain(text: str) -> str:
    """A label for matplotlib to show as it is; there $ begins mathematics, and a label with _ in front is hidden."""
    escaped = text.replace("$", r"\$")
    return "\u200b" + escaped if escaped.startswith("_") else escaped


def write_figure(figure: Figure, svg: PathLike | None, png: PathLike | None) -> None:
    """Write a figure in both formats, or in the one that is wanted; the same figure gives the same files."""
    with matplotlib.rc_context({"svg.hashsalt": "rarewords", "svg.fonttype": "none"}):
        if svg is not None:
            drawn = io.StringIO()
            figure.savefig(drawn, format="svg", metadata={"Date": None})
            with atomic_file(svg) as out:
                out.write(NOT_XML.sub("\ufffd", drawn.getvalue()).encode())
        if png is not None:
            with atomic_file(png) as out:
                figure.savefig(out, format="png", dpi=150, metadata={"Software": None})
