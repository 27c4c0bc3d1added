"""Grids: one system for each combination of values, made from one system of the configuration (config/README.md).

What only changes the search is translated with the models of the same combination without it, and what does not change
the text is trained on that of the same combination without it: no grid segments, aligns or trains twice.
"""

from __future__ import annotations

import copy
from itertools import product
from math import prod
from typing import Any

from rarewords.errors import InputError
from rarewords.experiment.axes import (
    MODELS,
    SEARCH,
    SHORT,
    TEXT,
    Axis,
    axis,
    check_values,
    describe,
    in_id,
    whole,
)
from rarewords.segmentation.bpe.joint_iso9 import JointIso9BpeSegmenter
from rarewords.segmentation.bpe.segmenter import BpeSegmenter, JointBpeSegmenter
from rarewords.segmentation.registry import find
from rarewords.vocabulary import FIRST_UNIT

Config = dict[str, Any]
Values = dict[Axis, Any]

# Settings of segmentations of which more are more units, with how many: a piece may be one at the end of a word, too.
SIZES = {"merges": 1, "shortlist": 1, "vocabulary": 2}
JOINT = (BpeSegmenter.method, JointBpeSegmenter.method, JointIso9BpeSegmenter.method)


def axes(config: Config) -> dict[Axis, list[Any]]:
    """What the grid of a configuration varies, with its values, in the order of the file."""
    grid = config["grid"]
    system = grid["system"]
    found: dict[Axis, list[Any]] = {}
    for key, values in grid.items():
        if key == "system":
            continue
        one = axis(key, system, config["systems"][system])
        if one in found:
            raise InputError(f"grid.{key}: the grid varies it twice, under two names; remove one of them.")
        check_values(key, one, values)
        found[one] = values
    return found


def combinations(config: Config) -> dict[str, dict[str, Any]]:
    """The values of every system of the grid, by the system's id and the axis' name; the first axis changes slowest."""
    return {name: {one.name: value for one, value in values.items()} for name, values in _combinations(config).items()}


def text_owners(config: Config) -> dict[str, str]:
    """The system whose segmented text a system with models of its own is trained on, by the latter's id."""
    base = config["grid"]["system"]
    return {
        _identifier(base, _up_to(MODELS, values)): _identifier(base, _up_to(TEXT, values))
        for values in _combinations(config).values()
    }


def expand(config: Config) -> Config:
    """A copy of a valid configuration with a grid in which the grid's systems stand in place of the varied one.

    One that was expanded before is expanded again, and may have other values by then. Raises InputError that names the
    key of an impossible grid.
    """
    config = copy.deepcopy(config)
    grid, systems, experiment = config["grid"], config["systems"], config["experiment"]
    base = grid["system"]
    if base not in systems or "same_models" in systems[base] or "segmentation" not in systems[base]:
        raise InputError(f"grid.system: systems defines no '{base}' with models of its own; name a system that has.")
    if not axes(config):
        raise InputError(
            f"grid: it varies nothing; give a list of values for one of {', '.join(SHORT)}, or for another key of a "
            "system, say training.updates."
        )
    found = _combinations(config)
    if base not in experiment["systems"]:
        _put_back(base, list(found), experiment["systems"])
    _check_selected(base, list(found), experiment["systems"], systems)
    for values in found.values():
        _define_system(config, base, values)
    place = experiment["systems"].index(base)
    experiment["systems"][place : place + 1] = list(found)
    return config


def label(values: Values) -> str:
    """The name of a combination in tables."""
    return ", ".join(describe(one.name, value) for one, value in _in_order(values).items())


def _combinations(config: Config) -> dict[str, Values]:
    varied = axes(config)
    found = {
        _identifier(config["grid"]["system"], values): values
        for values in (dict(zip(varied, choice, strict=True)) for choice in product(*varied.values()))
    }
    if len(found) < prod(len(values) for values in varied.values()):
        raise InputError("grid: two of its systems have the same id; give values that differ in letters or digits.")
    return found


def _define_system(config: Config, base: str, values: Values) -> None:
    """Define the system of a combination, and those whose text and models it uses."""
    systems = config["systems"]
    for part in (_up_to(TEXT, values), _up_to(MODELS, values)):
        if part:
            _define(systems, _identifier(base, part), _varied(base, part, config))
    if search := {one: value for one, value in values.items() if one.level == SEARCH}:
        own: Config = {"label": label(values), "decoding": copy.deepcopy(systems[base].get("decoding", {}))}
        for one, value in search.items():
            _put(own, one, value, config, base)
        owner = _identifier(base, _up_to(MODELS, values))
        _define(systems, _identifier(base, values), own | {"same_models": owner})


def _put_back(base: str, found: list[str], selected: list[str]) -> None:
    """Where systems of the grid stand in the list already, put the one that is varied in their place."""
    places = [place for place, name in enumerate(selected) if name in found]
    if places:
        selected[places[0]] = base
        selected[:] = [name for name in selected if name not in found]


def _check_selected(base: str, found: list[str], selected: list[str], systems: Config) -> None:
    if base not in selected:
        raise InputError(
            f"experiment.systems: '{base}', which grid varies, is not in the list; put it where its rows should be."
        )
    if taken := [name for name in found if name in selected]:
        raise InputError(f"experiment.systems: '{taken[0]}' is already a system of the grid; remove it from the list.")
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


def _up_to(level: int, values: Values) -> Values:
    return {one: value for one, value in values.items() if one.level <= level}


def _in_order(values: Values) -> Values:
    """The values in the order of ids and labels, whatever that of the file is."""
    return dict(sorted(values.items(), key=lambda item: item[0].order()))


def _identifier(base: str, values: Values) -> str:
    """An id for a path: `bpe`, {merges: 1000, dropout: 0.1} to `bpe-merges-1000-dropout-0_1`."""
    return "-".join([base, *(in_id(one.name, value) for one, value in _in_order(values).items())])


def _varied(base: str, values: Values, config: Config) -> Config:
    """The definition of a system with other values; it no longer is a row of the paper."""
    before: Config = config["systems"][base]
    definition = copy.deepcopy(before) | {"label": label(values), "paper": None}
    parts = [definition, *definition.get("pairs", {}).values()]
    for part in parts[1:]:
        part.pop("label", None)
    for one, value in _in_order(values).items():
        for part in parts:
            if part is definition or one.path[0] in part:
                _put(part, one, value, config, base)
    if not any(one.path[0] == "vocabulary" for one in values):
        for part, old in zip(parts, [before, *before.get("pairs", {}).values()], strict=True):
            if "segmentation" in part or "vocabulary" in part:
                _make_room(part, old, definition, before, values)
    if any(one.name == "joint" and value for one, value in values.items()):
        _join_alphabets(definition, config["experiment"]["pairs"])
    return definition


def _put(part: Config, one: Axis, value: Any, config: Config, base: str) -> None:
    """Put a value into the definition of a system, or into what is its own for a pair."""
    if one.name == "joint" and part["segmentation"]["method"] in JOINT:
        part["segmentation"]["method"] = JOINT[1] if value else JOINT[0]
        return
    if one.name == "dropout" and not value:
        part["sampling"] = None
        return
    *folders, key = one.path
    inner = part
    for depth, name in enumerate(folders):
        if inner.get(name) is None:
            inner[name] = copy.deepcopy(_shared(config, one.path[: depth + 1])) or {}
        inner = inner[name]
        if not isinstance(inner, dict):
            place = ".".join(one.path[: depth + 1])
            raise InputError(f"grid.{one.name}: {place} of '{base}' is {inner!r}, without keys to vary; vary {place}.")
    inner[key] = copy.deepcopy(whole(one, value, len(config["training"]["clip_norms"])))


def _shared(config: Config, path: tuple[str, ...]) -> Any:
    """What all systems have at a path below a section; None for a section, of which a system has only its own keys."""
    found: Any = config if len(path) > 1 else {}
    for key in path:
        found = found.get(key) if isinstance(found, dict) else None
    return found


def _make_room(part: Config, old: Config, definition: Config, before: Config, values: Values) -> None:
    """Let the vocabularies grow or shrink with merges, pieces and whole words; they hold what is reserved.

    `part` is the definition of a system, or what is its own for a pair; `old` and `before` are both before the change.
    """
    had: Config = old["segmentation"] if "segmentation" in old else before["segmentation"]
    has: Config = part["segmentation"] if "segmentation" in part else definition["segmentation"]
    sizes: Config = old["vocabulary"] if "vocabulary" in old else before["vocabulary"]
    more = sum([_growth(one, value, had) for one, value in values.items()])
    if more:
        part["vocabulary"] = {
            side: max(size + more, _smallest(has, number)) for number, (side, size) in enumerate(sizes.items())
        }


def _growth(one: Axis, value: Any, segmentation: Config) -> int:
    """How many units more a segmentation may make with another value."""
    section, *names = one.path
    if section != "segmentation" or not names or names[-1] not in SIZES or not isinstance(value, int):
        return 0  # anything but a number is refused together with its system
    found: Any = segmentation
    for name in names:
        found = found.get(name) if isinstance(found, dict) else None
    if not isinstance(found, int):
        raise InputError(
            f"grid.{one.name}: the segmentation {segmentation['method']} of the system that is varied has no one "
            f"number as its setting '{'.'.join(names)}'; vary another system."
        )
    return (value - found) * (SIZES[names[-1]] if value > found else 1)


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
