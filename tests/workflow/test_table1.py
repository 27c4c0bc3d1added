"""`snakemake table1` on the tiny corpus: no training, and a row can be left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from rarewords.report.formats import read_tsv

from .conftest import TINY, Snakemake, write_corpus


@pytest.mark.slow
def test_table1(snakemake: Snakemake, tmp_path: Path) -> None:
    write_corpus(tmp_path)
    overlay = tmp_path / "overlay.yaml"
    overlay.write_text(
        "experiment: {table1: [words, compounds, bpe]}\ntable1: {bpe: {label: BPE-50, segmentation: {merges: 50}}}\n",
        encoding="utf-8",
    )
    run = snakemake(tmp_path, "table1", configs=(TINY, overlay))
    assert run.returncode == 0, run.stdout
    table = read_tsv(tmp_path / "results/tiny/tables/table1.tsv")
    labels = [row[0] for row in table.rows if not table.is_paper(row)]
    assert labels == ["none", "compound splitting", "BPE-50"]
    assert (tmp_path / "results/tiny/figures/table1.svg").is_file()
    assert not (tmp_path / "models").exists()
