"""Trainings in processes that can be killed, forked from one that has loaded torch, so that they start at once."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import signal
import sys
import threading
from pathlib import Path

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["rarewords.cli.train", "rarewords.training.session"])


def start(
    folder: Path,
    errors: Path,
    arguments: list[str],
    checkpoint_seconds: float,
    variables: dict[str, str],
    killed_after: float | None = None,
) -> multiprocessing.Process:
    """Run `rarewords` with arguments in a folder of its own process, with more environment variables.

    Standard error goes to the file `errors`. With `killed_after` the process is killed so many seconds after its second
    report, before which it has written a checkpoint. It does so itself: a busy machine delays it as the training.
    """
    given = (folder, errors, arguments, checkpoint_seconds, variables, killed_after)
    process = CONTEXT.Process(target=_rarewords, args=given)
    process.start()
    return process


def _rarewords(
    folder: Path,
    errors: Path,
    arguments: list[str],
    checkpoint_seconds: float,
    variables: dict[str, str],
    killed_after: float | None,
) -> None:
    from rarewords.cli import main
    from rarewords.training import trainer

    # often enough that a signal or a kill finds something to destroy
    trainer.CHECKPOINT_SECONDS, trainer.REPORT_EVERY = checkpoint_seconds, 3
    os.environ.update(variables)
    os.chdir(folder)
    sys.stderr = open(errors, "w", encoding="utf-8", buffering=1)  # noqa: SIM115 - for the life of the process
    sys.argv = ["rarewords", *arguments]
    if killed_after is not None:
        _kill_after_two_reports(killed_after)
    main()


def _kill_after_two_reports(seconds: float) -> None:
    from rarewords.training import progress

    append_report = progress.append_report
    reports = itertools.count(1)

    def append(path: Path, report: dict[str, object]) -> None:
        append_report(path, report)
        if next(reports) == 2:
            threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGKILL)).start()

    progress.append_report = append
