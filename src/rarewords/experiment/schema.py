"""A configuration against its schema: defaults filled in, and one sentence for a mistake."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from jsonschema import Draft202012Validator, ValidationError, validators

from rarewords.errors import InputError, nearest
from rarewords.schema import resolved, schema
from rarewords.segmentation.registry import find
from rarewords.text.documents import check_tree

Config = dict[str, Any]

TYPES = {
    "integer": "a whole number",
    "number": "a number",
    "string": "text",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping of keys to values",
    "null": "null",
}


def _pattern(_: Any, pattern: str, instance: Any, __: Any) -> Iterator[ValidationError]:
    """Match a pattern as the schema means it: Python's `$` would also match before a line end at the end."""
    if isinstance(instance, str) and (instance.endswith("\n") or not re.search(pattern, instance)):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


Validator = validators.extend(Draft202012Validator, {"pattern": _pattern})


def rules_at(path: tuple[str, ...]) -> dict[str, Any] | None:
    """The rules of a key by its path, `*` for any name; none for settings of segmentations, None for no key."""
    rules = schema()
    for key in path:
        rules = resolved(rules)
        if key in rules.get("properties", {}):
            rules = rules["properties"][key]
            continue
        others = rules.get("additionalProperties", "properties" in rules or not rules)
        if others is False:
            return None
        rules = {} if others is True else others
    return resolved(rules)


def check_value(where: str, value: Any, rules: dict[str, Any]) -> None:
    """Raise InputError, which names the place `where`, for a value that the rules of a key do not allow."""
    error = next(Validator(rules | {"$defs": schema()["$defs"]}).iter_errors(value), None)
    if error is not None:
        raise InputError(_sentence(error, where))


def valid(config: Config, rules: dict[str, Any]) -> Config:
    """A copy with defaults; raises InputError for the first thing that the schema does not allow."""
    check_tree(config, "the configuration")
    filled: Config = _with_defaults(config, rules, rules)
    errors = sorted(Validator(rules).iter_errors(filled), key=lambda error: list(map(str, error.path)))
    if errors:
        raise InputError(_sentence(errors[0]))
    return filled


def _sentence(error: ValidationError, place: str = "") -> str:
    where = ".".join([*filter(None, [place]), *map(str, error.path)]) or "the configuration"
    if error.validator == "additionalProperties" and isinstance(error.instance, dict):
        known = error.schema.get("properties", {})
        unknown = next(key for key in error.instance if key not in known)
        prefix = f"{where}." if place or error.path else ""
        if _is_setting_of_segmentation(error, unknown):
            return f"{prefix}{unknown}: there is no such key here; write {prefix}segmentation.{unknown}."
        return f"{prefix}{unknown}: there is no such key in the configuration; {nearest(str(unknown), known)}"
    if error.validator == "required" and isinstance(error.instance, dict):
        missing = next(key for key in error.validator_value if key not in error.instance)
        overlay = "" if error.path else " If this is an overlay, name the experiment's file before it."
        return f"{where}: the key '{missing}' is missing; config/README.md explains it.{overlay}"
    if error.validator == "not":
        return f"{where}: the name '{error.instance}' cannot be used here; choose another one (any name but train)."
    message = error.schema.get("description", "") if isinstance(error.schema, dict) else ""
    return f"{where}: {_what_is_wrong(error)}." + (f" Expected: {message.rstrip('.')}." if message else "")


def _what_is_wrong(error: ValidationError) -> str:
    """The first half of a sentence, without the schema's own words where they are a programmer's."""
    value = error.instance
    if error.validator == "type":
        wanted = error.validator_value if isinstance(error.validator_value, list) else [error.validator_value]
        found = repr(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        hint = " (YAML reads yes, no, on and off as true and false)" if isinstance(value, bool) else ""
        return f"{found} is not {' or '.join(TYPES[name] for name in wanted)}{hint}"
    if error.validator == "pattern":
        return f"{value!r} cannot be used here"
    return error.message


def _is_setting_of_segmentation(error: ValidationError, key: str) -> bool:
    """Whether a key that systems do not have is a setting of this system's segmentation."""
    segmentation = error.instance.get("segmentation")
    if len(error.path) != 2 or error.path[0] != "systems" or not isinstance(segmentation, dict):
        return False
    settings = {name: value for name, value in segmentation.items() if name != "method"}
    try:
        find(str(segmentation.get("method"))).complete({**settings, key: error.instance[key]})
    except InputError:
        return False
    return True


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
