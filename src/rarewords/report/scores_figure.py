"""The table of scores as a figure: a panel for each headline metric, a line for each system."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from rarewords.evaluation.registry import HEADLINE, Metric
from rarewords.report.figures import COLOURS, plain
from rarewords.report.table import ENSEMBLE, LEVEL, OURS, SINGLE, Cell, P, Table, number

EXTERNAL_COLOUR = "0.5"
LINE, MARGIN = 0.3, 1.4  # inches


def draw(table: Table, title: str) -> Figure:
    """Draw the rows of a table of scores that are not the paper's, in the order of the table.

    Large marks are the ensembles, filled if they differ from the baseline; small ones are the best single models. A
    dashed line shows the baseline, which is the row without a p. Colours are those of the other figures.
    """
    rows = [row for row in table.rows if not table.is_paper(row)]
    colours = _colours(table, rows)
    metrics = [metric for metric in HEADLINE if any(_value(table, row, metric, ENSEMBLE) is not None for row in rows)]
    figure = Figure(figsize=(2.2 + 1.7 * max(1, len(metrics)), MARGIN + LINE * len(rows)), layout="constrained")
    labels = [plain(str(row[0])) for row in rows]
    for place, metric in enumerate(metrics, 1):
        panel = figure.add_subplot(1, len(metrics), place)
        for height, (row, colour) in enumerate(zip(rows, colours, strict=True)):
            _marks(panel, table, row, metric, height, colour)
        _baseline(panel, table, rows, metric)
        panel.set_yticks(range(len(rows)), labels if place == 1 else [""] * len(rows))
        panel.set_ylim(len(rows) - 0.5, -0.5)
        panel.set_xlim(left=max(0.0, panel.get_xlim()[0]))  # no score is below 0
        panel.grid(axis="x", alpha=0.3)
        panel.spines[["top", "right"]].set_visible(False)
        panel.set_title(plain(metric.label), fontsize="medium")
    figure.suptitle(plain(title), fontsize="medium")
    if metrics:
        _legend(figure, table)
    return figure


def _colours(table: Table, rows: list[list[Cell]]) -> list[str]:
    """Grey for the translations made elsewhere, which the other figures do not have."""
    colours, systems = [], 0
    for row in rows:
        is_ours = table.origin(row) == OURS
        colours.append(COLOURS[systems % len(COLOURS)] if is_ours else EXTERNAL_COLOUR)
        systems += is_ours
    return colours


def _marks(panel: Axes, table: Table, row: list[Cell], metric: Metric, height: int, colour: str) -> None:
    single, ensemble = (_value(table, row, metric, role) for role in (SINGLE, ENSEMBLE))
    if single is not None:
        panel.plot(single, height, "o", color=colour, markersize=3)
    p = _value(table, row, metric, P)
    if ensemble is not None:
        face = colour if p is not None and p < LEVEL else "white"
        panel.plot(ensemble, height, "o", color=colour, markerfacecolor=face, markersize=8, clip_on=False)  # 0 is whole


def _baseline(panel: Axes, table: Table, rows: list[list[Cell]], metric: Metric) -> None:
    without = [row for row in rows if _value(table, row, metric, P) is None]
    if 0 < len(without) < len(rows):
        values = [_value(table, row, metric, ENSEMBLE) for row in without if table.origin(row) == OURS]
        if len(values) == 1 and values[0] is not None:
            panel.axvline(values[0], color="0.5", linestyle="--", linewidth=0.8)


def _value(table: Table, row: list[Cell], metric: Metric, role: str) -> float | None:
    places = [k for k, column in enumerate(table.columns) if (column.metric, column.role) == (metric.name, role)]
    return number(row[places[0]]) if places else None


def _legend(figure: Figure, table: Table) -> None:
    panel, roles = figure.axes[0], {column.role for column in table.columns}
    panel.plot([], [], "o", color="0.4", markerfacecolor="white", markersize=8, label="ensemble")
    if P in roles:
        panel.plot([], [], "o", color="0.4", markersize=8, label=f"ensemble, p < {LEVEL} against the baseline")
        panel.plot([], [], "--", color="0.5", linewidth=0.8, label="baseline")
    if SINGLE in roles:
        panel.plot([], [], "o", color="0.4", markersize=3, label="best single model")
    figure.legend(loc="outside lower center", frameon=False, ncols=2, fontsize="small")
