"""Configuration files, merged as Snakemake merges them: maps key by key, anything else replaced by the later file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from rarewords.errors import InputError
from rarewords.experiment.config import Config
from rarewords.experiment.layout import config_file
from rarewords.experiment.plan import Experiment
from rarewords.experiment.provenance import with_file
from rarewords.text.documents import parse_yaml

DEFINITIONS = ("corpora.yaml", "systems.yaml")  # are read before any experiment
DEFAULT = "config.yaml"  # the experiment that overlays without their own change


def experiment_config(folder: Path, paths: Iterable[Path]) -> Config:
    """The configuration that Snakemake gets from the files `paths`, on top of those of the repository in `folder`.

    If none of them defines an experiment, the repository's config.yaml does.
    """
    given = read_config(paths := list(paths))
    return read_config([*_base(folder, given), *paths])


def experiment_of_files(folder: Path, paths: Sequence[Path]) -> Experiment:
    """The experiment of `experiment_config`; an InputError names the file that a wrong setting is from."""
    config = experiment_config(folder, paths)
    try:
        return Experiment(config)
    except InputError as error:
        raise InputError(with_file(str(error), config, [*_base(folder, read_config(paths)), *paths])) from error


def _base(folder: Path, given: Config) -> list[Path]:
    """The files whose settings hold where the given ones say nothing."""
    return [folder / name for name in (*DEFINITIONS, *(() if "experiment" in given else (DEFAULT,)))]


def config_of_run(name: str) -> tuple[Path, Config]:
    """The configuration that the last run of an experiment left in the current folder, and its file.

    Raises InputError if there was no such run.
    """
    path = Path(config_file(name))
    if not path.is_file():
        raise InputError(
            f"{path} does not exist: experiment {name!r} has not been run in this folder; run snakemake here."
        )
    return path, _read(path)


def experiment_of_run(run: str) -> Experiment:
    """The experiment of a run in the current folder, by its name or by the configuration that the run left.

    Raises InputError if there is none.
    """
    if run.endswith((".yaml", ".yml")):
        return Experiment(_read(Path(run)))
    return Experiment(config_of_run(run)[1])


def read_config(paths: Iterable[Path]) -> Config:
    """All files as one configuration; later ones win. Raises InputError for a file that is missing or not a map."""
    config: Config = {}
    for path in paths:
        merge(config, _read(path))
    return config


def _read(path: Path) -> Config:
    try:
        content = parse_yaml(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"{path}: cannot be read ({reason}); name an existing configuration file.") from error
    if not isinstance(content, dict):
        raise InputError(f"{path}: expected a map of keys; config/README.md explains them.")
    return content


def merge(into: Config, other: Config) -> None:
    """Put settings over others: maps key by key, anything else replaced."""
    for key, value in other.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            merge(into[key], value)
        else:
            into[key] = value
