"""The values that code, command line and schema of the configuration offer for one thing are the same."""

from __future__ import annotations

from typing import Any

import click
import pytest

from rarewords.alignment.aligner import ALIGNERS
from rarewords.cli import cli
from rarewords.decoding.unknown_words import HEURISTICS
from rarewords.evaluation.significance import METHODS
from rarewords.experiment.config import schema
from rarewords.model.device import PRECISIONS
from rarewords.report.paper import load_paper

EXTERNAL_ONLY = "SMT"  # of the paper's rows: no system of ours can be beside it
KINDS = {
    "alignment.aligner": (ALIGNERS, ["align run --aligner"]),
    "experiment.significance.method": (METHODS, ["significance --method"]),
    "training.precision": (PRECISIONS, ["train run --precision"]),
    "systems.*.unknown_words": (HEURISTICS, ["replace-unknown --heuristic", "export --unknown-words"]),
}


def offered(key: str) -> list[Any]:
    """The enumeration of a key of the configuration; `*` is any name."""
    root = schema()
    rules = root
    for name in key.split("."):
        rules = rules["additionalProperties"] if name == "*" else rules["properties"][name]
        if "$ref" in rules:
            rules = root["$defs"][rules["$ref"].rsplit("/", 1)[1]]
    return list(rules["enum"])


def choices(line: str) -> list[str]:
    """The choices of an option of the command line."""
    *path, option = line.split()
    command: Any = cli
    for name in path:
        command = command.get_command(click.Context(cli), name)
    (found,) = [parameter for parameter in command.params if option in parameter.opts]
    return list(found.type.choices)


@pytest.mark.parametrize("key", KINDS)
def test_schema_command_line_and_code_agree(key: str) -> None:
    names, options = KINDS[key]
    assert offered(key) == list(names)
    for option in options:
        assert choices(option) == list(names)


def test_rows_of_the_paper_are_those_of_its_tables() -> None:
    paper = load_paper()
    assert offered("table1.*.paper") == [*paper["table1"], None]
    for pair in paper["pairs"].values():
        assert offered("external.*.paper") == [*pair["systems"], None]
        assert offered("systems.*.paper") == [*(name for name in pair["systems"] if name != EXTERNAL_ONLY), None]
