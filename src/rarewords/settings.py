"""The settings of a network, its training and the search, as they travel from the configuration to the computation.

A field names the key of the configuration that it is a value of; the schema has its default, limits and description,
which the options of the commands are made from, too. A new setting is a key of the schema, a field, and its use.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from functools import partial
from typing import Any

from rarewords.errors import InputError
from rarewords.model.size import NetworkSize
from rarewords.schema import default

# What fingerprints of models of earlier versions call some settings.
OLD_NAMES = {"deviation": "init_std", "cutoff": "clip_norm", "loaded_vocabulary": "partition_vocabulary"}


def required(key: str) -> Any:
    """A field for a key of the configuration that must be given."""
    return field(metadata={"key": key})


def optional(key: str) -> Any:
    """A field for a key of the configuration with a default, which is the schema's."""
    return field(default_factory=partial(default, key), metadata={"key": key})


@dataclass(frozen=True, kw_only=True)
class NetworkSettings:
    """The section `network` of a configuration; docs/reproduction/network.md."""

    embedding: int = required("network.embedding")
    hidden: int = required("network.hidden")
    init_std: float = optional("network.init_std")
    source_blocks: int = optional("network.source_blocks")

    def size(self, source_vocabulary: int, target_vocabulary: int) -> NetworkSize:
        """The size of the network, for vocabularies with these numbers of units."""
        return NetworkSize(source_vocabulary, target_vocabulary, self.embedding, self.hidden, self.source_blocks)


@dataclass(frozen=True, kw_only=True)
class TrainingSettings(NetworkSettings):
    """What decides the result of a training run, apart from its data and length; docs/reproduction/training.md.

    `clip_norm` is the run's entry of `training.clip_norms`.
    """

    clip_norm: float = required("training.clip_norms.items")
    seed: int
    batch_size: int = optional("training.batch_size")
    max_length: int = optional("training.max_length")
    precision: str = optional("training.precision")
    partition_vocabulary: int | None = optional("training.partition_vocabulary")

    def __post_init__(self) -> None:
        for name, value in (("init_std", self.init_std), ("clip_norm", self.clip_norm)):
            if not (math.isfinite(value) and value > 0):
                raise InputError(f"{name}: {value} is not a finite number above 0; give one.")

    @classmethod
    def of_fingerprint(cls, fingerprint: Mapping[str, Any]) -> TrainingSettings:
        """The settings of a saved model."""
        complete = completed(fingerprint)
        return cls(**{one.name: complete[one.name] for one in fields(cls)})


@dataclass(frozen=True, kw_only=True)
class TrainingLength:
    """When a training run ends, and how often models are saved: in updates, or in a time such as `12 hours`."""

    updates: int = required("training.updates")
    save_every: int | str = required("training.save_every")
    patience: int | None = optional("training.patience")
    hours: float | None = optional("training.hours")


@dataclass(frozen=True, kw_only=True)
class CandidateSettings:
    """How long candidate lists are, and whether a block of sentences shares one."""

    common: int = optional("decoding.candidates.common")
    per_word: int = optional("decoding.candidates.per_word")
    block: int | None = optional("decoding.candidates.block")


@dataclass(frozen=True, kw_only=True)
class DecodingSettings:
    """What decides the translations of a search, apart from its models; docs/reproduction/decoding.md.

    Without `candidates` the whole vocabulary is searched.
    """

    beam: int = optional("decoding.beam")
    ignore_unknown: bool = optional("decoding.ignore_unknown")
    length_exponent: float = optional("decoding.length_exponent")
    candidates: CandidateSettings | None = None


def completed(fingerprint: Mapping[str, Any]) -> dict[str, Any]:
    """The fingerprint of a model with its settings as they are called now, and the defaults of younger settings."""
    younger = [one for one in fields(TrainingSettings) if callable(one.default_factory)]
    defaults = {one.name: default(one.metadata["key"]) for one in younger}
    return defaults | {OLD_NAMES.get(name, name): value for name, value in fingerprint.items()}


def as_options(settings: Any) -> list[str]:
    """Settings as options of a command, such as `--batch-size=80`; what is None or False is left out."""
    return [option(name, value) for name, value in asdict(settings).items() if value is not None and value is not False]


def option(name: str, value: Any) -> str:
    """One setting as an option of a command."""
    flag = "--" + name.replace("_", "-")
    return flag if value is True else f"{flag}={value}"
