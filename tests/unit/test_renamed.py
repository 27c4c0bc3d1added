"""Keys of the configuration under their old names."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from rarewords.errors import InputError
from rarewords.experiment.files import experiment_config
from rarewords.experiment.plan import Experiment
from rarewords.experiment.renamed import with_new_names

ROOT = Path(__file__).parents[2]

OLD: dict[str, Any] = {
    "experiment": {"models": "other"},
    "network": {"deviation": 0.2},
    "training": {"cutoffs": [3, 2], "loaded_vocabulary": 700},
    "systems": {"bpe": {"training": {"cutoffs": [1, 2], "loaded_vocabulary": None}}},
}
NEW: dict[str, Any] = {
    "experiment": {"models_from": "other"},
    "network": {"init_std": 0.2},
    "training": {"clip_norms": [3, 2], "partition_vocabulary": 700},
    "systems": {"bpe": {"training": {"clip_norms": [1, 2], "partition_vocabulary": None}}},
}


def merged(overlay: dict[str, Any], tmp_path: Path) -> dict[str, Any]:
    """The demo's configuration with an overlay."""
    import yaml

    path = tmp_path / "overlay.yaml"
    path.write_text(yaml.safe_dump(overlay), encoding="utf-8")
    return experiment_config(ROOT / "config", [ROOT / "config/config.yaml", path])


def test_every_old_key_gets_its_new_name_and_one_sentence():
    given = copy.deepcopy(OLD)
    renamed, warnings = with_new_names(given)
    assert renamed == NEW
    assert given == OLD
    assert warnings[1] == "network.deviation is now called init_std; please rename it. The old name still works."
    assert [warning.split(" ", 1)[0] for warning in warnings] == [
        "experiment.models", "network.deviation", "training.cutoffs", "training.loaded_vocabulary",
        "systems.bpe.training.cutoffs", "systems.bpe.training.loaded_vocabulary",
    ]  # fmt: skip


def test_new_names_and_keys_of_the_same_name_elsewhere_stay_without_a_word():
    for config in (NEW, {"corpora": {"models": {"deviation": 1}}, "systems": {"cutoffs": {"label": "x"}}}, None, [1]):
        assert with_new_names(config) == (config, [])


def test_an_experiment_under_old_names_is_the_same_one(tmp_path: Path):
    old, new = (Experiment(merged(overlay, tmp_path)) for overlay in (OLD, NEW))
    assert old.config == new.config
    assert old.clip_norm("bpe", 2) == 2.0
    assert (len(old.warnings), new.warnings) == (6, [])


@pytest.mark.parametrize("names", [("cutoffs", "clip_norms"), ("clip_norms", "cutoffs")])
def test_the_name_that_a_later_file_gives_wins(names):
    renamed, _ = with_new_names({"training": {names[0]: [1], names[1]: [2]}})
    assert renamed == {"training": {"clip_norms": [2]}}


def test_an_overlay_under_an_old_name_changes_a_file_under_the_new_one(tmp_path: Path):
    assert Experiment(merged({"training": {"cutoffs": [7]}}, tmp_path)).clip_norm("bpe", 1) == 7.0


def test_a_mistake_under_an_old_name_is_explained(tmp_path: Path):
    with pytest.raises(InputError) as error:
        Experiment(merged({"training": {"cutoffs": []}}, tmp_path))
    assert str(error.value).startswith("training.clip_norms: [] should be non-empty")
    assert "training.cutoffs is now called clip_norms;" in str(error.value)
