"""A system's lexical table on the tiny corpus: aligned on the system's own units, without any training."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rarewords.alignment.lexicon import Lexicon

from .conftest import TINY, Snakemake, job_counts, write_corpus

LEXICON = "data/tiny/en-de/seg/bpe/lexicon.tsv"


def units(path: Path) -> set[str]:
    return set(path.read_text(encoding="utf-8").split())


@pytest.mark.slow
def test_lexicon(snakemake: Snakemake, tmp_path: Path) -> None:
    write_corpus(tmp_path)
    run = snakemake(tmp_path, LEXICON)
    assert run.returncode == 0, run.stdout
    seg = tmp_path / "data/tiny/en-de/seg/bpe"
    lines = [len((seg / f"align/{name}.txt").read_text().split("\n")) for name in ("forward", "reverse", "symmetrised")]
    assert lines == [(seg / "train.en").read_text(encoding="utf-8").count("\n") + 1] * 3
    lexicon = list(Lexicon.load(tmp_path / LEXICON))
    assert {source for source, _, _ in lexicon} <= units(seg / "train.en")
    assert {target for _, target, _ in lexicon} <= units(seg / "train.de")
    assert any(source.endswith("@@") for source, _, _ in lexicon)
    assert not (tmp_path / "models").exists()

    overlay = tmp_path / "overlay.json"
    overlay.write_text(json.dumps({"alignment": {"candidates": 3}}), encoding="utf-8")
    again = snakemake(tmp_path, LEXICON, "--dry-run", configs=(TINY, overlay))
    assert job_counts(again.stdout) == {"lexicon": 1, "total": 1}
    overlay.write_text(json.dumps({"alignment": {"aligner": "fast_align"}}), encoding="utf-8")
    again = snakemake(tmp_path, LEXICON, "--dry-run", configs=(TINY, overlay))
    assert job_counts(again.stdout) == {"align": 1, "lexicon": 1, "total": 2}
