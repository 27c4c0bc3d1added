"""Beam search as in the paper's code (docs/reproduction/decoding.md).

The search compares raw sums of log-probabilities; only finished hypotheses are compared by their sum per unit. Each
finished hypothesis narrows its sentence's beam by one for good.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import torch
from torch import Tensor

from rarewords.decoding.candidates import UnitLists
from rarewords.decoding.ensemble import Ensemble
from rarewords.settings import DecodingSettings
from rarewords.vocabulary import EOS


class Hypothesis(NamedTuple):
    """A finished translation: negative log-probability per unit, and ids without EOS.

    EOS counts as a unit. Another `length_exponent` than 1 makes the cost the sum divided by the length to that power.
    """

    cost: float
    ids: list[int]


class Path(NamedTuple):
    """An unfinished translation as a chain: everything but its last unit, and its last unit."""

    before: Path | None
    unit: int


class Row(NamedTuple):
    """A live hypothesis: its cost so far, the slot it grew from, its last unit and its path."""

    cost: float
    slot: int
    unit: int
    path: Path | None


DEAD = Row(float("inf"), 0, EOS, None)  # fills the slots of a narrower beam beside wider ones


@dataclass
class Sentence:
    """The search for one sentence: how many hypotheses may still finish, and those that did."""

    length: int  # of the source, EOS included
    width: int
    length_exponent: float = 1.0
    finished: list[Hypothesis] = field(default_factory=list)

    def extend(self, paths: list[Path | None], candidates: list[tuple[float, int, int]], step: int) -> list[Row]:
        """Take the best candidates (cost, slot, unit), set aside those that end; returns those that live on."""
        taken = [candidate for candidate in candidates[: self.width] if candidate[0] < float("inf")]
        ended = [
            Hypothesis(cost / step**self.length_exponent, _ids(paths[slot]))
            for cost, slot, unit in taken
            if unit == EOS
        ]
        self.finished += ended
        self.width -= len(ended)
        if step == 3 * self.length:
            return []
        return [Row(cost, slot, unit, Path(paths[slot], unit)) for cost, slot, unit in taken if unit != EOS]


@torch.inference_mode()
def beam_search(
    ensemble: Ensemble,
    source: Tensor,
    mask: Tensor,
    settings: DecodingSettings,
    lists: UnitLists | None = None,
) -> list[list[Hypothesis]]:
    """Translate source ids (T, sentences), mask true at real positions; for every sentence its finished hypotheses.

    They are in ascending order of cost. None ends before half of the source's length (less if members read blocks of
    units, see `Ensemble`), none goes beyond three times of it (lengths with EOS); the list is empty if none ended in
    time. With `lists` each sentence's translations consist of units of its list, and probabilities are those among
    these units. With `ignore_unknown` no hypothesis has an unknown unit.
    """
    sentences = [Sentence(length, settings.beam, settings.length_exponent) for length in mask.sum(0).tolist()]
    live = list(sentences)
    states = ensemble.start(source, mask, lists)
    costs = torch.zeros(len(live), 1, dtype=states[0].state.dtype, device=source.device)
    paths: list[list[Path | None]] = [[None] for _ in live]
    step = 0
    while True:
        contexts = ensemble.look(states)
        shortest = [sentence.length // ensemble.source_per_target for sentence in live]
        too_early = torch.tensor([step < least for least in shortest], device=source.device)
        widest = max(sentence.width for sentence in live)
        best, units = ensemble.best(
            states, contexts, widest, too_early.repeat_interleave(costs.shape[1]), settings.ignore_unknown
        )
        candidates = _candidates(best, units, costs, widest)
        step += 1
        rows = [
            sentence.extend(before, found, step)
            for sentence, before, found in zip(live, paths, candidates, strict=True)
        ]
        stay = [k for k, kept in enumerate(rows) if kept]
        if not stay:
            break
        width, new_width = costs.shape[1], max(len(rows[k]) for k in stay)
        grid = [rows[k] + [DEAD] * (new_width - len(rows[k])) for k in stay]
        parents = torch.tensor([k * width + row.slot for k, kept in zip(stay, grid, strict=True) for row in kept])
        words = torch.tensor([row.unit for kept in grid for row in kept])
        costs = torch.tensor([[row.cost for row in kept] for kept in grid], dtype=costs.dtype, device=source.device)
        paths = [[row.path for row in kept] for kept in grid]
        left = torch.tensor(stay, device=source.device) if len(stay) < len(live) else None
        states = ensemble.update(states, contexts, parents.to(source.device), words.to(source.device), left)
        live = [live[k] for k in stay]
    return [sorted(sentence.finished, key=lambda hypothesis: hypothesis.cost) for sentence in sentences]


def _candidates(best: Tensor, units: Tensor, costs: Tensor, count: int) -> list[list[tuple[float, int, int]]]:
    """The `count` cheapest continuations (cost, slot, unit) of every sentence, ascending.

    best and units (sentences·width, candidates a row) as of `Ensemble.best`, costs (sentences, width).
    """
    sentences, width = costs.shape
    per_row = best.shape[1]
    totals = (costs.view(-1, 1) - best).view(sentences, width * per_row)
    cheapest, place = totals.topk(min(count, width * per_row), dim=1, largest=False, sorted=True)
    slots = place // per_row
    found = units.view(sentences, -1).gather(1, place)
    return [
        list(zip(*columns, strict=True))
        for columns in zip(cheapest.tolist(), slots.tolist(), found.tolist(), strict=True)
    ]


def _ids(path: Path | None) -> list[int]:
    ids = []
    while path is not None:
        ids.append(path.unit)
        path = path.before
    return ids[::-1]
