"""A hook of MkDocs (mkdocs.yml): the site holds the repository's files at the repository's paths.

The pages link to each other, and to files outside docs/, by paths relative to themselves; a code host shows them like
that. The same links work in the site, because it holds the pages that `nav` names, and whatever file they link to, at
the same paths.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
LINK = re.compile(r"\]\((?!\w+:|#)([^)\s#]+)")  # without those to other sites and to places on the same page


def on_config(config: MkDocsConfig) -> None:
    """Headings get the names by which code hosts link to them."""
    config.mdx_configs["toc"] = {"slugify": anchor}


def anchor(heading: str, separator: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", separator)


def on_page_markdown(markdown: str, **_: object) -> str:
    """Escapes that code hosts understand and Python-Markdown does not."""
    return markdown.replace(r"\<", "&lt;").replace(r"`\|`", "`|`")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The theme's files, the pages of `nav`, what these link to, and the style; nothing else of docs/."""
    for file in list(files):
        if file.src_dir == config.docs_dir:
            files.remove(file)
    pages = list(pages_of(config.nav or []))
    for path in sorted({*pages, *config.extra_css, *(link for page in pages for link in links(page))}):
        files.append(File(path, str(ROOT), config.site_dir, config.use_directory_urls))
    return files


def pages_of(entries: list[dict[str, Any]]) -> Iterator[str]:
    """The pages of `nav`, those of its groups too, in its order."""
    for entry in entries:
        for page in entry.values():
            yield from [page] if isinstance(page, str) else pages_of(page)


def links(page: str) -> list[str]:
    """The files of the repository that a page links to; those that do not exist are left for MkDocs to report."""
    text = (ROOT / page).read_text(encoding="utf-8")
    paths = [os.path.normpath(Path(page).parent / link) for link in LINK.findall(text)]
    return [path for path in paths if (ROOT / path).is_file()]
