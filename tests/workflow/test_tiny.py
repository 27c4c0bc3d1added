"""A tiny experiment from text to table; then what a second run and a changed key do."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml

from rarewords.evaluation.scoring import UnigramInputs, score_files
from rarewords.experiment.plan import Experiment
from rarewords.report.formats import read_tsv

from .conftest import TINY, Snakemake, job_counts, write_corpus

OURS = ["WUnk", "WDict", "C2-50", "BPE-100", "BPE-J150"]
PAPERS = ["WUnk", "WDict", "C2-50k", "BPE-60k", "BPE-J90k"]


@pytest.fixture(scope="module")
def finished(snakemake: Snakemake, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder of a finished tiny experiment, and what its run printed."""
    folder = tmp_path_factory.mktemp("tiny")
    write_corpus(folder)
    run = snakemake(folder, real=True)
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
    assert "results/tiny/report.html" in end


def test_every_training_shows_its_progress(finished: tuple[Path, str]) -> None:
    _, printed = finished
    for system in ("wunk", "c2", "bpe", "bpe-joint"):
        for run in (1, 2):
            assert f"en-de {system} run {run}: update 12/12 (100%)" in printed


def test_the_figure_shows_every_system_and_its_points_are_beside_it(finished: tuple[Path, str]) -> None:
    folder, _ = finished
    svg = (folder / "results/tiny/figures/figure2.svg").read_text(encoding="utf-8")
    points = read_tsv(folder / "results/tiny/figures/figure2.tsv").rows
    assert (folder / "results/tiny/figures/figure2.png").is_file()
    for label in ("WUnk", "C2-50", "BPE-100", "BPE-J150"):
        assert f">{label}<" in svg
        frequencies = [row[1] for row in points if row[0] == label]
        assert frequencies[-1] == 0
        assert frequencies == sorted(frequencies, reverse=True)  # type: ignore[type-var]


def test_every_system_is_compared_with_the_dictionary(finished: tuple[Path, str]) -> None:
    folder, _ = finished
    text = (folder / "results/tiny/significance/en-de/test.json").read_text(encoding="utf-8")
    found = json.loads(text)
    assert found["baseline"] == "wdict"
    assert set(found["metrics"]) == {"bleu", "chrf3", "f1_all", "f1_rare", "f1_oov"}
    table = read_tsv(folder / "results/tiny/tables/table2.tsv")
    assert "differs from WDict with p < 0.05" in table.caption[-1]
    ours = [dict(zip(table.header(), row)) for row in table.rows if not table.is_paper(row)]
    p = [found["metrics"]["bleu"][system]["p"] for system in ("wunk", "wdict", "c2", "bpe", "bpe-joint")]
    assert [row["BLEU p"] for row in ours] == [None if value is None else round(value, 3) for value in p]
    assert "BLEU of the single models on the development set" in table.caption[1]
    assert (folder / "results/tiny/tables/table2-oov.md").is_file()


def test_outputs_keep_the_lines_of_the_test_set(finished: tuple[Path, str]) -> None:
    folder, _ = finished
    for output in ("best", "ensemble"):
        for suffix in ("sub", "tc", "txt"):
            text = (folder / f"results/tiny/en-de/bpe/test/{output}.{suffix}").read_text(encoding="utf-8")
            assert text.count("\n") == 30


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
        untouched = "best-for-wdict" if output == "best" else output
        before = (results / f"wunk/test/{untouched}.sub").read_text(encoding="utf-8").splitlines()
        after = (results / f"wdict/test/{output}.sub").read_text(encoding="utf-8").splitlines()
        assert "<unk>" not in " ".join(after)
        assert "UNK" not in (results / f"wdict/test/{output}.txt").read_text(encoding="utf-8")
        for words, units, replaced in zip(source, before, after, strict=True):
            possible = {best.get(word, word) for word in words.split()}
            pairs = list(zip(units.split(), replaced.split(), strict=True))
            assert all(new in possible if old == "<unk>" else new == old for old, new in pairs)
            unknown += units.split().count("<unk>")
    assert unknown  # else nothing was tested


def test_an_unknown_word_is_one_token_in_text_and_the_unit_among_units(finished: tuple[Path, str]) -> None:
    folder, _ = finished
    output = folder / "results/tiny/en-de/wunk/test/best-for-wdict"
    units, words, text = (output.with_suffix(suffix).read_text(encoding="utf-8") for suffix in (".sub", ".tc", ".txt"))
    assert units.count("<unk>") == words.split().count("UNK") == text.count("UNK") > 0
    assert "<unk>" not in words + text


def test_unigram_f1_by_hand_is_that_of_the_table(finished: tuple[Path, str]) -> None:
    folder, _ = finished
    text = folder / "data/tiny/en-de"
    for system in ("wunk", "wdict", "c2", "bpe", "bpe-joint"):
        output = folder / f"results/tiny/en-de/{system}/test/ensemble"
        by_hand = score_files(
            output.with_suffix(".txt"),
            text / "raw/test.de",
            UnigramInputs(
                train_counts=text / "tc/counts.de",
                truecase_model=text / "tc/truecaser.de",
                language="de",
                rare_rank=100,
            ),
        )
        written = json.loads(output.with_suffix(".json").read_text(encoding="utf-8"))
        assert by_hand["unigram_f1"] == written["unigram_f1"]
        assert by_hand["bleu"] == written["bleu"]


def test_the_table_of_trainings_tells_that_systems_saw_other_text(finished: tuple[Path, str]) -> None:
    folder, printed = finished
    table = read_tsv(folder / "results/tiny/tables/training-en-de.tsv")
    rows = {row[0]: dict(zip(table.header(), row)) for row in table.rows}
    assert list(rows) == ["WUnk", "C2-50", "BPE-100", "BPE-J150"]
    pairs = (folder / "data/tiny/en-de/tc/train.en").read_text(encoding="utf-8").count("\n")
    assert (rows["WUnk"]["pairs trained on"], rows["WUnk"]["pairs lost %"]) == (pairs, 0.0)
    # 12 updates of 10 pairs
    assert rows["WUnk"]["a run passes"] == round(120 / pairs, 1)
    assert rows["BPE-100"]["pairs trained on"] < 0.9 * pairs  # type: ignore[operator]
    assert "did not see the same text" in table.caption[-1]
    assert "systems that lose different pairs cannot be compared" in printed
    manifest = json.loads((folder / "results/tiny/manifest.json").read_text(encoding="utf-8"))
    assert manifest["trainings"]["en-de"]["wunk"]["text"]["trained_on"] == pairs


def test_the_claims_are_tested_on_the_scores_of_the_run(finished: tuple[Path, str]) -> None:
    results = finished[0] / "results/tiny"
    claims = json.loads((results / "claims/en-de/test.json").read_text(encoding="utf-8"))["claims"]
    assert len(claims) == 5 + 3 + 3 + 4 + 1 + 1  # the last two: names cut alike, and the two cut-offs
    by_claim = {claim["claim"]: claim for claim in claims}
    scores = {
        system: json.loads((results / f"en-de/{system}/test/ensemble.json").read_text(encoding="utf-8"))
        for system in ("wdict", "c2", "bpe", "bpe-joint")
    }
    best = max(scores[system]["bleu"]["score"] for system in ("c2", "bpe", "bpe-joint"))
    headline = by_claim["BLEU: the best subword ensemble above WDict."]
    assert f" {best:.1f}, WDict {scores['wdict']['bleu']['score']:.1f}: " in headline["ours"]
    assert headline["paper"] == "C2-50k 25.3, WDict 24.2: +1.1."
    assert all(claim["p"] is None or 0 <= claim["p"] <= 1 for claim in claims)
    assert "members of the run with cut-off 50 beat those of the run with 20" in claims[-1]["claim"]


@pytest.mark.parametrize(("system", "owner"), [("bpe-joint", "bpe-joint"), ("wdict", "wunk")])
def test_the_best_member_is_the_one_with_the_highest_bleu(finished: tuple[Path, str], system: str, owner: str) -> None:
    folder, _ = finished
    dev = folder / f"results/tiny/en-de/{system}/dev"
    choice = json.loads((dev / "choice.json").read_text(encoding="utf-8"))
    scores = [json.loads((dev / f"single-{k}.json").read_text(encoding="utf-8"))["bleu"]["score"] for k in (1, 2, 3, 4)]
    assert list(choice["bleu"].values()) == scores
    best = scores.index(max(scores)) + 1
    assert choice["member"] == f"models/tiny/en-de/{owner}/member{best}"
    source = f"results/tiny/en-de/{system}/test"
    scored = json.loads((folder / source / "best.json").read_text(encoding="utf-8"))
    assert scored["inputs"]["hypothesis"]["path"] == f"{source}/best.txt"


def test_members_say_where_they_come_from(finished: tuple[Path, str]) -> None:
    folder, _ = finished
    for member, (cutoff, updates) in enumerate([(50, 8), (50, 12), (20, 8), (20, 12)], 1):
        path = folder / f"models/tiny/en-de/bpe/member{member}/model.json"
        training = json.loads(path.read_text(encoding="utf-8"))["training"]
        assert (training["fingerprint"]["clip_norm"], training["updates"]) == (cutoff, updates)
        assert training["fixed_embedding_updates"] == 3


def test_a_second_run_does_nothing(finished: tuple[Path, str], snakemake: Snakemake) -> None:
    run = snakemake(finished[0])
    assert run.returncode == 0
    assert "Nothing to be done" in run.stdout


# The manifest states the configuration, so any change of it makes the report anew.
# WDict chooses its best member itself, so it has translations of the development set, and one of the best for itself.
REPLACED = {"replace_unknown_words": 6, "select_best_member": 1, "translate": 1}
CLAIMS = {"test_claims": 1}
TRAINED = {"write_training_table": 1}
ALL = {"everything": 1, "write_manifest": 1, "report": 1}
REPORT = {"write_table": 1, "write_oov_table": 1, "draw_frequency_figure": 1}
COMPARISON = REPORT | {"compare_with_baseline": 1}
EXAMPLES = {"write_examples": 1, "draw_attention": 4}
SCORES = REPLACED | COMPARISON | EXAMPLES | CLAIMS | {"translate": 25, "score": 30, "select_best_member": 5}
CURVES = {"draw_learning_curves": 1}


@pytest.mark.parametrize(
    ("overlay", "expected"),
    [
        ({"decoding": {"beam": 2}}, ALL | SCORES),
        ({"training": {"fixed_embedding_updates": 4}}, ALL | SCORES | TRAINED | {"finetune_fixed_embeddings": 16}),
        ({"network": {"hidden": 12}}, ALL | SCORES | TRAINED | CURVES | {"finetune_fixed_embeddings": 16, "train": 8}),
        ({"training": {"device": "auto"}}, ALL),  # the same training on another machine
        ({"experiment": {"rare_rank": 90}}, ALL | COMPARISON | EXAMPLES | CLAIMS | {"score": 10}),
        ({"experiment": {"baseline": "bpe"}}, ALL | {"compare_with_baseline": 1, "write_table": 1}),
        (
            {"experiment": {"significance": {"method": "randomisation"}}},
            ALL | CLAIMS | {"compare_with_baseline": 1, "write_table": 1},
        ),
        ({"report": {"number_of_examples": 1}}, ALL | EXAMPLES),
        ({"report": {"examples": {"en-de": [3]}}}, ALL | EXAMPLES),
        (
            {"decoding": {"all_members": True}},
            # best is a copy then, and the development set needs nothing new
            ALL | CLAIMS | {"translate": 16, "copy_best": 5, "replace_unknown_words": 4, "score": 25, "write_table": 1},
        ),
        (
            {
                "experiment": {"external": ["smt"]},
                "external": {"smt": {"label": "SMT", "hypotheses": {"en-de": {"test": "given/test.de"}}}},
            },
            ALL
            | {"prepare_external": 1, "score_external": 1, "compare_with_baseline": 1, "write_table": 1}
            | {"write_oov_table": 1},
        ),
        (
            {"systems": {"bpe": {"segmentation": {"merges": 90}}}},
            ALL
            | {
                "fit_segmentation": 1,
                "build_vocabulary": 2,
                "segment": 5,
                "encode": 1,
                "train": 2,
                "finetune_fixed_embeddings": 4,
            }
            | COMPARISON
            | EXAMPLES
            | CURVES
            | CLAIMS
            | TRAINED
            | {"translate": 6, "score": 6, "select_best_member": 1},
        ),
        (
            {"systems": {"wdict": {"unknown_words": "dictionary-lowercase"}}},
            ALL | REPLACED | COMPARISON | EXAMPLES | CLAIMS | {"score": 6},
        ),
        (
            {"decoding": {"candidates": {"common": 100}}},
            ALL | SCORES | {"align": 3, "lexicon": 3},
        ),
        (
            {"experiment": {"systems": ["wunk", "bpe-joint"]}},
            ALL | COMPARISON | CURVES | CLAIMS | TRAINED | {"write_examples": 1, "draw_attention": 2},
        ),
        ({"systems": {"bpe": {"label": "another name"}}}, ALL | REPORT | EXAMPLES | CURVES | CLAIMS | TRAINED),
    ],
    ids=[
        *(
            "beam",
            "fixed embeddings",
            "hidden",
            "device",
            "rare rank",
            "baseline",
            "test",
            "number",
            "lines",
            "all members",
            "external",
        ),
        *("merges", "unknown words", "candidates", "selection", "label"),
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


def test_the_report_holds_everything_of_the_run(finished: tuple[Path, str]) -> None:
    folder, _ = finished
    results = folder / "results/tiny"
    text = (results / "report.html").read_text(encoding="utf-8")
    for section in ("results", "pattern", "segmentation", "training", "examples", "provenance", "files"):
        assert f'<section id="{section}">' in text
    for label in ("WUnk", "C2-50", "BPE-100", "BPE-J150"):
        assert label in text
    content = json.loads((results / "tables/table4.json").read_text(encoding="utf-8"))
    assert len(content["examples"]) == 2
    manifest = json.loads((results / "manifest.json").read_text(encoding="utf-8"))
    assert {step["step"]: step["jobs"] for step in manifest["steps"]}["train"] == 8
    assert len(manifest["texts"]) == 6
    # Its checksum is that of the configuration that lies beside it.
    config = yaml.safe_load((results / "config.yaml").read_text(encoding="utf-8"))
    assert Experiment(config).checksum() == manifest["configuration_sha256"]
    for system in ("wunk", "c2", "bpe", "bpe-joint"):
        stored = json.loads((results / f"figures/attention/en-de/{system}/attention.json").read_text(encoding="utf-8"))
        for one in stored["maps"]:
            assert len(one["weights"]) == len(one["target"])
            assert all(sum(row) == pytest.approx(1, abs=0.01) for row in one["weights"])


@pytest.mark.slow
def test_snakemakes_own_report_has_the_same_items(finished: tuple[Path, str], snakemake: Snakemake) -> None:
    run = snakemake(finished[0], "--report", "all.html")
    assert run.returncode == 0, run.stdout
    text = (finished[0] / "all.html").read_text(encoding="utf-8")
    for name in ("report.html", "table1.tsv", "table2.tsv", "table4.tsv", "learning-curves.svg"):
        assert name in text


def test_a_translation_by_hand_is_the_workflows(finished: tuple[Path, str], tmp_path: Path) -> None:
    from click.testing import CliRunner

    from rarewords.cli import cli

    folder, _ = finished
    members = [f"--member={folder}/models/tiny/en-de/bpe/member{k}" for k in (1, 2, 3, 4)]
    seg = folder / "data/tiny/en-de/seg/bpe"
    arguments = ["--input", f"{seg}/test.en", "--segmenter", f"{seg}/segmenter.de.json", "--language", "de"]
    result = CliRunner().invoke(cli, ["translate-units", *members, *arguments, "--beam", "3"])
    assert result.exit_code == 0
    assert result.stdout == (folder / "results/tiny/en-de/bpe/test/ensemble.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("system", ["bpe", "wdict"])
def test_a_bundle_translates_as_the_workflow_did(
    finished: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str
) -> None:
    from click.testing import CliRunner

    from rarewords.cli import cli

    monkeypatch.chdir(finished[0])
    bundle = str(tmp_path / "bundle")
    whole = [
        "--no-split",
        "--longest",
        "500",
    ]  # as the workflow does; a bundle cuts lines longer than those of training
    done = CliRunner().invoke(cli, ["export", "--experiment", "tiny", "--system", system, "--output", bundle])
    assert done.exit_code == 0, done.output
    result = CliRunner().invoke(cli, ["translate", bundle, *whole, "--input", "given/test.en", "--device", "cpu"])
    assert result.exit_code == 0, result.output
    assert result.stdout == Path(f"results/tiny/en-de/{system}/test/ensemble.txt").read_text(encoding="utf-8")
