"""From which configuration file a setting comes, for messages: an overlay inherits most of what it does not say."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

NOTHING = object()
KEY = re.compile(r"[^\s:]+")  # what a message about a configuration begins with
QUOTED = re.compile(r"'([^']+)'")


def with_file(sentence: str, config: Mapping[str, Any], paths: Iterable[Path]) -> str:
    """A message that begins with a key, such as `systems.bpe.mergs: …`, with the file in front that sets the key.

    `config` is what the files in `paths` make together, later ones winning. A key that is in none of them, or has
    another value there (`--config` on the command line), leaves the sentence as it is.
    """
    match = KEY.match(sentence)
    if match is None:
        return sentence
    named = [f"{match[0]}.{name}" for name in QUOTED.findall(sentence)]  # systems.x.segmentation: unknown setting 'y'
    files = [(path, _content(path)) for path in paths]
    for key in [*named, match[0]]:
        value = _at(config, key)
        # a map with a mistake is that of the file that begins it, a value that of the file that has the last word
        for path, content in files if isinstance(value, Mapping) else reversed(files):
            if value is not NOTHING and _sets(_at(content, key), value):
                return f"{_short(path)}: {sentence}"
    return sentence


def _at(config: Any, key: str) -> Any:
    """The value of a dotted key; names may have dots themselves. NOTHING if there is none."""
    if isinstance(config, Mapping):
        for name, value in config.items():
            if key == str(name):
                return value
            if key.startswith(f"{name}.") and (found := _at(value, key[len(str(name)) + 1 :])) is not NOTHING:
                return found
    if isinstance(config, list):
        place, _, rest = key.partition(".")
        if place.isascii() and place.isdigit() and int(place) < len(config):
            return _at(config[int(place)], rest) if rest else config[int(place)]
    return NOTHING


def _sets(given: Any, value: Any) -> bool:
    """Whether a file's value of a key is the one that counts, or a part of it."""
    if isinstance(given, Mapping) and isinstance(value, Mapping):
        return True
    return given is not NOTHING and bool(given == value)


def _content(path: Path) -> Any:
    try:
        return yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError):
        return {}


def _short(path: Path) -> str:
    """The path from the working folder, where that is shorter."""
    return min(str(path), os.path.relpath(path), key=len)
