"""Job graphs without running them, lint, mistakes, and an interrupted training inside the workflow."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from .conftest import ROOT, TINY, Snakemake, job_counts, write_corpus


def overlay(folder: Path, content: object) -> Path:
    path = folder / "overlay.yaml"
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    return path


def test_the_papers_experiment_has_all_its_jobs(snakemake: Snakemake, tmp_path: Path) -> None:
    run = snakemake(tmp_path, "--dry-run", configs=(ROOT / "config/wmt15.yaml",))
    counts = job_counts(run.stdout)
    pairs, systems, members, sets = 2, 5 + 4, 8, 3  # systems with models: C2-3/500k for English-German only
    assert counts["train"] == systems * 2
    assert counts["finetune_fixed_embeddings"] == systems * members
    # every member on the development set and on two test sets, where the best one is a copy; the ensemble on these, and
    # for the paper's examples on the development set, without scores
    assert counts["translate"] == systems * (3 * members + 3)
    assert counts["replace_unknown_words"] == pairs * 3 * (members + 1)
    assert counts["copy_best"] == (systems + pairs) * 2
    assert (
        counts["score"] == counts["translate"] + counts["replace_unknown_words"] + counts["copy_best"] - systems - pairs
    )
    assert counts["compare_with_baseline"] == counts["test_claims"] == pairs * 2
    assert counts["select_best_member"] == systems + pairs
    assert counts["segment"] == systems * (2 + sets + 1)  # the target side of the development set, for its loss
    # three training texts of en-de, four of en-ru, three sets of each; two sides each
    assert counts["extract_text"] == (3 + 4 + pairs * sets) * 2
    assert counts["fetch_archive"] == 8  # Common Crawl, News Commentary and the sets serve both pairs
    # candidate lists of all systems; WDict has the models and the translations of WUnk
    assert counts["align"] == counts["lexicon"] == systems
    assert counts["report"] == 1
    assert counts["draw_attention"] == systems
    assert {rule: count for rule, count in counts.items() if rule.startswith(("write_", "draw_"))} == {
        "write_table": pairs * 2, "write_oov_table": pairs * 2, "draw_frequency_figure": pairs * 2,
        "write_table1": pairs, "write_examples": pairs, "write_training_table": pairs, "write_manifest": 1,
        "draw_attention": systems, "draw_learning_curves": 1,
    }  # fmt: skip


def test_snakemake_selects_jobs_only_when_one_has_ended(snakemake: Snakemake, tmp_path: Path) -> None:
    write_corpus(tmp_path)
    texts = [
        f"data/tiny/en-de/tc/{split}.{language}" for split in ("train", "dev", "test") for language in ("en", "de")
    ]
    run = snakemake(tmp_path, "--verbose", "--cores", "1", *texts)
    assert run.returncode == 0, run.stdout
    jobs = sum(job_counts(run.stdout).values()) - 1  # the last line of the statistics is their sum
    assert jobs > 10
    assert run.stdout.count("Ready jobs: ") <= jobs + 1


def test_a_missing_corpus_is_asked_for_and_what_is_there_stays(snakemake: Snakemake, tmp_path: Path) -> None:
    write_corpus(tmp_path)
    for name in ("train.de", "dev.de"):
        (tmp_path / "given" / name).unlink()
    before = (tmp_path / "given/train.en").read_bytes()
    by_hand = overlay(tmp_path, {"corpora": {"tiny": {"by_hand": True}}})
    run = snakemake(tmp_path, "--forceall", configs=(TINY, by_hand))
    assert run.returncode != 0
    assert "rarewords: given/train.de (and 1 more files) is missing and cannot be fetched automatically" in run.stdout
    assert (tmp_path / "given/train.en").read_bytes() == before


def test_lint_finds_nothing() -> None:
    command = [f"{Path(sys.executable).parent}/snakemake", "--lint"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    titles = {line.removeprefix("    * ") for line in run.stderr.splitlines() if line.startswith("    * ")}
    assert titles == set()
    assert run.returncode == 0


def test_a_mistake_in_the_configuration_is_one_sentence_and_exit_code_2(snakemake: Snakemake, tmp_path: Path) -> None:
    mistaken = overlay(tmp_path, {"training": {"batchsize": 3}})
    run = snakemake(tmp_path, configs=(TINY, mistaken))
    assert run.returncode == 2
    assert ": training.batchsize: there is no such key" in run.stdout
    assert "did you mean 'batch_size'?" in run.stdout
    assert "Traceback" not in run.stdout


def test_a_table_of_a_pair_that_is_not_there_is_one_sentence(snakemake: Snakemake, tmp_path: Path) -> None:
    write_corpus(tmp_path)
    for target in ("table3", "table5", "figure3"):
        run = snakemake(tmp_path, target)
        assert (run.returncode, [line for line in run.stdout.splitlines() if "en-ru" in line or "Error" in line]) == (
            2,
            [
                f"rarewords: {target} is about en-ru, and experiment 'tiny' has only en-de; ask for one of table1, "
                "table2, figure2, table4 or report, or add the pair to experiment.pairs."
            ],
        )
        assert "Traceback" not in run.stdout
    assert snakemake(tmp_path, "table2", "--dry-run").returncode == 0  # and nothing is locked


def test_an_example_beyond_the_test_set_is_refused_before_anything_runs(snakemake: Snakemake, tmp_path: Path) -> None:
    write_corpus(tmp_path)  # 30 lines of test set
    run = snakemake(tmp_path, configs=(TINY, overlay(tmp_path, {"report": {"examples": {"en-de": [30, 31]}}})))
    assert run.returncode == 2
    assert (
        "rarewords: overlay.yaml: report.examples.en-de: there is no line 31, as 'test' has lines 1 to 30;"
        in run.stdout
    )
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda given: (given / "train.de").write_bytes(b"Eine Zeile.\n"), "train.de"),
        (lambda given: (given / "test.de").write_bytes(b""), "test.de"),
        (lambda given: (given / "dev.en").write_bytes(b"\xff\xfe\n" * 10), "dev.en, line 1: not UTF-8"),
        (lambda given: (given / "test.en").write_bytes(b"a" * 100_000 + b"\n" * 30), "test.en, line 1"),
    ],
    ids=["unequal", "empty", "not UTF-8", "100,000 characters"],
)
def test_bad_text_stops_at_the_import_with_one_sentence(
    snakemake: Snakemake, tmp_path: Path, spoil: object, sentence: str
) -> None:
    write_corpus(tmp_path)
    spoil(tmp_path / "given")  # type: ignore[operator]
    before = {path: path.read_bytes() for path in (tmp_path / "given").iterdir()}
    run = snakemake(tmp_path, *(f"data/tiny/en-de/raw/{split}.en" for split in ("train", "dev", "test")))
    printed = run.stdout
    assert run.returncode != 0
    (line,) = {line.strip() for line in printed.splitlines() if line.strip().startswith("rarewords: ")}
    assert sentence in line
    assert {path: path.read_bytes() for path in (tmp_path / "given").iterdir()} == before


def test_a_russian_pair_with_joint_codes_runs_end_to_end(snakemake: Snakemake, tmp_path: Path) -> None:
    write_corpus(tmp_path, "en-ru")
    sets = {"dev": ["given/dev.{lang}"], "test": ["given/test.{lang}"]}
    config = overlay(
        tmp_path,
        {
            "experiment": {"pairs": ["en-ru"], "systems": ["bpe-joint"]},
            "corpora": {"tiny": {"pairs": {"en-ru": {"train": ["given/train.{lang}"], "sets": sets}}}},
            "systems": {
                "bpe-joint": {"pairs": {"en-ru": {"segmentation": {"method": "bpe-joint-iso9", "merges": 90}}}},
            },
            "training": {"clip_norms": [50], "saved_models": 1},
        },
    )
    run = snakemake(tmp_path, configs=(TINY, config))
    assert run.returncode == 0, run.stdout
    assert (tmp_path / "results/tiny/tables/table3.md").read_text(encoding="utf-8").count("| ours |") == 1


def test_a_failed_training_goes_on_from_its_checkpoint(snakemake: Snakemake, tmp_path: Path) -> None:
    """The first attempt is stopped by the operating system in the middle; the retry does not begin anew."""
    write_corpus(tmp_path)
    training = {"updates": 1200, "save_every": 100, "partition_vocabulary": 95}  # of 100 source units
    config = overlay(tmp_path, {"experiment": {"systems": ["wunk"]}, "training": training})
    target = "models/tiny/en-de/wunk/run1/saved2.safetensors"
    stopper = tmp_path / "bin"
    stopper.mkdir()
    real = Path(sys.executable).parent / "rarewords"
    # Runs the real command, and terminates the first training some updates after its first saved model.
    (stopper / "rarewords").write_text(
        f"""#!/usr/bin/env bash
if [ "$1 $2" = "train run" ] && [ ! -e {tmp_path}/stopped ]; then
    touch {tmp_path}/stopped
    {real} "$@" & training=$!
    while ! grep -q '"updates": 200' {tmp_path}/models/tiny/en-de/wunk/run1/checkpoints/metrics.jsonl 2>/dev/null; do
        sleep 0.05
    done
    kill -TERM $training
    wait $training
else
    exec {real} "$@"
fi
""",
        encoding="utf-8",
    )
    (stopper / "rarewords").chmod(0o755)
    run = snakemake(tmp_path, target, "--retries", "1", configs=(TINY, config), first=str(stopper))
    printed = run.stdout
    assert run.returncode == 0, printed
    assert "stopped by a signal after update" in printed
    assert "continuing from update" in printed
    assert "partitions of 95 units" in printed
    assert (tmp_path / target).is_file()
