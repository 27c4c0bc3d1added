"""The one place where JSON and YAML are read and written: limits, shapes, and a checksum in our own files.

The last key of a JSON file that we write is `sha256`: the checksum of the file as it is without that key. A file that
differs from it is refused; one without the key (from an earlier version, or of another program) is read as it is.
In the workflow the key `place` stands before it: the end of the file's path, compared when a step reads the file.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from dataclasses import dataclass
from typing import Any

from rarewords.errors import InputError
from rarewords.text import seals
from rarewords.text.files import PathLike, atomic_writer, is_stream, read_lines
from rarewords.text.shapes import SHA256, Misfit, Shape, record

CHECKSUM = "sha256"
PLACE = "place"
MOST_DEPTH = 100  # levels of a YAML file
MOST_VALUES = 1_000_000  # of a YAML file, each counted wherever an alias repeats it
_SEAL = re.compile(rf',\n "{CHECKSUM}": "({SHA256})"\n\}}\n?\Z')
_HALF_CHARACTER = re.compile(r"\\u[dD][89a-fA-F]")


def write_json(path: PathLike, value: Any, sealed: bool = True, levels: int = 4) -> None:
    """Write a JSON file for people and programs: indented, keys in the given order, UTF-8.

    A map gets its checksum as the last key, unless people are to change the file (`sealed` false). In the workflow it
    also gets its place, the last `levels` parts of its path; with 0 it may lie anywhere.
    """
    sealed = sealed and isinstance(value, dict) and bool(value)
    if sealed and not value.keys().isdisjoint((CHECKSUM, PLACE)):
        raise ValueError(f"the keys {CHECKSUM} and {PLACE} are those of the checksum and the place")
    if sealed and levels and seals.is_on() and not is_stream(path):
        value = value | {PLACE: seals.place_of(path, levels)}
    text = json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    if sealed:
        text = f'{text[:-3]},\n "{CHECKSUM}": "{_digest(text)}"\n}}\n'
    with atomic_writer(path) as out:
        out.write(text)


@dataclass(frozen=True)
class Kind:
    """A kind of JSON value: its name (`a score file`), its shape, and what to do with any other value."""

    name: str
    shape: Shape
    advice: str


ANY = Kind("a map", record({}, open_=True), "make the file again")


def read_json(path: PathLike, kind: Kind = ANY) -> Any:
    """Read a JSON file of a kind, without the keys of its checksum and its place.

    Raises InputError that names the file if it is missing, not JSON, not what was written, of another kind, or, in the
    workflow, if it was written for another place.
    """
    text = "\n".join(read_lines(path))
    value = parse_json(text, str(path))
    if isinstance(value, dict) and CHECKSUM in value:
        if not _is_sealed(text):
            raise InputError(
                f"{path}: damaged, or changed since it was written (its checksum differs); {kind.advice}, or, if the "
                f'change is intended, remove the line "{CHECKSUM}" and the comma before it.'
            )
        del value[CHECKSUM]
        place = value.pop(PLACE, None)
        if seals.is_on():
            _check_place(path, place, kind.advice)
    return fitted(value, kind, str(path))


def check_place(path: PathLike) -> None:
    """Read a JSON file outside the workflow; raises InputError if the workflow wrote it for another place."""
    value = parse_json("\n".join(read_lines(path)), str(path))
    _check_place(path, value.get(PLACE) if isinstance(value, dict) else None, ANY.advice)


def _check_place(path: PathLike, place: Any, advice: str) -> None:
    if isinstance(place, str) and place != seals.place_of(path, place.count("/") + 1):
        raise InputError(f"{path}: this file was written as {place} and does not belong here; {advice}.")


def fitted(value: Any, kind: Kind, name: str) -> Any:
    """The value, if it is of the kind; raises InputError that names what it was read from and says what to do."""
    try:
        kind.shape(value, "")
    except Misfit as misfit:
        raise InputError(f"{name}: not {kind.name} ({str(misfit).removeprefix(': ')}); {kind.advice}.") from misfit
    return value


def parse_json(text: str, name: str, nan: bool = False) -> Any:
    """The value of a JSON text; raises InputError that names where it comes from.

    Refuses anything that is not JSON, and what Python would accept but nobody can compute with: NaN, numbers that are
    too large, halves of characters, a repeated key, too many levels. With `nan`, NaN and Infinity pass.
    """
    constant = float if nan else _refused
    try:
        value = json.loads(text, object_pairs_hook=_distinct, parse_constant=constant, parse_float=_finite)
        if _HALF_CHARACTER.search(text):
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        place = f", line {error.lineno}" if "\n" in text else ""
        raise InputError(f"{name}{place}: not JSON ({error.msg}).") from error
    except UnicodeEncodeError as error:
        raise InputError(f"{name}: not JSON that can be read (half a character as \\u escape).") from error
    except RecursionError as error:
        raise InputError(f"{name}: not JSON that can be read (too many levels).") from error
    except ValueError as error:
        reason = "a number with very many digits" if "digits" in str(error) else error
        raise InputError(f"{name}: not JSON that can be read ({reason}).") from error
    return value


def parse_yaml(text: str, name: str) -> Any:
    """The value of a YAML text; raises InputError that names where it comes from.

    Refuses anything that is not YAML, dates that do not exist, anchors inside themselves, keys that are not text, and
    more levels or values than any configuration has.
    """
    import yaml  # here, because only configurations are YAML

    try:
        value = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise InputError(f"{name}: not a YAML file ({' '.join(str(error).split())}).") from error
    except RecursionError as error:
        raise InputError(f"{name}: not a YAML file that can be read (too many levels).") from error
    except (ValueError, OverflowError) as error:
        reason = "a number with very many digits" if "digits" in str(error) else f"a date or number: {error}"
        raise InputError(f"{name}: not a YAML file that can be read ({reason}); put it in quotes.") from error
    check_tree(value, name)
    return value


def check_tree(value: Any, name: str) -> None:
    """Raise InputError for a value of YAML with too many levels or values, or keys that are not text.

    Snakemake reads configurations without these limits.
    """
    complaint = _complaint(value)
    if complaint:
        raise InputError(f"{name}: not a configuration that can be read ({complaint}).")


def _complaint(value: Any) -> str | None:
    """What is wrong with a value of YAML, whose aliases may repeat values or lead back to themselves."""
    level, values = [value], 0
    for _ in range(MOST_DEPTH):
        inner: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                wrong = next((key for key in item if not isinstance(key, str)), None)
                if wrong is not None or None in item:
                    return f"the key {wrong} is not text: put it in quotes"
                inner += item.values()
            elif isinstance(item, list | tuple | set):
                inner += item
            values += 1
            if values + len(inner) > MOST_VALUES:
                return f"more than {MOST_VALUES:,} values"
        if not inner:
            return None
        level = inner
    return f"more than {MOST_DEPTH} levels, or an anchor inside itself"


def _is_sealed(text: str) -> bool:
    """Whether the checksum at the end of a JSON file is that of the file."""
    seal = _SEAL.search(text)
    return seal is not None and _digest(f"{text[: seal.start()]}\n}}\n") == seal[1]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise ValueError(f"the key {twice[:60]!r} is there twice")
    return value


def _refused(constant: str) -> float:
    raise ValueError(f"{constant} is not a number")


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError(f"{digits[:60]} is too large a number")
    return value
