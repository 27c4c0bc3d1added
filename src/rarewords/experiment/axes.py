"""What a grid can vary: any key that a system may have, by its dotted path or by a short name (config/README.md)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from rarewords.errors import InputError, nearest
from rarewords.experiment.renamed import new_path
from rarewords.experiment.schema import check_value, rules_at
from rarewords.schema import resolved

Config = dict[str, Any]
Path = tuple[str, ...]

# What a system of another value has of its own: segmented text and models, models, or translations alone.
TEXT, MODELS, SEARCH = range(3)
LEVELS = {
    **dict.fromkeys(("segmentation", "vocabulary", "sampling", "fallback", "preprocess"), TEXT),
    **dict.fromkeys(("network", "training", "seed"), MODELS),
    "decoding": SEARCH,
}

# Short names, in the order in which they stand in ids.
SHORT = {
    "merges": "segmentation.merges",
    "joint": "segmentation.joint",
    "dropout": "sampling.dropout",
    "shortlist": "segmentation.shortlist",
    "ngram": "segmentation.n",
    "tau": "training.partition_vocabulary",
    "clip": "training.clip_norms",
    "beam": "decoding.beam",
}
SEED = "seed"
PIECES = "segmentation.vocabulary"
NGRAMS = {1: "characters", 2: "bigrams", 3: "trigrams"}

LABELS: dict[str, Callable[[Any], str]] = {
    "merges": lambda value: f"{value:,} merges",
    "joint": lambda value: "joint" if value else "separate",
    "dropout": lambda value: f"dropout {value:g}" if value else "no dropout",
    "shortlist": lambda value: f"{value:,} words whole",
    "ngram": lambda value: NGRAMS.get(value, f"{value}-grams"),
    "tau": lambda value: "all units loaded" if value is None else f"{value:,} units loaded",
    "clip": lambda value: f"cut-off {_cutoffs(value)}",
    "beam": lambda value: f"beam {value}",
    PIECES: lambda value: f"{_plain(value)} pieces",
    SEED: lambda value: f"seed {value}",
    "preprocess": lambda value: "prepared text" if value is None else f"{_plain(value)} text",
    "segmentation.method": str,
    "segmentation": lambda value: _plain(value),
}


@dataclass(frozen=True)
class Axis:
    """A key that varies: its name in ids, tables and figures, and its path in the definition of a system."""

    name: str
    path: Path

    @property
    def level(self) -> int:
        """What a system of another value has of its own: TEXT (and models), MODELS or SEARCH."""
        return LEVELS[self.path[0]]

    def order(self) -> tuple[Any, ...]:
        """Where it stands in ids: text before models before search, short names first, the seed of models last."""
        names = list(SHORT)
        place = names.index(self.name) if self.name in names else len(names)
        return self.level, self.name == SEED, place, self.name


def axis(key: str, system: str, definition: Config) -> Axis:
    """The axis that a key of the section `grid` means, for a system to vary.

    Raises InputError for what no system can have of its own.
    """
    path = _path(key, system)
    if path == ("segmentation", "merges") and _counts_pieces(definition["segmentation"]):
        path = tuple(PIECES.split("."))
    dotted = ".".join(path)
    if rules_at(("systems", "*", *path)) is None or path[0] not in LEVELS:
        raise InputError(f"grid.{key}: {_why_not(path)}")
    return Axis(next((name for name, long in SHORT.items() if long == dotted), dotted), path)


def check_values(key: str, axis: Axis, values: list[Any]) -> None:
    """Raise InputError for a value that the key cannot have.

    One that has a short name may have what that may have, which the schema of `grid` says.
    """
    long = rules_at(("systems", "*", *axis.path)) or {}
    short = rules_at(("grid", axis.name)) if axis.name in SHORT else None
    for number, value in enumerate(values):
        if short is not None and not isinstance(value, list):
            check_value(f"grid.{key}.{number}", value, short["items"])
        elif not _stands_for_several(axis, value):
            check_value(f"grid.{key}.{number}", value, long)


def whole(axis: Axis, value: Any, runs: int) -> Any:
    """The value as it stands in a system: one cut-off is that of all runs, one size that of both vocabularies."""
    if not _stands_for_several(axis, value):
        return value
    return [value] * runs if axis.name == "clip" else {"source": value, "target": value}


def describe(name: str, value: Any) -> str:
    """A value of an axis, by its name, in the label of a system: `500 merges`, `hidden 256`, `no patience`."""
    if name in LABELS:
        return LABELS[name](value)
    section, _, inner = name.partition(".")
    words = (inner if inner and section != "vocabulary" else name).replace(".", " ").replace("_", " ")
    if isinstance(value, bool) or value is None:
        return words if value else f"no {words}"
    return f"{words} {_plain(value)}"


def in_id(name: str, value: Any) -> str:
    """An axis and its value as a part of an id, which becomes a folder: `merges-1000`, `dropout-0_1`."""
    return f"{name.replace('.', '-')}-{'all' if name == 'tau' and value is None else _path_safe(value)}"


def keys_of_systems() -> list[str]:
    """Every key that a grid may vary, but for the settings of segmentations, which their methods know."""
    of_system = rules_at(("systems", "*")) or {}
    return [*SHORT, *(key for key in _keys(of_system) if key.partition(".")[0] in LEVELS)]


def _path(key: str, system: str) -> Path:
    if key in SHORT:
        return tuple(SHORT[key].split("."))
    path = tuple(key.split("."))
    if path == ("experiment", SEED):
        return (SEED,)
    if path[0] == "systems" and len(path) > 2:
        if path[1] != system:
            raise InputError(f"grid.{key}: the grid varies '{system}'; write grid.{'.'.join(path[2:])}.")
        path = path[2:]
    return new_path(path)


def _counts_pieces(segmentation: Config) -> bool:
    """Whether the size of a segmentation is a number of pieces, and not of merges."""
    return "merges" not in segmentation and "vocabulary" in segmentation


def _why_not(path: Path) -> str:
    if rules_at(path) is not None:
        return "all systems of an experiment share it, so a grid cannot vary it; run an experiment for each value."
    if rules_at(("systems", "*", *path)) is not None:
        return f"a grid cannot vary it; it varies {', '.join(LEVELS)}."
    return f"there is no such key in the configuration; {nearest('.'.join(path), keys_of_systems())}"


def _keys(rules: Config, before: str = "") -> Iterator[str]:
    for key, inner in resolved(rules).get("properties", {}).items():
        yield f"{before}{key}"
        yield from _keys(inner, f"{before}{key}.")


def _stands_for_several(axis: Axis, value: Any) -> bool:
    """Whether one number is given for a value that has several."""
    return axis.name in ("clip", "vocabulary") and isinstance(value, int | float) and not isinstance(value, bool)


def _cutoffs(value: Any) -> str:
    return " and ".join(f"{one:g}" for one in (value if isinstance(value, list) else [value]))


def _plain(value: Any) -> str:
    """A value in words."""
    if isinstance(value, dict):
        names = {key: "" if key == "method" else key.replace("_", " ") + " " for key in value}
        return ", ".join(names[key] + _plain(inner) for key, inner in value.items())
    if isinstance(value, list):
        return " and ".join(map(_plain, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _path_safe(value: Any) -> str:
    if isinstance(value, dict):
        parts = (_path_safe(inner) if key == "method" else in_id(key, inner) for key, inner in value.items())
        return "-".join(parts)
    if isinstance(value, list):
        return "-".join(map(_path_safe, value))
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return str(value).removesuffix(".0").replace(".", "_").replace("+", "")
    return re.sub(r"[^A-Za-z0-9_]+", "-", str(value)).strip("-")
