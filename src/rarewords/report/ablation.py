"""The table of a grid (`grid` in config/README.md): every combination of values with its scores and their spread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from jsonschema import Draft202012Validator

from rarewords.errors import InputError
from rarewords.evaluation.significance import too_few_sentences
from rarewords.experiment.config import schema
from rarewords.experiment.grid import LABELS
from rarewords.report.formats import LEVEL, MARK, SPREAD, Cell, Table
from rarewords.report.scores import Scores, common, parse_map, read_scores
from rarewords.report.tables import metrics_caption
from rarewords.vocabulary import Vocabulary

ROW_KEYS = ("system", "label", "values", "ensemble", "singles", "vocabulary")
# What is shown, by the name that `rarewords significance` gives it.
METRICS = {"bleu": "BLEU", "chrf3": "chrF3", "f1_rare": "F1 rare", "f1_oov": "F1 OOV"}


@dataclass(frozen=True)
class Variant:
    """A system of a grid: its value on every axis, the scores of its ensemble and of its members (perhaps none), and
    the sizes of its vocabularies."""

    system: str
    label: str
    values: Mapping[str, Any]
    ensemble: Scores
    singles: Sequence[Scores]
    vocabulary: tuple[int, int]

    def spread(self, metric: str) -> tuple[float, float, float] | None:
        """Mean, lowest and highest score of the members; None without any."""
        found = [value for scores in self.singles if (value := score(scores, metric)) is not None]
        return (fmean(found), min(found), max(found)) if found else None


def parse_variants(texts: Sequence[str]) -> list[Variant]:
    """The systems of a grid, each a JSON map with exactly the keys of ROW_KEYS; raises InputError otherwise.

    `ensemble` is a score file, `singles` are those of the members, `vocabulary` the files of source and target side.
    """
    variants: list[Variant] = []
    for number, text in enumerate(texts, 1):
        row = parse_map(text, number, ROW_KEYS)
        _check(row, number)
        values, vocabulary = row["values"], row["vocabulary"]
        ensemble = read_scores(row["ensemble"])
        if ensemble is None:
            raise InputError(f"row {number}: `ensemble` is null; name a file of `rarewords score --json`.")
        if variants and set(values) != set(variants[0].values):
            raise InputError(
                f"row {number}: it has values of {', '.join(values)}, unlike row 1; give all rows the same."
            )
        if any(values == variant.values for variant in variants):
            raise InputError(f"row {number}: there is a row with these values already; leave one out.")
        singles = [scores for scores in map(read_scores, row["singles"]) if scores is not None]
        source, target = (len(Vocabulary.load(path)) for path in vocabulary)
        variants.append(Variant(row["system"], row["label"], values, ensemble, singles, (source, target)))
    return variants


def ablation_table(
    variants: Sequence[Variant], pair: str, test_set: str, significance: Mapping[str, Any] | None = None
) -> Table:
    """One row a system: its values, vocabulary sizes, and for every metric ensemble, p and spread of the members.

    `significance` is the JSON of `rarewords significance`. Raises InputError if the score files do not belong to one
    test set and one training text.
    """
    everything = [scores for variant in variants for scores in (variant.ensemble, *variant.singles)]
    sentences = common(everything, "number of sentences", lambda scores: scores["sentences"])
    axes = list(variants[0].values)
    columns = [("", axis) for axis in axes] + [("vocabulary", "source"), ("vocabulary", "target")]
    columns += [(group, name) for group in METRICS.values() for name in ("ensemble", "p", *SPREAD)]
    cells = [_cells(variant, significance) for variant in variants]
    used = [column for column in columns if any(row.get(column) is not None for row in cells) or column[0] == ""]
    caption = [
        f"{pair}, {test_set}, {sentences} sentences; what varies: {', '.join(axes)}.",
        *_spread_caption(variants),
        *metrics_caption(everything),
    ]
    return Table(
        caption + _tested(variants, significance), used, [[row.get(column) for column in used] for row in cells]
    )


def _check(row: dict[str, Any], number: int) -> None:
    """Raise InputError unless everything in a row is of its kind; values are those that a grid may have."""
    for key in ("system", "label"):
        if not isinstance(row[key], str):
            raise InputError(f"row {number}: `{key}` is {row[key]!r}; give a name.")
    for key, wanted in (("singles", "score files, or none"), ("vocabulary", "two files, source and target side")):
        found = row[key]
        if not isinstance(found, list) or not all(isinstance(path, str) for path in found):
            raise InputError(f"row {number}: `{key}` must be a list of {wanted}.")
    if len(row["vocabulary"]) != 2:
        raise InputError(f"row {number}: `vocabulary` must be a list of two files, source and target side.")
    values = row["values"]
    if not isinstance(values, dict) or not values or not set(values) <= set(LABELS):
        raise InputError(f"row {number}: `values` must be a map with values of {', '.join(LABELS)}.")
    rules = schema()
    for axis, value in values.items():
        items = rules["properties"]["grid"]["properties"][axis]["items"]
        if not Draft202012Validator({"$defs": rules["$defs"], **items}).is_valid(value):
            raise InputError(f"row {number}: `values` has {value!r} for {axis}, which no grid can have; correct it.")


def p_value(significance: Mapping[str, Any] | None, metric: str, system: str) -> float | None:
    """p of the difference from the baseline; None for the baseline itself and where nothing was tested."""
    few = significance is None or too_few_sentences(significance.get("sentences"))
    tests = {} if significance is None or few else significance["metrics"].get(metric, {})
    return float(tests[system]["p"]) if system in tests and tests[system]["p"] is not None else None


def score(scores: Scores, metric: str) -> float | None:
    """A score by the name of its metric; None where there is none."""
    if metric.startswith("f1_"):
        unigram = scores["unigram_f1"]
        value = None if unigram is None else unigram["classes"][metric.removeprefix("f1_")]["f1"]
    else:
        value = scores[metric]["score"]
    return None if value is None else float(value)


def _cells(variant: Variant, significance: Mapping[str, Any] | None) -> dict[tuple[str, str], Cell]:
    cells: dict[tuple[str, str], Cell] = {("", axis): shown(axis, value) for axis, value in variant.values.items()}
    cells |= dict(zip((("vocabulary", "source"), ("vocabulary", "target")), variant.vocabulary, strict=True))
    for metric, group in METRICS.items():
        cells[group, "ensemble"] = score(variant.ensemble, metric)
        cells[group, "p"] = p_value(significance, metric, variant.system)
        if (spread := variant.spread(metric)) is not None:
            cells |= {(group, name): value for name, value in zip(SPREAD, spread, strict=True)}
    return cells


def shown(axis: str, value: Any) -> Cell:
    """A value of an axis in a cell or at a tick: whole numbers as they are, everything else as text."""
    if value is None:
        return "all"
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return f"{value:g}" if isinstance(value, float) else LABELS[axis](value)


def _spread_caption(variants: Sequence[Variant]) -> list[str]:
    if not any(variant.singles for variant in variants):
        return []
    members = common(variants, "number of members", lambda variant: len(variant.singles))
    return [f"Ensemble of {members} members; mean (range): over the members, each alone."]


def _tested(variants: Sequence[Variant], significance: Mapping[str, Any] | None) -> list[str]:
    if significance is None:
        return []
    if few := too_few_sentences(significance.get("sentences")):
        return [few]
    labels = {variant.system: variant.label for variant in variants}
    baseline = labels.get(significance["baseline"], f"the system {significance['baseline']}")
    return [
        f"{MARK}: different from {baseline} with p < {LEVEL} ({significance['method']}, "
        f"{significance['samples']} samples, seed {significance['seed']})."
    ]
