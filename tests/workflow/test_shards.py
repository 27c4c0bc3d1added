"""Preparing the training text in shards gives the same files as preparing it whole."""

from __future__ import annotations

from pathlib import Path

import yaml

from .conftest import TINY, Snakemake, job_counts, write_corpus

PREPARED = [
    f"data/tiny/en-de/{name}.{language}"
    for name in ("clean/train", "tc/truecaser", "tc/train", "tc/counts", "seg/bpe/train", "seg/bpe/test")
    for language in ("en", "de")
]


def test_shards_change_no_file(snakemake: Snakemake, tmp_path: Path) -> None:
    shards = tmp_path / "shards.yaml"
    shards.write_text(yaml.safe_dump({"corpora": {"tiny": {"preprocess": {"shards": 3}}}}), encoding="utf-8")
    for folder in ("whole", "sharded"):
        write_corpus(tmp_path / folder)
    whole = snakemake(tmp_path / "whole", *PREPARED)
    assert whole.returncode == 0, whole.stdout
    sharded = snakemake(tmp_path / "sharded", *PREPARED, configs=(TINY, shards))
    assert sharded.returncode == 0, sharded.stdout
    assert job_counts(sharded.stdout)["clean"] == 3
    assert job_counts(sharded.stdout)["put_shards_together"] == 3  # clean, tc and seg/bpe
    assert "cut_into_shards" not in job_counts(whole.stdout)
    for name in PREPARED:
        assert (tmp_path / "sharded" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes(), name
    shards.write_text(yaml.safe_dump({"corpora": {"tiny": {"preprocess": {"shards": 2}}}}), encoding="utf-8")
    fewer = snakemake(tmp_path / "sharded", *PREPARED, configs=(TINY, shards))
    assert fewer.returncode == 0, fewer.stdout
    for name in PREPARED:
        assert (tmp_path / "sharded" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes(), name
    again = snakemake(tmp_path / "sharded", *PREPARED, configs=(TINY, shards))
    assert "Nothing to be done" in again.stdout


def test_more_shards_than_lines_is_one_sentence(snakemake: Snakemake, tmp_path: Path) -> None:
    shards = tmp_path / "shards.yaml"
    shards.write_text(yaml.safe_dump({"corpora": {"tiny": {"preprocess": {"shards": 500}}}}), encoding="utf-8")
    write_corpus(tmp_path)
    run = snakemake(tmp_path, "data/tiny/en-de/raw/shards/1/train.en", configs=(TINY, shards))
    assert run.returncode != 0
    assert "has 200 lines, too few for 500 shards; lower preprocess.shards of the corpus." in run.stdout
