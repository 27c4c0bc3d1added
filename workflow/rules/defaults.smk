"""The configuration under the user's, see `rarewords.experiment.defaults`.

Its files are read from beside this one, so that the workflow also runs as a module of another workflow, from a tag on a
code host, and with `--directory`. `configfile:` would do nothing in a module that is given its configuration.
"""

import copy
import os
import sys
from pathlib import Path

import yaml

try:
    from rarewords.experiment.defaults import complete_config, defaults_under
except ImportError:
    sys.exit("The package rarewords is not installed here: run `make setup`, or `pip install '.[all]'`.")


def shipped(path):
    """A file of this repository, even if that is not on this machine."""
    return workflow.source_path(f"../../{path}")


def shipped_config(name):
    return yaml.safe_load(Path(shipped(f"config/{name}.yaml")).read_text(encoding="utf-8"))


def repository():
    """The folder of this repository; what Snakemake has kept of it if it is on a code host."""
    here = workflow.current_basedir.get_path_or_uri(secret_free=True)
    return os.path.dirname(
        os.path.dirname(here if os.path.isdir(here) else os.path.dirname(shipped("workflow/Snakefile")))
    )


ROOT = repository()
config_given = copy.deepcopy(config)
config.clear()
config.update(complete_config(config_given, shipped_config, ROOT))
# The files of the configuration, for messages: later ones win.
CONFIG_FILES = [
    *(Path(shipped(f"config/{name}.yaml")) for name in defaults_under(config_given)),
    *map(Path, workflow.configfiles),
]
