"""Options that several commands share."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import click

from rarewords.durations import seconds_of
from rarewords.schema import default, key_rules

device = click.option(
    "--device",
    default=default("training.device"),
    show_default=True,
    help="auto (a GPU if available), cpu, cuda or cuda:N.",
)
flush = click.option("--flush", "--line-by-line", is_flag=True, help="Answer each line before reading the next one.")
threads = click.option(
    "--threads", default=default("training.threads"), show_default=True, type=click.IntRange(1), help="CPU threads."
)

precision = click.option(
    "--precision",
    default=default("training.precision"),
    show_default=True,
    type=click.Choice(key_rules("training.precision")["enum"]),
    help="Precision of matrix products; tf32 and bfloat16 are faster on a GPU, bfloat16 also on some CPUs.",
)


class FiniteRange(click.FloatRange):
    """A range of numbers that excludes nan and inf, which click's own accepts."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{number} is not a finite number.", param, ctx)
        return number


class UpdatesOrTime(click.ParamType):
    """A number of updates, or a length of time: 1000, 12 hours, 30 minutes."""

    name = "N|TIME"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | str:
        text = str(value)
        if text.isascii() and text.isdigit() and int(text) > 0:
            return int(text)
        if seconds_of(text) is None:
            self.fail(
                f"{text!r} is neither a number of updates nor a time such as '12 hours' or '30 minutes'.", param, ctx
            )
        return text


def named_files(texts: Iterable[str], option: str) -> dict[str, str]:
    """The files of a repeatable option `NAME=FILE`; raises BadParameter for another form and a name given twice."""
    found: dict[str, str] = {}
    for text in texts:
        name, equals, path = text.partition("=")
        if not equals or not name or not path:
            raise click.BadParameter(f"{text!r} is not NAME=FILE", param_hint=option)
        if name in found:
            raise click.BadParameter(f"{name!r} is named twice", param_hint=option)
        found[name] = path
    return found
