"""The folder of an experiment that has been run, as far as commands of `rarewords report` look at it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

RESULTS = "results/mine/en-de/bpe"


def write_experiment(folder: Path, name: str = "mine", **changes: Any) -> None:
    """The configuration of a run of one system, `My BPE`, on en-de, and its vocabularies of two units each."""
    size, parts = {"source": 9, "target": 9}, ["text.{lang}"]
    config = {
        "experiment": {
            **{"name": name, "corpus": "text", "pairs": ["en-de"], "dev": "dev", "test": ["test"]},
            **{"systems": ["bpe"], "table1": ["words"], "rare_rank": 1},
        },
        "corpora": {"text": {"pairs": {"en-de": {"train": parts, "sets": {"dev": parts, "test": parts}}}}},
        "network": {"embedding": 2, "hidden": 2},
        "training": {"clip_norms": [1], "updates": 9, "save_every": 1, "saved_models": 2},
        "systems": {
            "bpe": {
                "label": "My BPE",
                "paper": "BPE-60k",
                "segmentation": {"method": "bpe", "merges": 5},
                "vocabulary": size,
            },
        },
        "table1": {"words": {"label": "none", "segmentation": {"method": "words"}}},
        **changes,
    }
    write(folder / f"results/{name}/config.yaml", json.dumps(config))  # JSON is YAML, too
    for language in ("en", "de"):
        write(folder / f"data/text/en-de/seg/bpe/vocabulary.{language}", "der 3\ndas 2\n")


def write(path: Path, text: str) -> None:
    """A file and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
