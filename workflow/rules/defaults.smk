"""The configuration under the user's: corpora, systems and, without an experiment, the demo; and the embedded text.

These files are read from beside this one, so that the workflow also runs as a module of another workflow, from a tag on a
code host, and with `--directory`. `configfile:` would do nothing in a module that is given its configuration.
"""

import copy
import os
from pathlib import Path

import yaml
from snakemake.utils import update_config

EMBEDDED = "data/demo/"  # what begins so is a file of this repository, unless the working folder has it


def shipped(path):
    """A file of this repository, even if that is not on this machine."""
    return workflow.source_path(f"../../{path}")


def shipped_config(name):
    with open(shipped(f"config/{name}.yaml"), encoding="utf-8") as file:
        return yaml.safe_load(file)


def defaults_under(given):
    """The names of the files with the defaults of the given settings."""
    return ["corpora", "systems"] if "experiment" in given else ["corpora", "systems", "config"]


def config_files():
    """The files of the configuration, for messages: later ones win."""
    return [Path(shipped(f"config/{name}.yaml")) for name in defaults_under(config_given)] + [
        Path(path) for path in workflow.configfiles
    ]


def complete_config(given):
    """The defaults, extended and replaced by what is given."""
    complete = {}
    for name in defaults_under(given):
        update_config(complete, shipped_config(name))
    update_config(complete, copy.deepcopy(given))
    return complete


def find_embedded(complete):
    """Name the embedded text of the experiment where it lies, as far as it is not in the working folder."""
    experiment = complete.get("experiment") or {}
    pairs = (complete.get("corpora", {}).get(experiment.get("corpus")) or {}).get("pairs") or {}
    for pair in set(pairs) & set(experiment.get("pairs") or []):
        lists = [pairs[pair].get("train"), *(pairs[pair].get("sets") or {}).values()]
        for paths in filter(lambda value: isinstance(value, list), lists):
            paths[:] = [where_embedded(path, pair.split("-")) for path in paths]


def where_embedded(path, languages):
    """The path of a file in the working folder or in the repository; a code host does not serve binary files."""
    if not isinstance(path, str) or not path.startswith(EMBEDDED):
        return path
    here, there = path, os.path.join(ROOT, path)
    if all(os.path.exists(here.replace("{lang}", language)) for language in languages):
        return here
    return there if all(os.path.exists(there.replace("{lang}", language)) for language in languages) else here


def repository():
    """The folder of this repository; what Snakemake has kept of it if it is on a code host."""
    here = workflow.current_basedir.get_path_or_uri(secret_free=True)
    return os.path.dirname(
        os.path.dirname(here if os.path.isdir(here) else os.path.dirname(shipped("workflow/Snakefile")))
    )


ROOT = repository()
config_given = copy.deepcopy(config)
config.clear()
config.update(complete_config(config_given))
find_embedded(config)
