"""What the report asks of the configuration."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
import yaml

from rarewords.errors import InputError
from rarewords.experiment.layout import examples_name
from rarewords.experiment.plan import Experiment
from rarewords.report.contents import Contents, files
from rarewords.report.inputs import Run, checksum
from rarewords.report.parts import Parts, role
from rarewords.report.targets import Targets

ROOT = Path(__file__).parents[2]


@pytest.fixture
def paper() -> dict[str, Any]:
    """The paper's experiment; its three files have no key in common."""
    config: dict[str, Any] = {}
    for name in ("corpora", "systems", "wmt15"):
        config |= yaml.safe_load((ROOT / f"config/{name}.yaml").read_text(encoding="utf-8"))
    return config


def examples_of(config: dict[str, Any], pair: str) -> tuple[int, tuple[int, ...], tuple[str, ...]]:
    """How many sentences are to be chosen, or which lines and phrases are given."""
    examples = Parts(Experiment(config)).examples(pair)
    return examples.number, examples.lines, examples.phrases


def test_examples_are_chosen_or_given(paper: dict[str, Any]) -> None:
    assert examples_of(paper, "en-ru") == (5, (), ("Mirzayeva", "rakfisk"))
    assert Experiment(paper).example_set == "newstest2013"
    assert examples_of(paper | {"report": {}}, "en-de") == (5, (), ())
    assert Experiment(paper | {"report": {}}).example_set == "newstest2015"
    given = paper | {"report": {"number_of_examples": 3, "examples": {"en-de": [7, "two words"]}}}
    assert examples_of(given, "en-de") == (3, (7,), ("two words",))
    assert examples_of(given, "en-ru") == (3, (), ())


def test_lines_of_a_pair_that_is_not_there_are_refused(paper: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"report\.examples: the corpus has no pair 'en-fr'"):
        Experiment(paper | {"report": {"examples": {"en-fr": [1]}}})
    with pytest.raises(InputError, match=r"report\.examples\.en-de\.0: 0 is less than"):
        Experiment(paper | {"report": {"examples": {"en-de": [0]}}})


def test_the_set_of_the_examples_is_one_of_the_experiment(paper: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"report\.example_set: 'newstest2012' is not a development or test set"):
        Experiment(paper | {"report": {"example_set": "newstest2012"}})
    paper["experiment"]["pairs"] = ["en-de"]
    assert examples_of(paper, "en-de")[2][0] == "health research institutes"


def test_names_of_tables() -> None:
    assert [examples_name(pair) for pair in ("en-de", "en-ru", "de-fr")] == ["table4", "table5", "examples-de-fr"]


def test_the_part_of_a_system_in_the_comparison(paper: dict[str, Any]) -> None:
    copies = {"label": "WCopy", "same_models": "wunk", "unknown_words": "copy"}
    experiment = Experiment(paper | {"systems": paper["systems"] | {"wcopy": copies}})
    names = ("wunk", "wdict", "wcopy", "c2", "bpe")
    roles = [role(experiment.system(name, "en-de")) for name in names]
    assert roles == ["WUnk", "WDict", "copy", "subword", "subword"]


def test_parts_name_their_files_and_what_they_show(paper: dict[str, Any]) -> None:
    parts = Parts(Experiment(paper))
    table = parts.score_table("en-de", "newstest2014")
    assert [row.label for row in table.systems] == ["WUnk", "WDict", "C2-50k", "BPE-60k", "BPE-J90k", "C2-3/500k"]
    assert len(parts.score_table("en-ru", "newstest2014").systems) == 5  # C2-3/500k is for English-German only
    wdict = table.systems[1]
    folder = "results/wmt15/en-de/wdict"
    assert (wdict.best, wdict.ensemble) == (f"{folder}/newstest2014/best.json", f"{folder}/newstest2014/ensemble.json")
    assert wdict.singles[7] == f"{folder}/newstest2014/single-8.json"
    assert wdict.choice == f"{folder}/newstest2013/choice.json"
    assert wdict.vocabulary == tuple(f"data/wmt15/en-de/seg/wunk/vocabulary.{lang}" for lang in ("en", "de"))
    assert table.significance == "results/wmt15/significance/en-de/newstest2014.json"
    assert set(table.files()) >= {wdict.choice, wdict.singles[0], table.significance, *wdict.vocabulary}
    assert len(table.files()) == len(set(table.files())) + 2  # wdict has the vocabularies of wunk
    place = parts.experiment.systems.index("bpe")
    assert Run("en-de", "BPE-60k", 2, "models/wmt15/en-de/bpe/run2/checkpoints/metrics.jsonl", place) in parts.runs()
    assert parts.attention("en-de", "bpe").members[7] == "models/wmt15/en-de/bpe/member8"
    assert wdict.updates == paper["training"]["updates"]
    paper["training"]["hours"] = 72  # how many updates a run reaches is not known before
    assert Parts(Experiment(paper)).score_table("en-de", "newstest2014").systems[1].updates is None
    assert parts.trainings("en-ru")[0].files()[0] == "data/wmt15/en-ru/seg/wunk/pairs/pairs.json"


def test_a_part_has_another_checksum_only_if_it_shows_something_else(paper: dict[str, Any]) -> None:
    def checksums(config: dict[str, Any]) -> list[str]:
        parts = Parts(Experiment(config))
        return [
            checksum(part) for part in (parts.score_table("en-de", "newstest2015"), parts.table1("en-de"), parts.runs())
        ]

    before = checksums(paper)
    assert checksums(paper | {"decoding": {"beam": 3, "all_members": True}}) == before
    label = copy.deepcopy(paper)
    label["systems"]["bpe"]["label"] = "mine"
    scores, table1, runs = checksums(label)
    assert table1 == before[1]
    assert scores != before[0]
    assert runs != before[2]


def test_the_page_shows_files_that_rules_write(paper: dict[str, Any]) -> None:
    experiment = Experiment(paper)
    contents, targets = Contents(experiment), Targets(experiment)
    items = contents.items()
    assert [item["kind"] for item in items if item.get("section") is None][-2:] == ["manifest", "files"]
    shown = files(items)
    written = {*targets.everything(), *(path for pair in experiment.pairs for path in targets.table1(pair))}
    assert {path for path in shown if "/tables/" in path and path.endswith(".tsv")} <= written
    assert "results/wmt15/figures/attention/en-de/wunk" in shown
    assert not any("attention/en-de/wdict" in path for path in shown)


def test_tables_and_figures_can_be_asked_for_by_name(paper: dict[str, Any]) -> None:
    paper["experiment"] |= {"pairs": ["en-de"], "test": ["newstest2015"]}
    targets = Targets(Experiment(paper))
    assert list(targets.named()) == ["table2", "figure2", "table4"]
    assert targets.named_of_the_paper() == {"table3": "en-ru", "figure3": "en-ru", "table5": "en-ru"}
    assert targets.named()["figure2"] == [f"results/wmt15/figures/figure2.{suffix}" for suffix in ("svg", "png", "tsv")]
    assert targets.ablations() == []


def test_table_1_is_left_out_for_languages_that_a_segmentation_does_not_know(paper: dict[str, Any]) -> None:
    experiment = Experiment(paper)
    assert experiment.table1_suits("en-de")
    assert not experiment.table1_suits("en-xx")


def test_the_checksum_belongs_to_the_configuration_with_its_defaults(paper: dict[str, Any]) -> None:
    first = Experiment(paper)
    assert Experiment(first.config).checksum() == first.checksum()
    report = paper["report"]
    assert Experiment(paper | {"report": report | {"number_of_examples": 5}}).checksum() == first.checksum()
    assert Experiment(paper | {"report": report | {"number_of_examples": 4}}).checksum() != first.checksum()
