"""The corpora of configuration files, for commands that need no experiment."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml

from rarewords.errors import InputError
from rarewords.experiment.config import Config, checked_corpora, nearest


def load_corpora(paths: Iterable[Path]) -> Config:
    """All corpora of the files, checked, with defaults; later files win, maps are merged, as Snakemake does it.

    Raises InputError that names the file or the key.
    """
    config: Config = {}
    for path in paths:
        _merge(config, _read(path))
    return checked_corpora(config)


def find_corpus(corpora: Config, name: str) -> Config:
    """A corpus by its id; raises InputError with the nearest one."""
    if name not in corpora:
        raise InputError(f"no corpus is called '{name}'; {nearest(name, corpora)}")
    corpus: Config = corpora[name]
    return corpus


def _read(path: Path) -> Config:
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{path}: cannot be read ({error}); start in the folder of the repository, or name a file with --config."
        ) from error
    except yaml.YAMLError as error:
        raise InputError(f"{path}: not a YAML file ({' '.join(str(error).split())}).") from error
    if not isinstance(content, dict):
        raise InputError(f"{path}: expected a map of keys; config/README.md explains them.")
    return content


def _merge(into: dict[str, Any], other: dict[str, Any]) -> None:
    for key, value in other.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge(into[key], value)
        else:
            into[key] = value
