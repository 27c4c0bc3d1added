"""`rarewords train`: a network from scratch, and its continuation with fixed embeddings."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

import click

from rarewords.cli import options
from rarewords.cli.groups import Group
from rarewords.cli.settings_options import options_of, renamed, settings_of
from rarewords.errors import plural
from rarewords.settings import TrainingLength, TrainingSettings

TEMPORARY_FAILURE = 75  # the conventional exit code for "try again"; with `snakemake --retries` the next try continues
OLD_NAMES = {
    "--deviation": "--init-std",
    "--cutoff": "--clip-norm",
    "--loaded-vocabulary": "--partition-vocabulary",
}


@click.group(cls=Group, name="train", short_help="Train a network, or continue one with fixed embeddings.")
def command() -> None:
    """Train a network, or continue one with fixed embeddings.

    A training run continues from its newest checkpoint when you start it again with the same command. SIGTERM, SIGINT
    and SIGUSR1 make it write a checkpoint and exit with code 75. Only one process at a time can train in a folder.
    """


_data = click.option(
    "--data", required=True, type=click.Path(), help="Folder with the encoded training text, of `rarewords encode`."
)


def _run_options(function: Callable[..., Any]) -> Callable[..., Any]:
    decorators = [
        click.option(
            "--checkpoints", required=True, type=click.Path(), help="Folder for checkpoints and metrics.jsonl."
        ),
        click.option(
            "--set-aside-changed",
            is_flag=True,
            help="If the folder holds checkpoints of other settings or data, rename it instead of refusing.",
        ),
        click.option("--label", default="training", show_default=True, help="Name in the progress line."),
        options.device,
        options.threads,
        click.option(
            "--capture",
            is_flag=True,
            help="Replay updates as CUDA graphs, on minibatches padded to few shapes. GPU only; not yet tried on one.",
        ),
    ]
    return functools.reduce(lambda f, decorate: decorate(f), reversed(decorators), function)


@command.command("run", cls=renamed(OLD_NAMES))
@_data
@options_of(TrainingSettings)
@options_of(TrainingLength)
@click.option(
    "--seed",
    default=1,
    show_default=True,
    type=click.IntRange(0, 2**63 - 1),
    help="Seed of the initial weights and the order of the data.",
)
@click.option(
    "--saved",
    required=True,
    multiple=True,
    type=click.Path(),
    help="File for a saved model; repeat it for the last several, oldest first.",
)
@click.option("--dev-source", type=click.Path(), help="Segmented source side of the development text.")
@click.option(
    "--dev-target", type=click.Path(), help="Segmented target side; its loss is reported at every saved model."
)
@click.option(
    "--dev-segmenter",
    type=click.Path(),
    help="Segmenter of the target side: report BLEU of a greedy search, too, on truecased words.",
)
@_run_options
def run_command(
    data: str,
    saved: tuple[str, ...],
    dev_source: str | None,
    dev_target: str | None,
    dev_segmenter: str | None,
    checkpoints: str,
    set_aside_changed: bool,
    label: str,
    device: str,
    threads: int,
    capture: bool,
    **values: Any,
) -> None:
    """Train a network with Adadelta and save the last models of the run.

    With a development text, its loss is measured and reported at every saved model, including those that are not kept.
    This does not change any model, unless --patience ends the run before its last update; the saved models are then the
    last ones before the end. The same holds for --hours, which includes the time before interruptions. A training run
    that gets another --save-every, --patience or --hours continues from its newest checkpoint.
    """
    from rarewords.training.session import Machine, train
    from rarewords.training.trainer import Interrupted
    from rarewords.training.validation import early_stop, load_validation

    if values["hidden"] % 2:
        raise click.BadParameter("must be even, because the maxout reads pairs", param_hint="--hidden")
    settings, length = settings_of(TrainingSettings, values), settings_of(TrainingLength, values)
    validation, stop = None, None
    if dev_source is not None and dev_target is not None:
        greedy_bleu = None
        if dev_segmenter is not None:
            from rarewords.decoding.greedy_bleu import GreedyBleu

            greedy_bleu = GreedyBleu(dev_source, dev_target, dev_segmenter, data)
        every = length.save_every if isinstance(length.save_every, int) else None
        validation = load_validation(
            dev_source, dev_target, data, settings.batch_size, every, length.patience, greedy_bleu
        )
        stop = early_stop(length.patience, dev_source, dev_target)
    elif (dev_source, dev_target, dev_segmenter, length.patience) != (None, None, None, None):
        raise click.UsageError("The development text needs both sides: --dev-source and --dev-target.")
    try:
        train(
            data, settings, length, list(saved), checkpoints, Machine(device, threads, capture), label,
            set_aside_changed, validation, stop,
        )  # fmt: skip
    except Interrupted as interrupted:
        _give_way(label, interrupted)


@command.command("finetune")
@_data
@click.option("--saved", required=True, type=click.Path(), help="Saved model to continue.")
@click.option("--updates", required=True, type=click.IntRange(1), help="Updates with fixed embeddings.")
@click.option("--member", required=True, type=click.Path(), help="Folder for the finished model.")
@click.option("--saved-updates", type=click.IntRange(1), help="Updates that the saved model must have.")
@click.option("--saved-seed", type=click.IntRange(0), help="Seed that the saved model must have.")
@_run_options
def finetune_command(
    data: str,
    saved: str,
    updates: int,
    member: str,
    saved_updates: int | None,
    saved_seed: int | None,
    checkpoints: str,
    set_aside_changed: bool,
    label: str,
    device: str,
    threads: int,
    capture: bool,
) -> None:
    """Continue a saved model with both embeddings and the output layer fixed, and write a member for decoding."""
    from rarewords.training.session import Machine, finetune
    from rarewords.training.trainer import Interrupted

    given = {"updates": saved_updates, "seed": saved_seed}
    expected = {name: value for name, value in given.items() if value is not None}
    try:
        finetune(
            data,
            saved,
            updates,
            member,
            checkpoints,
            Machine(device, threads, capture),
            label,
            set_aside_changed,
            expected,
        )
    except Interrupted as interrupted:
        _give_way(label, interrupted)


@command.command("status")
@click.argument("models", type=click.Path())
def status_command(models: str) -> None:
    """Show the progress of every training run below the folder MODELS.

    One line for each training run, named by its checkpoint folder (or the folder above it, if that is just called
    checkpoints), from its last report: updates so far and in all, epoch, loss per target token, the same of the
    development text where it was measured last, its BLEU by greedy search if that is measured, share of updates
    whose gradient was longer than the clip norm (100% is usual with the paper's settings), target tokens a second,
    peak memory, and how long ago the report was.
    """
    from rarewords.training.status import HEADINGS, status_rows

    rows = [HEADINGS, *status_rows(models)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, *cells in rows:
        right = "  ".join(cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True))
        click.echo(f"{name.ljust(widths[0])}  {right}")


@command.command("tensorboard")
@click.argument("models", type=click.Path())
@click.option("--output", required=True, type=click.Path(), help="Folder for the event files.")
def tensorboard_command(models: str, output: str) -> None:
    """Write the reports of all training runs below the folder MODELS as event files for TensorBoard.

    Each training run gets its own folder below the output folder; a later call replaces the files. It works during
    training and afterwards. Needs the extra: pip install 'rarewords[tensorboard]'.

    \b
    rarewords train tensorboard models/demo --output events
    tensorboard --logdir events
    """
    from rarewords.text.outputs import check_folder
    from rarewords.training.tensorboard import write_events

    check_folder(output)
    folders = write_events(models, output)
    click.echo(f"{plural(len(folders), 'training run')}; show them with: tensorboard --logdir {output}", err=True)


def _give_way(label: str, reason: Exception) -> None:
    click.echo(f"{label}: {reason}.", err=True)
    sys.exit(TEMPORARY_FAILURE)
