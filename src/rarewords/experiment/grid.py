"""Grids: one system for each combination of values, made from one system of the configuration (config/README.md).

What only changes the search (`beam`) is translated with the models of the same combination without it, and what does
not change the text is trained on that of the same combination without it: no grid segments, aligns or trains twice.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from itertools import product
from typing import Any

from rarewords.errors import InputError
from rarewords.segmentation.bpe.joint_iso9 import JointIso9BpeSegmenter
from rarewords.segmentation.bpe.segmenter import BpeSegmenter, JointBpeSegmenter
from rarewords.segmentation.registry import find
from rarewords.vocabulary import FIRST_UNIT

Config = dict[str, Any]
Values = dict[str, Any]

# What can be varied, in the order of the parts of an id: first the text, then the training, last the search.
IN_TEXT = ("merges", "joint", "dropout", "shortlist", "ngram")
OF_MODELS = (*IN_TEXT, "tau", "clip")
IN_SEARCH = "beam"
AXES = (*OF_MODELS, IN_SEARCH)
SETTINGS = {"merges": "merges", "shortlist": "shortlist", "ngram": "n"}  # of a segmentation
COUNTED = ("merges", "shortlist")  # more of them are more units
JOINT = (BpeSegmenter.method, JointBpeSegmenter.method, JointIso9BpeSegmenter.method)
NGRAMS = {1: "characters", 2: "bigrams", 3: "trigrams"}

LABELS: dict[str, Callable[[Any], str]] = {
    "merges": lambda value: f"{value:,} merges",
    "joint": lambda value: "joint" if value else "separate",
    "dropout": lambda value: f"dropout {value:g}" if value else "no dropout",
    "shortlist": lambda value: f"{value:,} words whole",
    "ngram": lambda value: NGRAMS.get(value, f"{value}-grams"),
    "tau": lambda value: "all units loaded" if value is None else f"{value:,} units loaded",
    "clip": lambda value: f"cut-off {value:g}",
    "beam": lambda value: f"beam {value}",
}


def axes(grid: Config) -> dict[str, list[Any]]:
    """What a grid varies, with its values."""
    return {axis: grid[axis] for axis in AXES if axis in grid}


def combinations(grid: Config) -> dict[str, Values]:
    """The values of every system of a grid by the system's id; the first axis changes slowest."""
    varied = axes(grid)
    return {
        _identifier(grid["system"], values): values
        for values in (dict(zip(varied, choice, strict=True)) for choice in product(*varied.values()))
    }


def text_owners(grid: Config) -> dict[str, str]:
    """The system whose segmented text a system with models of its own is trained on, by the latter's id."""
    return {
        _identifier(grid["system"], _only(values, OF_MODELS)): _identifier(grid["system"], _only(values, IN_TEXT))
        for values in combinations(grid).values()
    }


def expand(config: Config) -> Config:
    """A copy of a valid configuration with a grid in which the grid's systems stand in place of the varied one.

    One that was expanded before is expanded again, and may have other values by then. Raises InputError that names the
    key of a grid that cannot be.
    """
    config = copy.deepcopy(config)
    grid, systems, experiment = config["grid"], config["systems"], config["experiment"]
    base = grid["system"]
    if base not in systems or "same_models" in systems[base] or "segmentation" not in systems[base]:
        raise InputError(f"grid.system: systems defines no '{base}' with models of its own; name one that has.")
    if not axes(grid):
        raise InputError(f"grid: it varies nothing; give a list of values for one of {', '.join(AXES)}.")
    found = combinations(grid)
    if base not in experiment["systems"]:
        _put_back(base, found, experiment["systems"])
    _check_selected(base, found, experiment["systems"], systems)
    for name, values in found.items():
        owner = _identifier(base, _only(values, OF_MODELS))
        for part in (_only(values, IN_TEXT), _only(values, OF_MODELS)):
            if part:
                _define(systems, _identifier(base, part), _varied(systems[base], part, config))
        if IN_SEARCH in values:
            own = {"label": label(values), "same_models": owner, "decoding": {"beam": values[IN_SEARCH]}}
            _define(systems, name, own)
    place = experiment["systems"].index(base)
    experiment["systems"][place : place + 1] = list(found)
    return config


def label(values: Values) -> str:
    """The name of a combination in tables."""
    return ", ".join(LABELS[axis](value) for axis, value in values.items())


def _put_back(base: str, found: dict[str, Values], selected: list[str]) -> None:
    """Where systems of the grid stand in the list already, put the one that is varied in their place."""
    places = [place for place, name in enumerate(selected) if name in found]
    if places:
        selected[places[0]] = base
        selected[:] = [name for name in selected if name not in found]


def _check_selected(base: str, found: dict[str, Values], selected: list[str], systems: Config) -> None:
    if base not in selected:
        raise InputError(
            f"experiment.systems: '{base}', which grid varies, is not in the list; put it where its rows shall stand."
        )
    if taken := [name for name in found if name in selected]:
        raise InputError(f"experiment.systems: '{taken[0]}' is a system of the grid already; remove it from the list.")
    sharing = [name for name in selected if systems.get(name, {}).get("same_models") == base]
    if sharing:
        raise InputError(
            f"experiment.systems: '{sharing[0]}' has the models of '{base}', which grid varies; remove it from the "
            "list."
        )


def _define(systems: Config, name: str, definition: Config) -> None:
    there = systems.get(name, definition)
    if any(there.get(key) != value for key, value in definition.items()):
        raise InputError(f"systems.{name}: the grid makes a system of this id; give yours another one.")
    systems[name] = definition


def _only(values: Values, kept: tuple[str, ...]) -> Values:
    return {axis: value for axis, value in values.items() if axis in kept}


def _identifier(base: str, values: Values) -> str:
    """An id for a path: `bpe`, {merges: 1000, dropout: 0.1} to `bpe-merges-1000-dropout-0_1`."""
    return "-".join([base, *(f"{axis}-{_path_safe(axis, value)}" for axis, value in values.items())])


def _path_safe(axis: str, value: Any) -> str:
    if value is None:
        return "all"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).removesuffix(".0").replace(".", "_").replace("+", "")


def _varied(base: Config, values: Values, config: Config) -> Config:
    """The definition of a system with other values; it is no row of the paper any more."""
    definition = copy.deepcopy(base) | {"label": label(values), "paper": None}
    pairs = definition.get("pairs", {}).values()
    for part in pairs:
        part.pop("label", None)
    for part in (definition, *pairs):
        if "segmentation" in part or "vocabulary" in part:
            _vary_segmentation(part, values, base)
    if values.get("joint"):
        _join_alphabets(definition, config["experiment"]["pairs"])
    if "dropout" in values:
        own = definition.get("sampling") or {}
        definition["sampling"] = own | {"dropout": values["dropout"]} if values["dropout"] else None
    training = definition.setdefault("training", {})
    if "tau" in values:
        training["partition_vocabulary"] = values["tau"]
    if "clip" in values:
        training["clip_norms"] = [values["clip"]] * len(config["training"]["clip_norms"])
    return definition


def _vary_segmentation(part: Config, values: Values, base: Config) -> None:
    """Vary the settings of a system's segmentation, or of what is its own for a pair.

    With more merges or whole words the vocabularies may be as much larger; they hold what the segmentation reserves.
    """
    before: Config = part["segmentation"] if "segmentation" in part else base["segmentation"]
    segmentation = before | {SETTINGS[axis]: values[axis] for axis in SETTINGS if axis in values}
    if "joint" in values:
        if before["method"] in JOINT:
            segmentation["method"] = JOINT[1] if values["joint"] else JOINT[0]
        else:
            segmentation["joint"] = values["joint"]
    more = sum(values[axis] - _one_number(axis, before) for axis in COUNTED if axis in values)
    if more:
        sizes: Config = part["vocabulary"] if "vocabulary" in part else base["vocabulary"]
        part["vocabulary"] = {
            side: max(size + more, _smallest(segmentation, number)) for number, (side, size) in enumerate(sizes.items())
        }
    if "segmentation" in part:
        part["segmentation"] = segmentation


def _one_number(axis: str, segmentation: Config) -> int:
    found = segmentation.get(SETTINGS[axis])
    if not isinstance(found, int):
        raise InputError(
            f"grid.{axis}: the segmentation {segmentation['method']} of the system that is varied has no one number as "
            f"its setting '{SETTINGS[axis]}'; vary another system."
        )
    return found


def _smallest(segmentation: Config, side: int) -> int:
    """The smallest vocabulary of a side; the source is side 0."""
    settings = {key: value for key, value in segmentation.items() if key != "method"}
    segmenter = find(segmentation["method"])
    return FIRST_UNIT + segmenter.smallest_vocabulary(segmenter.complete(settings), side)


def _join_alphabets(definition: Config, pairs: list[str]) -> None:
    """Joint merges of two alphabets have a method of their own."""
    if definition["segmentation"]["method"] != JointBpeSegmenter.method:
        return
    for pair in pairs:
        try:
            JointIso9BpeSegmenter.check_languages(pair.split("-"))
        except InputError:
            continue
        own = definition.setdefault("pairs", {}).setdefault(pair, {})
        segmentation = own.get("segmentation", definition["segmentation"])
        own["segmentation"] = segmentation | {"method": JointIso9BpeSegmenter.method}
