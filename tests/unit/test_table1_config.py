"""The segmentations in a configuration: methods and settings are checked before anything runs."""

import copy

import pytest
import yaml

from rarewords.errors import InputError
from rarewords.experiment.layout import table1_name
from rarewords.experiment.plan import Experiment
from rarewords.report.parts import Parts

CONFIG = yaml.safe_load("""
experiment: {name: x, corpus: c, pairs: [en-de, en-ru], dev: dev, test: [dev], systems: [s], table1: [words, bpe]}
corpora:
  c:
    pairs:
      en-de: {train: ["{lang}"], sets: {dev: ["{lang}"]}}
      en-ru: {train: ["{lang}"], sets: {dev: ["{lang}"]}}
network: {embedding: 8, hidden: 8}
training: {clip_norms: [1], updates: 40, save_every: 1}
systems:
  s: {label: S, segmentation: {method: char-ngrams, shortlist: [10, 20]}, vocabulary: {source: 9, target: 9}}
table1:
  words: {label: none, paper: words, segmentation: {method: words}}
  compounds: {label: split, segmentation: {method: compound-splitting}}
  bpe:
    label: BPE
    segmentation: {method: bpe-joint, merges: 3}
    pairs: {en-ru: {segmentation: {method: bpe-joint-iso9, merges: 4}}}
""")


@pytest.fixture
def config():
    return copy.deepcopy(CONFIG)


def test_rows_in_the_order_of_the_experiment(config):
    config["experiment"]["table1"] = ["bpe", "compounds"]
    experiment = Experiment(config)
    assert experiment.table1_rows == ["bpe", "compounds"]
    assert experiment.table1_segmentation("bpe", "en-de") == ("bpe-joint", '{"merges": 3}')
    assert experiment.table1_segmentation("bpe", "en-ru") == ("bpe-joint-iso9", '{"merges": 4}')
    row = Parts(experiment).table1("en-de").rows[1]
    assert (row.label, row.paper) == ("split", None)
    assert row.statistics.endswith("/en-de/table1/compounds/statistics.json")
    assert (table1_name("en-de"), table1_name("en-ru")) == ("table1", "table1-en-ru")


def test_a_table_of_scores_shows_the_shortlist_of_the_target_side(config):
    experiment = Experiment(config)
    (row,) = Parts(experiment).score_table("en-de", experiment.tests[0]).systems
    assert row.shortlist == 20


def test_rows_have_to_be_defined(config):
    config["experiment"]["table1"] = ["wrods"]
    with pytest.raises(InputError, match=r"experiment\.table1: table1 defines no 'wrods'; did you mean 'words'\?"):
        Experiment(config)


@pytest.mark.parametrize(
    ("where", "segmentation", "complaint"),
    [
        (
            "systems",
            {"method": "bpee"},
            r"systems\.s\.segmentation: there is no segmentation 'bpee'; did you mean 'bpe'",
        ),
        ("systems", {"method": "bpe", "merge": 3}, r"systems\.s\.segmentation: .* did you mean 'merges'"),
        (
            "systems",
            {"method": "compound-splitting"},
            "compound-splitting cannot be undone and can only be used for table 1",
        ),
        (
            "systems",
            {"method": "cleaned", "sides": "both", "segmentation": {"method": "words"}},
            r"systems\.s\.segmentation: cleaned cannot be undone with these settings",
        ),
        ("table1", {"method": "morfessor", "seed": -1}, r"table1\.words\.segmentation: .*'seed'"),
    ],
)
def test_wrong_segmentations(config, where, segmentation, complaint):
    config[where]["s" if where == "systems" else "words"]["segmentation"] = segmentation
    with pytest.raises(InputError, match=complaint):
        Experiment(config)


def test_a_system_may_clean_its_source_side(config):
    config["systems"]["s"]["segmentation"] = {"method": "cleaned", "segmentation": {"method": "bpe", "merges": 5}}
    method, settings = Experiment(config).segmentation("s", "en-de")
    assert (method, settings) == ("cleaned", '{"segmentation": {"merges": 5, "method": "bpe"}}')


def test_segmentations_of_single_pairs_are_checked_too(config):
    config["table1"]["bpe"]["pairs"]["en-ru"]["segmentation"] = {"method": "bpe"}
    with pytest.raises(InputError, match="'merges' is missing"):
        Experiment(config)


@pytest.mark.parametrize(
    ("definition", "complaint"),
    [
        ({"sampling": {"dropout": 0.1}}, r"systems\.s\.sampling: char-ngrams cannot cut a word in several ways; "),
        (
            {
                "segmentation": {"method": "sentencepiece", "vocabulary": 9, "model": "bpe"},
                "sampling": {"alpha": 0.1},
            },
            r"systems\.s\.sampling: sentencepiece cannot cut a word in several ways with these settings; ",
        ),
        ({"sampling": {"alpha": 0.1}, "segmentation": {"method": "bpe", "merges": 3}}, "bpe needs 'dropout'"),
        ({"sampling": {}, "segmentation": {"method": "bpe", "merges": 3}}, "bpe needs 'dropout'"),
        (
            {"sampling": {"dropout": 0.1}, "segmentation": {"method": "bpe", "merges": 3}, "fallback": True},
            r"systems\.s\.fallback: random segmentations need the vocabulary of all units",
        ),
        (
            {"sampling": {"dropout": 1}, "segmentation": {"method": "bpe", "merges": 3}},
            r"systems\.s\.sampling\.dropout",
        ),
    ],
)
def test_wrong_random_segmentations(config, definition, complaint):
    config["systems"]["s"] |= definition
    with pytest.raises(InputError, match=complaint):
        Experiment(config)


def test_random_segmentations(config):
    assert Experiment(config).sampling("s", "en-de") is None
    config["systems"]["s"] |= {"sampling": {"dropout": 0.1}, "segmentation": {"method": "bpe", "merges": 3}}
    assert Experiment(config).sampling("s", "en-de") == ("dropout", 0.1, 10)
