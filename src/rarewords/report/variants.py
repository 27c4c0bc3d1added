"""The systems of a grid with their scores, replicates together: those that differ in nothing but the seed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from rarewords.evaluation.files import Scores, read_scores
from rarewords.evaluation.registry import Metric
from rarewords.experiment.axes import SEED
from rarewords.report.inputs import VariantFiles
from rarewords.report.scores import p_value
from rarewords.vocabulary import Vocabulary


@dataclass(frozen=True)
class Variant:
    """A combination of values: its value on every axis but the seed, and the sizes of its vocabularies.

    `system`, an id, and `label` are those of the first replicate; `ensembles` are the scores of the ensemble, one for
    each of the `seeds` (none if the grid does not vary it), `singles` those of the members, if there are any.
    """

    system: str
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

    def p_value(self, significance: Mapping[str, Any] | None, metric: str) -> float | None:
        """p of the difference from the baseline; None for replicates, as the test knows nothing of other seeds."""
        return None if self.is_replicated() else p_value(significance, metric, self.system)


def read_variants(files: Sequence[VariantFiles]) -> list[Variant]:
    """The systems of a grid with their files read; raises InputError for a wrong file."""
    groups: dict[str, list[VariantFiles]] = {}
    for row in files:
        groups.setdefault(json.dumps(_without_seed(row.values)), []).append(row)
    return [_read(rows) for rows in groups.values()]


def _read(rows: Sequence[VariantFiles]) -> Variant:
    first = rows[0]
    source, target = (len(Vocabulary.load(path)) for path in first.vocabulary)
    return Variant(
        first.system,
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
