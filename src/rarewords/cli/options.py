"""Options that several commands share."""

from __future__ import annotations

import click

device = click.option(
    "--device", default="auto", show_default=True, help="auto (a GPU where there is one), cpu, cuda or cuda:N."
)
threads = click.option("--threads", default=1, show_default=True, type=click.IntRange(1), help="CPU threads.")
