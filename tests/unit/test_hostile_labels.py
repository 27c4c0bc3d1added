"""Names and texts that others wrote, where they are shown: terminal, Markdown, TSV, SVG."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from matplotlib.figure import Figure

from rarewords.errors import printable
from rarewords.report import formats
from rarewords.report.figures import Point, plain, types_against_tokens, write_figure
from rarewords.report.table import Table, columns

pytestmark = pytest.mark.filterwarnings("ignore:Glyph")
HOSTILE = "<b>&\x01\x1b[31m |*$\\frac$ \ufffe\n\tend"


def test_what_moves_the_cursor_is_shown_as_a_code() -> None:
    assert printable("a\x1b[31m\x07b\x9b\u202ec\n\t") == "a\\x1b[31m\\x07b\\x9b\\u202ec\n\t"
    assert printable("größe — Ж 中 \u00a0") == "größe — Ж 中 \u00a0"


def test_tables_keep_their_columns_and_markdown_shows_html_as_it_is(tmp_path: Path) -> None:
    table = Table(["caption"], columns("system", "BLEU"), [[HOSTILE, 12.0]])
    (tmp_path / "x.tsv").write_text(formats.tsv(table), encoding="utf-8")
    assert formats.read_tsv(tmp_path / "x.tsv").rows[0][1] == 12.0
    row = formats.markdown(table).splitlines()[-1]
    assert "&lt;b>&\x01" in row
    assert r"\|\*" in row


@pytest.mark.parametrize("label", [HOSTILE, "_hidden", "$x$", "$\\nonsense{$", "a $ b"])
def test_a_figure_is_xml_whatever_the_label(tmp_path: Path, label: str) -> None:
    figure = types_against_tokens([Point(label, 1.0, 2.0), Point("b", 2.0, 1.0)])
    write_figure(figure, tmp_path / "x.svg", tmp_path / "x.png")
    texts = "".join(ElementTree.parse(tmp_path / "x.svg").getroot().itertext())
    assert label in texts or label == HOSTILE


def test_a_title_that_is_no_xml_is_replaced(tmp_path: Path) -> None:
    figure = Figure()
    figure.suptitle(plain("a\x01b"))
    write_figure(figure, tmp_path / "x.svg", tmp_path / "x.png")
    assert "a\ufffdb" in (tmp_path / "x.svg").read_text(encoding="utf-8")
