"""The report: one HTML page that contains style, figures and tables and needs no network and no scripts.

contents.py lists its items, each a map with a `kind` and the keys that KINDS lists for it. Every number on the page
comes from a file that an item names.
"""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from rarewords.evaluation.files import read_scores
from rarewords.evaluation.registry import HEADLINE
from rarewords.report.contents import Item
from rarewords.report.example_formats import token_parts
from rarewords.report.html_tables import compared, plain
from rarewords.report.pattern import CLAIMS, HOLDS, OPEN, Statement
from rarewords.report.scores import read_examples
from rarewords.report.setup import setup
from rarewords.report.table import LEVEL, MARK, Score, Table, for_people, read_table
from rarewords.report.training import from_json, training_table
from rarewords.text.documents import read_json
from rarewords.text.files import PathLike

# kind -> its keys. `path` is a figure (.svg) or a JSON file, depending on the kind.
KINDS = {
    # results: a table of scores, the ensembles' score files, and the paper's claims as `report claims` tested them
    "scores": ("pair", "test_set", "path", "systems", "claims"),
    # a table or a figure of a section: results, rare-words, segmentation or training
    "table": ("section", "title", "path"),
    "figure": ("section", "title", "path", "description"),
    # examples of a language pair; attention maps a system to the folder of its heat maps
    "examples": ("pair", "path", "attention"),
    # what the systems of a language pair were trained on, as `report training` wrote it
    "training": ("section", "title", "pair", "path"),
    "manifest": ("path",),
    # what was trained: the configuration, and for each pair the file of `rarewords report training`
    "setup": ("config", "trainings"),
    # the places of files: a list of (what, where, more)
    "files": ("places",),
}

MINUS = re.compile(r"(?<![\w.])-(?=\d)")  # before a number, in running text
SUFFIXES = (".tsv", ".md", ".tex", ".json")

SECTIONS = {
    "results": "Results",
    "pattern": "The paper’s pattern",
    "rare-words": "Rare words",
    "segmentation": "Segmentation",
    "training": "Training",
    "examples": "Examples",
    "provenance": "Provenance",
    "files": "Files",
}


def page(title: str, items: Sequence[Item], folder: PathLike = ".") -> str:
    """The whole page; parts appear in the order of their sections, and within one in the order of the items.

    Links to files are relative to `folder`, the page's folder.
    """
    by_kind = {kind: [item for item in items if item["kind"] == kind] for kind in KINDS}
    results = [_scores(item) for item in by_kind["scores"]]
    content = {
        "title": title,
        "results": results,
        "beside_paper": any(result["beside_paper"] for result in results),
        "setup": [fact for item in by_kind["setup"] for fact in setup(item["config"], item["trainings"])],
        "tables": [_table(item) for item in (*by_kind["table"], *by_kind["training"])],
        "figures": [item | {"data": data_uri(item["path"])} for item in by_kind["figure"]],
        "examples": [_examples(item) for item in by_kind["examples"]],
        "manifest": _manifest(by_kind["manifest"]),
        "places": [place for item in by_kind["files"] for place in item["places"]],
    }
    content["sections"] = {key: name for key, name in SECTIONS.items() if _is_filled(key, content)}
    environment = Environment(
        loader=PackageLoader("rarewords.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["number"] = lambda value: f"{value:,}"
    environment.filters["duration"] = duration
    environment.filters["minus"] = lambda text: MINUS.sub("−", text)
    environment.globals["link"] = lambda path: Path(os.path.relpath(path, folder)).as_posix()
    environment.globals["formats_of"] = lambda path: [str(Path(path).with_suffix(suffix)) for suffix in SUFFIXES]
    environment.globals["token_parts"] = token_parts
    return environment.get_template("report.html").render(content)


def _is_filled(section: str, content: dict[str, Any]) -> bool:
    """Whether a section of the page has something to show."""
    own = {
        "results": content["results"],
        "pattern": content["beside_paper"],
        "examples": content["examples"],
        "provenance": content["manifest"],
        "files": content["places"],
    }
    if own.get(section):
        return True
    return any(item["section"] == section for item in [*content["tables"], *content["figures"]])


def _scores(item: Item) -> dict[str, Any]:
    """A table of scores beside the paper's, a line with its best scores, and the paper's claims."""
    systems = [(system["label"], read_scores(system["path"])) for system in item["systems"]]
    claims = [Statement(**claim) for claim in read_json(item["claims"], CLAIMS)["claims"]]
    testable = [claim for claim in claims if claim.in_paper == HOLDS and claim.verdict != OPEN]
    table = for_people(read_table(item["path"]))
    shown = compared(table)
    return {
        "pair": item["pair"],
        "test_set": item["test_set"],
        "path": item["path"],
        "table": shown,
        "beside_paper": any(table.is_paper(row) for row in table.rows),
        "differences": any(line.kind == "difference" for block in shown.blocks for line in block),
        "marked": any(isinstance(cell, Score) and cell.marked for row in table.rows for cell in row),
        "mark": MARK,
        "level": LEVEL,
        "best": _best(systems),
        "claims": claims,
        "alike": sum(claim.verdict == HOLDS for claim in testable),
        "comparable": len(testable),
    }


def _best(systems: Sequence[tuple[str, dict[str, Any]]]) -> list[dict[str, Any]]:
    """The best ensemble score of each headline metric and whose it is; without those in which none is above 0."""
    best = []
    for metric in HEADLINE:
        scored = [(value, label) for label, scores in systems if (value := metric.value(scores))]
        if scored:
            value, label = metric.best(scored, key=lambda entry: entry[0])
            best.append({"measure": metric.in_words(), "value": f"{value:.{metric.digits}f}", "label": label})
    return best


def _table(item: Item) -> dict[str, Any]:
    table = for_people(_training(item) if item["kind"] == "training" else read_table(item["path"]))
    has_paper = any(table.is_paper(row) for row in table.rows)
    return item | {"table": compared(table) if has_paper else plain(table)}


def _training(item: Item) -> Table:
    return training_table(from_json(read_json(item["path"])), item["pair"])


def _examples(item: Item) -> dict[str, Any]:
    """The examples of a pair, each with the heat maps of the systems that have one for its line."""
    content = read_examples(item["path"])
    source, target = content["pair"].split("-")
    for example in content["examples"]:
        example.setdefault("printed", [])
        example["maps"] = [
            {"label": system["label"], "data": data_uri(path)}
            for system in example["systems"]
            if system["system"] in item["attention"]
            and (path := Path(item["attention"][system["system"]]) / f"line{example['line']}.svg").is_file()
        ]
    return content | {"source_language": source, "target_language": target}


def _manifest(items: Sequence[Item]) -> dict[str, Any] | None:
    return read_json(items[0]["path"]) | {"path": items[0]["path"]} if items else None


def data_uri(path: PathLike) -> str:
    """An SVG file as a data URL."""
    return "data:image/svg+xml;base64," + base64.b64encode(Path(path).read_bytes()).decode("ascii")


def duration(seconds: float) -> str:
    """A duration for people: `45 s`, `12 min`, `3.5 h`."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
