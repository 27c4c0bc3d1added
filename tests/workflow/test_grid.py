"""A grid from text to its table and figure; a grid of beams over models that are there trains nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from rarewords.report.formats import read_tsv

from .conftest import TINY, Snakemake, job_counts, write_corpus

GRID = TINY.parent / "grid.yaml"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def finished(snakemake: Snakemake, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder of a finished grid, and what its run printed."""
    folder = tmp_path_factory.mktemp("grid")
    write_corpus(folder)
    run = snakemake(folder, configs=(TINY, GRID))
    assert run.returncode == 0, run.stdout
    return folder, run.stdout


def test_models_are_trained_once_for_all_beams_and_text_is_segmented_once(finished: tuple[Path, str]) -> None:
    counts = job_counts(finished[1])
    assert counts["train"] == 2 * 2  # sizes of the network, seeds
    assert counts["fit_segmentation"] == counts["encode"] == 1
    assert counts["write_ablation"] == 1
    assert sorted(path.name for path in (finished[0] / "models/grid/en-de").iterdir()) == [
        f"bpe-merges-50-network-hidden-{hidden}-seed-{seed}" for hidden in (10, 12) for seed in (1, 2)
    ]


def test_table_and_figure(finished: tuple[Path, str]) -> None:
    """A row has mean and range over the seeds; they are those of the score files."""
    folder, printed = finished
    table = read_tsv(folder / "results/grid/tables/ablation-en-de.tsv")
    header = table.header()
    assert header[:3] == ["merges", "network.hidden", "beam"]
    assert [row[:3] for row in table.rows] == [[50, 10, 1], [50, 10, 3], [50, 12, 1], [50, 12, 3]]
    assert "BLEU ensemble" not in header
    # the baseline is the first row; of two seeds each, the real split and its mirror image are 2 of 6
    p = [row[header.index("BLEU p")] for row in table.rows]
    assert p[0] is None
    assert all(value is not None and float(value) >= 0.333 for value in p[1:])  # type: ignore[arg-type]
    files = [
        folder / f"results/grid/en-de/bpe-merges-50-network-hidden-12-seed-{seed}-beam-3/test/ensemble.json"
        for seed in (1, 2)
    ]
    chrf = [json.loads(path.read_text(encoding="utf-8"))["chrf3"]["score"] for path in files]
    assert chrf[0] != chrf[1]
    found = [table.rows[3][header.index(f"chrF3 {name}")] for name in ("mean", "minimum", "maximum")]
    assert found == pytest.approx([sum(chrf) / 2, min(chrf), max(chrf)], abs=0.051)
    assert "Mean (range): of the ensembles of 2 seeds, 1 and 2." in table.caption
    assert (folder / "results/grid/figures/ablation-en-de.png").is_file()
    assert "results/grid/figures/ablation-en-de.svg" in printed[printed.rindex("steps (100%) done") :]
    assert "Ablation, en-de, test" in (folder / "results/grid/report.html").read_text(encoding="utf-8")


def test_every_model_has_the_size_of_its_system(finished: tuple[Path, str]) -> None:
    for hidden in (10, 12):
        member = finished[0] / f"models/grid/en-de/bpe-merges-50-network-hidden-{hidden}-seed-2/member1/model.json"
        assert json.loads(member.read_text(encoding="utf-8"))["size"]["hidden"] == hidden


def test_a_beam_of_one_is_another_search(finished: tuple[Path, str]) -> None:
    results = finished[0] / "results/grid/en-de"
    narrow, wide = (
        (results / f"bpe-merges-50-network-hidden-12-seed-1-beam-{beam}/test/ensemble.sub").read_text(encoding="utf-8")
        for beam in (1, 3)
    )
    assert narrow != wide


def test_a_second_run_does_nothing(finished: tuple[Path, str], snakemake: Snakemake) -> None:
    again = snakemake(finished[0], configs=(TINY, GRID))
    assert "Nothing to be done" in again.stdout, again.stdout


def test_beams_over_the_models_of_another_experiment(
    finished: tuple[Path, str], snakemake: Snakemake, tmp_path: Path
) -> None:
    overlay = {"experiment": {"name": "beams", "models_from": "grid"}, "grid": {"decoding.beam": [2, 4]}}
    path = tmp_path / "beams.yaml"
    path.write_text(yaml.safe_dump(overlay), encoding="utf-8")
    dry = snakemake(finished[0], "--dry-run", configs=(TINY, GRID, path))
    assert dry.returncode == 0, dry.stdout
    counts = job_counts(dry.stdout)
    assert "train" not in counts
    assert "finetune_fixed_embeddings" not in counts
    assert "encode" not in counts
    assert counts["translate"] > 0


def test_the_text_is_segmented_once_for_all_cutoffs(
    finished: tuple[Path, str], snakemake: Snakemake, tmp_path: Path
) -> None:
    """That of merges which are there already is not segmented again, either."""
    overlay = tmp_path / "clip.yaml"
    overlay.write_text(
        yaml.safe_dump({"experiment": {"name": "clip"}, "grid": {"clip": [1, 5], "decoding.beam": [2], "seed": [3]}}),
        encoding="utf-8",
    )
    dry = snakemake(finished[0], "--dry-run", configs=(TINY, GRID, overlay))
    assert dry.returncode == 0, dry.stdout
    counts = job_counts(dry.stdout)
    assert counts["train"] == 2 * 2
    assert {"fit_segmentation", "segment", "build_vocabulary", "encode"} & set(counts) == set()


def test_without_a_grid_there_is_no_ablation(finished: tuple[Path, str], snakemake: Snakemake) -> None:
    run = snakemake(finished[0], "--dry-run", "ablation")
    assert run.returncode == 2
    assert "rarewords: ablation is about a grid, and experiment 'tiny' has none" in run.stdout


def test_models_of_other_settings_are_refused(finished: tuple[Path, str], snakemake: Snakemake, tmp_path: Path) -> None:
    overlay = tmp_path / "other.yaml"
    overlay.write_text(
        yaml.safe_dump({"experiment": {"name": "other", "models": "grid"}, "network": {"hidden": 12}}), encoding="utf-8"
    )
    run = snakemake(finished[0], "--dry-run", configs=(TINY, GRID, overlay))
    assert run.returncode == 2
    assert "network.hidden is 10 there and 12 here" in run.stdout


def test_a_changed_value_is_a_new_column_of_work_only(
    finished: tuple[Path, str], snakemake: Snakemake, tmp_path: Path
) -> None:
    """One more number of merges trains that alone: for two sizes of the network, with two seeds."""
    overlay = tmp_path / "more.yaml"
    overlay.write_text(yaml.safe_dump({"grid": {"merges": [50, 100]}}), encoding="utf-8")
    dry = snakemake(finished[0], "--dry-run", configs=(TINY, GRID, overlay))
    counts = job_counts(dry.stdout)
    assert counts["train"] == 2 * 2
    assert counts["fit_segmentation"] == 1
