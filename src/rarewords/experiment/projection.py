"""How long the training runs of an experiment take at a given speed (docs/reproduction/speed.md, Training time)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rarewords.experiment.plan import Experiment
from rarewords.model.flops import training_flops
from rarewords.model.size import NetworkSize

LENGTH = 25.0  # units of one side of a training pair, EOS included, as in the paper's text; see the documentation

SIDES = ("source", "target")
SecondsPerUpdate = Callable[[NetworkSize, int], float]  # of a network's size and the pairs of a minibatch


@dataclass(frozen=True)
class Projection:
    """The training runs of one system and language pair; `hours` are those of one device that does nothing else.

    `runs` training runs have `updates` each, or end after `most_hours`; `members` continuations with fixed embeddings
    have `fixed_updates` each.
    """

    pair: str
    system: str
    runs: int
    updates: int
    members: int
    fixed_updates: int
    seconds_per_update: float
    most_hours: float | None = None

    @property
    def is_capped(self) -> bool:
        """Whether a run ends by its time, before its last update."""
        return self.most_hours is not None and self.updates * self.seconds_per_update > 3600 * self.most_hours

    @property
    def reached(self) -> int:
        """The updates that a run reaches."""
        if self.most_hours is None or not self.is_capped:
            return self.updates
        return int(3600 * self.most_hours / self.seconds_per_update)

    @property
    def hours(self) -> float:
        """Of all runs and continuations together."""
        return (self.runs * self.reached + self.members * self.fixed_updates) * self.seconds_per_update / 3600


def project(experiment: Experiment, seconds_per_update: SecondsPerUpdate) -> list[Projection]:
    """The training runs of every pair and system of an experiment, at a speed that may depend on the network's size.

    A system's vocabularies count with the size that the configuration allows, or with the units that an update loads.
    """
    return [
        Projection(
            pair,
            system,
            len(experiment.runs),
            experiment.training(system, "updates"),
            len(experiment.members),
            experiment.training(system, "fixed_embedding_updates"),
            seconds_per_update(network_size(experiment, system, pair), experiment.training(system, "batch_size")),
            experiment.training(system, "hours"),
        )
        for pair in experiment.pairs
        for system in experiment.trained_in(pair)
    ]


def network_size(experiment: Experiment, system: str, pair: str) -> NetworkSize:
    """The size of the network that an update computes with."""
    vocabulary = experiment.system(system, pair)["vocabulary"]
    loaded = experiment.training(system, "partition_vocabulary")
    source, target = (size if loaded is None else min(size, loaded) for size in map(vocabulary.get, SIDES))
    return of_vocabularies(experiment, system, source, target)


def of_vocabularies(experiment: Experiment, system: str, source: int, target: int) -> NetworkSize:
    """The size of a system's network, for vocabularies with these numbers of units."""
    embedding, hidden, blocks = (experiment.network(system, key) for key in ("embedding", "hidden", "source_blocks"))
    return NetworkSize(source, target, embedding, hidden, blocks)


def at_tokens_per_second(tokens: float, length: float = LENGTH) -> SecondsPerUpdate:
    """The same speed for all networks, in target units per second."""
    return lambda _size, batch: batch * length / tokens


def at_flops_per_second(operations: float, length: float = LENGTH) -> SecondsPerUpdate:
    """A speed in floating-point operations of the network's matrix products per second."""
    return lambda size, batch: training_flops(size, batch * length, batch * length) / operations
