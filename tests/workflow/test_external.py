"""Translations made elsewhere: the paper's SMT row from the WMT15 submission, through the workflow (local data)."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
import yaml

from .conftest import ROOT, TINY, Snakemake, write_corpus

# Local data: the folder that RAREWORDS_DATA names, or one called data in a folder beside the repository.
BESIDE = next((path.parent for path in sorted(ROOT.parent.glob("*/data/wmt15-system-outputs"))), Path("absent"))
DATA = Path(os.environ.get("RAREWORDS_DATA", BESIDE))
OUTPUTS = DATA / "wmt15-system-outputs"


def overlay(folder: Path, content: object) -> Path:
    path = folder / "overlay.yaml"
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    return path


def test_a_missing_hypothesis_is_one_sentence_before_anything_runs(snakemake: Snakemake, tmp_path: Path) -> None:
    write_corpus(tmp_path)
    hypotheses = {"en-de": {"test": "given/absent.de"}}
    config = overlay(
        tmp_path,
        {"experiment": {"external": ["smt"]}, "external": {"smt": {"label": "SMT", "hypotheses": hypotheses}}},
    )
    run = snakemake(tmp_path, "--dry-run", configs=(TINY, config))
    assert run.returncode == 2
    assert "rarewords: overlay.yaml: external.smt.hypotheses.en-de.test: there is no file given/absent.de" in run.stdout
    assert "Traceback" not in run.stdout


@pytest.mark.slow
@pytest.mark.skipif(not OUTPUTS.is_dir(), reason="no local data: set RAREWORDS_DATA")
def test_the_phrase_based_row_of_table_3_comes_out(snakemake: Snakemake, tmp_path: Path) -> None:
    """Table 3 prints BLEU 24.3, chrF3 53.8 and F1 56.0, n 55,654; our truecaser knows less text."""
    folder = DATA / "wmt-newstest-en-ru"
    years = [f"{folder}/newstest{year}.{{lang}}.gz" for year in (2012, 2016, 2017, 2018, 2019, 2020)]
    sets = {"newstest2013": [f"{folder}/newstest2013.{{lang}}"], "newstest2015": [f"{folder}/newstest2015.{{lang}}"]}
    submission = f"{OUTPUTS}/newstest2015.uedin-jhu-phrase.4144.en-ru.ru.gz"
    experiment = {
        "corpus": "news", "pairs": ["en-ru"], "dev": "newstest2013", "test": ["newstest2015"], "systems": ["wunk"],
        "external": ["smt"], "rare_rank": 5000,
    }  # fmt: skip
    hypotheses = {"en-ru": {"newstest2015": submission}}
    config = overlay(
        tmp_path,
        {
            "experiment": experiment,
            "corpora": {"news": {"pairs": {"en-ru": {"train": years, "sets": sets}}}},
            "external": {"smt": {"label": "phrase-based", "paper": "SMT", "hypotheses": hypotheses}},
        },
    )
    target = "results/tiny/en-ru/smt/newstest2015/given.json"
    run = snakemake(tmp_path, target, configs=(TINY, config))
    assert run.returncode == 0, run.stdout
    scores = json.loads((tmp_path / target).read_text(encoding="utf-8"))
    assert (round(scores["bleu"]["score"], 1), round(scores["chrf3"]["score"], 1)) == (24.3, 53.8)
    f1 = scores["unigram_f1"]["classes"]["all"]
    assert f1["f1"] == pytest.approx(56.0, abs=0.3)
    assert f1["n"] == 55_655
