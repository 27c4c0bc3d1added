"""Projected hours of training against sums by hand."""

from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from rarewords.experiment.plan import Experiment
from rarewords.experiment.projection import at_flops_per_second, at_tokens_per_second, network_size, project
from rarewords.model.flops import forward_flops, search_flops, training_flops
from rarewords.model.size import NetworkSize

ROOT = Path(__file__).parents[2]


@pytest.fixture
def experiment():
    config = {}
    for name in ("corpora", "systems", "config"):
        config |= yaml.safe_load((ROOT / "config" / f"{name}.yaml").read_text(encoding="utf-8"))
    config["network"] = {"embedding": 3, "hidden": 4}
    config["training"] = {
        "clip_norms": [5, 1, 2], "updates": 600, "save_every": 100, "saved_models": 2, "fixed_embedding_updates": 30,
        "batch_size": 10,
    }  # fmt: skip
    segmentation = {"method": "bpe", "merges": 5}
    config["systems"] = {
        "bpe": {"label": "x", "segmentation": segmentation, "vocabulary": {"source": 50, "target": 70}}
    }
    config["table1"] = {"words": {"label": "words", "segmentation": {"method": "words"}}}
    config["experiment"]["table1"] = ["words"]
    config["experiment"] |= {"pairs": ["en-de"], "systems": ["bpe"]}
    return config


def test_operations_by_hand():
    size = NetworkSize(source_vocabulary=50, target_vocabulary=70, embedding=3, hidden=4)
    # two directions of (3 + 4) × 12, keys 8 × 4
    source = 2 * (2 * 7 * 12 + 8 * 4)
    # query and gates and candidate 4 × 16, context 8 × 12, word 3 × 12; read-out (8 + 4 + 3) × 4, 2 × 3, 3 × 70
    target = 2 * (4 * 16 + 8 * 12 + 3 * 12 + 15 * 4 + 2 * 3 + 3 * 70)
    assert forward_flops(size) == (source, target) == (400, 944)
    assert training_flops(size, 5, 6) == 3 * (5 * 400 + 6 * 944)
    # with blocks a convolution of 5 × 3 × 3 for each unit, and the encoder for every second one
    assert forward_flops(replace(size, source_blocks=4)) == (2 * 5 * 3 * 3 + 200, 944)


def test_a_search_multiplies_the_context_once_for_each_source_position():
    size = NetworkSize(source_vocabulary=50, target_vocabulary=70, embedding=3, hidden=4)
    context = 2 * 8 * 16  # 2·d × (3·d of the update and d of the readout)
    assert search_flops(size) == (400 + context, 944 - context)
    assert search_flops(replace(size, source_blocks=4)) == (290 + context // 2, 944 - context)


def test_hours_at_tokens_per_second(experiment):
    (row,) = project(Experiment(experiment), at_tokens_per_second(20.0, length=8))
    assert (row.pair, row.system, row.runs, row.updates, row.members, row.fixed_updates) == (
        "en-de", "bpe", 3, 600, 6, 30,
    )  # fmt: skip
    assert row.seconds_per_update == 10 * 8 / 20
    assert row.hours == pytest.approx((3 * 600 + 6 * 30) * 4 / 3600)


def test_runs_that_end_by_their_time(experiment):
    experiment["training"]["hours"] = 0.5
    (row,) = project(Experiment(experiment), at_tokens_per_second(20.0, length=8))
    assert (row.is_capped, row.reached) == (True, 450)  # of 4 seconds each, instead of 600
    assert row.hours == pytest.approx(3 * 0.5 + 6 * 30 * 4 / 3600)
    experiment["training"]["hours"] = 0.7
    (row,) = project(Experiment(experiment), at_tokens_per_second(20.0, length=8))
    assert (row.is_capped, row.reached) == (False, 600)


def test_hours_at_flops_per_second(experiment):
    (row,) = project(Experiment(experiment), at_flops_per_second(1e3, length=8))
    assert row.seconds_per_update == pytest.approx(3 * 80 * (400 + 944) / 1e3)


def test_only_loaded_units_count(experiment):
    experiment["training"]["partition_vocabulary"] = 60
    assert network_size(Experiment(experiment), "bpe", "en-de") == NetworkSize(50, 60, 3, 4)
