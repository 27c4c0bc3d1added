"""Lengths of time as people write them: `12 hours`, `30 minutes`."""

from __future__ import annotations

import re

FORM = re.compile(r"(\d+(?:\.\d+)?) (hour|minute)s?")
SECONDS = {"hour": 3600.0, "minute": 60.0}


def seconds_of(text: str) -> float | None:
    """The seconds of `12 hours`, `1 hour` or `0.5 minutes`; None for another form, and for no time at all."""
    match = FORM.fullmatch(text)
    if match is None:
        return None
    return float(match[1]) * SECONDS[match[2]] or None
