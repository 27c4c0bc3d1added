"""The schema of the configuration: the one place for every key's default, limits and description."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import yaml

SECTIONS = ("network", "training", "decoding")  # of which a system may have its own values


@cache
def schema() -> dict[str, Any]:
    """The JSON schema of a configuration (draft 2020-12).

    The file lists the keys of SECTIONS once; a system may have all of them but those that are `same_for_all`.
    """
    text = files("rarewords.experiment").joinpath("config.schema.yaml").read_text(encoding="utf-8")
    # the same safe loader in C, if available: commands start a tenth of a second sooner
    loaded: dict[str, Any] = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    of_system = loaded["properties"]["systems"]["additionalProperties"]["properties"]
    for section in SECTIONS:
        keys = loaded["properties"][section]["properties"]
        of_system[section]["properties"] = {
            key: {name: value for name, value in rules.items() if name != "default"}
            for key, rules in keys.items()
            if not rules.get("same_for_all")
        }
    return loaded


def resolved(rules: dict[str, Any]) -> dict[str, Any]:
    """Rules of the schema, those that a reference names in its place."""
    if "$ref" not in rules:
        return rules
    others = {key: value for key, value in rules.items() if key != "$ref"}
    return resolved(schema()["$defs"][rules["$ref"].rsplit("/", 1)[1]]) | others


def key_rules(key: str) -> dict[str, Any]:
    """What the schema says of a key such as `training.batch_size`; `*` is any name, `items` an entry of a list."""
    rules = schema()
    for name in key.split("."):
        inner = {"*": "additionalProperties", "items": "items"}.get(name)
        rules = resolved(rules[inner] if inner else rules["properties"][name])
    return rules


def default(key: str) -> Any:
    """The default of a key of the configuration."""
    return key_rules(key)["default"]
