"""The numbers printed in the paper, to be shown beside ours."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from rarewords.errors import InputError

# The row id of the machine translation system without a neural network, which has no counterpart among ours.
SMT = "SMT"


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
        """A printed row by its id; raises InputError that lists the ids if there is none of that name."""
        if name not in self.rows:
            raise InputError(f"The paper's table {self.number} has no row '{name}': it has {', '.join(self.rows)}.")
        return self.rows[name]


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
