"""The reports of training runs as JSON lines: one object per report, with every update in exactly one of them.

NaN and infinity become null, which every JSON reader accepts. The last key of an object is the checksum
(`crc32`) of the line up to it; lines of earlier versions have none.
"""

from __future__ import annotations

import json
import math
import os
import zlib
from pathlib import Path
from typing import Any

from rarewords.errors import InputError
from rarewords.text.documents import Kind, fitted, parse_json
from rarewords.text.shapes import record, whole

FILE_NAME = "metrics.jsonl"
CHECKSUM = "crc32"
REPORT = Kind("a report", record({"updates": whole()}, open_=True), "leave it out")


def read_reports(path: Path) -> list[dict[str, Any]]:
    """The reports of one training run in order; none if there is no file. A line that was cut short is left out."""
    if not path.exists():
        return []
    return [
        report
        for line in path.read_text(encoding="utf-8", errors="replace").split("\n")
        if (report := parse_report(line)) is not None
    ]


def append_report(path: Path, report: dict[str, Any]) -> None:
    """Add one report."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "a", encoding="utf-8") as out:
        out.write(_line(report))


def drop_reports_after(path: Path, updates: int) -> None:
    """Remove reports of updates that a resumed run repeats, and a line that was cut short."""
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
    body = json.dumps(finite, allow_nan=False)[:-1]
    return f'{body}, "{CHECKSUM}": "{zlib.crc32(body.encode()):08x}"}}\n'


def parse_report(line: str) -> dict[str, Any] | None:
    """The report in a line; None for a line that is not a report or was damaged."""
    try:
        report: dict[str, Any] = fitted(parse_json(line, FILE_NAME, nan=True), REPORT, FILE_NAME)
    except InputError:
        return None
    if CHECKSUM not in report:
        return report
    body = line.rpartition(f', "{CHECKSUM}": ')[0]
    return report if report.pop(CHECKSUM) == f"{zlib.crc32(body.encode()):08x}" else None


def seconds_reported(path: Path) -> float:
    """How long the reported updates of a training run took; 0 if no report says so."""
    reports = read_reports(path)
    seconds = reports[-1].get("seconds") if reports else None
    return float(seconds) if isinstance(seconds, int | float) else 0.0
