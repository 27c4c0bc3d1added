"""Keys of the configuration that once had other names; files that use the old ones still work."""

from __future__ import annotations

from typing import Any

# The path of a section (`*`: every one) to its keys, the old name first.
OF_NETWORK = {"deviation": "init_std"}
OF_TRAINING = {"cutoffs": "clip_norms", "loaded_vocabulary": "partition_vocabulary"}
RENAMED: dict[tuple[str, ...], dict[str, str]] = {
    ("experiment",): {"models": "models_from"},
    ("network",): OF_NETWORK,
    ("training",): OF_TRAINING,
    ("systems", "*", "network"): OF_NETWORK,
    ("systems", "*", "training"): OF_TRAINING,
}


def with_new_names(config: Any) -> tuple[Any, list[str]]:
    """A copy of a configuration in which every key has its present name, and a sentence for each one that had not.

    Where merged files give a key under both names, the one that was added later wins.
    """
    warnings: list[str] = []
    return _renamed(config, (), warnings), warnings


def new_path(path: tuple[str, ...]) -> tuple[str, ...]:
    """The path of a key, by its present name."""
    present = next((keys for place, keys in RENAMED.items() if _is_at(path[:-1], place)), {})
    return (*path[:-1], present.get(path[-1], path[-1]))


def _renamed(value: Any, path: tuple[str, ...], warnings: list[str]) -> Any:
    if not isinstance(value, dict) or not any(_is_at(path, place[: len(path)]) for place in RENAMED):
        return value
    present = next((keys for place, keys in RENAMED.items() if _is_at(path, place)), {})
    copy = {}
    for key, inner in value.items():
        name = present.get(key, key)
        if name != key:
            warnings.append(f"{'.'.join(path)}.{key} is now called {name}; please rename it. The old name still works.")
        copy[name] = _renamed(inner, (*path, str(key)), warnings)
    return copy


def _is_at(path: tuple[str, ...], place: tuple[str, ...]) -> bool:
    return len(path) == len(place) and all(part in ("*", key) for key, part in zip(path, place, strict=True))
