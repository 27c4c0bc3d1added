"""The configuration under the user's: corpora, systems and, without an experiment, the demo; and the embedded text."""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Mapping
from typing import Any

from rarewords.experiment.config import Config
from rarewords.experiment.files import merge

DEFINITIONS = ("corpora", "systems")  # the files of config/ that are read before any experiment
DEMO = "config"  # the one with the experiment of those who name none
EMBEDDED = "data/demo/"  # what begins so is a file of this repository, unless the working folder has it


def defaults_under(given: Mapping[str, Any]) -> list[str]:
    """The names of the files with the defaults of the given settings; later ones win."""
    return [*DEFINITIONS, *(() if "experiment" in given else (DEMO,))]


def complete_config(given: Config, read: Callable[[str], Config], root: str) -> Config:
    """The defaults, extended and replaced by what is given, with the embedded text where it lies.

    `read` reads a file of config/ by its name; `root` is the folder of the repository.
    """
    complete: Config = {}
    for name in defaults_under(given):
        merge(complete, read(name))
    merge(complete, copy.deepcopy(given))
    _find_embedded(complete, root)
    return complete


def _find_embedded(complete: Config, root: str) -> None:
    """Name the embedded text of the experiment where it lies, as far as it is not in the working folder.

    Nothing is checked yet, so any part may be missing or of the wrong kind.
    """
    experiment = _map(complete.get("experiment"))
    corpus, wanted = str(experiment.get("corpus")), experiment.get("pairs")
    for pair, texts in _map(_map(_map(complete.get("corpora")).get(corpus)).get("pairs")).items():
        if not isinstance(wanted, list) or pair not in wanted:
            continue
        for paths in (_map(texts).get("train"), *_map(_map(texts).get("sets")).values()):
            if isinstance(paths, list):
                paths[:] = [_where_embedded(path, str(pair).split("-"), root) for path in paths]


def _map(value: Any) -> dict[Any, Any]:
    return value if isinstance(value, dict) else {}


def _where_embedded(path: Any, languages: list[str], root: str) -> Any:
    """The path of a file in the working folder or in the repository; a code host does not serve binary files."""
    if not isinstance(path, str) or not path.startswith(EMBEDDED):
        return path
    for place in (path, os.path.join(root, path)):
        if all(os.path.exists(place.replace("{lang}", language)) for language in languages):
            return place
    return path
