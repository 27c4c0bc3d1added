"""Several values after one flag, as the released tool's options take them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import click


class SeveralValues(click.Command):
    """A command without arguments whose repeatable options take several values: `-i a b` means `-i a -i b`.

    A long flag may be abbreviated if the abbreviation is unambiguous.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        options = [parameter for parameter in self.params if isinstance(parameter, click.Option)]
        flags = {name for option in options if option.multiple for name in option.opts}
        complete = complete_flags(args, [name for option in options for name in option.opts])
        return super().parse_args(ctx, list(repeat_flags(complete, flags)))


def complete_flags(arguments: Iterable[str], flags: Sequence[str]) -> Iterator[str]:
    """The arguments, with the beginning of exactly one of `flags` completed: `--sym=300` is `--symbols=300`."""
    for argument in arguments:
        name, equals, value = argument.partition("=")
        longer = [flag for flag in flags if flag.startswith(name)]
        is_short = not name.startswith("--") or len(name) == 2 or name in flags
        yield argument if is_short or len(longer) != 1 else longer[0] + equals + value


def repeat_flags(arguments: Iterable[str], flags: set[str]) -> Iterator[str]:
    """The arguments with one of `flags` before each of its values; `-` is a value, anything else that begins with it a
    flag.

    The first value of one of `flags` may begin with `-`.
    """
    flag = None  # whose values follow
    is_first_value = False
    for argument in arguments:
        if is_first_value:
            is_first_value = False
        elif argument.startswith("-") and argument != "-":
            flag = argument if argument in flags else None
            is_first_value = flag is not None
        elif flag is not None:
            yield flag
        yield argument
