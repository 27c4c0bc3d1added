"""What the wildcards of the workflow's paths may be: names of the experiment, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from rarewords.experiment.layout import language
from rarewords.experiment.plan import Experiment


def one_of(names: Iterable[str]) -> str:
    """A pattern that matches these names only."""
    return "|".join(re.escape(name) for name in sorted(set(names))) or "(?!)"  # which nothing matches


def constraints(experiment: Experiment, training_text: str, files: Mapping[str, Iterable[str]]) -> dict[str, str]:
    """The pattern of each wildcard of the workflow.

    `training_text` is the pattern of the training text in the stages that may be cut into shards; `files` are the names
    of tables and figures and the places of test sets, by their wildcard.
    """
    sets = one_of([experiment.dev, *experiment.tests])
    models = experiment.trained
    return {
        "pair": one_of(experiment.pairs),
        "src": one_of(language(pair, "source") for pair in experiment.pairs),
        "tgt": one_of(language(pair, "target") for pair in experiment.pairs),
        "lang": r"[a-z]{2,3}",
        "split": f"{sets}|{training_text}",
        "testset": sets,
        "system": one_of([*experiment.systems, *models, *map(experiment.text_of, models)]),
        "row": one_of(experiment.table1_rows),
        "form": one_of(experiment.forms()),
        "run": r"\d+",
        "member": r"\d+",
        "output": rf"single-\d+|best(-for-({one_of(replacing(experiment))}))?|ensemble",
        **{wildcard: _grouped(names) for wildcard, names in files.items()},
    }


def _grouped(names: Iterable[str]) -> str:
    """A pattern that matches these names only, of which one may be empty: the place of the first test set."""
    escaped = list(map(re.escape, names))
    return f"(?:{'|'.join(escaped)})" if escaped else "(?!)"


def searching(experiment: Experiment) -> list[str]:
    """Systems with a search of their own."""
    return [system for system in [*experiment.systems, *experiment.trained] if experiment.searches(system)]


def replacing(experiment: Experiment) -> list[str]:
    """The others, which replace unknown words in the translations of one of these."""
    return [system for system in experiment.systems if not experiment.searches(system)]
