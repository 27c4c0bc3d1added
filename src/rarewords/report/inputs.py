"""The inputs of each table and figure: names, and the files with its numbers. parts.py fills these in.

Nothing is read here, so that the workflow can ask for `files` before they exist. The `checksum` of a part changes
with everything in the configuration that the part shows, and with nothing else.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class SystemFiles:
    """A row of the table of scores: names, and the files of its numbers.

    `paper` is the id of the paper's row, `vocabulary` the files of source and target side, `best` and `ensemble` score
    files (None: missing), `singles` those of the single models, `choice` their BLEU on the development set.
    """

    system: str
    label: str
    paper: str | None
    segmentation: str
    shortlist: int | None
    vocabulary: tuple[str | None, str | None]
    best: str | None
    ensemble: str | None
    singles: tuple[str, ...]
    choice: str | None
    members: int | None
    updates: int | None

    def files(self) -> list[str]:
        """All files of the row."""
        optional = (self.best, self.ensemble, self.choice, *self.vocabulary)
        return [*(path for path in optional if path is not None), *self.singles]


@dataclass(frozen=True)
class ScoreFile:
    """One translation's scores; `origin` is the value of the column `from`: OURS or EXTERNAL of formats.py."""

    system: str
    label: str
    paper: str | None
    origin: str
    scores: str


@dataclass(frozen=True)
class VariantFiles:
    """A system of a grid: its value on every axis, the scores of its ensemble and of its members, its vocabularies."""

    system: str
    label: str
    values: Mapping[str, Any]
    ensemble: str
    singles: tuple[str, ...]
    vocabulary: tuple[str, str]

    def files(self) -> list[str]:
        """All files of the system."""
        return [self.ensemble, *self.singles, *self.vocabulary]


@dataclass(frozen=True)
class StatisticsFile:
    """A row of table 1."""

    label: str
    paper: str | None
    statistics: str


@dataclass(frozen=True)
class UnitFiles:
    """The units that a system reads and writes, one sentence per line, and the vocabulary of its source side."""

    system: str
    label: str
    source: str
    output: str
    vocabulary: str

    def files(self) -> list[str]:
        """All files of the system."""
        return [self.source, self.output, self.vocabulary]


@dataclass(frozen=True)
class ExampleTexts:
    """Tokenised, truecased source and reference of the test set, and the words of both training texts with counts."""

    source: str
    reference: str
    source_counts: str
    target_counts: str

    def files(self) -> list[str]:
        """All four texts."""
        return [self.source, self.reference, self.source_counts, self.target_counts]


@dataclass(frozen=True)
class Run:
    """One training run: its reports are JSON lines in the file `metrics`, which may be missing.

    `place` of its system among all of the experiment, from 0, decides its colour, which is that of the other figures.
    """

    pair: str
    label: str
    run: int
    metrics: str
    place: int


@dataclass(frozen=True)
class TrainingFolders:
    """The training runs of a system: its encoded text, the folders of its runs, and those of the members that continue
    them."""

    system: str
    label: str
    pairs: str
    runs: Sequence[str]
    members: Sequence[str]

    def files(self) -> list[str]:
        """The files that exist once everything is trained."""
        return [self.pairs, *(f"{member}/model.json" for member in self.members)]


@dataclass(frozen=True)
class ScoreTable:
    """The table of scores of a pair and test set; `significance` is the comparison with the baseline, if any."""

    pair: str
    test: str
    systems: Sequence[SystemFiles]
    external: Sequence[ScoreFile]
    significance: str | None

    def files(self) -> list[str]:
        """All files that are read."""
        systems = [path for system in self.systems for path in system.files()]
        return [*systems, *(row.scores for row in self.external), *_given(self.significance)]


@dataclass(frozen=True)
class TranslationScores:
    """Scores of translations of a test set: what the table of unseen words and the figure of frequencies show."""

    pair: str
    test: str
    rows: Sequence[ScoreFile]

    def files(self) -> list[str]:
        """All files that are read."""
        return [row.scores for row in self.rows]


@dataclass(frozen=True)
class Ablation:
    """The grid of a pair and test set."""

    pair: str
    test: str
    variants: Sequence[VariantFiles]
    significance: str | None

    def files(self) -> list[str]:
        """All files that are read."""
        return [*(path for variant in self.variants for path in variant.files()), *_given(self.significance)]


@dataclass(frozen=True)
class SegmentationTable:
    """Table 1 of a pair."""

    pair: str
    rows: Sequence[StatisticsFile]

    def files(self) -> list[str]:
        """All files that are read."""
        return [row.statistics for row in self.rows]


@dataclass(frozen=True)
class Examples:
    """The texts of examples, and how examples are chosen: `lines` and `phrases`, or else `number` sentences."""

    pair: str
    test: str
    texts: ExampleTexts
    systems: Sequence[UnitFiles]
    rare_rank: int
    number: int
    lines: tuple[int, ...]
    phrases: tuple[str, ...]

    def files(self) -> list[str]:
        """All files that are read."""
        return [*self.texts.files(), *(path for system in self.systems for path in system.files())]


@dataclass(frozen=True)
class Attention:
    """What a system attends to in the examples; `members` are the folders of its members."""

    examples: str
    system: UnitFiles
    members: Sequence[str]


def checksum(part: Any) -> str:
    """SHA-256 of a part as canonical JSON; parts are dataclasses of this module, or lists and maps."""
    text = json.dumps(part, default=asdict, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _given(path: str | None) -> list[str]:
    return [] if path is None else [path]
