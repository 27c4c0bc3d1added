"""A table is read back from its file and shown on the terminal."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from rarewords.errors import InputError
from rarewords.report import formats, terminal
from rarewords.report.table import read_table, write_table

from .conftest import comparison, score_table, scores, write


def test_tsv_is_read_back(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    table = score_table(rows, "en-de", "test")
    path = tmp_path / "table.tsv"
    path.write_text(formats.tsv(table), encoding="utf-8")
    again = formats.read_tsv(path)
    assert formats.tsv(again) == formats.tsv(table)
    assert [again.is_paper(row) for row in again.rows] == [True, False, True, False]
    assert again.rows[1][4:7] == [8000, 12000, 12.3]


def test_json_keeps_types_all_digits_and_marks(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    rows[0] |= {"system": "bpe"}
    table = score_table(rows, "en-de", "test", significance=comparison(bpe=0.0123456))
    path = tmp_path / "table.json"
    write_table(path, table)
    assert read_table(path) == table
    content = json.loads(path.read_text(encoding="utf-8"))
    first, second = content["rows"][:2]
    assert (first["origin"], second["origin"]) == ("paper", "ours")
    cells = second["cells"]
    assert (cells["system"], cells["BLEU single"], cells["vocabulary source"]) == ("BPE-J90k", 12.34, 8000)
    assert (cells["shortlist"], cells["BLEU p"]) == (None, 0.0123456)
    assert second["marked"] == ["BLEU ensemble", "F1 rare"]
    assert {"group": "BLEU", "name": "p", "metric": "bleu", "role": "p"} in content["columns"]


def test_a_table_without_its_json_is_shown_as_the_tsv_has_it(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    table = score_table(rows, "en-de", "test")
    path = tmp_path / "table.tsv"
    path.write_text(formats.tsv(table), encoding="utf-8")
    assert formats.tsv(terminal.table_of(path)) == formats.tsv(table)
    (tmp_path / "table.json").write_text('{"examples": []}', encoding="utf-8")  # of another kind, as beside table 4
    assert formats.tsv(terminal.table_of(path)) == formats.tsv(table)
    write_table(tmp_path / "table.json", table)
    assert terminal.table_of(path) == table


def test_damaged_json(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    write_table(path, score_table(rows, "en-de", "test"))
    content = json.loads(path.read_text(encoding="utf-8"))
    del content["sha256"]
    for damage in ({"rows": [{"cells": {"system": "x"}}]}, {"rows": [{"cells": {"system": [1]}}]}, {"columns": [1]}):
        path.write_text(json.dumps(content | damage), encoding="utf-8")
        with pytest.raises(InputError, match=r"table\.json: (the cells of row 1|not a table)"):
            read_table(path)


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
    table = score_table(rows, "en-de", "test", significance=comparison(bpe=0.01))
    path.write_text(formats.tsv(table), encoding="utf-8")
    write_table(tmp_path / "table2.json", table)
    out = io.StringIO()
    terminal.show(terminal.table_of(path), Console(file=out, width=200))
    lines = out.getvalue().split("\n")
    assert max(map(len, lines)) <= 120
    shown = next(line for line in lines if "a system" in line)
    assert " ".join(shown.split()).endswith("12.3 14.0* 10.0 (10.0–10.0) 40.0 41.0 40.0 (40.0–40.0) 51.3 10.0* -")
    assert "shortlist" not in out.getvalue()
    assert "short-" not in out.getvalue()
