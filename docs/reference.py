"""A hook of MkDocs (mkdocs.yml): the references of the Python API and of the commands, from docstrings and help texts.

A page has them where it says `<!-- reference of NAME -->` … `<!-- end of the reference -->`; what stands between is for
readers of the file itself.
"""

from __future__ import annotations

import html
import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

import click

PLACE = re.compile(r"<!-- reference of ([\w ]+) -->.*?<!-- end of the reference -->", re.DOTALL)


def on_page_markdown(markdown: str, **_: object) -> str:
    """The page with its references."""
    return PLACE.sub(lambda found: REFERENCES[found[1]](), markdown)


def of_package() -> str:
    """Signature and docstring of every public name, and of the public methods of classes."""
    import rarewords

    names = [name for name in rarewords.__all__ if not name.startswith("_")]
    return "\n\n".join(part for name in names for part in _described(name, getattr(rarewords, name)))


def _described(name: str, thing: Any) -> Iterator[str]:
    yield f"### {name}\n\n" + _entry(name, thing)
    if inspect.isclass(thing):
        for method, function in vars(thing).items():
            function = getattr(function, "__func__", function)  # of a class method
            if not method.startswith("_") and inspect.isfunction(function) and function.__doc__:
                yield _entry(f"{name}.{method}", function)


def _entry(name: str, thing: Any) -> str:
    text = inspect.cleandoc(thing.__doc__ or "")
    signature = "" if inspect.isclass(thing) and issubclass(thing, Exception) else str(inspect.signature(thing))
    signature = re.sub(r"'([^']*)'", r"\1", signature)  # annotations are strings
    return f"```python\n{name}{signature}\n```\n\n{html.escape(text, quote=False)}"


def of_commands() -> str:
    """The help of every command, as `--help` prints it."""
    from rarewords.cli import cli

    return "\n\n".join(
        _helps(cli, click.Context(cli, info_name="rarewords", max_content_width=100, terminal_width=100))
    )


def _helps(command: click.Command, context: click.Context) -> Iterator[str]:
    yield f"## {context.command_path}\n\n```text\n{command.get_help(context)}\n```"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from _helps(inner, click.Context(inner, context, name, max_content_width=100, terminal_width=100))


REFERENCES: dict[str, Callable[[], str]] = {"rarewords": of_package, "the commands": of_commands}
