"""A small system without training: networks with random opinions, real segmenters, a real truecaser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from rarewords.bundle.contents import Settings
from rarewords.bundle.export import Sources, write_bundle
from rarewords.bundle.translator import Translator
from rarewords.corpus.importing import count_words
from rarewords.model.parameters import initial_parameters
from rarewords.model.size import NetworkSize
from rarewords.saved_model import SavedModel, save_model
from rarewords.segmentation.registry import create
from rarewords.text.files import write_lines
from rarewords.text.moses import tokenise
from rarewords.text.truecasing import train_truecaser
from rarewords.vocabulary import Vocabulary, unit_counts

ENGLISH = [
    "The old house is green.",
    "I see a house, and the house sees me.",
    "Trees are green. The tree is old.",
    "Click the button below the window.",
]
SCORES = {
    "bleu": {"name": "BLEU", "score": 12.5, "signature": "nrefs:1"},
    "chrf3": {"name": "chrF3", "score": 33.5, "signature": "nc:6"},
}
GERMAN = ["Das alte Haus ist grün.", "Ich sehe ein Haus, und das Haus sieht mich.", "Der Baum ist alt.", "Klicken Sie."]


def save_members(folder: Path, source: Vocabulary, target: Vocabulary, number: int = 3) -> list[Path]:
    """Networks that have sharp opinions and end their translations now and then."""
    size = NetworkSize(len(source), len(target), embedding=6, hidden=8)
    folders = []
    for seed in range(1, number + 1):
        generator = torch.Generator().manual_seed(seed)
        drawn = initial_parameters(size, seed)
        noisy = {name: value + 0.8 * torch.randn(value.shape, generator=generator) for name, value in drawn.items()}
        noisy["readout.output_bias"][0] += 12
        noisy["readout.output_bias"][1] += 3  # unknown words are common
        folders.append(folder / f"m{seed}")
        save_model(folders[-1], SavedModel(noisy, size, source, target, {}))
    return folders


def make_sources(folder: Path) -> Sources:
    """Everything that a bundle of an English-German system needs, in `folder`."""
    texts = {"en": [tokenise(line, "en") for line in ENGLISH], "de": [tokenise(line, "de") for line in GERMAN]}
    counts = [count_words(lines) for lines in texts.values()]
    segmenters = create("bpe", {"merges": 10}, counts, ["en", "de"])
    vocabularies = [
        Vocabulary(unit_counts(segmenter.segment_word, words))
        for segmenter, words in zip(segmenters, counts, strict=True)
    ]
    segmenters[0].save(folder / "segmenter.en.json")
    segmenters[1].save(folder / "segmenter.de.json")
    train_truecaser(texts["en"]).save(folder / "truecaser.en")
    write_lines(folder / "lexicon.tsv", ["house\tHaus\t0.9", "tree\tBaum\t0.8", "i\tich\t0.5"])
    (folder / "score.json").write_text(
        json.dumps({"sentences": 2, **SCORES, "inputs": {"hypothesis": "x"}, "unigram_f1": None}), encoding="utf-8"
    )
    return Sources(
        save_members(folder, *vocabularies),
        folder / "segmenter.en.json",
        folder / "segmenter.de.json",
        folder / "truecaser.en",
        folder / "lexicon.tsv",
        scores={"test": folder / "score.json"},
    )


@pytest.fixture(scope="session")
def sources(tmp_path_factory: Any) -> Sources:
    return make_sources(tmp_path_factory.mktemp("system"))


@pytest.fixture(scope="session")
def bundle(tmp_path_factory: Any, sources: Sources) -> Path:
    """A bundle of three members."""
    folder = Path(tmp_path_factory.mktemp("bundle")) / "system"
    write_bundle(folder, sources, Settings("toy", "en", "de", beam=4))
    return folder


@pytest.fixture(scope="session")
def translator(bundle: Path) -> Translator:
    return Translator.load(bundle, device="cpu")
