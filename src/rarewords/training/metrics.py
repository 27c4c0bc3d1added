"""What trainings report, as JSON lines: one object a report, every update in exactly one of them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

FILE_NAME = "metrics.jsonl"


def read_reports(path: Path) -> list[dict[str, Any]]:
    """The reports of one training in order; none if there is no file. A line cut short by a kill is left out."""
    if not path.exists():
        return []
    return [report for line in path.read_text(encoding="utf-8").split("\n") if (report := _parse(line)) is not None]


def append_report(path: Path, report: dict[str, Any]) -> None:
    """Add one report."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "a", encoding="utf-8") as out:
        out.write(json.dumps(report) + "\n")


def drop_reports_after(path: Path, updates: int) -> None:
    """Forget reports of updates that a resumed training does again, and a line that was cut short."""
    if not path.exists():
        return
    kept = [report for report in read_reports(path) if report["updates"] <= updates]
    temporary = path.with_name(f".{path.name}.tmp")
    temporary.write_text("".join(json.dumps(report) + "\n" for report in kept), encoding="utf-8")
    os.replace(temporary, path)


def _parse(line: str) -> dict[str, Any] | None:
    try:
        report = json.loads(line)
    except json.JSONDecodeError:
        return None
    return report if isinstance(report, dict) and "updates" in report else None
