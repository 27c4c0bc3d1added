"""Models of another experiment are used only if they are the same."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from rarewords.errors import InputError
from rarewords.experiment.borrowed import check_borrowed_models
from rarewords.experiment.files import experiment_config
from rarewords.experiment.plan import Experiment

ROOT = Path(__file__).parents[2]


@pytest.fixture
def beams(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The grid of beams over the demo, whose last run has left its configuration."""
    config = ROOT / "config"
    demo = Experiment(experiment_config(config, [config / "config.yaml"]))
    monkeypatch.chdir(tmp_path)
    Path("results/demo").mkdir(parents=True)
    Path("results/demo/config.yaml").write_text(yaml.safe_dump(demo.config), encoding="utf-8")
    return experiment_config(config, [config / "config.yaml", config / "ablations/beam.yaml"])


def test_the_same_models_may_be_used(beams: dict[str, Any]) -> None:
    check_borrowed_models(Experiment(beams))
    beams["training"] |= {"device": "cpu", "threads": 2}
    check_borrowed_models(Experiment(beams))


@pytest.mark.parametrize(
    ("section", "key", "value", "sentence"),
    [
        ("training", "updates", 12000, "training.updates is 5000 there and 12000 here"),
        ("network", "hidden", 256, "network.hidden is 128 there and 256 here"),
        ("experiment", "seed", 7, "experiment.seed is 1234 there and 7 here"),
        ("systems", "bpe", {"segmentation": {"merges": 7}}, "systems.bpe.segmentation is"),
    ],
)
def test_the_first_difference_is_named(
    beams: dict[str, Any], section: str, key: str, value: Any, sentence: str
) -> None:
    changed = copy.deepcopy(beams)
    changed[section][key] = changed[section][key] | value if isinstance(value, dict) else value
    if section == "systems":
        changed[section][key]["segmentation"]["method"] = "bpe"
    with pytest.raises(InputError, match=re.escape(sentence)):
        check_borrowed_models(Experiment(changed))


def test_a_system_that_the_other_one_does_not_train_is_named(beams: dict[str, Any]) -> None:
    beams["grid"] = None
    beams["experiment"] |= {"systems": ["bpe", "c2-500k"], "baseline": None}
    with pytest.raises(InputError, match=r"systems\.c2-500k\.segmentation is nothing there and"):
        check_borrowed_models(Experiment(beams))


def test_an_experiment_that_never_ran_is_named(beams: dict[str, Any]) -> None:
    beams["experiment"]["models"] = "demmo"
    with pytest.raises(InputError, match=r"experiment\.models_from: results/demmo/config\.yaml does not exist; run"):
        check_borrowed_models(Experiment(beams))
