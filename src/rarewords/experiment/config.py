"""Check a configuration against its schema, with one sentence for a mistake, and fill in defaults."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from importlib.resources import files
from typing import Any

import yaml
from jsonschema import Draft202012Validator, ValidationError

from rarewords.errors import InputError
from rarewords.segmentation.registry import find

Config = dict[str, Any]


def schema() -> dict[str, Any]:
    """The JSON schema of a configuration (draft 2020-12)."""
    text = files("rarewords.experiment").joinpath("config.schema.yaml").read_text(encoding="utf-8")
    loaded: dict[str, Any] = yaml.safe_load(text)
    return loaded


def checked(config: Config) -> Config:
    """A copy of the merged configuration with the schema's defaults; raises InputError that names the wrong key."""
    rules = schema()
    filled: Config = _with_defaults(config, rules, rules)
    errors = sorted(Draft202012Validator(rules).iter_errors(filled), key=lambda error: list(map(str, error.path)))
    if errors:
        raise InputError(_sentence(errors[0]))
    _check_names(filled)
    return filled


def nearest(name: str, known: Iterable[str]) -> str:
    """Text that offers the known name most like `name`, or lists all where none is alike."""
    names = list(known)
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    return f"did you mean '{close[0]}'?" if close else f"known: {', '.join(names)}."


def _check_names(config: Config) -> None:
    """Names that refer to other parts of the configuration must exist there."""
    experiment = config["experiment"]
    corpora, systems = config["corpora"], config["systems"]
    if experiment["corpus"] not in corpora:
        raise InputError(
            f"experiment.corpus: there is no corpus '{experiment['corpus']}'; {nearest(experiment['corpus'], corpora)}"
        )
    for system in experiment["systems"]:
        if system not in systems:
            raise InputError(f"experiment.systems: there is no system '{system}'; {nearest(system, systems)}")
        for definition in _definitions(systems[system]):
            _check_segmentation(f"systems.{system}.segmentation", definition["segmentation"], restorable=True)
    for row in experiment["table1"]:
        if row not in config["table1"]:
            raise InputError(f"experiment.table1: table1 defines no '{row}'; {nearest(row, config['table1'])}")
        for definition in _definitions(config["table1"][row]):
            _check_segmentation(f"table1.{row}.segmentation", definition["segmentation"], restorable=False)
    pairs = corpora[experiment["corpus"]]["pairs"]
    for pair in experiment["pairs"]:
        if pair not in pairs:
            raise InputError(
                f"experiment.pairs: corpus '{experiment['corpus']}' has no pair '{pair}'; {nearest(pair, pairs)}"
            )
        sets = pairs[pair]["sets"]
        for key, names in (("dev", [experiment["dev"]]), ("test", experiment["test"])):
            for name in names:
                if name not in sets:
                    raise InputError(
                        f"experiment.{key}: corpus '{experiment['corpus']}' has no set '{name}' for {pair}; "
                        f"{nearest(name, sets)}"
                    )
    training = config["training"]
    if training["updates"] <= training["save_every"] * (training["saved_models"] - 1):
        raise InputError(
            f"training.updates: {training['updates']} updates cannot hold {training['saved_models']} saved models "
            f"{training['save_every']} updates apart; raise training.updates or lower training.save_every."
        )
    if config["network"]["hidden"] % 2:
        raise InputError("network.hidden must be even, because the maxout reads pairs.")


def _definitions(definition: Config) -> Iterator[Config]:
    """A definition of a segmentation, and those for single pairs."""
    yield definition
    yield from (special for special in definition.get("pairs", {}).values() if "segmentation" in special)


def _check_segmentation(where: str, segmentation: Config, restorable: bool) -> None:
    settings = {key: value for key, value in segmentation.items() if key != "method"}
    try:
        segmenter = find(segmentation["method"])
        segmenter.complete(settings)
    except InputError as error:
        raise InputError(f"{where}: {error}") from error
    if restorable and not segmenter.restorable:
        raise InputError(f"{where}: {segmenter.method} cannot be undone and serves table 1 only; choose another one.")


def _sentence(error: ValidationError) -> str:
    where = ".".join(str(part) for part in error.path) or "the configuration"
    if error.validator == "additionalProperties" and isinstance(error.instance, dict):
        known = error.schema.get("properties", {})
        unknown = next(key for key in error.instance if key not in known)
        prefix = "" if not error.path else f"{where}."
        return f"{prefix}{unknown}: there is no such key in the configuration; {nearest(str(unknown), known)}"
    if error.validator == "required" and isinstance(error.instance, dict):
        missing = next(key for key in error.validator_value if key not in error.instance)
        return f"{where}: the key '{missing}' is missing; config/README.md explains it."
    message = error.schema.get("description", "") if isinstance(error.schema, dict) else ""
    return f"{where}: {error.message}." + (f" Expected: {message}" if message else "")


def _with_defaults(value: Any, rules: dict[str, Any], root: dict[str, Any]) -> Any:
    """A copy of value in which missing (or null) keys have the default of their schema."""
    if "$ref" in rules:
        rules = root["$defs"][rules["$ref"].rsplit("/", 1)[1]]
    if isinstance(value, dict):
        properties = rules.get("properties", {})
        others = rules.get("additionalProperties")
        copy = {}
        for key, inner in value.items():
            rule = properties.get(key, others if isinstance(others, dict) else {})
            if inner is None and "default" in rule:
                continue
            copy[key] = _with_defaults(inner, rule, root)
        for key, rule in properties.items():
            if key not in copy and "default" in rule:
                copy[key] = _with_defaults(rule["default"], rule, root)
        return copy
    if isinstance(value, list):
        return [_with_defaults(item, rules.get("items", {}), root) for item in value]
    return value
