"""The values that code, command line and schema of the configuration offer for one thing are the same."""

from __future__ import annotations

from typing import Any

import click
import pytest

from rarewords.alignment.aligner import ALIGNERS
from rarewords.alignment.numbered import LONGEST as LONGEST_ALIGNED
from rarewords.bundle.parts import LONGEST_TOKEN
from rarewords.cli import cli
from rarewords.corpus.cleaning import LONGEST_WORD
from rarewords.corpus.importing import LONGEST_TEST_LINE
from rarewords.decoding.translator import MAX_UNITS
from rarewords.decoding.unknown_words import HEURISTICS
from rarewords.evaluation.significance import METHODS
from rarewords.machine.device import PRECISIONS
from rarewords.report.paper import load_paper
from rarewords.schema import schema

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


def command(line: str) -> Any:
    """A command by the words that call it."""
    found: Any = cli
    for name in line.split():
        found = found.get_command(click.Context(cli), name)
    return found


def option(line: str) -> click.Parameter:
    """An option by its name after the words that call its command."""
    path, name = line.rsplit(" ", 1)
    (found,) = [parameter for parameter in command(path).params if name in parameter.opts]
    return found


def help_text(line: str) -> str:
    """What --help prints, as one line."""
    return " ".join(command(line).get_help(click.Context(command(line))).split())


@pytest.mark.parametrize("key", KINDS)
def test_schema_command_line_and_code_agree(key: str) -> None:
    names, options = KINDS[key]
    assert offered(key) == list(names)
    for line in options:
        assert list(option(line).type.choices) == list(names)  # type: ignore[attr-defined]


def test_limits_in_help_texts_are_those_of_the_code() -> None:
    assert f"Refuse lines of more than {LONGEST_TEST_LINE:,} characters." in help_text("corpus import")
    assert f"a word of more than {LONGEST_WORD:,} characters" in help_text("corpus clean")
    assert f"more than {LONGEST_ALIGNED:,} units on one" in help_text("align run")
    longest = option("translate --longest")
    assert longest.type.max == MAX_UNITS  # type: ignore[attr-defined]
    assert f"tokens of more than {LONGEST_TOKEN} characters" in help_text("translate")


def test_rows_of_the_paper_are_those_of_its_tables() -> None:
    paper = load_paper()
    assert offered("table1.*.paper") == [*paper["table1"], None]
    for pair in paper["pairs"].values():
        assert offered("external.*.paper") == [*pair["systems"], None]
        assert offered("systems.*.paper") == [*(name for name in pair["systems"] if name != EXTERNAL_ONLY), None]
