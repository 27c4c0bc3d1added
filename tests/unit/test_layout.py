"""The paths of a run: those of docs/architecture.md, for names and for Snakemake's wildcards."""

from __future__ import annotations

from pathlib import Path

from rarewords.experiment.files import experiment_config
from rarewords.experiment.layout import PAIR, Layout, config_file, language
from rarewords.experiment.plan import Experiment
from rarewords.experiment.segmenters import segmenter_files

ROOT = Path(__file__).parents[2]
LAYOUT = Layout("mine", "yours", "news", "newstest2015")


def test_text_lies_below_the_corpus() -> None:
    assert LAYOUT.text("tok", "en-de", "dev", "de") == "data/news/en-de/tok/dev.de"
    assert (
        LAYOUT.text("raw", PAIR, "shards/{shard}/train", "{src}")
        == "data/news/{src}-{tgt}/raw/shards/{shard}/train.{src}"
    )
    assert LAYOUT.archive("a.tgz") == "data/news/archives/a.tgz"
    assert LAYOUT.given("en-de/news.de") == "data/news/given/en-de/news.de"
    assert LAYOUT.lock == "data/news/corpora.lock.json"
    assert LAYOUT.truecaser("en-de", "en") == "data/news/en-de/tc/truecaser.en"
    assert LAYOUT.counts("en-de", "en") == "data/news/en-de/tc/counts.en"


def test_segmented_text() -> None:
    folder = "data/news/en-de/seg/bpe"
    assert LAYOUT.segmenter("en-de", "bpe", "de") == f"{folder}/segmenter.de.json"
    assert LAYOUT.vocabularies("en-de", "bpe") == (f"{folder}/vocabulary.en", f"{folder}/vocabulary.de")
    assert LAYOUT.units("en-de", "bpe", "test", "en") == f"{folder}/test.en"
    assert LAYOUT.sampled("en-de", "bpe", "en") == f"{folder}/sampled/train.en"
    assert LAYOUT.pairs("en-de", "bpe") == f"{folder}/pairs/pairs.json"
    assert LAYOUT.arrays("en-de", "bpe")[0] == f"{folder}/pairs/source.ids"
    assert len(LAYOUT.arrays("en-de", "bpe")) == 6
    assert LAYOUT.alignment("en-de", "bpe", "forward") == f"{folder}/align/forward.txt"
    assert LAYOUT.lexicon("en-de", "bpe") == f"{folder}/lexicon.tsv"
    assert LAYOUT.table1_segmenter("en-de", "words", "de") == "data/news/en-de/table1/words/segmenter.de.json"
    assert LAYOUT.table1_statistics("en-de", "words") == "data/news/en-de/table1/words/statistics.json"


def test_models_may_be_those_of_another_experiment() -> None:
    assert LAYOUT.saved("en-de", "bpe", 1, 4) == "models/yours/en-de/bpe/run1/saved4.safetensors"
    assert LAYOUT.metrics("en-de", "bpe", 2) == "models/yours/en-de/bpe/run2/checkpoints/metrics.jsonl"
    assert LAYOUT.member_files("en-de", "bpe", 8) == [
        "models/yours/en-de/bpe/member8/model.json",
        "models/yours/en-de/bpe/member8/model.safetensors",
    ]


def test_results_are_the_experiments_own() -> None:
    folder = "results/mine/en-de/bpe/newstest2015"
    assert LAYOUT.translation("en-de", "bpe", "newstest2015", "single-1", "tc") == f"{folder}/single-1.tc"
    assert LAYOUT.scores("en-de", "bpe", "newstest2015", "ensemble") == f"{folder}/ensemble.json"
    assert LAYOUT.choice("en-de", "bpe", "dev") == "results/mine/en-de/bpe/dev/choice.json"
    assert LAYOUT.significance("en-de", "newstest2015") == "results/mine/significance/en-de/newstest2015.json"
    assert LAYOUT.config == config_file("mine") == "results/mine/config.yaml"
    assert LAYOUT.attention("en-de", "bpe") == "results/mine/figures/attention/en-de/bpe"
    assert LAYOUT.learning_curves("svg") == "results/mine/figures/learning-curves.svg"
    assert (LAYOUT.manifest, LAYOUT.report) == ("results/mine/manifest.json", "results/mine/report.html")


def test_tables_of_the_first_test_set_lie_on_top() -> None:
    assert LAYOUT.table("table2", "newstest2015", "md") == "results/mine/tables/table2.md"
    assert LAYOUT.table("table2", "newstest2014", "md") == "results/mine/tables/newstest2014/table2.md"
    assert LAYOUT.figure("figure2", "newstest2014", "svg") == "results/mine/figures/newstest2014/figure2.svg"


def test_what_experiments_share_is_logged_by_the_corpus() -> None:
    assert LAYOUT.log("score", "en-de/bpe") == "logs/score/mine/en-de/bpe.log"
    assert LAYOUT.log("tokenise", "en-de/dev.de", of_text=True) == "logs/tokenise/news/en-de/dev.de.log"
    assert LAYOUT.benchmark("train", "en-de/bpe/run1") == "benchmarks/train/mine/en-de/bpe/run1.tsv"


def test_languages_of_a_pair() -> None:
    assert (language("en-ru", "source"), language("en-ru", "target")) == ("en", "ru")


def test_systems_that_share_a_segmenter_have_one_entry() -> None:
    config = experiment_config(ROOT / "config", [ROOT / "config/config.yaml"])
    config["experiment"] |= {"systems": ["wunk", "wdict", "bpe"], "table1": ["words"], "pairs": ["en-de"]}
    files = list(segmenter_files(Experiment(config)))
    assert [path.split("/en-de/")[1] for _, path in files] == [
        f"{folder}/segmenter.{lang}.json" for folder in ("seg/wunk", "seg/bpe", "table1/words") for lang in ("en", "de")
    ]
    assert files[0][0] == "WUnk"
