"""The projected hours of training of an experiment as a table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from measure import table

from rarewords.experiment.plan import Experiment
from rarewords.experiment.projection import SecondsPerUpdate, project

CONFIG = Path(__file__).parents[1] / "config"


def read_experiment(path: Path) -> Experiment:
    """An experiment from its configuration file, on top of those that belong to every experiment."""
    config: dict[str, Any] = {}
    for file in (CONFIG / "corpora.yaml", CONFIG / "systems.yaml", path):
        _merge(config, yaml.safe_load(file.read_text(encoding="utf-8")))
    return Experiment(config)


def projection_table(experiment: Experiment, seconds_per_update: SecondsPerUpdate) -> str:
    """A row for each pair and system, and the sum."""
    projections = project(experiment, seconds_per_update)
    rows: list[list[object]] = [
        [
            f"{row.pair} {row.system}",
            f"{row.runs} × {row.updates:,}",
            f"{row.members} × {row.fixed_updates:,}",
            f"{row.seconds_per_update:.3f}",
            f"{row.hours:,.0f}",
        ]
        for row in projections
    ]
    rows.append(["together", "", "", "", f"{sum(row.hours for row in projections):,.0f}"])
    return table(["system", "updates", "with fixed embeddings", "s/update", "hours"], rows)


def _merge(into: dict[str, Any], other: dict[str, Any]) -> None:
    for key, value in other.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge(into[key], value)
        else:
            into[key] = value
