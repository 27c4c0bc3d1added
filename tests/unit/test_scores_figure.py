"""The figure of a table of scores: what stands where, and what is filled."""

from __future__ import annotations

from matplotlib.axes import Axes

from rarewords.evaluation.registry import HEADLINE
from rarewords.report.figures import COLOURS
from rarewords.report.scores_figure import draw
from rarewords.report.table import EXTERNAL, OURS, PAPER, Column, Table

COLUMNS = [
    Column("", "system"),
    Column("", "from", role="origin"),
    Column("BLEU", "single", "bleu", "single"),
    Column("BLEU", "ensemble", "bleu", "ensemble"),
    Column("BLEU", "p", "bleu", "p"),
]
TABLE = Table(
    [],
    COLUMNS,
    [
        ["SMT", EXTERNAL, None, 24.0, 0.2],
        ["WDict", OURS, 20.0, 22.0, None],
        ["BPE", OURS, 21.0, 23.5, 0.049],
        ["$x$ & C2", OURS, None, 21.5, 0.05],
        ["WDict", PAPER, 22.0, 24.2, None],
    ],
)


def large(panel: Axes) -> list[tuple[float, float, str, str]]:
    """Place, height, colour and filling of the marks of ensembles."""
    return [
        (float(line.get_xdata()[0]), float(line.get_ydata()[0]), str(line.get_color()), str(line.get_markerfacecolor()))
        for line in panel.lines
        if line.get_markersize() == 8 and len(line.get_xdata())
    ]


def test_systems_stand_in_the_order_of_the_table_and_differences_are_filled() -> None:
    figure = draw(TABLE, "en-de, test")
    (panel,) = figure.axes
    assert panel.get_title() == "BLEU"
    assert [text.get_text() for text in panel.get_yticklabels()] == ["SMT", "WDict", "BPE", r"\$x\$ & C2"]
    assert panel.get_ylim() == (3.5, -0.5)  # the first row on top
    assert large(panel) == [
        (24.0, 0, "0.5", "white"),
        (22.0, 1, COLOURS[0], "white"),
        (23.5, 2, COLOURS[1], COLOURS[1]),
        (21.5, 3, COLOURS[2], "white"),
    ]
    single = [
        float(line.get_xdata()[0]) for line in panel.lines if line.get_markersize() == 3 and len(line.get_xdata())
    ]
    assert single == [20.0, 21.0]
    figure.canvas.draw()


def test_the_dashed_line_is_the_baseline() -> None:
    (panel,) = draw(TABLE, "").axes
    assert [
        list(line.get_xdata()) for line in panel.lines if line.get_linestyle() == "--" and len(line.get_xdata())
    ] == [[22.0, 22.0]]


def test_without_tests_there_is_neither_a_baseline_nor_a_filled_mark() -> None:
    table = Table([], COLUMNS[:4], [row[:4] for row in TABLE.rows])
    figure = draw(table, "")
    (panel,) = figure.axes
    assert {filling for *_, filling in large(panel)} == {"white"}
    assert not [line for line in panel.lines if line.get_linestyle() == "--"]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["ensemble", "best single model"]


def test_every_headline_metric_of_the_table_has_a_panel() -> None:
    columns = [*COLUMNS[:2], *(Column("", metric.name, metric.name, "ensemble") for metric in HEADLINE)]
    figure = draw(Table([], columns, [["BPE", OURS, *(float(k) for k in range(len(HEADLINE)))]]), "")
    assert [panel.get_title() for panel in figure.axes] == [metric.label for metric in HEADLINE]
    assert min(panel.get_xlim()[0] for panel in figure.axes) == 0.0


def test_a_table_without_scores_is_an_empty_figure() -> None:
    assert draw(Table([], COLUMNS[:2], [["BPE", OURS]]), "nothing").axes == []
