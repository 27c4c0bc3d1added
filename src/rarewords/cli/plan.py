"""`rarewords plan`: what an experiment will need, before anybody pays for it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rarewords.errors import InputError, plural

if TYPE_CHECKING:
    from rarewords.experiment.plan import Experiment
    from rarewords.experiment.projection import Projection, SecondsPerUpdate

CONFIG = Path("config")
SHARE = 0.75  # share of the rate of large matrix products that training reaches on a CPU (bench/train.py)
LONG = 48  # hours; a longer plan is a reason to look for another machine
UNITS = {"GB": 1e9, "MB": 1e6}


@click.command(name="plan", short_help="What an experiment will need: jobs, hours, memory, disk.")
@click.argument("configs", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="CONFIG...")
@click.option(
    "--tokens-per-second",
    type=click.FloatRange(min=0, min_open=True),
    help="Speed of your device in target units per second, from `python bench/train.py --device cuda` or a "
    "training log. [default: measured on one core of this machine]",
)
@click.option("--devices", default=1, show_default=True, type=click.IntRange(1), help="Training runs at the same time.")
def command(configs: tuple[Path, ...], tokens_per_second: float | None, devices: int) -> None:
    """Show the jobs of an experiment, how long its training runs take, how much memory they need, and the disk space
    for its files.

    Run it where you would run Snakemake, with the same configuration files. It runs nothing itself. Jobs are the steps
    still to do; hours, memory and disk are those of the whole experiment. It also warns of settings that are hardly
    intended, such as a GPU where there is none.
    """
    from rarewords.experiment.files import experiment_of_files
    from rarewords.experiment.projection import at_flops_per_second, at_tokens_per_second, project
    from rarewords.experiment.unusual import unusual
    from rarewords.machine.device import prepare_cpu
    from rarewords.machine.product_rate import product_rate

    experiment = experiment_of_files(CONFIG, configs)
    for sentence in [*experiment.warnings, *unusual(experiment)]:
        click.echo(f"warning: {sentence}", err=True)
    speed: SecondsPerUpdate
    if tokens_per_second is None:
        prepare_cpu(threads=1)
        speed = at_flops_per_second(SHARE * product_rate())
        told = "one core of this machine, by its matrix products"
    else:
        speed = at_tokens_per_second(tokens_per_second)
        told = f"{tokens_per_second:,.0f} target units per second"
    jobs = job_counts(configs)
    rows = project(experiment, speed)
    _show_jobs(jobs)
    _show_trainings(experiment, rows, told)
    _show_disk(experiment)
    _say_how_long(sum(row.hours for row in rows), devices, tokens_per_second is None)


def job_counts(configs: tuple[Path, ...]) -> dict[str, int]:
    """Jobs that Snakemake would run, by rule; raises InputError with its last message if it would not run."""
    program = str(Path(sys.executable).with_name("snakemake"))
    arguments = ["--dry-run", "--cores", "1", "--configfile", *map(str, configs)]
    found = subprocess.run(
        [program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if found.returncode:
        last = next((line for line in reversed(found.stdout.splitlines()) if line.strip()), "no output")
        raise InputError(f"snakemake --dry-run ended with {found.returncode}: {last}")
    return parse_jobs(found.stdout)


def parse_jobs(output: str) -> dict[str, int]:
    """The table of jobs in Snakemake's output, without its total; empty if there is nothing to do."""
    _, _, table = output.partition("Job stats:")
    block = table.strip("\n").split("\n\n")[0]
    rows = re.findall(r"^(\S+) +(\d+)$", block, re.MULTILINE)
    return {rule: int(number) for rule, number in rows if rule != "total"}


def _show_jobs(jobs: dict[str, int]) -> None:
    from rarewords.report import table, terminal

    caption = [f"{sum(jobs.values()):,} jobs still to do, by rule."]
    rows: list[list[table.Cell]] = [[rule, number] for rule, number in sorted(jobs.items(), key=lambda job: -job[1])]
    terminal.show(table.Table(caption, table.columns("rule", "jobs"), rows))


def _show_trainings(experiment: Experiment, rows: list[Projection], told: str) -> None:
    from rarewords.experiment.budget import size_of, training_memory
    from rarewords.report import table, terminal

    cells: list[list[table.Cell]] = [
        [
            f"{row.pair} {row.system}",
            size_of(experiment, row.system, row.pair).count(),
            f"{row.runs} × {row.reached:,}{' *' if row.is_capped else ''}",
            f"{row.members} × {row.fixed_updates:,}",
            row.hours,
            _size(training_memory(experiment, row.system, row.pair)),
        ]
        for row in rows
    ]
    cells.append(["together", None, None, None, sum(row.hours for row in rows), None])
    names = ("training", "parameters", "updates", "fixed embeddings", "hours", "memory")
    caption = [f"Hours of one device at the speed of {told}; memory of one training run."]
    if any(row.is_capped for row in rows):
        caption.append("* Runs end by their time (training.hours), about here, before their last update.")
    terminal.show(table.Table(caption, table.columns(*names), cells))


def _show_disk(experiment: Experiment) -> None:
    from rarewords.experiment.budget import disk, training_pairs
    from rarewords.report import table, terminal

    rows: list[list[table.Cell]] = []
    total = 0.0
    for pair in experiment.pairs:
        pairs = training_pairs(experiment, pair)
        if pairs is None:
            click.echo(
                f"{pair}: the training text does not exist yet, and the configuration does not say how long it is.",
                err=True,
            )
            continue
        for need in disk(experiment, pair, pairs):
            rows.append([pair, need.what, _size(need.size)])
            total += need.size
    rows.append(["together", None, _size(total)])
    caption = ["Disk, estimated for sentences of average length."]
    terminal.show(table.Table(caption, table.columns("pair", "files", "size"), rows))


def _say_how_long(hours: float, devices: int, here: bool) -> None:
    share = hours / devices
    length = length_of(share)
    click.echo(f"The training runs take {length} on {plural(devices, 'device')}.")
    if share > LONG and here:
        click.echo(
            "That is long for this machine. A GPU is many times faster: measure one with `python bench/train.py "
            "--device cuda --embedding 620 --hidden 1000` and give its --tokens-per-second; or lower training.updates."
        )


def _size(number: float) -> str:
    unit, factor = next(((unit, factor) for unit, factor in UNITS.items() if number >= factor), ("MB", UNITS["MB"]))
    return f"{number / factor:,.1f} {unit}"


def length_of(hours: float) -> str:
    """A length of time in the unit that people would use: `40 minutes`, `7.5 hours`, `90 hours (3.8 days)`."""
    if hours < 1:
        return plural(round(60 * hours), "minute")
    if hours < 24:
        return f"{hours:.1f} hours"
    return f"{hours:,.0f} hours ({hours / 24:,.1f} days)"
