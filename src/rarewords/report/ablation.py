"""The table of a grid (`grid` in config/README.md): every combination of values with its scores and their spread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from rarewords.evaluation.permutation import MOST_SEEDS, least_p
from rarewords.evaluation.registry import HEADLINE
from rarewords.evaluation.significance import too_few_sentences
from rarewords.experiment.axes import describe
from rarewords.report.scores import common
from rarewords.report.table import ENSEMBLE, LEVEL, MARK, SPREAD, Cell, Column, P, Table
from rarewords.report.tables import metrics_caption, of_text
from rarewords.report.variants import Variant, baseline_of

VOCABULARY = [Column("vocabulary", "source"), Column("vocabulary", "target")]


def ablation_table(
    variants: Sequence[Variant], pair: str, test_set: str, significance: Mapping[str, Any] | None = None
) -> Table:
    """One row for each combination of values: vocabulary sizes, and for every metric ensemble, p and spread of the
    members; with replicates the spread of their ensembles and p over the seeds instead.

    `significance` is the JSON of `rarewords significance`, which also names the baseline. Raises InputError if the
    score files differ in their test set or training text.
    """
    everything = [scores for variant in variants for scores in (*variant.ensembles, *variant.singles)]
    sentences = common(everything, "number of sentences", lambda scores: scores["sentences"])
    axes = list(variants[0].values)
    columns = [Column("", axis) for axis in axes] + VOCABULARY
    columns += [of_text(metric, role) for metric in HEADLINE for role in (ENSEMBLE, P, *SPREAD)]
    baseline = baseline_of(variants, significance)
    cells = [_cells(variant, significance, baseline) for variant in variants]
    used = [column for column in columns if any(row.get(column) is not None for row in cells) or column.group == ""]
    caption = [
        f"{pair}, {test_set}, {sentences} sentences. Varied: {', '.join(axes) or 'the seed'}.",
        *_spread_caption(variants),
        *metrics_caption(everything),
    ]
    return Table(
        caption + _tested(variants, significance), used, [[row.get(column) for column in used] for row in cells]
    )


def _cells(variant: Variant, significance: Mapping[str, Any] | None, baseline: Variant | None) -> dict[Column, Cell]:
    cells: dict[Column, Cell] = {Column("", axis): shown(axis, value) for axis, value in variant.values.items()}
    cells |= dict(zip(VOCABULARY, variant.vocabulary, strict=True))
    for metric in HEADLINE:
        cells[of_text(metric, ENSEMBLE)] = None if variant.is_replicated() else metric.value(variant.ensembles[0])
        cells[of_text(metric, P)] = variant.p_value(metric, significance, baseline)
        if (spread := variant.spread(metric)) is not None:
            cells |= {of_text(metric, role): value for role, value in zip(SPREAD, spread, strict=True)}
    return cells


def shown(axis: str, value: Any) -> Cell:
    """A value of an axis, for a cell or a tick: integers as they are, everything else as text."""
    if value is None:
        return "all" if axis == "tau" else "none"
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return f"{value:g}" if isinstance(value, float) else describe(axis, value)


def _spread_caption(variants: Sequence[Variant]) -> list[str]:
    if variants[0].is_replicated():
        seeds = common(variants, "seeds", lambda variant: _listed(variant.seeds))
        return [f"Mean (range): of the ensembles of {len(variants[0].seeds)} seeds, {seeds}."]
    if not any(variant.singles for variant in variants):
        return []
    members = common(variants, "number of members", lambda variant: len(variant.singles))
    return [f"Ensembles of {members} members. Mean (range): of the members' own scores."]


def _listed(seeds: Sequence[int]) -> str:
    *others, last = map(str, seeds)
    return f"{', '.join(others)} and {last}" if others else last


def _tested(variants: Sequence[Variant], significance: Mapping[str, Any] | None) -> list[str]:
    if significance is None:
        return []
    if variants[0].is_replicated():
        return _tested_over_seeds(variants, significance)
    if few := too_few_sentences(significance.get("sentences")):
        return [few]
    baseline = baseline_of(variants, significance)
    label = baseline.label if baseline is not None else f"the system {significance['baseline']}"
    return [
        f"{MARK}: differs from {label} with p < {LEVEL} ({significance['method']}, "
        f"{significance['samples']} samples, seed {significance['seed']})."
    ]


def _tested_over_seeds(variants: Sequence[Variant], significance: Mapping[str, Any]) -> list[str]:
    baseline, seeds = baseline_of(variants, significance), len(variants[0].seeds)
    if baseline is None or len(variants) == 1 or seeds > MOST_SEEDS:
        return []
    values = ", ".join(describe(axis, value) for axis, value in baseline.values.items())
    sentences = [
        f"{MARK}: the mean differs from that of {values} with p < {LEVEL} (exact permutation test over the seeds, "
        "two-sided), which covers chance in training, not in the choice of test sentences."
    ]
    if (least := least_p(seeds)) >= LEVEL:
        needed = next(number for number in count(seeds) if least_p(number) < LEVEL)
        sentences.append(
            f"With {seeds} seeds each no p can be below {least:.2f}, so nothing is marked; {needed} seeds are enough."
        )
    return sentences
