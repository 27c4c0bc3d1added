"""The documentation against the code: cited sections, configuration keys, links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rarewords.schema import SECTIONS, schema

ROOT = Path(__file__).parents[2]
MARKDOWN = [
    *ROOT.glob("*.md"),
    *(path for folder in ("bench", "docs", "config", "data/demo", "src") for path in ROOT.glob(f"{folder}/**/*.md")),
    *(path for folder in ("data", "models", "results", "logs", "benchmarks") for path in ROOT.glob(f"{folder}/*.md")),
]
CITATION = re.compile(r"(docs/reproduction/[\w-]*\.md|docs/reproduction\.md)(?:, section ([A-Z]\w*))?")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def without_code(path: Path) -> str:
    """A Markdown file without its fenced blocks."""
    return FENCE.sub("", path.read_text(encoding="utf-8"))


def headings(path: Path) -> list[str]:
    return re.findall(r"^#+ (.+)$", without_code(path), re.MULTILINE)


def anchor(heading: str) -> str:
    """The fragment by which GitHub and others link to a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def citations() -> Iterator[tuple[str, str, str]]:
    """File, cited page, and first word of the cited section ("" if none), wherever code, tests or settings cite a page.

    The name of the section may stand on the next line.
    """
    files = [path for folder in ("src", "tests", "workflow", "config") for path in (ROOT / folder).rglob("*")]
    for path in files:
        if path.suffix not in (".py", ".smk", ".yaml") or path == Path(__file__):
            continue
        text = re.sub(r"\s*\n\s*(?:# ?)?", " ", path.read_text(encoding="utf-8"))
        for page, section in CITATION.findall(text):
            yield str(path.relative_to(ROOT)), page, section


def keys(rules: dict[str, Any], root: dict[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Paths of all keys of the schema; what has no fixed name is `<pair>` below `pairs`, and left out elsewhere."""
    if "$ref" in rules:
        rules = root["$defs"][rules["$ref"].rsplit("/", 1)[1]]
    for key, inner in rules.get("properties", {}).items():
        yield (*path, key)
        yield from keys(inner, root, (*path, key))
    others = rules.get("additionalProperties")
    if isinstance(others, dict):
        yield from keys(others, root, (*path, "<pair>") if path and path[-1] == "pairs" else path)


# An intermediate key (`preprocess`) is explained by those below it, a setting of a segmentation by its table.
KEYS = list(keys(schema(), schema()))
LEAVES = [path for path in KEYS if len(path) > 1 and not any(other[: len(path)] == path != other for other in KEYS)]


def test_pages_and_sections_are_cited() -> None:
    cited = {(Path(page).stem, section) for _, page, section in citations()}
    assert cited >= {("network", ""), ("network", "Blocks"), ("training", "Loss"), ("training", "Large")}


def test_cited_pages_and_sections_exist() -> None:
    pages = {str(path.relative_to(ROOT)): path for path in ROOT.glob("docs/reproduction/*.md")}
    known = {(name, heading.split()[0]) for name, path in pages.items() for heading in headings(path)}
    known |= {(name, "") for name in pages}
    assert [citation for citation in citations() if citation[1:] not in known] == []


def test_leaves_are_found() -> None:
    assert {".".join(path) for path in LEAVES} >= {
        "experiment.name",
        "corpora.preprocess.normalise",
        "corpora.pairs.<pair>.train",
        "systems.pairs.<pair>.segmentation.method",
    }


@pytest.mark.parametrize("path", KEYS, ids=".".join)
def test_every_configuration_key_is_explained(path: tuple[str, ...]) -> None:
    if path[0] == "systems" and len(path) > 2 and path[1] in SECTIONS:
        path = path[1:]  # the same keys as in the section of this name, where they are explained
    section, *rest = path
    parts = re.split(r"^## `(\w+)`$", (ROOT / "config/README.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    assert section in sections
    if path in LEAVES and rest[-1] != "method":
        assert f"`{'.'.join(rest)}`" in sections[section]
    elif rest:
        assert f"`{rest[-1]}" in sections[section] or f".{rest[-1]}" in sections[section]


@pytest.mark.parametrize("path", MARKDOWN, ids=lambda path: str(path.relative_to(ROOT)))
def test_relative_links_lead_somewhere(path: Path) -> None:
    broken = []
    for link in LINK.findall(without_code(path)):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, fragment = link.partition("#")
        target = path.parent / name if name else path
        if not target.exists() or (fragment and fragment not in map(anchor, headings(target))):
            broken.append(link)
    assert broken == []
