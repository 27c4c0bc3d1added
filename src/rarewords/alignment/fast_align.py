"""The user's own fast_align (docs/reproduction/alignment.md)."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

from rarewords.alignment.links import Link, read_links
from rarewords.errors import InputError
from rarewords.text.files import read_parallel, write_lines

OPTIONS = ["-d", "-o", "-v"]  # favour the diagonal, optimise the tension, variational Bayes


def align(source: Path, target: Path, reverse: bool, report: Callable[[str], None]) -> Iterator[list[Link]]:
    """Links of each pair of two numbered files; `reverse` models the source given the target.

    Raises InputError if there is no such program or it fails. Its own messages go to standard error.
    """
    program = shutil.which("fast_align")
    if program is None:
        raise InputError(
            "there is no program fast_align on the PATH; install it, or choose the aligner thot, which needs none."
        )
    joined, links = source.with_name("joined"), source.with_name("links")
    write_lines(joined, (f"{left} ||| {right}" for left, right in read_parallel(source, target)))
    command = [program, "-i", str(joined), *OPTIONS, *(["-r"] if reverse else [])]
    report(" ".join(command))
    with open(links, "wb") as out:
        # One thread: with more, its sums, and with them single links, change from run to run.
        done = subprocess.run(command, stdout=out, env={**os.environ, "OMP_NUM_THREADS": "1"}, check=False)
    if done.returncode:
        raise InputError(f"{program} ended with code {done.returncode}; its own messages are above.")
    yield from read_links(links)
