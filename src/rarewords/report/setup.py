"""What an experiment trained and how, in a few lines at the beginning of the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rarewords.errors import plural
from rarewords.experiment.renamed import with_new_names
from rarewords.text.documents import parse_yaml, read_json
from rarewords.text.files import PathLike, read_lines

Fact = tuple[str, str]


def setup(config: PathLike, trainings: Mapping[str, PathLike]) -> list[Fact]:
    """The facts about text, network, training, members and search.

    `config` is the configuration of the run, `trainings` maps pairs to the files of `rarewords report training`.
    """
    given, _ = with_new_names(parse_yaml("\n".join(read_lines(config)), str(config)))
    training = given["training"]

    def values(section: str, key: str, form: str = ",") -> str:
        return " or ".join(format(value, form) for value in _values(given, section, key) if value is not None)

    facts = [_text(given, pair, list(read_json(path).values())) for pair, path in trainings.items()]
    labels = [given["systems"][system]["label"] for system in given["experiment"]["systems"]]
    cutoffs = training["clip_norms"]
    precision = values("training", "precision", "")
    precision = "" if precision == "float32" else f", {precision}"
    patience, hours = values("training", "patience"), values("training", "hours")
    ends = [f"after {_plural(hours, 'hour')}"] if hours else []
    ends += [f"after {_plural(patience, 'saved model')} without progress on the development text"] if patience else []
    members = len(cutoffs) * training["saved_models"]
    return [
        *facts,
        ("Systems", ", ".join(labels)),
        (
            "Network",
            f"attentional GRU encoder-decoder, embeddings of {values('network', 'embedding')}, hidden layer of "
            f"{values('network', 'hidden')}, initial weights N(0, {values('network', 'init_std', 'g')}²)",
        ),
        (
            "Training",
            f"{plural(len(cutoffs), 'run')} per system, {'at most ' if ends else ''}"
            f"{_plural(values('training', 'updates'), 'update')} of {_plural(values('training', 'batch_size'), 'pair')}"
            f"{', ended ' + ' or '.join(ends) if ends else ''}; Adadelta, gradients clipped to a norm of "
            f"{' or '.join(f'{cutoff:g}' for cutoff in dict.fromkeys(cutoffs))}{precision}",
        ),
        (
            "Members",
            f"{plural(members, 'model')} per system: the last {training['saved_models']} of each run, continued for "
            f"{_plural(values('training', 'fixed_embedding_updates'), 'update')} with fixed embeddings",
        ),
        ("Search", f"beam of {values('decoding', 'beam')}; an ensemble is all members of a system"),
    ]


def _text(given: dict[str, Any], pair: str, trained: Sequence[dict[str, Any]]) -> Fact:
    """The training text of a pair: its description, its pairs, and how often they were seen."""
    corpus = given["corpora"][given["experiment"]["corpus"]]
    licence = f" ({corpus['licence']})" if corpus.get("licence") else ""
    what = (corpus.get("description") or given["experiment"]["corpus"]).rstrip(".") + licence
    sizes = _range([one["text"]["trained_on"] for one in trained], ",")
    passes = _range([one["passes"] for one in trained], ".1f" if min(one["passes"] for one in trained) >= 1 else ".2g")
    return f"Text, {pair}", f"{what}; {sizes} training pairs, each seen {passes} times in a run"


def _values(given: dict[str, Any], section: str, key: str) -> list[Any]:
    """The different values of a setting over the systems of an experiment, in their order."""
    found = []
    for name in given["experiment"]["systems"]:
        system = given["systems"][name]
        if section != "decoding" or "unknown_words" in system:  # that of the models, and of the search before
            system = given["systems"][system.get("same_models", name)]
        found.append(system.get(section, {}).get(key, given[section].get(key)))
    return list(dict.fromkeys(found))


def _range(values: Sequence[float], form: str) -> str:
    low, high = format(min(values), form), format(max(values), form)
    return low if low == high else f"{low} to {high}"


def _plural(number: str, noun: str) -> str:
    return f"{number} {noun}" if number == "1" else f"{number} {noun}s"
