"""The commands of the documentation: blocks of Markdown, comments of configuration files, help of the command line."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from rarewords.cli import cli

from .classification import PROGRAMS

ROOT = Path(__file__).parents[2]
MARKDOWN = ["README.md", *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md"))]
MARKDOWN += [f"{folder}/README.md" for folder in ("config", "bench", "data", "data/demo", "models", "results")]
COMMENTED = sorted(
    str(path.relative_to(ROOT)) for top in ("config", "profiles") for path in (ROOT / top).rglob("*.yaml")
)
HELP = "the help of rarewords"
DOCUMENTS = [*MARKDOWN, *COMMENTED, HELP]

# A fenced block of Markdown (language, content), or an indented one after an empty line.
BLOCK = re.compile(r"^```(\w*)\n((?:.*\n)*?)```$|(?<=\n\n)((?: {4}.*\n)(?:\n* {4}.*\n)*)", re.MULTILINE)
NO_SHELL = {"mermaid", "snakemake", "toml", "yaml"}  # languages of fenced blocks that hold no commands
INLINE = re.compile(r"(`+)(.+?)\1(?!`)", re.DOTALL)  # may stand on two lines
ASSIGNMENTS = re.compile(r"(?:[A-Z_]+=\S+ )*")
REMARK = re.compile(r" {2,}# .*")


@dataclass(frozen=True)
class Command:
    """A shell command on one line without its remark, or a program in Python."""

    text: str
    python: bool = False

    def as_shell(self) -> str:
        return f"python -c {shlex.quote(self.text)}" if self.python else self.text


def program(line: str) -> str:
    """The first word after assignments to variables."""
    return ASSIGNMENTS.sub("", line, count=1).partition(" ")[0]


def read(document: str) -> str:
    return (ROOT / document).read_text(encoding="utf-8")


def commands(document: str) -> list[Command]:
    """The commands of a document in order. Fails if a block holds commands and other lines."""
    if document in MARKDOWN:
        return list(of_markdown(read(document)))
    if document == HELP:
        blocks = [block for text in help_texts(cli) for block in re.findall("\b\n(.*?)(?:\n\n|$)", text, re.DOTALL)]
        return [command for block in blocks for command in of_block(block)]
    return [command for line in re.findall(r"^#   (.*)$", read(document), re.MULTILINE) for command in of_block(line)]


def of_markdown(text: str) -> Iterator[Command]:
    for language, fenced, indented in BLOCK.findall(text):
        assert language in {"", "python", *NO_SHELL}, f"do blocks in {language!r} hold commands?"
        if language == "python":
            yield Command(fenced, python=True)
        elif language not in NO_SHELL:
            yield from of_block(fenced or indented)


def of_block(block: str) -> list[Command]:
    """The lines of a block of commands, continued ones put together; none if it is another block."""
    lines = [REMARK.sub("", line).strip() for line in re.sub(r"\\\n\s*", "", block).splitlines()]
    found = [line for line in lines if line and not line.startswith("#")]
    strange = [line for line in found if program(line) not in PROGRAMS]
    assert strange in ([], found), f"neither a command of a known program nor part of another block: {strange}"
    return [] if strange else list(map(Command, found))


def help_texts(command: click.Command) -> Iterator[str]:
    yield command.help or ""
    if isinstance(command, click.Group):
        with click.Context(command) as context:
            for name in command.list_commands(context):
                yield from help_texts(command.get_command(context, name))


def inline(document: str) -> list[str]:
    """Commands of rarewords, make and bench/ in running text; they may name a group only, or be cut short (`…`)."""
    if document not in MARKDOWN:
        return []
    found = [" ".join(code.split()) for _, code in INLINE.findall(BLOCK.sub("", read(document)))]
    return [code for code in found if re.match(r"(rarewords|make|python bench/\S+) ", code)]


def check_words(line: str) -> None:
    """Targets of make, subcommands and options of rarewords, programs of bench/ and their options must exist."""
    words = [word for word in shlex.split(line, comments=True) if not re.fullmatch(r"[A-Z_]+=.*", word)]
    ends = [place for place, word in enumerate(words) if word in ("|", "&&")]
    for start, end in zip([0, *(place + 1 for place in ends)], [*ends, len(words)], strict=True):
        part = words[start:end]
        if part[0] == "rarewords":
            check_options(part)
        elif part[0] == "make":
            assert set(part[1:]) <= set(re.findall(r"^([\w-]+):", read("Makefile"), re.MULTILINE)), line
        elif len(part) > 1 and part[1].startswith("bench/"):
            script = read(part[1])
            assert [word for word in part if word.startswith("--") and f'"{word}"' not in script] == [], line


def check_options(words: list[str]) -> None:
    """Walk down the groups of `rarewords`, then look up every option; `…` stands for what was left out."""
    command: click.Command = cli
    rest = [word for word in words[1:] if word != "…"]
    while rest and isinstance(command, click.Group) and not rest[0].startswith("-"):
        with click.Context(command) as context:
            found = command.get_command(context, rest[0])
        assert found, f"{' '.join(words)}: there is no command {rest[0]!r}"
        command, rest = found, rest[1:]
    known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    given = {word.partition("=")[0] for word in rest if re.match(r"--?[a-z]", word)}
    assert given <= known | {"--help"}, f"{' '.join(words)}: there is no {given - known}"
