"""What the rule files ask the package for: defaults, wildcards, options of jobs, words of failed steps."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

from rarewords.experiment.defaults import complete_config, defaults_under
from rarewords.experiment.files import experiment_config
from rarewords.experiment.job_options import development_options, lexicon_options, member_options, unigram_options
from rarewords.experiment.plan import Experiment
from rarewords.experiment.wildcards import constraints, one_of, replacing, searching
from rarewords.report.failures import Logs
from rarewords.report.named import Named
from rarewords.report.targets import Targets

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def demo() -> Experiment:
    return Experiment(experiment_config(ROOT / "config", []))


def test_the_demo_is_the_default_only_without_an_experiment() -> None:
    assert defaults_under({}) == ["corpora", "systems", "config"]
    assert defaults_under({"experiment": {}}) == ["corpora", "systems"]


def test_defaults_are_extended_and_replaced_and_nothing_given_is_changed(tmp_path: Path) -> None:
    files: dict[str, Any] = {
        "corpora": {"corpora": {"c": {"licence": "x"}}},
        "systems": {"systems": {"bpe": {"label": "BPE", "merges": [1, 2]}}},
    }
    given = {"experiment": {"name": "mine"}, "systems": {"bpe": {"merges": [3]}}}
    complete = complete_config(given, files.__getitem__, str(tmp_path))
    assert complete["systems"] == {"bpe": {"label": "BPE", "merges": [3]}}
    assert complete["corpora"] == {"c": {"licence": "x"}}
    complete["systems"]["bpe"]["merges"].append(4)
    assert given["systems"]["bpe"]["merges"] == [3]


def test_embedded_text_is_taken_from_the_repository_where_the_folder_lacks_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    root = tmp_path / "root"
    for language in ("en", "de"):
        (root / "data/demo").mkdir(parents=True, exist_ok=True)
        (root / f"data/demo/train.{language}").touch()
    pairs = {"en-de": {"train": ["data/demo/train.{lang}", "mine.{lang}"], "sets": {"dev": ["data/demo/dev.{lang}"]}}}
    given = {"experiment": {"corpus": "c", "pairs": ["en-de"]}, "corpora": {"c": {"pairs": pairs}}}

    def found() -> Any:
        return complete_config(given, lambda name: {}, str(root))["corpora"]["c"]["pairs"]["en-de"]

    assert found()["train"] == [f"{root}/data/demo/train.{{lang}}", "mine.{lang}"]
    assert found()["sets"]["dev"] == ["data/demo/dev.{lang}"]  # is nowhere
    os.makedirs("data/demo")
    for language in ("en", "de"):
        Path(f"data/demo/train.{language}").touch()
    assert found()["train"][0] == "data/demo/train.{lang}"


@pytest.mark.parametrize("given", [{"experiment": {"corpus": "c", "pairs": 3}}, {"corpora": None, "experiment": []}])
def test_a_configuration_of_the_wrong_shape_is_left_to_the_check(given: dict[str, Any]) -> None:
    assert complete_config(given, lambda name: {}, "/") == given


def test_wildcards_match_the_names_of_the_experiment_only(demo: Experiment) -> None:
    named = Named(demo)
    patterns = constraints(demo, "train", {"place": named.tests, "table": named.tables, "form": []})

    def matches(wildcard: str, value: str) -> bool:
        return re.fullmatch(patterns[wildcard], value) is not None

    assert matches("pair", "en-ru")
    assert not matches("pair", "en-fr")
    assert matches("src", "en")
    assert not matches("src", "de")
    assert matches("split", "train")
    assert matches("split", "dev")
    assert not matches("split", "shards/1/train")
    assert matches("table", "table2")
    assert matches("table", "table3")
    assert not matches("table", "table22")
    assert matches("place", "")
    assert not matches("place", "test/")
    assert matches("output", "best-for-wdict")
    assert matches("output", "single-12")
    assert not matches("output", "best-for-bpe")
    assert not matches("form", "")
    assert one_of([]) == "(?!)"
    assert one_of(["b.c", "a", "a"]) == "a|b\\.c"


def test_systems_that_search_and_systems_that_replace(demo: Experiment) -> None:
    assert replacing(demo) == ["wdict"]
    assert set(searching(demo)) == {"wunk", "bpe", "bpe-joint"}


def test_options_of_a_jobs_files() -> None:
    assert development_options([]) == []
    assert development_options(["a", "b"]) == ["--dev-source=a", "--dev-target=b"]
    assert development_options(["a", "b", "c"])[-1] == "--dev-segmenter=c"
    assert (lexicon_options("l"), lexicon_options([])) == (["--lexicon=l"], [])
    members = ["m/1/model.json", "m/1/model.safetensors", "m/2/model.json", "m/2/model.safetensors"]
    assert member_options([], members) == ["--member=m/1", "--member=m/2"]
    assert member_options("choice.json", members) == ["--choice=choice.json"]
    assert unigram_options("h", "r", "c") == ["--tokenised-hypothesis=h", "--tokenised-reference=r", "--train-counts=c"]


def test_tables_and_figures_by_their_names(demo: Experiment) -> None:
    named = Named(demo)
    assert named.tables == {"table2": "en-de", "table3": "en-ru"}
    assert named.tables1 == {"table1": "en-de", "table1-en-ru": "en-ru"}
    assert named.tests == {"": "test"}
    table = named.score_table("", "table3")
    assert (table.pair, table.test) == ("en-ru", "test")
    assert named.frequency_figure("", "figure2").pair == "en-de"
    assert named.examples("table5").pair == "en-ru"


def test_why_a_table_of_the_paper_is_not_there(demo: Experiment) -> None:
    only_german = Experiment(demo.config | {"experiment": demo.config["experiment"] | {"pairs": ["en-de"]}})
    refusal = Targets(only_german).refusal("table3", "en-ru")
    assert refusal.startswith(
        "table3 is about en-ru, and experiment 'demo' has only en-de; ask for one of table1, table2"
    )
    assert refusal.endswith("or add the pair to experiment.pairs.")
    assert Targets(demo).refusal_of_ablation().startswith("ablation is about a grid, and experiment 'demo' has none;")


def test_the_end_of_every_log_with_an_error_that_is_new(tmp_path: Path) -> None:
    (tmp_path / "train").mkdir()
    old, failed, fine = (tmp_path / "train" / name for name in ("old.log", "failed.log", "fine.log"))
    old.write_text("rarewords: old\n", encoding="utf-8")
    failed.write_text("Error: before\n", encoding="utf-8")
    logs = Logs(str(tmp_path))
    assert list(logs.failures()) == []
    failed.write_text("".join(f"line {k}\n" for k in range(20)) + "rarewords: no room\n", encoding="utf-8")
    fine.write_text("done\n", encoding="utf-8")
    (shown,) = logs.failures()
    lines = shown.split("\n  ")
    assert (lines[0], lines[1], lines[-1], len(lines)) == (f"{failed}:", "line 6", "rarewords: no room", 16)
