"""The text that the benchmarks work on: the embedded LibreOffice help, en-de, in joint BPE units."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from rarewords.segmentation.registry import create
from rarewords.text.files import read_lines, write_lines
from rarewords.training.encoded import encode_pairs
from rarewords.vocabulary import Vocabulary

CORPUS = Path(__file__).parents[1] / "data" / "demo" / "libreoffice-help" / "en-de"
TOKEN = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True)
class BenchData:
    """Segmented files in a folder, and the vocabulary that both sides share."""

    folder: Path
    vocabulary: Vocabulary

    def path(self, split: str, language: str) -> Path:
        return self.folder / f"{split}.{language}"

    def training(self) -> Path:
        """The training text, encoded."""
        return self.folder / "pairs"


def prepare(folder: Path, merges: int) -> BenchData:
    """Tokenise with a regular expression, learn joint BPE, segment; write train and test of both languages."""
    words = {
        (split, language): [TOKEN.findall(line) for line in read_lines(CORPUS / f"{split}.{language}.gz")]
        for split in ("train", "test")
        for language in ("en", "de")
    }
    counts = [dict(Counter(word for line in words["train", language] for word in line)) for language in ("en", "de")]
    segmenter, _ = create("bpe-joint", {"merges": merges}, counts, ["en", "de"])
    units = {key: [segmenter.segment(line) for line in lines] for key, lines in words.items()}
    trained_on = Counter(unit for language in ("en", "de") for line in units["train", language] for unit in line)
    vocabulary = Vocabulary(dict(trained_on.most_common()))
    file = folder / "vocabulary"
    vocabulary.save(file)
    for (split, language), lines in units.items():
        write_lines(folder / f"{split}.{language}", map(" ".join, lines))
    encode_pairs(folder / "train.en", folder / "train.de", file, file, folder / "pairs")
    return BenchData(folder, vocabulary)
