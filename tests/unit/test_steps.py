"""What the jobs of a workflow read, and their options."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rarewords.corpus.sources import Archive, Text
from rarewords.experiment.files import experiment_config
from rarewords.experiment.plan import Experiment
from rarewords.experiment.steps import Steps, checksum_options, line_options

ROOT = Path(__file__).parents[2]


def steps(**sections: dict[str, Any]) -> Steps:
    """The steps of the demo with other settings; `systems` are merged system by system."""
    config = experiment_config(ROOT / "config", [ROOT / "config/config.yaml"])
    config["experiment"] |= {"systems": ["wunk", "wdict", "bpe"], "pairs": ["en-de"]}
    for system, settings in sections.pop("systems", {}).items():
        config["systems"][system] |= settings
    for section, settings in sections.items():
        config.setdefault(section, {})
        config[section] |= settings
    return Steps(Experiment(config))


def test_training_text_is_cleaned_before_it_is_truecased() -> None:
    demo = steps()
    folder = f"data/{demo.experiment.corpus}/en-de"
    assert demo.tokenised("en-de", "train", "en") == f"{folder}/clean/train.en"
    assert demo.tokenised("en-de", demo.experiment.dev, "en") == f"{folder}/tok/{demo.experiment.dev}.en"
    assert demo.in_shards("shards/{shard}/{src}") == ["shards/1/{src}"]


def test_random_segmentations_are_counted_and_encoded() -> None:
    plain = steps()
    random = steps(systems={"bpe": {"sampling": {"dropout": 0.1, "copies": 3}, "fallback": False}})
    assert plain.copies("bpe", "en-de") == []
    assert plain.counted_units("en-de", "bpe", "de").endswith("/tc/counts.de")
    assert plain.encoded_text("en-de", "bpe", "target").endswith("/seg/bpe/train.de")
    assert random.copies("bpe", "en-de") == ["--copies=3"]
    assert random.sampling_strength("bpe", "en-de") == "--dropout=0.1"
    assert random.counted_units("en-de", "bpe", "de").endswith("/seg/bpe/sampled/train.de")
    assert random.encoded_text("en-de", "bpe", "target").endswith("/seg/bpe/sampled/train.de")


def test_only_systems_with_fallback_are_limited_by_their_vocabulary() -> None:
    limited = steps(systems={"bpe": {"fallback": True}, "wunk": {"fallback": False}})
    assert limited.limiting_vocabulary("en-de", "wunk", "en") == []
    assert [path.rpartition("/")[2] for path in limited.limiting_vocabulary("en-de", "bpe", "en")] == ["vocabulary.en"]


def test_a_member_continues_a_saved_model_whose_update_is_known() -> None:
    training = {"clip_norms": [1, 2], "saved_models": 2, "updates": 100, "save_every": 10}
    demo = steps(training=training)
    assert demo.saved_model("en-de", "bpe", 3) == "models/demo/en-de/bpe/run2/saved1.safetensors"
    assert demo.saved_updates("bpe", 3) == ["--saved-updates=90"]
    for early in ({"patience": 3}, {"hours": 2}):  # a run that may end early
        assert steps(training=training | early).saved_updates("bpe", 3) == []
    assert demo.saved_seed("en-de", "bpe", 3) == demo.experiment.seed("en-de", "bpe", 2)
    assert demo.translating("single-3") == [3]
    assert demo.translating("ensemble") == [1, 2, 3, 4]


def test_the_dictionarys_best_member_is_its_own_choice_among_the_models_of_words() -> None:
    demo = steps()
    dev = demo.experiment.dev
    assert demo.choice("en-de", "bpe", "ensemble") == []
    assert demo.choice("en-de", "wdict", "best") == [f"results/demo/en-de/wdict/{dev}/choice.json"]
    assert demo.choice("en-de", "wunk", "best-for-wdict") == [f"results/demo/en-de/wdict/{dev}/choice.json"]
    assert demo.untouched_translation("en-de", "wdict", "test", "best").endswith("/wunk/test/best-for-wdict.sub")
    assert demo.untouched_translation("en-de", "wdict", "test", "ensemble").endswith("/wunk/test/ensemble.sub")
    assert demo.member_files("en-de", "wdict", [1])[0] == "models/demo/en-de/wunk/member1/model.json"
    assert demo.candidates_to_choose("en-de", "wdict", demo.member_scores("en-de", "wdict", dev))[0] == (
        f"--candidate=models/demo/en-de/wunk/member1=results/demo/en-de/wdict/{dev}/single-1.json"
    )
    assert demo.candidates_to_copy("en-de", "wdict", "test")[0] == (
        "--candidate=models/demo/en-de/wunk/member1=results/demo/en-de/wdict/test/single-1"
    )


def test_candidate_lists_need_the_lexicon() -> None:
    assert steps().candidate_lexicon("en-de", "bpe") == steps().candidate_options("bpe") == []
    lists = steps(decoding={"candidates": {"common": 50, "per_word": 3}})
    assert lists.candidate_options("bpe") == ["--common=50", "--per-word=3"]
    common_alone = steps(decoding={"candidates": {"common": 50, "per_word": 0}})
    assert common_alone.candidate_options("bpe") == ["--common=50", "--per-word=0"]
    assert lists.candidate_lexicon("en-de", "wdict")[0].endswith("/seg/wunk/lexicon.tsv")


def test_copies_of_unknown_words_need_no_lexicon() -> None:
    assert steps().dictionary("en-de", "wdict")[0].endswith("/seg/wunk/lexicon.tsv")
    assert steps(systems={"wdict": {"unknown_words": "copy"}}).dictionary("en-de", "wdict") == []


def test_systems_are_compared_with_the_baseline_first() -> None:
    demo = steps()
    test = demo.experiment.tests[0]
    assert [name for name, _ in demo.compared("en-de", test, "txt")] == ["wdict", "wunk", "bpe"]
    options = demo.compared_options("words", "en-de", test, "tc")
    assert options[0] == f"--words=wdict=results/demo/en-de/wdict/{test}/ensemble.tc"
    assert len(options) == 3
    assert demo.significance("en-de", test) == [f"results/demo/significance/en-de/{test}.json"]
    assert demo.rare_rank(demo.experiment.dev if demo.experiment.dev != test else "other") == []


def test_a_training_gets_its_settings_under_their_names() -> None:
    demo = steps(systems={"bpe": {"training": {"partition_vocabulary": 90}, "network": {"source_blocks": 4}}})
    options = demo.training_options("en-de", "bpe", 1)
    assert options[:4] == ["--embedding=96", "--hidden=128", "--init-std=0.15", "--source-blocks=4"]
    assert {"--clip-norm=150.0", "--partition-vocabulary=90", "--precision=float32"} < set(options)
    assert not [option for option in options if option.startswith(("--hours", "--patience"))]  # there are none
    assert "--source-blocks=0" in demo.training_options("en-de", "wunk", 1)


def test_snakemake_compares_settings_as_it_has_always_recorded_them() -> None:
    """Else every finished training of an earlier version would start again."""
    changed = {"bpe": {"training": {"partition_vocabulary": 90}, "network": {"source_blocks": 4}}}
    demo = steps(systems=changed, training={"hours": 2})

    def recorded(system: str) -> list[Any]:
        wildcards = SimpleNamespace(src="en", tgt="de", system=system, run="1")
        return [record(wildcards) for record in demo.recorded_training_options().values()]

    seed = demo.experiment.seed("en-de", "bpe", 1)
    assert recorded("bpe") == [
        "--embedding=96", "--hidden=128", "--deviation=0.15", ["--source-blocks=4"], "--cutoff=150.0", f"--seed={seed}",
        "--batch-size=40", "--max-length=110", "--precision=float32", ["--loaded-vocabulary=90"], "--updates=5000",
        "--save-every=500", [], "--hours=2",
    ]  # fmt: skip
    assert [value for value in recorded("wunk") if isinstance(value, list)] == [[], [], []]


@pytest.mark.parametrize(("lines", "expected"), [(None, []), (7, ["--lines=7"])])
def test_what_is_known_of_an_archive(lines: int | None, expected: list[str]) -> None:
    assert line_options(Text("en-de", "news", "de", "a.tgz", ("x",), lines=lines)) == expected
    assert checksum_options(Archive("a.tgz", md5="0" * 32)) == [f"--md5={'0' * 32}"]
