"""The corpora of configuration files, for commands that need no experiment."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rarewords.errors import InputError, nearest
from rarewords.experiment.config import Config, checked_corpora
from rarewords.experiment.files import read_config


def load_corpora(paths: Iterable[Path]) -> Config:
    """All corpora of the files, checked, with defaults; later files win, maps are merged, as Snakemake does it.

    Raises InputError that names the file or the key.
    """
    return checked_corpora(read_config(paths))


def find_corpus(corpora: Config, name: str) -> Config:
    """A corpus by its id; raises InputError with the nearest one."""
    if name not in corpora:
        raise InputError(f"no corpus is called '{name}'; {nearest(name, corpora)}")
    corpus: Config = corpora[name]
    return corpus
