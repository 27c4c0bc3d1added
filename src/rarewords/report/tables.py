"""Tables 2 and 3 of the paper, and the same layout for any language pair, from the JSON files of `rarewords score`.

formats.py writes them. The paper's rows stand below ours where the test set is the paper's, else below the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from rarewords.errors import InputError
from rarewords.evaluation.files import read_choice, read_scores
from rarewords.evaluation.registry import TESTED_OF_TEXT, TESTED_OF_WORDS, Metric, WordMetric
from rarewords.evaluation.significance import too_few_sentences
from rarewords.report.beside_paper import is_papers_test_set, paper_caption, rows_beside_paper
from rarewords.report.inputs import SystemFiles
from rarewords.report.paper import PaperTable, load_paper, paper_table
from rarewords.report.scores import ScoreRow, common, p_value
from rarewords.report.table import ENSEMBLE, FROM, LEVEL, MARK, MISSING, OURS, SINGLE, SPREAD, Cell, Column, P, Table
from rarewords.vocabulary import Vocabulary


def of_text(metric: Metric, role: str) -> Column:
    """The column of a metric of text: the score of an output, its p or its spread."""
    return Column(metric.label, role, metric.name, role)


def of_words(metric: WordMetric, role: str = ENSEMBLE) -> Column:
    """The column of a metric of words, which only ensembles have, or of its p."""
    return Column(metric.group, metric.column if role == ENSEMBLE else f"{role} {metric.column}", metric.name, role)


DESCRIPTION = (
    Column("", "system"),
    FROM,
    Column("", "segmentation"),
    Column("", "shortlist"),
    Column("vocabulary", "source"),
    Column("vocabulary", "target"),
)
GROUPS_OF_WORDS = dict.fromkeys(metric.group for metric in TESTED_OF_WORDS)
# p of a metric of text stands beside its scores, those of a group of metrics of words behind them.
COLUMNS = (
    *DESCRIPTION,
    *(of_text(metric, role) for metric in TESTED_OF_TEXT for role in (SINGLE, ENSEMBLE, P, *SPREAD)),
    *(
        of_words(metric, role)
        for group in GROUPS_OF_WORDS
        for role in (ENSEMBLE, P)
        for metric in TESTED_OF_WORDS
        if metric.group == group
    ),
)
# Columns that a table has only if they have values.
OPTIONAL_ROLES = (P, *SPREAD)


@dataclass(frozen=True)
class System:
    """A row with its files read: sizes of both vocabularies, scores (None: not given), and `dev`, the BLEU of the
    members on the development set."""

    row: SystemFiles
    vocabulary: list[int | None]
    best: dict[str, Any] | None
    ensemble: dict[str, Any] | None
    singles: list[dict[str, Any]]
    dev: list[float]

    def scores(self) -> list[dict[str, Any]]:
        """All scores of the test set."""
        return [scores for scores in (self.best, self.ensemble, *self.singles) if scores is not None]


def read_system(row: SystemFiles) -> System:
    """Read the files of a row; raises InputError for a wrong file, and for a system without scores."""
    best, ensemble = (None if path is None else read_scores(path) for path in (row.best, row.ensemble))
    if best is None and ensemble is None:
        raise InputError(
            f"system {row.system} has scores of neither a single model nor an ensemble; "
            "translate with it and score the translations first, or leave the row out."
        )
    singles = [read_scores(path) for path in row.singles]
    sizes = [None if path is None else len(Vocabulary.load(path)) for path in row.vocabulary]
    return System(row, sizes, best, ensemble, singles, list(read_choice(row.choice).values()))


def score_table(
    systems: Sequence[System],
    pair: str,
    test_set: str,
    external: Sequence[ScoreRow] = (),
    significance: Mapping[str, Any] | None = None,
) -> Table:
    """The table of one language pair and test set, with the paper's rows if it has them.

    `external` rows come first,
    where the paper has its system without a neural network. `significance` is the JSON of `rarewords significance`.
    Raises InputError if the score files do not belong to one test set, one set of training counts or one metric.
    """
    paper = paper_table(pair)
    everything = [scores for system in systems for scores in system.scores()] + [row.scores for row in external]
    same_test_set = is_papers_test_set(paper, everything[0])
    ours = [(_external_cells(row) | _p_cells(significance, row.system), row.paper) for row in external]
    ours += [(_our_cells(system) | _p_cells(significance, system.row.system), system.row.paper) for system in systems]
    cells = rows_beside_paper(ours, paper, same_test_set, _paper_cells)
    columns = _columns(cells)
    caption = _caption(systems, external, pair, test_set, paper) + _significance_caption(
        significance, systems, external
    )
    return Table(caption, columns, [[row.get(column) for column in columns] for row in cells])


def _columns(rows: Sequence[Mapping[Column, Cell]]) -> list[Column]:
    """Those that are always there or have something in them; none of a metric that is newer than the score files."""
    used = {column for row in rows for column, cell in row.items() if cell is not None}
    lacking = {metric.name for metric in TESTED_OF_TEXT} - {column.metric for column in used}
    return [
        column
        for column in COLUMNS
        if column in used or not (column.role in OPTIONAL_ROLES or column.metric in lacking)
    ]


def _our_cells(system: System) -> dict[Column, Cell]:
    row = system.row
    description = [row.label, OURS, row.segmentation, row.shortlist, *system.vocabulary]
    cells: dict[Column, Cell] = dict(zip(DESCRIPTION, description, strict=True))
    for metric in TESTED_OF_TEXT:
        cells[of_text(metric, SINGLE)] = _score(system.best, metric)
        cells[of_text(metric, ENSEMBLE)] = _score(system.ensemble, metric)
        scores = [value for single in system.singles if (value := metric.value(single)) is not None]
        if scores:
            cells |= {of_text(metric, role): value for role, value in zip(SPREAD, _spread(scores), strict=True)}
    return cells | _f1_cells(system.ensemble)


def _external_cells(row: ScoreRow) -> dict[Column, Cell]:
    """A translation made elsewhere is one system, so its scores are in the columns of a single model."""
    cells: dict[Column, Cell] = {DESCRIPTION[0]: row.label, FROM: row.origin}
    cells |= {of_text(metric, SINGLE): metric.value(row.scores) for metric in TESTED_OF_TEXT}
    return cells | _f1_cells(row.scores)


def _score(scores: dict[str, Any] | None, metric: Metric) -> float | None:
    return None if scores is None else metric.value(scores)


def _spread(values: list[float]) -> list[float]:
    return [fmean(values), min(values), max(values)]


def _f1_cells(scores: dict[str, Any] | None) -> dict[Column, Cell]:
    if scores is None or scores["unigram_f1"] is None:
        return {}
    return {of_words(metric): metric.value(scores) for metric in TESTED_OF_WORDS}


def _p_cells(significance: Mapping[str, Any] | None, system: str) -> dict[Column, Cell]:
    """p of every metric that was tested; the baseline itself has none."""
    return {column: p_value(significance, column.metric, system) for column in COLUMNS if column.role == P}


def _paper_cells(paper: PaperTable, name: str, origin: str) -> dict[Column, Cell]:
    row = paper.row(name)
    description = [row["label"], origin, row["segmentation"], row["shortlist"], *row["vocabulary"]]
    cells: dict[Column, Cell] = dict(zip(DESCRIPTION, description, strict=True))
    for metric in TESTED_OF_TEXT:
        cells[of_text(metric, SINGLE)] = paper.value(name, metric, ensemble=False)
        cells[of_text(metric, ENSEMBLE)] = paper.value(name, metric)
    return cells | {of_words(metric): paper.value(name, metric) for metric in TESTED_OF_WORDS}


def _names_paper(systems: Sequence[System], external: Sequence[ScoreRow]) -> bool:
    return any(system.row.paper for system in systems) or any(row.paper for row in external)


def _caption(
    systems: Sequence[System], external: Sequence[ScoreRow], pair: str, test_set: str, paper: PaperTable | None
) -> list[str]:
    everything = [scores for system in systems for scores in system.scores()] + [row.scores for row in external]
    sentences = common(everything, "number of sentences", lambda scores: scores["sentences"])
    rows = [system.row for system in systems]
    members, updates = _range([row.members for row in rows]), _range([row.updates for row in rows])
    sizes = f"{members} members" + ("" if updates == MISSING else f" of {updates} updates each")
    caption = [f"{pair}, {test_set}, {sentences} sentences. Single: the best single model. Ensemble: {sizes}."]
    caption += _spread_caption(systems)
    caption += metrics_caption(everything)
    if external:
        names = ", ".join(row.label for row in external)
        caption.append(f"Made elsewhere and scored in the same way, F1 included: {names}.")
    if paper is not None and _names_paper(systems, external):
        n = "/".join(map(str, paper.n))
        details = f", ensemble of {load_paper()['ensemble']}; n of F1 all/rare/OOV: {n}"
        caption += paper_caption(paper, is_papers_test_set(paper, everything[0]), f"table {paper.number}", details)
    return caption


def _spread_caption(systems: Sequence[System]) -> list[str]:
    """What the spread covers; without test scores of all single models, their spread on the development set."""
    if any(system.singles for system in systems):
        return ["Mean (range): of the single models, from the lowest score to the highest."]
    found = [(system.row.label, _spread(system.dev)) for system in systems if len(system.dev) > 1]
    if not found:
        return []
    texts = [f"{label} {mean:.1f} ({least:.1f} to {most:.1f})" for label, (mean, least, most) in found]
    return [f"BLEU of the single models on the development set, mean (minimum to maximum): {', '.join(texts)}."]


def metrics_caption(everything: Sequence[dict[str, Any]]) -> list[str]:
    """Signatures of the metrics, sizes of the classes of unigram F1; raises InputError for scores that differ there."""
    caption = []
    for metric in TESTED_OF_TEXT:
        found = [scores[metric.name] for scores in everything if metric.name in scores]
        if found:
            name = common(found, f"{metric.name} name", lambda score: score["name"])
            signature = common(found, f"{metric.name} signature", lambda score: score["signature"])
            caption.append(f"{name}: {signature}{'' if metric.higher_is_better else '; lower is better'}.")
    return caption + _unigram_caption(everything)


def _unigram_caption(everything: Sequence[dict[str, Any]]) -> list[str]:
    unigrams = [scores["unigram_f1"] for scores in everything if scores["unigram_f1"] is not None]
    if not unigrams:
        return []
    shown = [metric for metric in TESTED_OF_WORDS if metric.measure == "f1"]
    names = "/".join(metric.column for metric in shown)
    n = common(
        unigrams, "n of unigram F1", lambda f1: "/".join(str(f1["classes"][one.word_class]["n"]) for one in shown)
    )
    rank = common(unigrams, "rank of rare words", lambda f1: f1["rare_rank"])
    frequency = common(unigrams, "training frequency of rare words", lambda f1: f1["cut_frequency"])
    where = "" if frequency is None else f" (training frequency {frequency})"
    return [
        f"F1: unigram F1 of the ensemble in percent; n of {names}: {n} tokens of the reference; "
        f"rare: rank above {rank}{where} and seen in training."
    ]


def _significance_caption(
    significance: Mapping[str, Any] | None, systems: Sequence[System], external: Sequence[ScoreRow]
) -> list[str]:
    if significance is None:
        return []
    if few := too_few_sentences(significance.get("sentences")):
        return [few]
    labels = {one.row.system: one.row.label for one in systems} | {row.system: row.label for row in external}
    baseline = labels.get(significance["baseline"], significance["baseline"])
    test = {"bootstrap": "bootstrap", "randomisation": "approximate randomisation"}[significance["method"]]
    return [
        f"{MARK}: differs from {baseline} with p < {LEVEL} (paired {test} test of the ensembles, two-sided, "
        f"{significance['samples']} samples, seed {significance['seed']}; the p values are in the TSV file). "
        "The test covers chance in the choice of test sentences, not in training."
    ]


def _range(numbers: Sequence[int | None]) -> str:
    values = sorted({number for number in numbers if number is not None})
    if not values:
        return MISSING
    return str(values[0]) if len(values) == 1 else f"{values[0]} to {values[-1]}"
