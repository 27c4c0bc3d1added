"""The systems of a grid with their scores, replicates together: those that differ in nothing but the seed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from rarewords.evaluation.files import Scores, read_scores
from rarewords.evaluation.permutation import MOST_SEEDS, permutation_p
from rarewords.evaluation.registry import Metric
from rarewords.experiment.axes import SEED
from rarewords.report.inputs import VariantFiles
from rarewords.report.scores import p_value
from rarewords.vocabulary import Vocabulary


@dataclass(frozen=True)
class Variant:
    """A combination of values: its value on every axis but the seed, and the sizes of its vocabularies.

    `systems` are the ids of its replicates, `label` is that of the first; `ensembles` are the scores of the ensemble,
    one for each of the `seeds` (none if the grid does not vary it), `singles` those of the members, if there are any.
    """

    systems: Sequence[str]
    label: str
    values: Mapping[str, Any]
    seeds: Sequence[int]
    ensembles: Sequence[Scores]
    singles: Sequence[Scores]
    vocabulary: tuple[int, int]

    def is_replicated(self) -> bool:
        """Whether it was trained with several seeds."""
        return len(self.seeds) > 1

    def mean(self, metric: Metric) -> float | None:
        """The score of the ensemble, or its mean over the seeds; None without any."""
        found = _values(self.ensembles, metric)
        return fmean(found) if found else None

    def spread(self, metric: Metric) -> tuple[float, float, float] | None:
        """Mean, lowest and highest score of the replicates, or of the members of the ensemble; None without any."""
        found = _values(self.ensembles if self.is_replicated() else self.singles, metric)
        return (fmean(found), min(found), max(found)) if found else None

    def p_value(
        self, metric: Metric, significance: Mapping[str, Any] | None, baseline: Variant | None = None
    ) -> float | None:
        """p of the difference from the baseline, or None: of replicates that of a permutation test over their seeds,
        since a test of sentences knows nothing of other seeds; otherwise that of `significance`."""
        if not self.is_replicated():
            return p_value(significance, metric.name, self.systems[0])
        if baseline is None or baseline is self or len(self.seeds) > MOST_SEEDS:
            return None
        ours, theirs = _values(self.ensembles, metric), _values(baseline.ensembles, metric)
        return permutation_p(ours, theirs) if len(ours) == len(theirs) == len(self.seeds) else None


def read_variants(files: Sequence[VariantFiles]) -> list[Variant]:
    """The systems of a grid with their files read; raises InputError for a wrong file."""
    groups: dict[str, list[VariantFiles]] = {}
    for row in files:
        groups.setdefault(json.dumps(_without_seed(row.values)), []).append(row)
    return [_read(rows) for rows in groups.values()]


def baseline_of(variants: Sequence[Variant], significance: Mapping[str, Any] | None) -> Variant | None:
    """The combination of values that `experiment.baseline` is a replicate of; None if it is another system."""
    name = None if significance is None else significance["baseline"]
    return next((variant for variant in variants if name in variant.systems), None)


def _read(rows: Sequence[VariantFiles]) -> Variant:
    first = rows[0]
    source, target = (len(Vocabulary.load(path)) for path in first.vocabulary)
    return Variant(
        [row.system for row in rows],
        first.label,
        _without_seed(first.values),
        [row.values[SEED] for row in rows if SEED in row.values],
        [read_scores(row.ensemble) for row in rows],
        [read_scores(path) for row in rows for path in row.singles],
        (source, target),
    )


def _without_seed(values: Mapping[str, Any]) -> dict[str, Any]:
    return {axis: value for axis, value in values.items() if axis != SEED}


def _values(scores: Sequence[Scores], metric: Metric) -> list[float]:
    return [value for one in scores if (value := metric.value(one)) is not None]
