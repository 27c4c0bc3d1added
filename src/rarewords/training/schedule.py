"""When models are saved, which of them stay, and when a training run ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rarewords.durations import seconds_of
from rarewords.errors import InputError
from rarewords.settings import TrainingLength


@dataclass(frozen=True)
class Schedule:
    """How far to train: `updates` in all, with a model saved at the updates in `keep`.

    With `interval` a model is saved each time that so many seconds are over, and after the last update, instead. With
    `latest` only so many of them stay, the last ones so far. With `seconds` the training ends at the first of them
    after so much time, when there are enough. The time of earlier starts counts.
    """

    updates: int
    keep: frozenset[int] = frozenset()
    latest: int | None = None
    seconds: float | None = None
    interval: float | None = None

    def is_due(self, updates: int, before: float, now: float) -> bool:
        """Whether a model is saved after this many updates, the last of which took from second `before` to `now`."""
        if self.interval is None:
            return updates in self.keep
        return updates == self.updates or now // self.interval > before // self.interval

    def kept(self, saved_at: Sequence[int], spare: int = 0) -> list[int]:
        """The updates of the saved models that stay, ascending, when models were saved at those in `saved_at`.

        With `spare` also this many older ones, which are the ones to keep if the newest are damaged.
        """
        if self.latest is None:
            return sorted(self.keep)
        return list(saved_at[-self.latest - spare :])

    def remembered(self, saved_at: Sequence[int]) -> list[int]:
        """As many of `saved_at` as a later start may ask for.

        Models of an earlier plan, which this one does not keep, are forgotten: a training that was continued with more
        updates is then equal, bit for bit, to one that was planned so from the beginning.
        """
        if self.latest is None:
            return [updates for updates in saved_at if updates in self.keep]
        return list(saved_at[-self.latest - 1 :])

    def is_late(self, seconds: float) -> bool:
        """Whether a run that took this long has used up its time."""
        return self.seconds is not None and seconds >= self.seconds


def make_schedule(length: TrainingLength, models: int, stops_early: bool = False) -> Schedule:
    """The schedule of a training whose last `models` saved models are wanted.

    A number of updates between them is counted back from the last one. Where a training may stop at any saved model,
    all have to be written, and the last ones so far are kept. Raises InputError if so many models do not fit.
    """
    updates, save_every, hours = length.updates, length.save_every, length.hours
    seconds = None if hours is None else 3600 * hours
    if isinstance(save_every, str):
        interval = seconds_of(save_every)
        if interval is None:
            raise InputError(
                f"training.save_every: '{save_every}' is not a length of time; write, for example, '12 hours'."
            )
        if seconds is not None and interval * models > seconds:
            raise InputError(
                f"training.hours: {hours:g} hours cannot hold {models} saved models {save_every} apart; give more "
                "hours, or save fewer models or more often."
            )
        return Schedule(updates, latest=models, seconds=seconds, interval=interval)
    if updates - save_every * (models - 1) < 1:
        raise InputError(
            f"training.updates: {updates} updates cannot hold {models} saved models {save_every} updates apart; "
            "train longer, or save fewer models or more often."
        )
    if stops_early or hours is not None:
        return Schedule(updates, frozenset(range(updates, 0, -save_every)), models, seconds)
    return Schedule(updates, frozenset(updates - save_every * k for k in range(models)))
