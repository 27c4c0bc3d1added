"""Options of commands for the fields of settings: their limits, defaults and help are those of the schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import Field, fields
from typing import Any, TypeVar

import click

from rarewords.cli.options import FiniteRange, UpdatesOrTime
from rarewords.schema import key_rules

Settings = TypeVar("Settings")
Command = Callable[..., Any]


def options_of(settings: type) -> Callable[[Command], Command]:
    """Give a command an option for each field of some settings that is a key of the configuration."""

    def decorate(command: Command) -> Command:
        for one in reversed(_keys(settings)):
            command = _option(one.name, key_rules(one.metadata["key"]))(command)
        return command

    return decorate


def option_of(name: str, key: str) -> Callable[[Command], Command]:
    """An option for a key of the configuration, with its default."""
    return _option(name, key_rules(key))


def optional_of(name: str, key: str, otherwise: str | None = None) -> Callable[[Command], Command]:
    """The same, but None if it is not given; `otherwise` says in the help what then holds."""
    rules = key_rules(key)
    text = f"{rules['description'][0].upper()}{rules['description'][1:]}. [default: {otherwise or rules['default']}]"
    return click.option("--" + name.replace("_", "-"), type=_type(rules), help=text)


def settings_of(settings: type[Settings], values: Mapping[str, Any]) -> Settings:
    """The settings that the options of a command say; other options are left alone."""
    return settings(**{one.name: values[one.name] for one in fields(settings) if one.name in values})  # type: ignore[arg-type]


def _keys(settings: type) -> list[Field[Any]]:
    return [one for one in fields(settings) if "key" in one.metadata]


def _option(name: str, rules: dict[str, Any]) -> Callable[[Command], Command]:
    """What must be given in a configuration has the paper's value here, or must be given, too."""
    flag = "--" + name.replace("_", "-")
    text, _, none = rules["description"].partition(" null for ")
    text = text.removesuffix(" or").rstrip(",;")
    help_text = f"{text[0].upper()}{text[1:]}." + (f" [default: {none}]" if none else "")
    if rules.get("type") == "boolean":
        return click.option(flag, is_flag=True, help=help_text)
    value = rules.get("default", rules.get("paper"))
    if value is not None:
        return click.option(flag, type=_type(rules), default=value, show_default=True, help=help_text)
    return click.option(
        flag, type=_type(rules), required=not none, help=help_text
    )  # a default of None would be a value


def _type(rules: dict[str, Any]) -> click.ParamType:
    if "enum" in rules:
        return click.Choice([value for value in rules["enum"] if value is not None])
    if "string" in rules["type"] and "integer" in rules["type"]:
        return UpdatesOrTime()
    lowest, highest = rules.get("minimum", rules.get("exclusiveMinimum")), rules.get("maximum")
    if "integer" in rules["type"]:
        return click.IntRange(lowest, highest)
    return FiniteRange(lowest, highest, min_open="exclusiveMinimum" in rules)


class Renamed(click.Command):
    """A command that takes options under their old names, too, and says once what they are called now."""

    old_names: Mapping[str, str] = {}

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, [self._present(argument) for argument in args])

    def _present(self, argument: str) -> str:
        name, equals, value = argument.partition("=")
        if name not in self.old_names:
            return argument
        present = self.old_names[name]
        click.echo(f"warning: {name} is now called {present}; please use that, the old name still works.", err=True)
        return f"{present}{equals}{value}"


def renamed(old_names: Mapping[str, str]) -> type[Renamed]:
    """The class of a command whose options once had other names, the old one first."""
    return type("RenamedOptions", (Renamed,), {"old_names": old_names})


batch_size = option_of("batch_size", "decoding.batch_size")
