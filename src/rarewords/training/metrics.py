"""What trainings report, as JSON lines: one object a report, every update in exactly one of them.

A number that is none (NaN, infinite) is null, which every JSON reader takes.
"""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any

from rarewords.errors import InputError
from rarewords.text.documents import Kind, fitted, parse_json
from rarewords.text.shapes import record, whole

FILE_NAME = "metrics.jsonl"
REPORT = Kind("a report", record({"updates": whole()}, open_=True), "leave it out")


def read_reports(path: Path) -> list[dict[str, Any]]:
    """The reports of one training in order; none if there is no file. A line cut short by a kill is left out."""
    if not path.exists():
        return []
    return [
        report
        for line in path.read_text(encoding="utf-8", errors="replace").split("\n")
        if (report := _parse(line)) is not None
    ]


def append_report(path: Path, report: dict[str, Any]) -> None:
    """Add one report."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "a", encoding="utf-8") as out:
        out.write(_line(report))


def drop_reports_after(path: Path, updates: int) -> None:
    """Forget reports of updates that a resumed training does again, and a line that was cut short."""
    if not path.exists():
        return
    kept = [report for report in read_reports(path) if report["updates"] <= updates]
    temporary = path.with_name(f".{path.name}.tmp")
    temporary.write_text("".join(map(_line, kept)), encoding="utf-8")
    os.replace(temporary, path)


def _line(report: dict[str, Any]) -> str:
    finite = {
        name: None if isinstance(value, float) and not math.isfinite(value) else value for name, value in report.items()
    }
    return json.dumps(finite, allow_nan=False) + "\n"


def _parse(line: str) -> dict[str, Any] | None:
    try:
        return dict(fitted(parse_json(line, FILE_NAME, nan=True), REPORT, FILE_NAME))
    except InputError:
        return None
