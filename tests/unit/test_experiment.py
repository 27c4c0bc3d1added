"""The configuration: defaults, one sentence for each mistake, and what the workflow reads from it."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from rarewords.errors import InputError
from rarewords.experiment.budget import size_of
from rarewords.experiment.config import checked
from rarewords.experiment.files import experiment_config
from rarewords.experiment.layout import figure_name, language, oov_name, table_name
from rarewords.experiment.plan import Experiment
from rarewords.experiment.projection import network_size
from rarewords.report.inputs import ScoreFile
from rarewords.report.parts import Parts

ROOT = Path(__file__).parents[2]


def merged(*names: str) -> dict[str, Any]:
    """The definitions and then the named files, as Snakemake reads them."""
    return experiment_config(ROOT / "config", [ROOT / name for name in names])


@pytest.fixture
def demo() -> dict[str, Any]:
    """The demo with one language pair, all systems and two runs."""
    config = merged("config/config.yaml")
    config["experiment"] |= {"pairs": ["en-de"], "systems": ["wunk", "wdict", "c2", "bpe", "bpe-joint"]}
    config["training"] |= {"clip_norms": [150, 100], "saved_models": 2}
    for system in ("c2", "bpe"):
        del config["systems"][system]["only_pairs"]
    return config


@pytest.mark.parametrize("path", sorted(str(p.relative_to(ROOT)) for p in (ROOT / "config").glob("*.yaml")))
def test_every_experiment_file_is_valid(path: str) -> None:
    if path in ("config/corpora.yaml", "config/systems.yaml"):
        path = "config/config.yaml"
    checked(merged(path))


@pytest.mark.parametrize("name", ["config", "multi30k", "small", "wmt15"])
def test_the_papers_proportions(name: str) -> None:
    """Words are rare beyond a tenth of WUnk's target vocabulary, a sixth of its source one; C2 keeps the others."""
    experiment = Experiment(merged(f"config/{name}.yaml"))
    rare_rank = experiment.config["experiment"]["rare_rank"]
    for pair in experiment.pairs:
        assert experiment.system("wunk", pair)["vocabulary"] == {"source": 6 * rare_rank, "target": 10 * rare_rank}
        assert experiment.system("c2", pair)["segmentation"]["shortlist"] == rare_rank
        assert experiment.system("wdict", pair)["vocabulary"] == experiment.system("wunk", pair)["vocabulary"]


def wrong(config: dict[str, Any], *keys: str, value: Any) -> str:
    """The sentence for a configuration in which one key has another value."""
    changed = copy.deepcopy(config)
    inner = changed
    for key in keys[:-1]:
        inner = inner[key]
    inner[keys[-1]] = value
    with pytest.raises(InputError) as caught:
        Experiment(changed)
    sentence = str(caught.value)
    assert "\n" not in sentence
    return sentence


def test_an_unknown_key_is_named_with_the_nearest_one(demo: dict[str, Any]) -> None:
    sentence = wrong(demo, "training", "clip_norm", value=[1])
    assert sentence == "training.clip_norm: there is no such key in the configuration; did you mean 'clip_norms'?"
    assert "did you mean 'training'?" in wrong(demo, "trainin", value={})
    assert "systems.bpe.vocabulray: there is no such key" in wrong(demo, "systems", "bpe", "vocabulray", value={})


def test_a_setting_of_the_segmentation_beside_it_is_shown_its_place(demo: dict[str, Any]) -> None:
    sentence = wrong(demo, "systems", "bpe", "merges", value=500)
    assert sentence == "systems.bpe.merges: there is no such key here; write systems.bpe.segmentation.merges."


def test_an_unknown_system_corpus_pair_or_set_is_named_with_the_nearest_one(demo: dict[str, Any]) -> None:
    assert wrong(demo, "experiment", "systems", value=["wunk", "bpe-jiont"]) == (
        "experiment.systems: systems defines no 'bpe-jiont'; did you mean 'bpe-joint'?"
    )
    assert "did you mean 'libreoffice-help'?" in wrong(demo, "experiment", "corpus", value="libre-office-help")
    assert "has no pair 'en-dk'; did you mean 'en-de'?" in wrong(demo, "experiment", "pairs", value=["en-dk"])
    assert "experiment.test: " in wrong(demo, "experiment", "test", value=["tset"])
    assert "experiment.dev: " in wrong(demo, "experiment", "dev", value="devel")


def test_names_of_test_sets_are_told_apart_in_rules(demo: dict[str, Any]) -> None:
    demo["corpora"]["libreoffice-short"]["pairs"]["en-de"]["sets"] |= {"test-a": ["a.{lang}"], "test_a": ["b.{lang}"]}
    assert wrong(demo, "experiment", "test", value=["test-a", "test_a"]).startswith(
        "experiment.test: 'test-a' and 'test_a' differ only in - and _"
    )


def test_a_vocabulary_has_room_beside_what_a_segmentation_reserves(demo: dict[str, Any]) -> None:
    demo["systems"]["bpe"]["segmentation"] = {"method": "bpe-bytes", "merges": 10}
    vocabulary = ("systems", "bpe", "vocabulary")
    assert wrong(demo, *vocabulary, value={"source": 434, "target": 433}) == (
        "systems.bpe.vocabulary.target: 433 leaves no room besides EOS, UNK and the units that the segmentation "
        "reserves; give 434 or more."
    )
    demo["systems"]["bpe"]["vocabulary"] = {"source": 434, "target": 434}
    Experiment(demo)
    demo["systems"]["bpe"] |= {
        "segmentation": {"method": "source-bytes", "merges": 10},
        "network": {"source_blocks": 4},
    }
    assert "bpe.vocabulary.source: 432" in wrong(demo, *vocabulary, value={"source": 432, "target": 3})
    demo["systems"]["bpe"]["vocabulary"] = {"source": 433, "target": 3}  # the source has nothing but bytes
    Experiment(demo)
    demo["systems"]["bpe"]["segmentation"] = {"method": "sentencepiece", "vocabulary": 500, "placeholders": 440}
    assert wrong(demo, *vocabulary, value={"source": 442, "target": 443}).startswith(
        "systems.bpe.vocabulary.source: 442"
    )


def test_wrong_types_and_values_name_the_key(demo: dict[str, Any]) -> None:
    assert wrong(demo, "training", "updates", value="many") == (
        "training.updates: 'many' is not a whole number. Expected: updates of one training run."
    )
    assert wrong(demo, "training", "hours", value=True) == (
        "training.hours: true is not a number or null (YAML reads yes, no, on and off as true and false). "
        "Expected: hours after which a run ends with its next saved model, null for no limit."
    )
    assert wrong(demo, "training", "save_every", value="12h") == (
        "training.save_every: '12h' cannot be used here. "
        "Expected: updates or time between saved models: 1000, 12 hours, 30 minutes."
    )
    for nothing in (0, "0 hours", "0.0 minutes"):
        assert wrong(demo, "training", "save_every", value=nothing).startswith("training.save_every: ")
    assert wrong(demo, "training", "updates", value=0).startswith("training.updates: 0 is less than")
    assert wrong(demo, "training", "clip_norms", value=[]).startswith("training.clip_norms: [] should be non-empty")
    assert wrong(demo, "experiment", "name", value="a/b").startswith("experiment.name: 'a/b' cannot be used here")
    assert wrong(demo, "training", "partition_vocabulary", value=2).startswith(
        "training.partition_vocabulary: 2 is less than"
    )
    assert wrong(demo, "training", "updates", value=200).startswith("training.updates: 200 updates cannot hold")
    demo["training"] |= {"save_every": "30 minutes", "saved_models": 4}
    assert wrong(demo, "training", "hours", value=1.5).startswith(
        "training.hours: 1.5 hours cannot hold 4 saved models"
    )
    demo["training"]["hours"] = 2
    assert Experiment(demo).may_end_early("bpe")
    assert wrong(demo, "network", "hidden", value=7) == "network.hidden must be even, because the maxout reads pairs."
    assert "shortlst" in wrong(demo, "systems", "c2", "segmentation", value={"method": "char-ngrams", "shortlst": 3})
    assert "did you mean 'bpe'?" in wrong(demo, "systems", "bpe", "segmentation", value={"method": "bppe"})


def test_settings_that_cannot_work_are_refused_before_anything_runs(demo: dict[str, Any]) -> None:
    assert wrong(demo, "systems", "bpe", "paper", value="BPE60k").startswith(
        "systems.bpe.paper: 'BPE60k' is not one of"
    )
    assert "'en_ru' cannot be used" in wrong(demo, "systems", "bpe", "pairs", value={"en_ru": {}})
    assert wrong(demo, "systems", "c2", "fallback", value=True) == (
        "systems.c2.fallback: only byte pair encoding has merges to undo; remove the key."
    )
    assert "no sentence is left" in wrong(
        demo, "corpora", "libreoffice-short", "preprocess", value={"minimum": 9, "maximum": 8}
    )
    assert "is not finite" in wrong(demo, "training", "clip_norms", value=[float("nan")])
    assert "same language twice" in wrong(demo, "experiment", "pairs", value=["de-de"])
    files = demo["corpora"]["libreoffice-short"]["pairs"]["en-de"]
    sets = files["sets"] | {"train": ["{lang}"]}
    assert "any name but train" in wrong(demo, "corpora", "libreoffice-short", "pairs", "en-de", "sets", value=sets)
    assert ".train.0: " in wrong(
        demo, "corpora", "libreoffice-short", "pairs", "en-de", value=files | {"train": ["{x}/a.{lang}"]}
    )
    joint = {"method": "bpe-joint-iso9", "merges": 10}
    assert "systems.bpe-joint.segmentation: " in wrong(demo, "systems", "bpe-joint", "segmentation", value=joint)


def test_a_missing_key_is_named(demo: dict[str, Any]) -> None:
    del demo["training"]["clip_norms"]
    with pytest.raises(InputError, match="training: the key 'clip_norms' is missing"):
        Experiment(demo)


def test_defaults_are_filled_in_also_for_null(demo: dict[str, Any]) -> None:
    demo["decoding"] = None
    demo["training"]["threads"] = None
    config = Experiment(demo).config
    assert config["decoding"] == {
        "beam": 12,
        "batch_size": 16,
        "all_members": False,
        "candidates": None,
        "ignore_unknown": False,
        "length_exponent": 1,
    }
    assert config["training"]["threads"] == 1
    assert config["corpora"]["embedded"]["preprocess"]["maximum"] == 80


def test_members_are_numbered_run_by_run(demo: dict[str, Any]) -> None:
    demo["training"] |= {"clip_norms": [5.0, 1.0], "saved_models": 4, "updates": 5000}
    experiment = Experiment(demo)
    assert experiment.members == [1, 2, 3, 4, 5, 6, 7, 8]
    assert [experiment.origin(member) for member in experiment.members] == [
        (r, k) for r in (1, 2) for k in (1, 2, 3, 4)
    ]
    assert (experiment.clip_norm("bpe", 1), experiment.clip_norm("bpe", 2)) == (5.0, 1.0)


def test_seeds_differ_between_trainings_and_are_stable(demo: dict[str, Any]) -> None:
    experiment = Experiment(demo)
    seeds = {experiment.seed("en-de", system, run) for system in experiment.trained for run in experiment.runs}
    assert len(seeds) == len(experiment.trained) * len(experiment.runs)
    assert experiment.seed("en-de", "bpe", 1) == 1386737008
    demo["experiment"]["seed"] = 99
    assert Experiment(demo).seed("en-de", "bpe", 1) != 1386737008


def test_what_a_system_says_of_a_pair_wins() -> None:
    experiment = Experiment(merged("config/wmt15.yaml"))
    assert experiment.segmentation("bpe-joint", "en-de") == ("bpe-joint", '{"merges": 89500}')
    assert experiment.segmentation("bpe-joint", "en-ru") == ("bpe-joint-iso9", '{"merges": 89500}')
    assert experiment.system("bpe-joint", "en-ru")["vocabulary"] == {"source": 90000, "target": 100000}


def test_candidate_lists_are_the_papers_and_otherwise_off(demo: dict[str, Any]) -> None:
    expected = {"common": 30000, "per_word": 10, "block": None}
    assert Experiment(merged("config/wmt15.yaml")).config["decoding"]["candidates"] == expected
    assert Experiment(demo).config["decoding"]["candidates"] is None
    demo["decoding"]["candidates"] = {"block": 100}
    assert Experiment(demo).config["decoding"]["candidates"] == expected | {"block": 100}
    sentence = wrong(demo, "decoding", "candidates", value={"common": 2})
    assert sentence.startswith("decoding.candidates.common: 2 is less than the minimum of 3.")
    assert "but alignment.candidates keeps 10" in wrong(demo, "decoding", "candidates", value={"per_word": 11})


def test_a_system_may_be_for_some_pairs_only(demo: dict[str, Any]) -> None:
    paper = Experiment(merged("config/wmt15.yaml"))
    shared = ["wunk", "wdict", "c2", "bpe", "bpe-joint"]
    assert paper.systems_in("en-de") == [*shared, "c2-500k"]
    assert paper.systems_in("en-ru") == shared
    assert paper.trained_in("en-de") == ["wunk", "c2", "bpe", "bpe-joint", "c2-500k"]
    assert paper.compared("en-ru", "newstest2015") == ["wdict", "wunk", "c2", "bpe", "bpe-joint"]
    demo["experiment"] |= {"corpus": "embedded", "pairs": ["en-de", "en-ru"]}
    demo["systems"]["wunk"]["only_pairs"] = ["en-de"]
    experiment = Experiment(demo)  # a system that shares models of such a one is for the same pairs
    assert experiment.systems_in("en-ru") == ["c2", "bpe", "bpe-joint"]
    assert experiment.baseline == "c2"
    assert wrong(demo, "experiment", "baseline", value="wdict") == (
        "experiment.baseline: 'wdict' is not for en-ru (only_pairs); choose another one."
    )
    assert wrong(demo, "experiment", "systems", value=["wunk", "wdict"]) == (
        "experiment.systems: no system is for en-ru; add one, or leave out the pair."
    )


def test_a_system_may_share_the_models_of_another(demo: dict[str, Any]) -> None:
    experiment = Experiment(demo)
    assert experiment.systems[:2] == ["wunk", "wdict"]
    assert experiment.trained == ["wunk", "c2", "bpe", "bpe-joint"]
    assert (experiment.models_of("wdict"), experiment.models_of("wunk")) == ("wunk", "wunk")
    assert experiment.unknown_words("wdict") == "dictionary"
    # what the experiment says of wunk holds for wdict, too
    assert experiment.system("wdict", "en-de")["vocabulary"] == {"source": 6000, "target": 10000}
    assert experiment.segmentation("wdict", "en-de") == ("words", "{}")
    for heuristic, shown in (("dictionary", "word+dictionary"), ("copy", "word+copy")):
        demo["systems"]["wdict"]["unknown_words"] = heuristic
        row = Parts(Experiment(demo)).score_table("en-de", "test").systems[1]
        assert (row.label, row.paper, row.segmentation) == ("WDict", "WDict", shown)
    demo["experiment"]["systems"] = ["wdict"]
    assert Experiment(demo).trained == ["wunk"]


def test_what_cannot_be_shared_is_named(demo: dict[str, Any]) -> None:
    def sentence(**changes: Any) -> str:
        definition = {key: value for key, value in (demo["systems"]["wdict"] | changes).items() if value is not None}
        return wrong(demo, "systems", "wdict", value=definition)

    assert sentence(same_models="wunck") == (
        "systems.wdict.same_models: systems defines no 'wunck'; did you mean 'wunk'?"
    )
    assert sentence(same_models="wdict") == (
        "systems.wdict.same_models: 'wdict' has no models of its own; name a system that has."
    )
    assert sentence(same_models=None).startswith("systems.wdict: the key 'segmentation' is missing")
    assert sentence(unknown_words=None).startswith(
        "systems.wdict: with same_models, give either unknown_words or decoding;"
    )
    assert sentence(unknown_words="dict").startswith("systems.wdict.unknown_words: 'dict' is not one of")
    assert sentence(vocabulary={"source": 9, "target": 9}) == (
        "systems.wdict.vocabulary: same_models takes it from 'wunk'; remove the key."
    )
    assert "wdict.pairs.en-de.segmentation: same_models takes it" in sentence(
        pairs={"en-de": {"segmentation": {"method": "words"}}}
    )
    assert "systems.wdict.fallback: same_models takes it" in sentence(fallback=True)
    own = demo["systems"]["wunk"] | {"unknown_words": "copy"}
    assert wrong(demo, "systems", "wunk", value=own) == (
        "systems.wunk.unknown_words: name the system whose translations are used in same_models."
    )


def test_parts_name_the_files_of_a_side() -> None:
    experiment = Experiment(merged("config/small.yaml"))
    assert experiment.parts("en-ru", "dev", "target") == [
        "data/demo/libreoffice-help/en-ru/dev.ru.gz",
        "data/demo/gnome-help/en-ru/dev.ru.gz",
    ]


def test_a_missing_file_is_named_with_its_key(demo: dict[str, Any], tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(ROOT)
    assert Experiment(demo).missing_files() == []
    sets = demo["corpora"]["libreoffice-short"]["pairs"]["en-de"]["sets"]
    for side in ("en", "de"):
        (tmp_path / f"test.{side}").write_text("x\n", encoding="utf-8")
    sets["test"] = [f"{tmp_path}/test.{{lang}}"]
    assert Experiment(demo).missing_files() == []
    (tmp_path / "test.de").unlink()  # a test set without reference
    with pytest.raises(InputError) as caught:
        Experiment(demo).missing_files()
    assert str(caught.value).startswith(
        f"corpora.libreoffice-short.pairs.en-de.sets.test: there is no file {tmp_path}/test.de (the target side)"
    )


def test_an_example_that_the_test_set_does_not_have_is_named_with_its_key(demo: dict[str, Any], tmp_path: Path) -> None:
    sets = demo["corpora"]["libreoffice-short"]["pairs"]["en-de"]["sets"]
    sets["test"] = [f"{tmp_path}/a.{{lang}}", f"{tmp_path}/b.{{lang}}"]
    demo["report"] = {"examples": {"en-de": [5, 6]}}
    (tmp_path / "a.en").write_text("1\n2\u20282\n3\n", encoding="utf-8")
    Experiment(demo).check_examples()  # b.en is not there yet
    (tmp_path / "b.en").write_text("4\n5\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        Experiment(demo).check_examples()
    assert str(caught.value) == (
        "report.examples.en-de: there is no line 6, as 'test' has lines 1 to 5; choose one of these."
    )
    demo["report"] = {"examples": {"en-de": [1, 5]}}
    Experiment(demo).check_examples()


def test_missing_files_of_a_corpus_by_hand_are_listed(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    config = merged("config/wmt15.yaml")
    config["corpora"]["wmt15"]["by_hand"] = True
    for files in config["corpora"]["wmt15"]["pairs"].values():
        del files["fetch"]
    missing = Experiment(config).missing_files()
    assert len(missing) == len(set(missing)) == 2 * (3 + 4) + 2 * 3 * 2
    Path(missing[0]).parent.mkdir(parents=True)
    Path(missing[0]).write_text("x\n", encoding="utf-8")
    assert Experiment(config).missing_files() == missing[1:]


def test_all_of_the_papers_corpus_is_fetched_but_what_is_there(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    experiment = Experiment(merged("config/wmt15.yaml"))
    assert experiment.missing_files() == []
    fetched = experiment.texts_to_fetch()
    assert len(fetched) == 2 * (3 + 4) + 2 * 3 * 2
    assert set(experiment.archives_to_fetch()) == {
        "training-parallel-europarl-v7.tgz", "training-parallel-commoncrawl.tgz", "training-parallel-nc-v10.tgz",
        "wiki-titles.tgz", "1mcorpus.zip", "wmt13-test.tgz", "wmt14-test-full.tgz", "wmt15-test.tgz",
    }  # fmt: skip
    text = fetched["data/wmt15/given/en-ru/wiki-headlines.ru"]
    assert (text.archive, text.members, text.columns) == ("wiki-titles.tgz", ("wiki/ru-en/wiki.ru-en",), ("ru", "en"))
    for name in ("given/en-de/europarl-v7.en", "archives/wiki-titles.tgz"):
        (tmp_path / "data/wmt15" / name).parent.mkdir(parents=True)
        (tmp_path / "data/wmt15" / name).write_text("x\n", encoding="utf-8")
    assert set(fetched) - set(experiment.texts_to_fetch()) == {"data/wmt15/given/en-de/europarl-v7.en"}
    assert "wiki-titles.tgz" not in experiment.archives_to_fetch()
    (tmp_path / "data/wmt15/given/en-de/europarl-v7.de").write_text("x\n", encoding="utf-8")
    assert "training-parallel-europarl-v7.tgz" not in experiment.archives_to_fetch()


def test_mistakes_about_archives_name_the_key() -> None:
    config = merged("config/wmt15.yaml")
    corpus = config["corpora"]["wmt15"]
    fetch = corpus["pairs"]["en-ru"]["fetch"]
    where = "corpora.wmt15.pairs.en-ru.fetch.wiki-headlines"
    path = ("corpora", "wmt15", "pairs", "en-ru", "fetch", "wiki-headlines")
    headlines = fetch["wiki-headlines"]
    assert wrong(config, *path, value=headlines | {"archive": "wiki-title.tgz"}) == (
        f"{where}.archive: the corpus has no archive 'wiki-title.tgz'; did you mean 'wiki-titles.tgz'?"
    )
    assert wrong(config, *path, value=headlines | {"members": {"en": ["a"]}}) == (
        f"{where}.members: give en and ru, each once."
    )
    assert wrong(config, *path, "columns", value=["ru", "de"]) == f"{where}.columns: give en and ru, each once."
    archives = ("corpora", "wmt15", "archives")
    assert "wmt13-test.tgz.md5: 'abc' cannot be used" in wrong(config, *archives, "wmt13-test.tgz", "md5", value="abc")
    assert "cannot be used" in wrong(config, *archives, "wmt13-test.tgz", "urls", value=["ftp://a/b"])
    assert "'../x.tgz' cannot be used" in wrong(config, *archives, value=corpus["archives"] | {"../x.tgz": {}})


def test_names_of_languages_and_tables() -> None:
    assert (language("en-ru", "source"), language("en-ru", "target")) == ("en", "ru")
    pairs = ("en-de", "en-ru", "de-en")
    assert [table_name(pair) for pair in pairs] == ["table2", "table3", "scores-de-en"]
    assert [table_name(pair, in_paper=False) for pair in pairs] == ["scores-en-de", "scores-en-ru", "scores-de-en"]
    assert [oov_name(pair) for pair in pairs] == ["table2-oov", "table3-oov", "scores-de-en-oov"]
    assert [figure_name(pair) for pair in pairs] == ["figure2", "figure3", "figure-frequency-de-en"]


@pytest.fixture
def compared(demo: dict[str, Any], tmp_path: Path) -> dict[str, Any]:
    """The demo with an SMT translation of its test set."""
    path = tmp_path / "smt.de"
    path.write_text("x\n", encoding="utf-8")
    demo["experiment"]["external"] = ["smt"]
    demo["external"] = {"smt": {"label": "My SMT", "paper": "SMT", "hypotheses": {"en-de": {"test": str(path)}}}}
    return demo


def test_the_baseline_is_compared_with_all_others(compared: dict[str, Any]) -> None:
    # the system with the dictionary, as in the paper's headline
    assert Experiment(compared).compared("en-de", "test") == ["wdict", "smt", "wunk", "c2", "bpe", "bpe-joint"]
    compared["experiment"]["baseline"] = "bpe"
    assert Experiment(compared).compared("en-de", "test") == ["bpe", "smt", "wunk", "wdict", "c2", "bpe-joint"]
    without = copy.deepcopy(compared)
    without["experiment"] |= {"systems": ["wunk", "bpe"], "baseline": None}
    assert Experiment(without).compared("en-de", "test") == ["wunk", "smt", "bpe"]
    without["systems"]["wdict"]["unknown_words"] = "copy"  # no dictionary
    without["experiment"]["systems"] = ["wunk", "wdict"]
    assert Experiment(without).baseline == "wunk"
    compared["experiment"]["baseline"] = "smt"
    assert Experiment(compared).compared("en-de", "test") == ["smt", "wunk", "wdict", "c2", "bpe", "bpe-joint"]
    assert Experiment(compared).external_of("en-de", "other") == []


def test_rows_of_external_translations_and_systems(compared: dict[str, Any]) -> None:
    rows = Parts(Experiment(compared)).oov_table("en-de", "test").rows
    assert rows[0] == ScoreFile("smt", "My SMT", "SMT", "external", "results/demo/en-de/smt/test/given.json")
    assert {row.origin for row in rows[1:]} == {"ours"}


def test_mistakes_in_external_translations_name_the_key(
    compared: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert wrong(compared, "experiment", "external", value=["smtt"]) == (
        "experiment.external: external defines no 'smtt'; did you mean 'smt'?"
    )
    assert wrong(compared, "experiment", "systems", value=["smt"]).startswith("experiment.systems: ")
    both = compared | {"external": compared["external"] | {"bpe": compared["external"]["smt"]}}
    assert "'bpe' is also the id of a system" in wrong(both, "experiment", "external", value=["bpe"])
    assert wrong(compared, "external", "smt", "hypotheses", value={"en-de": {"tset": "x"}}).startswith(
        "external.smt.hypotheses: it has no file for any pair and test set of the experiment (en-de; test)"
    )
    assert "is not one of" in wrong(compared, "external", "smt", "paper", value="Moses")
    assert wrong(compared, "experiment", "baseline", value="wnuk") == (
        "experiment.baseline: the experiment has no system 'wnuk'; did you mean 'wunk'?"
    )
    compared["experiment"] |= {"corpus": "embedded", "test": ["test", "test-gnome"]}
    assert "experiment.baseline: 'smt' has no hypotheses for some pair and test set" in wrong(
        compared, "experiment", "baseline", value="smt"
    )
    monkeypatch.chdir(ROOT)
    Experiment(compared).check_external_files()
    compared["external"]["smt"]["hypotheses"]["en-de"]["test"] = "absent.de"
    with pytest.raises(InputError) as caught:
        Experiment(compared).check_external_files()
    assert str(caught.value).startswith("external.smt.hypotheses.en-de.test: there is no file absent.de")


def test_a_system_may_have_blocks_of_its_own(demo: dict[str, Any]) -> None:
    demo["systems"]["bpe"]["network"] = {"source_blocks": 4}
    experiment = Experiment(demo)
    assert [experiment.network(system, "source_blocks") for system in ("bpe", "wunk")] == [4, 0]
    assert network_size(experiment, "bpe", "en-de").source_blocks == 4
    assert [size_of(experiment, system, "en-de").source_blocks for system in ("bpe", "wunk")] == [4, 0]
    demo["network"]["source_blocks"] = 3
    demo["systems"]["bpe"]["network"] = {}
    assert [Experiment(demo).network(system, "source_blocks") for system in ("bpe", "wunk")] == [3, 3]
    assert "network.source_blocks: -1 is less than" in wrong(demo, "network", "source_blocks", value=-1)
    del demo["network"]["source_blocks"]
    assert "systems.bpe.network.hiden: there is no such key in the configuration; did you mean 'hidden'?" in wrong(
        demo, "systems", "bpe", "network", value={"hiden": 4}
    )
    assert "wdict.network: same_models takes it from 'wunk'" in wrong(
        demo, "systems", "wdict", "network", value={"source_blocks": 4}
    )


def test_a_system_may_have_any_key_of_network_training_and_decoding(demo: dict[str, Any]) -> None:
    demo["systems"]["bpe"] |= {"network": {"hidden": 6}, "training": {"updates": 7000}, "decoding": {"candidates": {}}}
    experiment = Experiment(demo)
    assert [network_size(experiment, system, "en-de").hidden for system in ("bpe", "wunk")] == [6, 128]
    assert [experiment.training(system, "updates") for system in ("bpe", "wunk")] == [7000, 5000]
    assert experiment.decoding("bpe", "candidates") == {"common": 30000, "per_word": 10, "block": None}
    assert experiment.decoding("wunk", "candidates") is None
    own = demo["systems"]["bpe"]
    assert "systems.bpe.network.hidden must be even" in wrong(demo, "systems", "bpe", "network", value={"hidden": 5})
    own["network"] = {}
    assert "systems.bpe.training.updates: 5 updates cannot hold" in wrong(
        demo, "systems", "bpe", "training", value={"updates": 5}
    )
    own["training"] = {}
    assert "systems.bpe.training.saved_models: there is no such key" in wrong(
        demo, "systems", "bpe", "training", value={"saved_models": 2}
    )


@pytest.mark.parametrize("label", ["a\nb", "a\tb", "\x1b[31mred", "a\x00", "{x}", "", "x" * 2000])
def test_a_label_stands_on_one_line_and_has_no_braces(demo: dict[str, Any], label: str) -> None:
    assert "systems.bpe.label: " in wrong(demo, "systems", "bpe", "label", value=label)


@pytest.mark.parametrize("key", ["name", "models_from"])
def test_a_name_does_not_end_in_a_line_end(demo: dict[str, Any], key: str) -> None:
    assert f"experiment.{key}: " in wrong(demo, "experiment", key, value="demo\n")


def test_an_absurd_beam_is_refused(demo: dict[str, Any]) -> None:
    sentence = wrong(demo, "decoding", value={"beam": 10**9})
    assert "decoding.beam: 1000000000 is greater than the maximum of 1000" in sentence


def test_anchors_inside_themselves_and_keys_that_are_no_text_are_one_sentence(demo: dict[str, Any]) -> None:
    assert "the key False is not text: put it in quotes" in wrong(demo, "systems", "bpe", "pairs", value={False: {}})
    turning: dict[str, Any] = {}
    turning["en-de"] = turning
    assert "an anchor inside itself" in wrong(demo, "systems", "bpe", "pairs", value=turning)
