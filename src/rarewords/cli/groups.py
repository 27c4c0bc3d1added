"""A group of commands whose help shows the whole summary of each command."""

from __future__ import annotations

import click

LONGEST = 400  # characters of a summary; click cuts it after 45 and adds dots


class Group(click.Group):
    """Lists its commands with the whole first sentence of their help."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = []
        for name in self.list_commands(ctx):
            command = self.get_command(ctx, name)
            if command is not None and not command.hidden:
                rows.append((name, command.get_short_help_str(LONGEST)))
        with formatter.section("Commands"):
            formatter.write_dl(rows)
