"""The further segmentations train, translate, restore their text and have statistics."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from rarewords.report.formats import read_tsv
from rarewords.segmentation import registry
from rarewords.text.chain import Preprocessing
from rarewords.text.raw import from_words
from rarewords.text.truecasing import TruecaseModel
from rarewords.vocabulary import Vocabulary

from .conftest import TINY, Snakemake, write_corpus

VARIANTS = TINY.parent / "variants.yaml"
SYSTEMS = yaml.safe_load(VARIANTS.read_text(encoding="utf-8"))["experiment"]["systems"]
SAMPLED = ["regularised", "dropout"]
FORMS = {  # where the text of a system lies that is not that of the corpus
    "pieces": "forms/raw/clean",
    "rules": "forms/no-escape-no-truecase/clean",
    "cleaned": "forms/clean-hashtags-clean-mentions-clean-urls/tc",
    "source-bytes": "forms/raw/clean",
}

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def finished(snakemake: Snakemake, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished experiment with all further segmentations."""
    folder = tmp_path_factory.mktemp("variants")
    write_corpus(folder)
    run = snakemake(folder, configs=(TINY, VARIANTS))
    assert run.returncode == 0, run.stdout
    again = snakemake(folder, configs=(TINY, VARIANTS))
    assert "Nothing to be done" in again.stdout, again.stdout
    return folder


def read(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def test_all_are_in_the_table(finished: Path) -> None:
    table = read_tsv(finished / "results/variants/tables/scores-en-de.tsv")
    assert len([row for row in table.rows if not table.is_paper(row)]) == len(SYSTEMS)


@pytest.mark.parametrize("system", SYSTEMS)
def test_segmented_text_restores(system: str, finished: Path) -> None:
    """That of `cleaned`, too: this text has nothing to clean."""
    folder = finished / "data/tiny/en-de"
    copies = 2 if system in SAMPLED else 1
    for language in ("en", "de"):
        segmenter = registry.load(folder / f"seg/{system}/segmenter.{language}.json")
        name = "sampled/train" if system in SAMPLED else "train"
        lines = read(folder / f"seg/{system}/{name}.{language}")
        restored = [" ".join(segmenter.restore(line.split(" "))) for line in lines]
        assert restored == read(folder / FORMS.get(system, "tc") / f"train.{language}") * copies


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_network_knows_nearly_all_units(system: str, finished: Path) -> None:
    folder = finished / f"data/tiny/en-de/seg/{system}"
    vocabulary = Vocabulary.load(folder / "vocabulary.en")
    units = [unit for line in read(folder / "test.en") for unit in line.split(" ")]
    unknown = sum(unit not in vocabulary for unit in units)
    assert unknown < 0.2 * len(units)
    if "bytes" in system:
        assert unknown == 0


def test_raw_text_is_the_given_text_of_the_same_pairs(finished: Path) -> None:
    folder = finished / "data/tiny/en-de"
    steps = Preprocessing("de")
    assert [from_words(line) for line in read(folder / "forms/raw/tok/test.en")] == read(finished / "given/test.en")
    raw = [from_words(line) for line in read(folder / "forms/raw/clean/train.de")]
    assert [steps.tokens(line) for line in raw] == read(folder / "clean/train.de")


@pytest.mark.parametrize("system", FORMS)
def test_other_forms_are_scored_on_plain_text_and_its_words(system: str, finished: Path) -> None:
    folder = finished / f"results/variants/en-de/{system}/test"
    segmenter = registry.load(finished / f"data/tiny/en-de/seg/{system}/segmenter.de.json")
    truecaser = TruecaseModel.load(finished / "data/tiny/en-de/tc/truecaser.de")
    raw = system in ("pieces", "source-bytes")
    steps = Preprocessing("de", tokenise=not raw, escape=system == "cleaned", truecase=system == "cleaned")
    words = [" ".join(segmenter.restore(filter(None, line.split(" ")))) for line in read(folder / "ensemble.sub")]
    texts = read(folder / "ensemble.txt")
    assert texts == [steps.text(line) for line in words]
    assert read(folder / "ensemble.tc") == [truecaser.apply(Preprocessing("de").tokens(line)) for line in texts]


@pytest.mark.parametrize("system", [system for system in SYSTEMS if system not in FORMS])
def test_translations_are_words(system: str, finished: Path) -> None:
    folder = finished / f"results/variants/en-de/{system}/test"
    segmenter = registry.load(finished / f"data/tiny/en-de/seg/{system}/segmenter.de.json")
    words = [" ".join(segmenter.restore(filter(None, line.split(" ")))) for line in read(folder / "ensemble.sub")]
    assert read(folder / "ensemble.tc") == words
    assert len(words) == 30
    assert not any(mark in line for mark in ("@@", " ##", "\u2581") for line in words)


def test_only_the_network_of_source_bytes_has_blocks(finished: Path) -> None:
    for system in SYSTEMS:
        model = json.loads(
            (finished / f"models/variants/en-de/{system}/member1/model.json").read_text(encoding="utf-8")
        )
        assert model["size"]["source_blocks"] == (4 if system == "source-bytes" else 0)
        assert model["training"]["fingerprint"]["max_length"] == (150 if system == "source-bytes" else 40)


@pytest.mark.parametrize("system", SAMPLED)
def test_random_segmentations_come_from_the_copies(system: str, finished: Path) -> None:
    folder = finished / f"data/tiny/en-de/seg/{system}"
    lines = read(folder / "sampled/train.de")
    one, two = lines[: len(lines) // 2], lines[len(lines) // 2 :]
    assert one != two
    assert json.loads((folder / "pairs/pairs.json").read_text())["copies"] == 2


def test_table_1(finished: Path) -> None:
    for row in ("wordpiece", "cleaned"):
        assert list((finished / f"data/tiny/en-de/table1/{row}").iterdir())
