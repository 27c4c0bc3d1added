"""The numbers printed in the paper, to show beside ours."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from rarewords.errors import InputError
from rarewords.evaluation.registry import TextMetric, WordMetric

# The row id of the paper's statistical system, which has no counterpart among ours.
SMT = "SMT"
F1_CLASSES = ("all", "rare", "oov")  # of words, as `n` and `f1` list them


@dataclass(frozen=True)
class PaperTable:
    """Table 2 or 3: `sentences` of the test set, `n` tokens that are all, rare and OOV, rows as in paper.yaml.

    `oov` has the precision and recall of OOV words that the text states for some of the rows.
    """

    number: int
    sentences: int
    n: list[int]
    rows: dict[str, dict[str, Any]]
    oov: dict[str, list[float]]

    def row(self, name: str) -> dict[str, Any]:
        """A printed row by its id; raises InputError that lists the ids if none has that name."""
        if name not in self.rows:
            raise InputError(f"The paper's table {self.number} has no row '{name}': it has {', '.join(self.rows)}.")
        return self.rows[name]

    def value(self, name: str, metric: TextMetric | WordMetric, ensemble: bool = True) -> float | None:
        """A score of a row, of its ensemble or single model; None if the paper does not print it.

        Scores of words are those of ensembles. Raises InputError as `row`.
        """
        row = self.row(name)
        if isinstance(metric, TextMetric):
            value = row.get(metric.name, (None, None))[int(ensemble)]
        elif metric.measure == "f1":
            value = row["f1"][F1_CLASSES.index(metric.word_class)] if metric.word_class in F1_CLASSES else None
        elif metric.word_class == "oov" and name in self.oov:
            value = self.oov[name][("precision", "recall").index(metric.measure)]
        else:
            value = None
        return None if value is None else float(value)


@cache
def load_paper() -> dict[str, Any]:
    """All printed numbers, as laid out and explained in paper.yaml."""
    content: dict[str, Any] = yaml.safe_load(files(__package__).joinpath("paper.yaml").read_text(encoding="utf-8"))
    return content


def paper_table(pair: str) -> PaperTable | None:
    """The paper's table of scores for a language pair such as `en-de`; None if the paper has none for it."""
    entry = load_paper()["pairs"].get(pair)
    return (
        None
        if entry is None
        else PaperTable(entry["table"], entry["sentences"], entry["n"], entry["systems"], entry["oov"])
    )
