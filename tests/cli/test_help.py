"""The help of the commands."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from rarewords.cli import COMMANDS, cli


def groups() -> Iterator[str]:
    for name in COMMANDS:
        if isinstance(cli.get_command(click.Context(cli), name), click.Group):
            yield name


@pytest.mark.parametrize("name", groups())
def test_a_group_says_in_full_what_its_commands_do(name: str) -> None:
    text = CliRunner().invoke(cli, [name, "--help"]).output
    assert "..." not in text.split("Commands:")[1]
