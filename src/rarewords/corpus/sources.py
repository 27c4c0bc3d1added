"""Where the texts of a corpus come from: archives, fetched or put in place by hand, and the members to extract.

A fetched corpus is in one folder, by default data/{corpus}:

    archives/{archive}                 the archives as they were published
    given/{pair}/{text}.{language}     the texts, UTF-8, one segment a line
    corpora.lock.json                  SHA-256 of each archive when it was first seen
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

ARCHIVES = "archives"
TEXTS = "given"
LOCK_FILE = "corpora.lock.json"


@dataclass(frozen=True)
class Archive:
    """A file to fetch. `by_hand` tells people how to get one that has no address; `sacrebleu` names a test set."""

    name: str
    urls: tuple[str, ...] = ()
    md5: str | None = None
    sha256: str | None = None
    sacrebleu: str | None = None
    by_hand: str | None = None
    licence: str | None = None


@dataclass(frozen=True)
class Text:
    """One side of a parallel text, made from a member of an archive.

    `members` are names to try in order. `columns` are the languages of a member that has both sides on each line.
    A number other than `lines` is an error, other than `approximate_lines` a warning.
    """

    pair: str
    name: str
    language: str
    archive: str
    members: tuple[str, ...]
    columns: tuple[str, ...] = ()
    lines: int | None = None
    approximate_lines: int | None = None

    @property
    def file(self) -> str:
        """Path below the folder of texts."""
        return f"{self.pair}/{self.name}.{self.language}"


def archives(corpus: dict[str, Any]) -> dict[str, Archive]:
    """The archives of a corpus, by name; `corpus` is its checked configuration."""
    return {
        name: Archive(
            name=name,
            urls=tuple(definition["urls"]),
            **{key: definition[key] for key in ("md5", "sha256", "sacrebleu", "by_hand", "licence")},
        )
        for name, definition in corpus["archives"].items()
    }


def texts(corpus: dict[str, Any], pair: str) -> list[Text]:
    """All texts of a pair that are made from archives, both sides of each."""
    return [
        Text(
            pair=pair,
            name=name,
            language=language,
            archive=archive_of(definition, language),
            members=tuple(definition["members"].get(language, [compressed_name(archive_of(definition, language))])),
            columns=tuple(definition["columns"]),
            lines=definition["lines"],
            approximate_lines=definition["approximate_lines"],
        )
        for name, definition in corpus["pairs"][pair]["fetch"].items()
        for language in pair.split("-")
    ]


def archive_of(definition: dict[str, Any], language: str) -> str:
    """The name of the archive that holds one side of a text; `definition` is an entry of `fetch`."""
    return str(definition["archive"]).replace("{lang}", language)


def is_compressed_file(archive: str) -> bool:
    """Whether an archive is one compressed file (.gz, but not .tar.gz)."""
    return archive.endswith(".gz") and not archive.endswith(".tar.gz")


def compressed_name(archive: str) -> str:
    """What the one file in a .gz is called: the archive's name without .gz."""
    return archive.removesuffix(".gz")


def archive_path(into: Path, name: str) -> Path:
    """Where an archive lies in a corpus' folder."""
    return into / ARCHIVES / name


def text_path(into: Path, text: Text) -> Path:
    """Where a text lies in a corpus' folder."""
    return into / TEXTS / text.file
