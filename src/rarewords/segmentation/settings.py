"""Checks of the settings of a segmentation, with messages that name the key and the nearest valid one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rarewords.errors import InputError, nearest


def complete(
    method: str, given: Mapping[str, Any], required: Iterable[str], defaults: dict[str, Any]
) -> dict[str, Any]:
    """Settings with the defaults filled in; raises InputError for a key that is unknown or missing."""
    required = list(required)
    valid = [*required, *defaults]
    for key in given:
        if not valid:
            raise InputError(f"segmentation {method}: unknown setting {key!r}; it has no settings, so remove the key.")
        if key not in valid:
            raise InputError(f"segmentation {method}: unknown setting {key!r}; {nearest(key, valid)}")
    for key in required:
        if key not in given:
            raise InputError(f"segmentation {method}: the setting {key!r} is missing; add it.")
    return {key: given[key] if key in given else defaults[key] for key in valid}


def check_integer(method: str, settings: Mapping[str, Any], key: str, minimum: int) -> None:
    """Raise InputError unless the setting is a whole number, `minimum` or more."""
    value = settings[key]
    if not isinstance(value, int) or isinstance(value, bool) or value < minimum:
        raise InputError(
            f"segmentation {method}: the setting {key!r} is {value!r}; it must be a whole number, {minimum} or more."
        )


def check_choice(method: str, settings: Mapping[str, Any], key: str, choices: Sequence[str]) -> None:
    """Raise InputError unless the setting is one of the choices."""
    if settings[key] not in choices:
        raise InputError(
            f"segmentation {method}: the setting {key!r} is {settings[key]!r}; it must be {' or '.join(choices)}."
        )


def check_boolean(method: str, settings: Mapping[str, Any], key: str) -> None:
    """Raise InputError unless the setting is true or false."""
    if not isinstance(settings[key], bool):
        raise InputError(f"segmentation {method}: the setting {key!r} is {settings[key]!r}; it must be true or false.")


def check_share(method: str, settings: Mapping[str, Any], key: str) -> None:
    """Raise InputError unless the setting is a number above 0, at most 1."""
    value = settings[key]
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value <= 1:
        raise InputError(
            f"segmentation {method}: the setting {key!r} is {value!r}; it must be a number above 0, at most 1."
        )
