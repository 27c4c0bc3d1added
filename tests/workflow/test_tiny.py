"""A tiny experiment from text to table; then what a second run and a changed key do."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml

from rarewords.report.formats import read_tsv

from .conftest import TINY, Snakemake, job_counts, write_corpus

OURS = ["WUnk", "WDict", "C2-50", "BPE-100", "BPE-J150"]
PAPERS = ["WUnk", "WDict", "C2-50k", "BPE-60k", "BPE-J90k"]


@pytest.fixture(scope="module")
def finished(snakemake: Snakemake, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder of a finished tiny experiment, and what its run printed."""
    folder = tmp_path_factory.mktemp("tiny")
    write_corpus(folder)
    run = snakemake(folder)
    assert run.returncode == 0, run.stdout
    return folder, run.stdout


def test_the_table_has_a_row_for_every_system_beside_the_papers(finished: tuple[Path, str]) -> None:
    folder, _ = finished
    table = read_tsv(folder / "results/tiny/tables/table2.tsv")
    assert [row[0] for row in table.rows if not table.is_paper(row)] == OURS
    assert [row[0] for row in table.rows if table.is_paper(row)][1:] == PAPERS
    for suffix in ("md", "tex"):
        assert "BPE-J150" in (folder / f"results/tiny/tables/table2.{suffix}").read_text(encoding="utf-8")


def test_the_run_ends_with_the_table_and_the_paths(finished: tuple[Path, str]) -> None:
    _, printed = finished
    end = printed[re.search(r"(\d+) of \1 steps", printed).start() :]
    assert "BPE-J150" in end
    assert "results/tiny/tables/table2.tsv" in end


def test_every_training_shows_its_progress(finished: tuple[Path, str]) -> None:
    _, printed = finished
    for system in ("wunk", "c2", "bpe", "bpe-joint"):
        for run in (1, 2):
            assert f"en-de {system} run {run}: update 12/12 (100%)" in printed


def test_outputs_keep_the_lines_of_the_test_set(finished: tuple[Path, str]) -> None:
    folder, _ = finished
    for output in ("best", "ensemble"):
        for suffix in ("sub", "tc", "txt"):
            text = (folder / f"results/tiny/en-de/bpe/test/{output}.{suffix}").read_text(encoding="utf-8")
            assert text.count("\n") == 12


def test_wdict_is_wunk_without_unknown_words(finished: tuple[Path, str]) -> None:
    folder, _ = finished
    results = folder / "results/tiny/en-de"
    assert not (folder / "models/tiny/en-de/wdict").exists()
    assert not (folder / "data/tiny/en-de/seg/wdict").exists()
    source = (folder / "data/tiny/en-de/seg/wunk/test.en").read_text(encoding="utf-8").splitlines()
    table = (folder / "data/tiny/en-de/seg/wunk/lexicon.tsv").read_text(encoding="utf-8").splitlines()
    best = {line.split("\t")[0]: line.split("\t")[1] for line in reversed(table)}
    unknown = 0
    for output in ("best", "ensemble"):
        before, after = (
            (results / system / f"test/{output}.tc").read_text(encoding="utf-8").splitlines()
            for system in ("wunk", "wdict")
        )
        assert "<unk>" not in " ".join(after)
        for words, units, replaced in zip(source, before, after, strict=True):
            possible = {best.get(word, word) for word in words.split()}
            pairs = list(zip(units.split(), replaced.split(), strict=True))
            assert all(new in possible if old == "<unk>" else new == old for old, new in pairs)
            unknown += units.split().count("<unk>")
    assert unknown  # else nothing was tested


def test_the_best_member_is_the_one_with_the_highest_bleu(finished: tuple[Path, str]) -> None:
    folder, _ = finished
    dev = folder / "results/tiny/en-de/bpe-joint/dev"
    choice = json.loads((dev / "choice.json").read_text(encoding="utf-8"))
    scores = [json.loads((dev / f"single-{k}.json").read_text(encoding="utf-8"))["bleu"]["score"] for k in (1, 2, 3, 4)]
    assert list(choice["bleu"].values()) == scores
    assert choice["member"] == f"models/tiny/en-de/bpe-joint/member{scores.index(max(scores)) + 1}"


def test_members_say_where_they_come_from(finished: tuple[Path, str]) -> None:
    folder, _ = finished
    for member, (cutoff, updates) in enumerate([(50, 8), (50, 12), (20, 8), (20, 12)], 1):
        path = folder / f"models/tiny/en-de/bpe/member{member}/model.json"
        training = json.loads(path.read_text(encoding="utf-8"))["training"]
        assert (training["fingerprint"]["cutoff"], training["updates"]) == (cutoff, updates)
        assert training["fixed_embedding_updates"] == 3


def test_a_second_run_does_nothing(finished: tuple[Path, str], snakemake: Snakemake) -> None:
    run = snakemake(finished[0])
    assert run.returncode == 0
    assert "Nothing to be done" in run.stdout


ALL = {"everything": 1}
REPLACED = {"replace_unknown_words": 2}
SCORES = REPLACED | {"translate": 24, "score": 26, "choose_best": 4, "write_table2_test": 1}


@pytest.mark.parametrize(
    ("overlay", "expected"),
    [
        ({"decoding": {"beam": 2}}, ALL | SCORES),
        ({"training": {"fixed_embedding_updates": 4}}, ALL | SCORES | {"finetune_fixed_embeddings": 16}),
        ({"network": {"hidden": 12}}, ALL | SCORES | {"finetune_fixed_embeddings": 16, "train": 8}),
        ({"experiment": {"rare_rank": 90}}, ALL | {"score": 10, "write_table2_test": 1}),
        (
            {"systems": {"bpe": {"segmentation": {"merges": 90}}}},
            ALL
            | {
                "fit_segmentation": 1,
                "build_vocabulary": 2,
                "segment": 4,
                "encode": 1,
                "train": 2,
                "finetune_fixed_embeddings": 4,
            }
            | {"translate": 6, "score": 6, "choose_best": 1, "write_table2_test": 1},
        ),
        (
            {"systems": {"wdict": {"unknown_words": "dictionary-lowercase"}}},
            ALL | REPLACED | {"score": 2, "write_table2_test": 1},
        ),
        ({"decoding": {"candidates": {"common": 100}}}, ALL | SCORES | {"align": 3, "lexicon": 3}),
        ({"experiment": {"systems": ["wunk", "bpe-joint"]}}, ALL | {"write_table2_test": 1}),
        ({"systems": {"bpe": {"label": "another name"}}}, ALL | {"write_table2_test": 1}),
    ],
    ids=[
        "beam",
        "fixed embeddings",
        "hidden",
        "rare rank",
        "merges",
        "unknown words",
        "candidates",
        "selection",
        "label",
    ],
)
def test_one_changed_key_reruns_exactly_what_it_must(
    finished: tuple[Path, str],
    snakemake: Snakemake,
    tmp_path: Path,
    overlay: dict[str, object],
    expected: dict[str, int],
) -> None:
    path = tmp_path / "overlay.yaml"
    path.write_text(yaml.safe_dump(overlay), encoding="utf-8")
    run = snakemake(finished[0], "--dry-run", configs=(TINY, path))
    counts = job_counts(run.stdout)
    assert counts.pop("total") == sum(counts.values())
    assert counts == expected


def test_a_translation_by_hand_is_the_workflows(finished: tuple[Path, str], tmp_path: Path) -> None:
    from click.testing import CliRunner

    from rarewords.cli import cli

    folder, _ = finished
    members = [f"--member={folder}/models/tiny/en-de/bpe/member{k}" for k in (1, 2, 3, 4)]
    seg = folder / "data/tiny/en-de/seg/bpe"
    arguments = ["--input", f"{seg}/test.en", "--segmenter", f"{seg}/segmenter.de.json", "--language", "de"]
    result = CliRunner().invoke(cli, ["translate", *members, *arguments, "--beam", "3"])
    assert result.exit_code == 0
    assert result.stdout == (folder / "results/tiny/en-de/bpe/test/ensemble.txt").read_text(encoding="utf-8")
