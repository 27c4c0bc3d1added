"""The documentation as a site: it builds without a warning, and its pages load nothing from the network."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
import yaml

pytest.importorskip("mkdocs")

ROOT = Path(__file__).parents[2]
LOADS = {"src", "srcset", "data", "poster", "background"}  # attributes whose address a browser loads
IN_STYLES = re.compile(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)")


class Addresses(HTMLParser):
    """Addresses of a page: `loaded` by the browser itself, `linked` for a person to follow; and its `anchors`."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.linked: list[str] = []
        self.anchors: set[str] = set()
        text = page.read_text(encoding="utf-8")
        self.feed(text)
        self.loaded += in_styles(" ".join(re.findall(r"<style.*?</style>|style=\"[^\"]*\"", text, re.DOTALL)))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name in ("id", "name"):
                self.anchors.add(value or "")
            if name in LOADS or (name == "href" and tag == "link"):
                self.loaded.append(value or "")
            elif name == "href":
                self.linked.append(value or "")


def in_styles(text: str) -> list[str]:
    return [first or second for first, second in IN_STYLES.findall(text)]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def local(address: str) -> bool:
    parts = urlsplit(address)
    return parts.scheme == "data" or not (parts.scheme or parts.netloc)


def target(page: Path, address: str, site: Path) -> Path:
    """The file that a local address leads to; the page that is shown for a wrong address has absolute ones."""
    path = unquote(urlsplit(address).path)
    found = site / path[1:] if path.startswith("/") else page.parent / path if path else page
    return found / "index.html" if found.is_dir() else found


def pages_of(entries: list[dict[str, Any]]) -> Iterator[str]:
    """The pages of `nav`, those of its groups too."""
    for entry in entries:
        for page in entry.values():
            yield from [page] if isinstance(page, str) else pages_of(page)


def pages(site: Path) -> Iterator[tuple[Path, Addresses]]:
    for page in sorted(site.rglob("*.html")):
        yield page, Addresses(page)


def test_every_page_of_the_documentation_is_there(site: Path) -> None:
    written = {str(page.relative_to(site)) for page, _ in pages(site)}
    named = list(pages_of(yaml.safe_load((ROOT / "mkdocs.yml").read_text())["nav"]))
    assert {str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md")} <= set(named)
    assert {"README.md", "config/README.md", "bench/README.md", "data/demo/README.md"} <= set(named)
    assert written >= {path.replace("README.md", "index.md").removesuffix(".md") + ".html" for path in named}


def test_no_page_loads_anything_from_the_network(site: Path) -> None:
    loaded = [(page, address) for page, found in pages(site) for address in found.loaded]
    loaded += [(style, address) for style in site.rglob("*.css") for address in in_styles(style.read_text("utf-8"))]
    assert len({page for page, _ in loaded}) > 10
    assert [(str(page), address) for page, address in loaded if not local(address)] == []
    missing = [
        (str(page), address)
        for page, address in loaded
        if not address.startswith("data:") and not target(page, address, site).is_file()
    ]
    assert missing == []


def test_every_link_inside_the_site_leads_somewhere(site: Path) -> None:
    anchors = {page: found.anchors for page, found in pages(site)}
    broken = []
    for page, found in pages(site):
        for address in filter(local, found.linked):
            file, fragment = target(page, address, site), unquote(urlsplit(address).fragment)
            if not file.is_file() or (fragment and fragment not in anchors.get(file.resolve(), anchors.get(file, ()))):
                broken.append((str(page.relative_to(site)), address))
    assert broken == []
