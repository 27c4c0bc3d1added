"""What a finished run prints: its tables, and the paths of its results."""

from __future__ import annotations

import os

from rarewords.experiment.layout import Layout
from rarewords.experiment.plan import Experiment
from rarewords.report import terminal
from rarewords.report.targets import Targets
from rarewords.report.terminal import table_of


def show(experiment: Experiment) -> None:
    """Print the tables that exist and the paths of tables, figures and results."""
    targets, layout = Targets(experiment), Layout.of(experiment)
    written = [*targets.everything(), *(path for pair in experiment.pairs for path in targets.table1(pair))]
    there = [path for path in written if os.path.exists(path)]
    tables = [path for path in there if path.endswith(".tsv") and path.startswith(f"{layout.results}/tables/")]
    for path in tables:
        terminal.show(table_of(path))
        print(f"  {path}  (also .md and .tex)")
    for path in there:
        if path.endswith(".svg"):
            print(f"  {path}  (also .png)")
    if layout.report in there:
        print(f"  the report, everything on one page: {layout.report}")
    if tables:
        print(f"  scores and translations: {layout.results}/   models: {layout.models}/   logs: logs/")
