"""The projected hours of training of an experiment as a table."""

from __future__ import annotations

from pathlib import Path

from measure import table

from rarewords.experiment.files import experiment_config
from rarewords.experiment.plan import Experiment
from rarewords.experiment.projection import SecondsPerUpdate, project

CONFIG = Path(__file__).parents[1] / "config"


def read_experiment(path: Path) -> Experiment:
    """An experiment from its configuration file, on top of those that belong to every experiment."""
    return Experiment(experiment_config(CONFIG, [path]))


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
