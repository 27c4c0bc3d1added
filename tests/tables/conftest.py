"""Rows of a table of scores, and what goes into them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rarewords.report import tables
from rarewords.report.inputs import SystemFiles
from rarewords.report.table import Table


# Sentences and tokens of the paper's English-German test set, so that its rows stand beside ours.
def scores(bleu: float, chrf3: float, f1: tuple[float | None, ...] | None, n: int = 44085) -> dict[str, Any]:
    unigram = None
    if f1 is not None:
        sizes = (n, 50, 0)
        classes = {name: {"f1": f, "n": size} for name, f, size in zip(("all", "rare", "oov"), f1, sizes, strict=True)}
        unigram = {"rare_rank": 2000, "cut_frequency": 3, "classes": classes}
    return {
        "sentences": 2169,
        "bleu": {"name": "BLEU", "score": bleu, "signature": "case:mixed|tok:13a"},
        "chrf3": {"name": "chrF3", "score": chrf3, "signature": "nc:6|nw:0"},
        "unigram_f1": unigram,
    }


def write(path: Path, content: object) -> str:
    path.write_text(json.dumps(content), encoding="utf-8")
    return str(path)


def comparison(**p: float | None) -> dict[str, Any]:
    systems = {"mine": {"p": None}} | {name: {"p": value} for name, value in p.items()}
    metrics = dict.fromkeys(("bleu", "f1_rare"), systems)
    return {"method": "bootstrap", "samples": 1000, "seed": 7, "baseline": "mine", "metrics": metrics}


def systems(rows: list[dict[str, Any]]) -> list[tables.System]:
    """The rows with their files read; their vocabularies are given as sizes."""
    return [
        replace(tables.read_system(SystemFiles(**row | {"vocabulary": (None, None)})), vocabulary=row["vocabulary"])
        for row in rows
    ]


def score_table(rows: list[dict[str, Any]], *arguments: Any, **options: Any) -> Table:
    """The table of such rows."""
    return tables.score_table(systems(rows), *arguments, **options)


@pytest.fixture
def rows(tmp_path: Path) -> list[dict[str, Any]]:
    """One system of the paper with all scores, one of ours with a single model only."""
    common = {"members": 4, "updates": 3000, "singles": [], "choice": None}
    return [
        common
        | {"system": "bpe-j90k", "label": "BPE-J90k", "paper": "BPE-J90k", "segmentation": "BPE (joint)"}
        | {"shortlist": None, "vocabulary": [8000, 12000]}
        | {"best": write(tmp_path / "best.json", scores(12.34, 40.05, (50.0, 9.0, None)))}
        | {"ensemble": write(tmp_path / "ensemble.json", scores(13.96, 41, (51.26, 10.0, None)))},
        common
        | {"system": "mine", "label": "my_50% & co", "paper": None, "segmentation": "a|b", "shortlist": 5000}
        | {
            "vocabulary": [8000, None],
            "best": write(tmp_path / "mine.json", scores(9.96, 38.0, None)),
            "ensemble": None,
        },
    ]
