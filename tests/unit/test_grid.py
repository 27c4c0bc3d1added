"""Grids: which systems they make, what these share, and one sentence for a grid that cannot be."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from rarewords.errors import InputError
from rarewords.experiment.axes import LABELS, SHORT, axis
from rarewords.experiment.config import checked
from rarewords.experiment.files import experiment_config
from rarewords.experiment.plan import Experiment
from rarewords.schema import schema

ROOT = Path(__file__).parents[2]


def with_grid(grid: dict[str, Any] | None, file: str = "config.yaml", **experiment: Any) -> dict[str, Any]:
    config = experiment_config(ROOT / "config", [ROOT / "config" / file])
    config["experiment"] |= {"pairs": ["en-de"], "systems": ["wunk", "bpe"]} | experiment
    config["training"]["clip_norms"] = [150, 100]
    config["grid"] = grid
    return config


def test_a_grid_stands_in_place_of_its_system() -> None:
    experiment = Experiment(with_grid({"system": "bpe", "merges": [500, 2500], "dropout": [0, 0.1]}))
    ids = [f"bpe-merges-{merges}-dropout-{dropout}" for merges in (500, 2500) for dropout in ("0", "0_1")]
    assert experiment.systems == ["wunk", *ids]
    assert list(experiment.grid) == ids
    assert experiment.trained == experiment.systems
    assert experiment.grid[ids[1]] == {"merges": 500, "dropout": 0.1}
    assert all(re.fullmatch("[A-Za-z0-9][A-Za-z0-9_-]*", name) for name in ids)
    labels = [experiment.system(name, "en-de")["label"] for name in ids]
    assert labels == [
        "500 merges, no dropout", "500 merges, dropout 0.1", "2,500 merges, no dropout", "2,500 merges, dropout 0.1",
    ]  # fmt: skip


def test_more_merges_give_the_vocabulary_as_much_more_room() -> None:
    """The demo's system has 2,500 merges and at most 3,000 units."""
    experiment = Experiment(with_grid({"system": "bpe", "merges": [500, 10000]}))
    assert experiment.segmentation("bpe-merges-500", "en-de") == ("bpe", '{"merges": 500}')
    assert experiment.system("bpe-merges-500", "en-de")["vocabulary"] == {"source": 1000, "target": 1000}
    assert experiment.system("bpe-merges-10000", "en-de")["vocabulary"] == {"source": 10500, "target": 10500}
    assert experiment.system("bpe-merges-500", "en-de")["paper"] is None


def test_a_pairs_own_vocabulary_has_more_room_too() -> None:
    config = with_grid({"system": "bpe", "merges": [2000, 16000]}, "small.yaml", systems=["bpe"])
    config["systems"]["bpe"]["pairs"] = {"en-ru": {"vocabulary": {"source": 8500, "target": 9500}}}
    experiment = Experiment(config)
    assert experiment.system("bpe-merges-16000", "en-ru")["vocabulary"] == {"source": 16500, "target": 17500}
    assert experiment.segmentation("bpe-merges-16000", "en-ru") == ("bpe", '{"merges": 16000}')


def test_a_vocabulary_holds_what_its_segmentation_reserves() -> None:
    """The bytes of the source, whatever the merges of the target side."""
    config = with_grid({"system": "source-bytes", "merges": [100]}, systems=["source-bytes"])
    config["systems"]["source-bytes"] = {
        "label": "x",
        "segmentation": {"method": "source-bytes", "merges": 2500},
        "vocabulary": {"source": 433, "target": 3000},
        "network": {"source_blocks": 4},
    }
    vocabulary = Experiment(config).system("source-bytes-merges-100", "en-de")["vocabulary"]
    assert vocabulary == {"source": 433, "target": 600}
    del config["systems"]["source-bytes"]["network"]
    with pytest.raises(InputError, match=r"source-bytes needs a network that reads blocks of bytes; set systems\."):
        Experiment(config)


def test_copies_of_the_text_stay_those_of_the_system() -> None:
    config = with_grid({"system": "bpe", "dropout": [0.2]})
    config["systems"]["bpe"]["sampling"] = {"dropout": 0.1, "copies": 3}
    assert Experiment(config).sampling("bpe-dropout-0_2", "en-de") == ("dropout", 0.2, 3)


def test_dropout_0_is_one_segmentation() -> None:
    experiment = Experiment(with_grid({"system": "bpe", "dropout": [0, 0.1]}))
    assert experiment.sampling("bpe-dropout-0", "en-de") is None
    assert experiment.sampling("bpe-dropout-0_1", "en-de") == ("dropout", 0.1, 10)


def test_joint_merges_of_two_alphabets_have_their_own_method() -> None:
    grid = {"system": "bpe", "joint": [False, True]}
    experiment = Experiment(with_grid(grid, "small.yaml", systems=["bpe"], pairs=["en-de", "en-ru"]))
    methods = {
        (name, pair): experiment.segmentation(name, pair)[0] for name in experiment.systems for pair in experiment.pairs
    }
    assert methods == {
        ("bpe-joint-no", "en-de"): "bpe",
        ("bpe-joint-no", "en-ru"): "bpe",
        ("bpe-joint-yes", "en-de"): "bpe-joint",
        ("bpe-joint-yes", "en-ru"): "bpe-joint-iso9",
    }


def test_a_pairs_own_definition_varies_too() -> None:
    """The system bpe-joint has other sizes for en-ru; its limit there is 10,500 and 12,000 with 10,000 merges."""
    grid = {"system": "bpe-joint", "merges": [2000]}
    experiment = Experiment(with_grid(grid, "small.yaml", systems=["bpe-joint"]))
    assert experiment.segmentation("bpe-joint-merges-2000", "en-ru") == ("bpe-joint-iso9", '{"merges": 2000}')
    assert experiment.system("bpe-joint-merges-2000", "en-ru")["vocabulary"] == {"source": 2500, "target": 4000}
    assert experiment.system("bpe-joint-merges-2000", "en-de")["vocabulary"] == {"source": 2500, "target": 2500}


def test_bigrams_and_whole_words() -> None:
    experiment = Experiment(with_grid({"system": "c2", "shortlist": [0, 1000], "ngram": [1, 3]}, systems=["c2"]))
    assert experiment.segmentation("c2-shortlist-0-ngram-3", "en-de") == ("char-ngrams", '{"n": 3, "shortlist": 0}')
    assert experiment.system("c2-shortlist-0-ngram-3", "en-de")["label"] == "0 words whole, trigrams"


def test_training_settings_are_those_of_the_system() -> None:
    experiment = Experiment(with_grid({"system": "bpe", "clip": [0.5, 150], "tau": [None, 1000]}))
    assert experiment.systems[1:3] == ["bpe-tau-all-clip-0_5", "bpe-tau-1000-clip-0_5"]
    assert [experiment.clip_norm("bpe-tau-1000-clip-0_5", run) for run in experiment.runs] == [0.5, 0.5]
    assert experiment.training("bpe-tau-1000-clip-150", "partition_vocabulary") == 1000
    assert experiment.training("bpe-tau-all-clip-150", "partition_vocabulary") is None
    assert [experiment.clip_norm("wunk", run) for run in experiment.runs] == [150, 100]


def test_what_does_not_change_the_text_shares_it() -> None:
    experiment = Experiment(with_grid({"system": "bpe", "merges": [500, 600], "clip": [1, 5], "beam": [2]}))
    texts = {name: experiment.text_of(name) for name in experiment.systems}
    assert texts == {
        "wunk": "wunk",
        "bpe-merges-500-clip-1-beam-2": "bpe-merges-500",
        "bpe-merges-500-clip-5-beam-2": "bpe-merges-500",
        "bpe-merges-600-clip-1-beam-2": "bpe-merges-600",
        "bpe-merges-600-clip-5-beam-2": "bpe-merges-600",
    }
    for name, text in texts.items():
        assert experiment.segmentation(name, "en-de") == experiment.segmentation(text, "en-de")
        assert experiment.system(name, "en-de")["vocabulary"] == experiment.system(text, "en-de")["vocabulary"]
    assert Experiment(with_grid({"system": "bpe", "tau": [None, 500]})).text_of("bpe-tau-500") == "bpe"


def test_a_grid_of_beams_trains_nothing_of_its_own() -> None:
    experiment = Experiment(with_grid({"system": "bpe", "beam": [1, 12]}, models_from="demo", name="beams"))
    assert experiment.systems == ["wunk", "bpe-beam-1", "bpe-beam-12"]
    assert experiment.trained == ["wunk", "bpe"]
    assert experiment.models_from == "demo"
    assert experiment.decoding("bpe-beam-1", "beam") == 1
    assert experiment.decoding("wunk", "beam") == 12
    assert experiment.searches("bpe-beam-1")


def test_merges_by_beams_train_each_number_of_merges_once() -> None:
    experiment = Experiment(with_grid({"system": "bpe", "merges": [500, 2500], "beam": [1, 5, 12]}))
    assert len(experiment.systems) == 1 + 6
    assert experiment.trained == ["wunk", "bpe-merges-500", "bpe-merges-2500"]
    assert experiment.models_of("bpe-merges-500-beam-5") == "bpe-merges-500"


def test_the_configuration_that_a_run_keeps_can_be_read_again() -> None:
    config = checked(with_grid({"system": "bpe", "merges": [500], "beam": [1, 5]}))
    assert checked(yaml.safe_load(yaml.safe_dump(config))) == config


@pytest.mark.parametrize(("axis", "values"), [("beam", [1, 5, 12]), ("merges", [500, 600])])
def test_a_kept_configuration_can_have_more_values(axis: str, values: list[int]) -> None:
    config = checked(with_grid({"system": "bpe", axis: values[:-1]}))
    config["grid"][axis] = values
    assert Experiment(config).systems == ["wunk", *(f"bpe-{axis}-{value}" for value in values)]


def test_words_are_replaced_in_translations_of_their_own_systems_search() -> None:
    config = with_grid(None, systems=["wunk", "wdict"])
    config["systems"]["wunk"] |= {"decoding": {"beam": 5}, "training": {"max_length": 9}}
    experiment = Experiment(config)
    assert experiment.decoding("wdict", "beam") == 5
    assert experiment.training("wdict", "max_length") == 9


def test_close_values_are_different_systems() -> None:
    experiment = Experiment(with_grid({"system": "bpe", "dropout": [0.1000001, 0.1000002]}))
    assert experiment.systems == ["wunk", "bpe-dropout-0_1000001", "bpe-dropout-0_1000002"]


def test_every_axis_has_a_label_and_a_key() -> None:
    values = {
        "merges": 1000,
        "joint": True,
        "dropout": 0.1,
        "shortlist": 5,
        "ngram": 2,
        "tau": 10,
        "clip": 1,
        "beam": 3,
    }
    assert set(SHORT) == set(values) <= set(LABELS)
    for name in SHORT:
        base = "c2" if name in ("shortlist", "ngram") else "bpe"
        assert len(Experiment(with_grid({"system": base, name: [values[name]]}, systems=[base])).systems) == 1


@pytest.mark.parametrize(
    ("grid", "systems", "sentence"),
    [
        ({"system": "bpe"}, ["bpe"], "grid: it varies nothing; give a list of values for one of merges, joint, "),
        ({"system": "bpee", "beam": [1]}, ["bpe"], "grid.system: systems defines no 'bpee' with models of its own"),
        ({"system": "wdict", "beam": [1]}, ["wdict"], "grid.system: systems defines no 'wdict' with models of its own"),
        ({"system": "bpe", "beam": [1]}, ["wunk"], "experiment.systems: 'bpe', which grid varies, is not in the list"),
        ({"system": "bpe", "beam": []}, ["bpe"], "grid.beam: [] should be non-empty."),
        ({"system": "bpe", "beam": [0]}, ["bpe"], "grid.beam.0: 0 is less than the minimum of 1."),
        ({"system": "bpe", "beams": [1]}, ["bpe"], "grid.beams: there is no such key in the configuration; did you"),
        (
            {"system": "bpe", "training.updats": [1]},
            ["bpe"],
            "grid.training.updats: there is no such key in the configuration; did you mean 'training.updates'?",
        ),
        (
            {"system": "bpe", "segmentation.mergs": [1]},
            ["bpe"],
            "grid: one of its systems is not possible; systems.bpe-segmentation-mergs-1.segmentation: segmentation "
            "bpe: unknown setting 'mergs'; did you mean 'merges'?",
        ),
        ({"system": "bpe", "training.device": ["cpu"]}, ["bpe"], "grid.training.device: all systems of an experiment"),
        ({"system": "bpe", "alignment.aligner": ["thot"]}, ["bpe"], "grid.alignment.aligner: all systems of an "),
        ({"system": "bpe", "label": ["a"]}, ["bpe"], "grid.label: a grid cannot vary it; it varies segmentation, "),
        (
            {"system": "bpe", "systems.wunk.network.hidden": [4]},
            ["bpe"],
            "grid.systems.wunk.network.hidden: the grid varies 'bpe'; write grid.network.hidden.",
        ),
        (
            {"system": "bpe", "network.hidden": 5},
            ["bpe"],
            "grid.network.hidden: 5 is not a list. Expected: ",
        ),
        ({"system": "bpe", "network.hidden": [4, "x"]}, ["bpe"], "grid.network.hidden.1: 'x' is not a whole number"),
        ({"system": "bpe", "segmentation.merges": ["x"]}, ["bpe"], "grid.segmentation.merges.0: 'x' is not a whole "),
        ({"system": "bpe", "segmentation.n": [2.5]}, ["bpe"], "grid.segmentation.n.0: 2.5 is not a whole number"),
        ({"system": "bpe", "seed": [-1]}, ["bpe"], "grid.seed.0: -1 is less than the minimum of 0."),
        (
            {"system": "bpe", "merges": [5], "segmentation.merges": [6]},
            ["bpe"],
            "grid.segmentation.merges: the grid varies it twice, under two names; remove one of them.",
        ),
        (
            {"system": "bpe", "segmentation": [{"method": "a+b"}, {"method": "a b"}]},
            ["bpe"],
            "grid: two of its systems have the same id; give values that differ in letters or digits.",
        ),
        (
            {"system": "bpe", "network.hidden": [5]},
            ["bpe"],
            "grid: one of its systems is not possible; systems.bpe-network-hidden-5.network.hidden must be even",
        ),
        (
            {"system": "raw", "preprocess.truecase": [True]},
            ["raw"],
            "grid.preprocess.truecase: preprocess of 'raw' is 'raw', without keys to vary; vary preprocess.",
        ),
        (
            {"system": "wunk", "tau": [500, None]},
            ["wunk", "wdict"],
            "experiment.systems: 'wdict' has the models of 'wunk', which grid varies; remove it from the list.",
        ),
        ({"system": "wunk", "merges": [1]}, ["wunk"], "grid.merges: the segmentation words of the system that is"),
        (
            {"system": "c2", "joint": [True]},
            ["c2"],
            "grid: one of its systems is not possible; systems.c2-joint-yes.segmentation: ",
        ),
        (
            {"system": "c2", "dropout": [0.1]},
            ["c2"],
            "grid: one of its systems is not possible; systems.c2-dropout-0_1.sampling: char-",
        ),
    ],
)
def test_a_grid_that_cannot_be_is_one_sentence(grid: dict[str, Any], systems: list[str], sentence: str) -> None:
    config = with_grid(grid, systems=systems)
    config["systems"]["raw"] = config["systems"]["bpe"] | {"preprocess": "raw"}
    with pytest.raises(InputError) as caught:
        Experiment(config)
    assert str(caught.value).startswith(sentence)
    assert "\n" not in str(caught.value)


def test_any_key_of_a_system_is_an_axis() -> None:
    grid = {"system": "bpe", "network.hidden": [64, 96], "training.updates": [6000], "decoding.candidates": [None]}
    experiment = Experiment(with_grid(grid, systems=["bpe"]))
    models = [f"bpe-network-hidden-{hidden}-training-updates-6000" for hidden in (64, 96)]
    assert experiment.systems == [f"{name}-decoding-candidates-none" for name in models]
    assert experiment.trained == models
    assert {experiment.text_of(name) for name in experiment.systems} == {"bpe"}
    assert [experiment.network(name, "hidden") for name in experiment.systems] == [64, 96]
    assert [experiment.training(name, "updates") for name in experiment.systems] == [6000, 6000]
    assert experiment.config["systems"][experiment.systems[0]]["label"] == "hidden 64, updates 6,000, no candidates"
    assert experiment.grid[experiment.systems[0]] == {
        "network.hidden": 64, "training.updates": 6000, "decoding.candidates": None,
    }  # fmt: skip


def test_a_new_key_of_a_section_is_an_axis_by_itself() -> None:
    """Nothing but the schema lists the keys; those that all systems share are refused."""
    definition = with_grid(None)["systems"]["bpe"]
    refused = set()
    for section in ("network", "training", "decoding"):
        for key in schema()["properties"][section]["properties"]:
            try:
                assert axis(f"{section}.{key}", "bpe", definition).path == (section, key)
            except InputError:
                refused.add(f"{section}.{key}")
    assert refused == {
        "training.device", "training.threads", "training.capture", "training.saved_models", "decoding.batch_size",
        "decoding.all_members",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("key", "value", "short"),
    [
        ("systems.bpe.segmentation.merges", 500, "merges"),
        ("segmentation.merges", 500, "merges"),
        ("sampling.dropout", 0, "dropout"),
        ("training.partition_vocabulary", None, "tau"),
        ("training.loaded_vocabulary", None, "tau"),
        ("training.clip_norms", 5, "clip"),
        ("training.cutoffs", 5, "clip"),
        ("decoding.beam", 3, "beam"),
        ("experiment.seed", 7, "seed"),
    ],
)
def test_another_name_is_the_same_axis(key: str, value: Any, short: str) -> None:
    configs = [checked(with_grid({"system": "bpe", name: [value]})) for name in (key, short)]
    assert configs[0] | {"grid": None} == configs[1] | {"grid": None}


def test_the_short_name_of_a_value_that_has_several() -> None:
    experiment = Experiment(with_grid({"system": "bpe", "training.clip_norms": [5, [5, 1]], "vocabulary": [3000]}))
    assert experiment.systems[1:] == ["bpe-vocabulary-3000-clip-5", "bpe-vocabulary-3000-clip-5-1"]
    assert [experiment.clip_norm("bpe-vocabulary-3000-clip-5-1", run) for run in (1, 2)] == [5, 1]
    assert [experiment.clip_norm("bpe-vocabulary-3000-clip-5", run) for run in (1, 2)] == [5, 5]
    assert experiment.system("bpe-vocabulary-3000-clip-5", "en-de")["vocabulary"] == {"source": 3000, "target": 3000}
    label = experiment.system("bpe-vocabulary-3000-clip-5-1", "en-de")["label"]
    assert label == "vocabulary 3,000, cut-off 5 and 1"


def test_segmentations_of_different_settings() -> None:
    ngrams = {"method": "char-ngrams", "n": 2, "shortlist": 1000}
    grid = {"system": "bpe", "segmentation": [{"method": "bpe", "merges": 500}, ngrams], "vocabulary.target": [5000]}
    experiment = Experiment(with_grid(grid, systems=["bpe"]))
    names = ["bpe-segmentation-bpe-merges-500", "bpe-segmentation-char-ngrams-n-2-shortlist-1000"]
    assert experiment.systems == [f"{name}-vocabulary-target-5000" for name in names]
    assert experiment.segmentation(experiment.systems[1], "en-de") == ("char-ngrams", '{"n": 2, "shortlist": 1000}')
    assert experiment.system(experiment.systems[1], "en-de")["vocabulary"] == {"source": 3000, "target": 5000}
    assert [experiment.text_of(name) for name in experiment.systems] == experiment.systems
    labels = [experiment.system(name, "en-de")["label"] for name in experiment.systems]
    assert labels == [
        "bpe, merges 500, vocabulary target 5,000",
        "char-ngrams, n 2, shortlist 1,000, vocabulary target 5,000",
    ]


def test_methods_of_the_same_settings() -> None:
    experiment = Experiment(with_grid({"system": "bpe", "segmentation.method": ["bpe", "bpe-joint"]}, systems=["bpe"]))
    assert [experiment.segmentation(name, "en-de")[0] for name in experiment.systems] == ["bpe", "bpe-joint"]
    assert [experiment.system(name, "en-de")["label"] for name in experiment.systems] == ["bpe", "bpe-joint"]


@pytest.mark.parametrize("key", ["merges", "segmentation.vocabulary"])
def test_the_size_of_a_segmentation_of_pieces(key: str) -> None:
    """A piece more may be two units more: one inside a word, one at its end. A piece less is at least one unit less."""
    config = with_grid({"system": "pieces", key: [500, 2000]}, systems=["pieces"])
    config["systems"]["pieces"] = {
        "label": "x",
        "segmentation": {"method": "sentencepiece", "vocabulary": 1000},
        "vocabulary": {"source": 2000, "target": 2500},
    }
    experiment = Experiment(config)
    names = [f"pieces-segmentation-vocabulary-{size}" for size in (500, 2000)]
    assert experiment.systems == names
    assert [experiment.system(name, "en-de")["label"] for name in names] == ["500 pieces", "2,000 pieces"]
    assert experiment.segmentation(names[1], "en-de") == ("sentencepiece", '{"vocabulary": 2000}')
    assert experiment.system(names[0], "en-de")["vocabulary"] == {"source": 1500, "target": 2000}
    assert experiment.system(names[1], "en-de")["vocabulary"] == {"source": 4000, "target": 4500}


def test_a_vocabulary_that_is_given_does_not_grow_with_the_merges() -> None:
    experiment = Experiment(with_grid({"system": "bpe", "merges": [500, 5000], "vocabulary.source": [2000]}))
    sizes = [experiment.system(name, "en-de")["vocabulary"]["source"] for name in experiment.systems[1:]]
    assert sizes == [2000, 2000]


def test_ids_do_not_depend_on_the_order_of_the_file_but_rows_do() -> None:
    grid = {"system": "bpe", "seed": [1], "training.updates": [6000, 7000], "network.hidden": [64], "merges": [500]}
    other = {"system": "bpe", "merges": [500], "network.hidden": [64], "training.updates": [6000, 7000], "seed": [1]}
    experiments = [Experiment(with_grid(one, systems=["bpe"])) for one in (grid, other)]
    assert experiments[0].systems == experiments[1].systems
    assert experiments[0].systems[0] == "bpe-merges-500-network-hidden-64-training-updates-6000-seed-1"
    assert list(experiments[0].grid[experiments[0].systems[0]]) == [
        "seed",
        "training.updates",
        "network.hidden",
        "merges",
    ]


def test_a_search_keeps_what_its_system_has_of_its_own() -> None:
    config = with_grid({"system": "bpe", "beam": [3]})
    config["systems"]["bpe"]["decoding"] = {"ignore_unknown": True}
    experiment = Experiment(config)
    assert (experiment.decoding("bpe-beam-3", "beam"), experiment.decoding("bpe-beam-3", "ignore_unknown")) == (3, True)


def test_seeds_share_the_text_but_no_training() -> None:
    experiment = Experiment(with_grid({"system": "bpe", "seed": [1234, 0], "merges": [500], "beam": [1, 2]}))
    assert experiment.trained[1:] == ["bpe-merges-500-seed-1234", "bpe-merges-500-seed-0"]
    assert {experiment.text_of(name) for name in experiment.systems[1:]} == {"bpe-merges-500"}
    assert len({experiment.seed("en-de", name, 1) for name in experiment.trained}) == 3


def test_the_seed_of_a_system_is_used_instead_of_that_of_the_experiment() -> None:
    config = with_grid(None)
    config["systems"]["bpe"]["seed"] = 0
    other = with_grid(None, seed=0)
    assert Experiment(config).seed("en-de", "bpe", 2) == Experiment(other).seed("en-de", "bpe", 2)
    assert Experiment(config).seed("en-de", "wunk", 2) == Experiment(with_grid(None)).seed("en-de", "wunk", 2)


def test_an_id_that_is_taken_is_refused() -> None:
    config = with_grid({"system": "bpe", "merges": [500]})
    config["systems"]["bpe-merges-500"] = {"label": "mine", "same_models": "wunk", "unknown_words": "copy"}
    with pytest.raises(InputError, match=r"systems.bpe-merges-500: the grid makes a system of this id"):
        Experiment(config)


@pytest.mark.parametrize("path", sorted((ROOT / "config/ablations").glob("*.yaml")), ids=lambda path: path.stem)
def test_every_ablation_of_the_repository_is_valid(path: Path) -> None:
    files = re.search(r"--configfile((?: config/[\w/-]+\.yaml)+)", path.read_text(encoding="utf-8"))
    assert files is not None
    paths = [ROOT / name for name in files[1].split()]
    assert path in paths
    Experiment(experiment_config(ROOT / "config", paths))


def test_a_system_has_a_cutoff_for_every_run() -> None:
    config = with_grid(None)
    config["systems"]["bpe"]["training"] = {"clip_norms": [1.0]}
    with pytest.raises(InputError) as caught:
        Experiment(config)
    assert str(caught.value) == (
        "systems.bpe.training.clip_norms: there are 1, but training.clip_norms has 2; give one for each run."
    )
