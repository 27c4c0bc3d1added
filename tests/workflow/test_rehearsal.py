"""The paper's vocabularies, network and decoding from text to report on a small text: config/ablations/rehearsal.yaml.

It takes most of an hour, 40 GB of disk and 20 GB of memory, so it runs only when it is asked for: RAREWORDS_REHEARSAL
names the systems, say `c2,bpe` (5 GB of memory, a quarter of an hour) or `wunk,wdict,c2,bpe,bpe-joint,c2-500k`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from rarewords.report.formats import read_tsv
from rarewords.vocabulary import Vocabulary

from .conftest import ROOT, Snakemake

SYSTEMS = list(filter(None, os.environ.get("RAREWORDS_REHEARSAL", "").split(",")))
# Fewest units of the vocabularies: all that the text has, or as many as the paper's.
UNITS = {
    "wunk": (300_000, 500_000),
    "c2": (50_000, 50_000),
    "bpe": (59_000, 59_000),
    "bpe-joint": (60_000, 80_000),
    "c2-500k": (300_000, 500_000),
}

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not SYSTEMS, reason="takes an hour; RAREWORDS_REHEARSAL names the systems that shall run"),
]


def test_from_text_to_report(snakemake: Snakemake, tmp_path: Path) -> None:
    subprocess.run([sys.executable, ROOT / "bench/rehearsal_text.py"], cwd=tmp_path, check=True)
    overlay = tmp_path / "systems.yaml"
    overlay.write_text(yaml.safe_dump({"experiment": {"systems": SYSTEMS}}), encoding="utf-8")
    configs = (ROOT / "config/wmt15.yaml", ROOT / "config/ablations/rehearsal.yaml", overlay)
    run = snakemake(tmp_path, "--resources", "mem_mb=20000", configs=configs, timeout=3 * 3600)
    assert run.returncode == 0, run.stdout
    table = read_tsv(tmp_path / "results/rehearsal/tables/table2.tsv")
    assert len([row for row in table.rows if not table.is_paper(row)]) == len(SYSTEMS)
    assert (tmp_path / "results/rehearsal/report.html").is_file()
    for system in set(SYSTEMS) & set(UNITS):
        for language, fewest in zip(("en", "de"), UNITS[system], strict=True):
            path = tmp_path / f"data/rehearsal/en-de/seg/{system}/vocabulary.{language}"
            assert len(Vocabulary.load(path)) >= fewest
