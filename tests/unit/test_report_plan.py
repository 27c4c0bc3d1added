"""What the report asks of the configuration."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from rarewords.errors import InputError
from rarewords.experiment.layout import examples_name
from rarewords.experiment.plan import Experiment

ROOT = Path(__file__).parents[2]


@pytest.fixture
def paper() -> dict[str, Any]:
    """The paper's experiment; its three files have no key in common."""
    config: dict[str, Any] = {}
    for name in ("corpora", "systems", "wmt15"):
        config |= yaml.safe_load((ROOT / f"config/{name}.yaml").read_text(encoding="utf-8"))
    return config


def test_examples_are_chosen_or_given(paper: dict[str, Any]) -> None:
    assert Experiment(paper).example_options("en-ru") == ["--phrase=Mirzayeva", "--phrase=rakfisk"]
    assert Experiment(paper).example_set == "newstest2013"
    assert Experiment(paper | {"report": {}}).example_options("en-de") == ["--number=5"]
    assert Experiment(paper | {"report": {}}).example_set == "newstest2015"
    experiment = Experiment(paper | {"report": {"number_of_examples": 3, "examples": {"en-de": [7, "two words"]}}})
    assert experiment.example_options("en-de") == ["--line=7", "--phrase=two words"]
    assert experiment.example_options("en-ru") == ["--number=3"]


def test_lines_of_a_pair_that_is_not_there_are_refused(paper: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"report\.examples: the corpus has no pair 'en-fr'"):
        Experiment(paper | {"report": {"examples": {"en-fr": [1]}}})
    with pytest.raises(InputError, match=r"report\.examples\.en-de\.0: 0 is less than"):
        Experiment(paper | {"report": {"examples": {"en-de": [0]}}})


def test_the_set_of_the_examples_is_one_of_the_experiment(paper: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"report\.example_set: 'newstest2012' is no development or test set"):
        Experiment(paper | {"report": {"example_set": "newstest2012"}})
    paper["experiment"]["pairs"] = ["en-de"]
    assert Experiment(paper).example_options("en-de")[0] == "--phrase=health research institutes"


def test_names_of_tables() -> None:
    assert [examples_name(pair) for pair in ("en-de", "en-ru", "de-fr")] == ["table4", "table5", "examples-de-fr"]


def test_the_part_of_a_system_in_the_comparison(paper: dict[str, Any]) -> None:
    copies = {"label": "WCopy", "same_models": "wunk", "unknown_words": "copy"}
    experiment = Experiment(paper | {"systems": paper["systems"] | {"wcopy": copies}})
    names = ("wunk", "wdict", "wcopy", "c2", "bpe")
    roles = [experiment.compared_system(name, "en-de", "x.json")["role"] for name in names]
    assert roles == ["WUnk", "WDict", "copy", "subword", "subword"]


def test_systems_and_curves_are_json(paper: dict[str, Any]) -> None:
    experiment = Experiment(paper)
    files = {"source": "s", "output": "o", "vocabulary": "v"}
    assert json.loads(experiment.example_system("bpe", "en-de", files)) == {
        "system": "bpe",
        "label": "BPE-60k",
        **files,
    }
    assert json.loads(experiment.curve("bpe", "en-de", 2, "m.jsonl")) == {
        "pair": "en-de", "label": "BPE-60k", "run": 2, "metrics": "m.jsonl", "place": experiment.systems.index("bpe"),
    }  # fmt: skip


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
