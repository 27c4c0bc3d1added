"""Models of another experiment (`experiment.models_from`): used only if they are those that this one would train."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rarewords.errors import InputError
from rarewords.experiment.layout import config_file
from rarewords.experiment.plan import Experiment
from rarewords.text.documents import parse_yaml
from rarewords.text.files import read_lines

NOT_DECISIVE = {"device", "threads"}  # keys of `training` that do not change a model
OF_MODELS = ("segmentation", "vocabulary", "fallback", "sampling", "preprocess", "network", "training", "seed", "pairs")


def check_borrowed_models(experiment: Experiment) -> None:
    """Raise InputError, naming the first difference, unless the other experiment trains the same models.

    Its configuration is the one that its last run saved. Without this check, a difference would make the workflow train
    the other experiment's models again and replace them.
    """
    if experiment.models_from == experiment.name:
        return
    path = Path(config_file(experiment.models_from))
    if not path.is_file():
        raise InputError(
            f"experiment.models_from: {path} does not exist; run the experiment '{experiment.models_from}' first."
        )
    other = Experiment(parse_yaml("\n".join(read_lines(path)), str(path)))
    here, there = _decisive(experiment, experiment), _decisive(other, experiment)
    for key, value in here.items():
        if key not in there or there[key] != value:
            found = repr(there[key]) if key in there else "nothing"
            raise InputError(
                f"experiment.models_from: the models of '{experiment.models_from}' differ: {key} is {found} there "
                f"and {value!r} here; make it equal, or leave out experiment.models_from."
            )


def _decisive(experiment: Experiment, asked: Experiment) -> dict[str, Any]:
    """What decides the models that `asked` needs, as an experiment has it, by key."""
    config = experiment.config
    values = {
        "experiment.corpus": experiment.corpus,
        "experiment.dev": experiment.dev,
        "experiment.seed": config["experiment"]["seed"],
    }
    values |= {f"network.{key}": value for key, value in config["network"].items()}
    values |= {f"training.{key}": value for key, value in config["training"].items() if key not in NOT_DECISIVE}
    corpus = config["corpora"][experiment.corpus]
    values |= {f"corpora.{experiment.corpus}.preprocess.{key}": value for key, value in corpus["preprocess"].items()}
    for pair in asked.pairs:
        if pair in experiment.pairs:
            values[f"corpora.{experiment.corpus}.pairs.{pair}.train"] = corpus["pairs"][pair]["train"]
    for system in asked.trained:
        if system in experiment.trained:
            definition = config["systems"][system]
            values |= {f"systems.{system}.{key}": _given(definition.get(key)) for key in OF_MODELS}
    return values


def _given(value: Any) -> Any:
    """A value of a system, where nothing at all, false and an empty map mean that it has none of its own."""
    return value if value or (value == 0 and value is not False) else None
