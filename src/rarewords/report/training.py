"""What each system was trained on and for how long: pairs, units per sentence, passes over the text, time.

Systems can be compared only if they were trained on the same pairs, and finer units cost time (paper, section 5):
readers need both beside the scores.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rarewords.report.inputs import TrainingFolders
from rarewords.report.table import Cell, Column, Table
from rarewords.saved_model import DESCRIPTION
from rarewords.text.documents import read_json
from rarewords.text.files import PathLike
from rarewords.training.metrics import FILE_NAME, seconds_reported
from rarewords.training.text_size import MOST_LOST, TextSize, lost_percent, text_size

COLUMNS = [
    Column("", "system"),
    Column("pairs", "trained on"),
    Column("pairs", "lost %"),
    Column("units a sentence", "source"),
    Column("units a sentence", "target"),
    Column("", "unknown %"),
    Column("", "runs"),
    Column("a run", "updates"),
    Column("a run", "passes"),
    Column("", "minutes"),
]


@dataclass(frozen=True)
class Training:
    """The training runs of one system: its text, the updates of a run, its passes over the text, and hours of all runs
    and continuations together, one after another (None where reports are missing).

    `reached` are the updates of each run, which differ where time or patience ended them; `updates` are the most of
    them, and `passes` those of as many updates.
    """

    system: str
    label: str
    text: TextSize
    longest: int
    runs: int
    updates: int
    passes: float
    hours: float | None
    reached: list[int] = field(default_factory=list)


def read_training(folders: TrainingFolders) -> Training:
    """What the training runs of a system left; raises InputError for a member that is missing or of an unknown kind."""
    of_members = [read_json(Path(member) / "model.json", DESCRIPTION)["training"] for member in folders.members]
    made = of_members[-1]
    reached = _reached([one["updates"] for one in of_members], max(len(folders.runs), 1))
    text = text_size(Path(folders.pairs).parent, made["fingerprint"]["max_length"])
    return Training(
        folders.system,
        folders.label,
        text,
        made["fingerprint"]["max_length"],
        len(folders.runs),
        max(reached),
        max(reached) * made["fingerprint"]["batch_size"] / text.trained_on,
        _hours([*folders.runs, *folders.members]),
        reached,
    )


def training_table(trainings: Sequence[Training], pair: str) -> Table:
    """One row for each system; the caption names the systems that lost so many pairs that they saw other text."""
    rows: list[list[Cell]] = [
        [
            one.label,
            one.text.trained_on,
            lost_percent(one.text.pairs, one.text.trained_on),
            one.text.source_units,
            one.text.target_units,
            one.text.unknown,
            one.runs,
            _span(one.reached, one.updates),
            one.passes,
            None if one.hours is None else round(60 * one.hours),
        ]
        for one in trainings
    ]
    caption = [
        f"{pair}: what the systems were trained on. Pairs: those within the limit of {_limits(trainings)} units, "
        f"of {_sizes(trainings)} pairs in the training text. Unknown: target units outside the vocabulary. "
        "Minutes: total time of all runs and continuations.",
        *unequal(trainings),
    ]
    if len({updates for one in trainings for updates in one.reached}) > 1:
        caption.append(
            "Runs ended by time or patience, after different numbers of updates; passes are the most of a run."
        )
    return Table(caption, COLUMNS, rows)


def unequal(trainings: Sequence[Training]) -> list[str]:
    """A sentence if some system lost more than MOST_LOST percent of the pairs, so that others saw more text."""
    lost = {one.label: lost_percent(one.text.pairs, one.text.trained_on) for one in trainings}
    too_many = [f"{label} {percent:.1f} %" for label, percent in lost.items() if percent > MOST_LOST]
    if not too_many:
        return []
    return [
        f"The systems did not see the same text: the limit in units costs some of them more than {MOST_LOST:g} % of "
        f"the pairs ({', '.join(too_many)}), so their scores reflect more than the segmentation."
    ]


def as_json(trainings: Sequence[Training]) -> dict[str, Any]:
    """The training runs by system, for the manifest."""
    return {one.system: {key: value for key, value in asdict(one).items() if key != "system"} for one in trainings}


def from_json(content: Mapping[str, Mapping[str, Any]]) -> list[Training]:
    """The inverse of `as_json`."""
    return [
        Training(**{"system": system, **found, "text": TextSize(**found["text"])}) for system, found in content.items()
    ]


def _reached(updates: Sequence[int], runs: int) -> list[int]:
    """The updates of each run, by those of the saved models that its members continue; members go run by run."""
    members = len(updates) // runs
    return [max(updates[first : first + members]) for first in range(0, runs * members, members)]


def _span(reached: Sequence[int], updates: int) -> Cell:
    """The updates of a run, or the fewest and the most of several."""
    return updates if len(set(reached)) < 2 else f"{min(reached):,}–{max(reached):,}"


def _hours(trainings: Sequence[PathLike]) -> float | None:
    """Hours of all training runs together, by their reports; a folder may lack them (no rule declares them)."""
    seconds = [seconds_reported(Path(folder) / "checkpoints" / FILE_NAME) for folder in trainings]
    return sum(seconds) / 3600 if all(seconds) else None


def _limits(trainings: Sequence[Training]) -> str:
    return " or ".join(map(str, sorted({one.longest for one in trainings})))


def _sizes(trainings: Sequence[Training]) -> str:
    return " or ".join(f"{pairs:,}" for pairs in sorted({one.text.pairs for one in trainings}))
