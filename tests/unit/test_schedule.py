"""When models are saved and which stay, by updates and by the clock, against counting by hand."""

from __future__ import annotations

import pytest

from rarewords.durations import seconds_of
from rarewords.errors import InputError
from rarewords.settings import TrainingLength
from rarewords.training.schedule import make_schedule


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("12 hours", 43200),
        ("1 hour", 3600),
        ("0.5 minutes", 30),
        ("30 minutes", 1800),
        ("0 hours", None),
        ("12h", None),
    ],
)
def test_lengths_of_time(text, seconds) -> None:
    assert seconds_of(text) == seconds


def test_models_are_saved_counting_back_from_the_last_update() -> None:
    schedule = make_schedule(TrainingLength(updates=100, save_every=30), 3)
    assert [update for update in range(101) if schedule.is_due(update, 0, 0)] == [40, 70, 100]
    assert schedule.kept([]) == [40, 70, 100]
    early = make_schedule(TrainingLength(updates=100, save_every=30), 2, stops_early=True)
    assert [update for update in range(101) if early.is_due(update, 0, 0)] == [10, 40, 70, 100]
    assert early.kept([10, 40, 70]) == [40, 70]
    assert early.kept([10, 40, 70], spare=1) == [10, 40, 70]
    assert early.remembered([10, 40, 70, 100]) == [40, 70, 100]


def test_models_are_saved_when_so_much_time_is_over() -> None:
    schedule = make_schedule(TrainingLength(updates=9, save_every="1 minute"), 2)
    clock = [0, 25, 50, 75, 100, 125, 240, 250, 260, 270]  # seconds after each update; one of them takes two minutes
    due = [k for k in range(1, 10) if schedule.is_due(k, clock[k - 1], clock[k])]
    assert due == [3, 5, 6, 9]  # after 60, 120 and 240 seconds, and at the end
    assert schedule.kept(due) == [6, 9]


def test_what_cannot_hold_so_many_models() -> None:
    with pytest.raises(InputError, match=r"training\.updates: 10 updates cannot hold 3 saved models 5 updates apart"):
        make_schedule(TrainingLength(updates=10, save_every=5), 3)
    with pytest.raises(InputError, match=r"training\.hours: 1 hours cannot hold 3 saved models 30 minutes apart"):
        make_schedule(TrainingLength(updates=10, save_every="30 minutes", hours=1), 3)
    with pytest.raises(InputError, match="'soon' is not a length of time"):
        make_schedule(TrainingLength(updates=10, save_every="soon"), 3)
