"""A table is read back from its file and shown on the terminal."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from rarewords.errors import InputError
from rarewords.report import formats, terminal

from .conftest import comparison, score_table, scores, write


def test_tsv_is_read_back(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    table = score_table(rows, "en-de", "test")
    path = tmp_path / "table.tsv"
    path.write_text(formats.tsv(table), encoding="utf-8")
    again = formats.read_tsv(path)
    assert formats.tsv(again) == formats.tsv(table)
    assert [again.is_paper(row) for row in again.rows] == [True, False, True, False]
    assert again.rows[1][4:7] == [8000, 12000, 12.3]


def test_damaged_tsv(tmp_path: Path) -> None:
    path = tmp_path / "table.tsv"
    path.write_text("# caption\na\tb\n1\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 3: 1 cells where the header has 2"):
        formats.read_tsv(path)
    path.write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="contains no table"):
        formats.read_tsv(path)


def test_terminal_fits_in_100_columns(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    path = tmp_path / "table.tsv"
    path.write_text(formats.tsv(score_table(rows, "en-de", "test")), encoding="utf-8")
    out = io.StringIO()
    terminal.show(formats.read_tsv(path), Console(file=out, width=200))
    lines = out.getvalue().split("\n")
    assert max(map(len, lines)) <= 120
    shown = next(line for line in lines if "BPE-J90k" in line and "paper" in line)
    assert " ".join(shown.split()) == "BPE-J90k paper BPE (joint) - 90,000 90,000 22.8 24.7 51.7 54.1 58.5 41.8 33.6"
    assert any(line.startswith("BLEU: case:mixed|tok:13a.") for line in lines)


def test_the_terminal_leaves_out_what_it_has_no_room_for(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    rows[0]["singles"] = [write(tmp_path / "0.json", scores(10.0, 40.0, None))]
    rows[0] |= {"system": "bpe", "label": "a system with a long name"}
    path = tmp_path / "table2.tsv"
    path.write_text(
        formats.tsv(score_table(rows, "en-de", "test", significance=comparison(bpe=0.01))), encoding="utf-8"
    )
    out = io.StringIO()
    terminal.show(formats.read_tsv(path), Console(file=out, width=200))
    lines = out.getvalue().split("\n")
    assert max(map(len, lines)) <= 120
    shown = next(line for line in lines if "a system" in line)
    assert " ".join(shown.split()).endswith("12.3 14.0* 10.0 (10.0–10.0) 40.0 41.0 40.0 (40.0–40.0) 51.3 10.0* -")
    assert "shortlist" not in out.getvalue()
    assert "short-" not in out.getvalue()
