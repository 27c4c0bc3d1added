"""The page: comparison with the paper, everything inside one file, hostile text, and how it looks in a browser."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from rarewords.evaluation.registry import METRICS, TextMetric
from rarewords.report.html import KINDS, duration, page
from rarewords.report.html_tables import compared, plain
from rarewords.report.setup import setup
from rarewords.report.table import FROM, Cell, Column, Score, Table, cell_text, number, write_table

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

COLUMNS = [
    Column("", "system"),
    FROM,
    Column("vocabulary", "source"),
    Column("BLEU", "single", "bleu", "single"),
    Column("BLEU", "ensemble", "bleu", "ensemble"),
    Column("F1", "OOV", "f1_oov", "ensemble"),
]
TABLE = Table(
    ["A caption."],
    COLUMNS,
    [
        ["SMT", "paper", None, 24.4, None, 37.7],
        ["BPE-3k", "ours", 3000, 15.75, 20.0, 1.2],
        ["BPE-60k", "paper", 60000, 21.5, 24.5, 29.3],
        ["mine", "ours", 2500, 16.0, None, 1.0],
        ["other", "external", None, 30.0, None, 40.0],
    ],
)
HOSTILE = "<script>alert('x')</script> & \"Wörter\""


def test_the_papers_row_and_the_difference_stand_below_ours() -> None:
    blocks = compared(TABLE).blocks
    assert [[line.kind for line in block] for block in blocks] == [
        ["paper"], ["ours", "paper", "difference"], ["ours"], ["external"],
    ]  # fmt: skip
    # 15.75 is shown as 15.8, and a reader subtracts what is shown; no difference of vocabulary sizes
    assert blocks[1][2].cells == ["", "", "", "−5.7", "−4.5", "−28.1"]


def test_the_best_of_ours_is_marked_in_columns_of_scores() -> None:
    best = {line.cells[0]: line.best for block in compared(TABLE).blocks for line in block if line.kind != "difference"}
    assert best["other"] == [False, False, False, True, False, True]
    # 20.0 is the only ensemble, and so not the best of several
    assert not any([*best["BPE-3k"], *best["SMT"], *best["BPE-60k"]])


def test_columns_have_common_headings() -> None:
    table = compared(TABLE)
    assert table.groups == [
        ("", 1, False), ("", 1, True), ("vocabulary", 1, True), ("BLEU", 2, False), ("F1", 1, False),
    ]  # fmt: skip
    assert table.names == ["system", "from", "source", "single", "ensemble", "OOV"]


def test_a_plain_table_has_its_rows() -> None:
    assert [[line.cells[0] for line in block] for block in plain(TABLE).blocks][:2] == [["SMT"], ["BPE-3k"]]


@pytest.mark.parametrize(
    ("cell", "value", "text"),
    [
        (3, 3.0, "3"),
        (Score(24.12, marked=True), 24.12, "24.1*"),
        (Score(20.1, range=(19.84, 20.3)), 20.1, "20.1 (19.8–20.3)"),
        (None, None, "-"),
        ("3 words", None, "3 words"),
    ],
)
def test_numbers_of_cells(cell: Cell, value: float | None, text: str) -> None:
    assert (number(cell), cell_text(cell)) == (value, text)


def test_the_lowest_is_the_best_where_lower_is_better(monkeypatch: pytest.MonkeyPatch) -> None:
    ter = TextMetric("ter", "TER", sacrebleu="TER", higher_is_better=False)
    monkeypatch.setitem(METRICS, "ter", ter)
    table = Table([], [FROM, Column("TER", "ensemble", "ter", "ensemble")], [["ours", 60.0], ["ours", 50.0]])
    assert [line.best for block in compared(table).blocks for line in block] == [[False, False], [False, True]]


@pytest.mark.parametrize(("seconds", "text"), [(45.4, "45 s"), (720, "12 min"), (12600, "3.5 h")])
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def score(f1: float) -> dict[str, Any]:
    classes = {name: {"f1": f1, "matches": 3, "n": 9} for name in ("all", "rare", "oov")}
    metrics = {"bleu": {"name": "BLEU", "score": 20.0}, "chrf3": {"name": "chrF3", "score": 44.1}}
    return {
        "sentences": 10,
        "unigram_f1": {"classes": classes, "rare_rank": 50, "cut_frequency": 2},
        **{name: metric | {"signature": "nrefs:1"} for name, metric in metrics.items()},
    }


def examples() -> dict[str, Any]:
    word = {"parts": ["Мир", "за", "ева"], "class": "OOV", "frequency": 0}
    system = {
        "system": "bpe",
        "label": HOSTILE,
        "source": [{"parts": ["x"], "unknown": [0]}],
        "output": [word | {"right": True}],
    }
    return {
        "pair": "en-ru",
        "test_set": "test",
        "chosen": "automatically",
        "rare_rank": 2000,
        "cut_frequency": None,
        "examples": [
            {
                "line": 7,
                "source": [{"parts": ["Mirzayeva"], "class": "rare", "frequency": 2}],
                "reference": [word, {"parts": ["Langeswortohneeinende" * 12]}],
                "words": [{"word": "Мирзаева", "class": "OOV", "frequency": 0, "found_by": [HOSTILE]}],
                "systems": [system, system | {"system": "c2", "output": []}],
            }
        ],
    }


def manifest() -> dict[str, Any]:
    return {
        "written": "2026-11-30 12:00 UTC",
        "versions": {"rarewords": "0.1.0", "python": "3.11.7", "torch": None},
        "commit": {"id": "0123456789abcdef", "changed": True},
        "configuration_sha256": "ab" * 32,
        "seed": 1,
        "seeds": {"en-ru bpe run 1": 42},
        "machine": {"processor": "a processor", "cores": 2, "memory_mib": 8192, "gpus": [], "system": "Linux x86_64"},
        "hours": {"cpu": 0.41, "gpu": 0.0, "jobs": 0.5},
        "signatures": {"BLEU": ["nrefs:1|case:mixed"]},
        "steps": [{"step": "train", "jobs": 8, "seconds": 1260.0, "cpu_seconds": 1200.0, "max_memory_mib": None}],
        "texts": {"data/train.en": "cd" * 32},
    }


CONFIG = {
    "experiment": {"corpus": "help", "systems": ["bpe", "c2"]},
    "corpora": {"help": {"description": "Text of the help.", "licence": "MPL-2.0"}},
    "systems": {"bpe": {"label": "BPE-3k"}, "c2": {"label": "C2"}},
    "network": {"embedding": 620, "hidden": 1000, "init_std": 0.01},
    "training": {
        "clip_norms": [5.0, 1], "batch_size": 80, "updates": 4000, "saved_models": 2, "fixed_embedding_updates": 1,
        "precision": "float32", "patience": None,
    },
    "decoding": {"beam": 12},
}  # fmt: skip
SIZE = {"pairs": 5500, "source_units": 9.5, "target_units": 10.5, "unknown": 0.1}
RUNS = {"longest": 50, "runs": 2, "updates": 4000, "hours": None}
TRAININGS = {
    "bpe": RUNS | {"label": "BPE-3k", "text": SIZE | {"trained_on": 5400}, "passes": 11.34},
    "c2": RUNS | {"label": "C2", "text": SIZE | {"trained_on": 5120}, "passes": 11.92},
}


@pytest.fixture
def items(tmp_path: Path) -> list[dict[str, Any]]:
    """One item of every kind, made of hand-written files."""
    for name, content in (("bpe.json", score(1.0)), ("examples.json", examples()), ("manifest.json", manifest())):
        (tmp_path / name).write_text(json.dumps(content), encoding="utf-8")
    write_table(tmp_path / "table.json", TABLE)
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="300"><rect width="900" height="300"/></svg>'
    (tmp_path / "bpe").mkdir()
    for path in (tmp_path / "figure.svg", tmp_path / "bpe/line7.svg"):
        path.write_text(svg, encoding="utf-8")
    system = {"label": HOSTILE, "path": str(tmp_path / "bpe.json")}
    texts = {"claim": HOSTILE, "ours": "1.0, 2.0.", "paper": "3.0."}
    verdicts = [("holds", "holds"), ("not shown", "holds"), ("cannot be tested", "holds"), ("holds", "does not hold")]
    claims = [texts | {"verdict": here, "in_paper": there, "p": None} for here, there in verdicts]
    (tmp_path / "claims.json").write_text(json.dumps({"claims": claims}), encoding="utf-8")
    (tmp_path / "config.yaml").write_text(json.dumps(CONFIG), encoding="utf-8")
    (tmp_path / "t.json").write_text(json.dumps(TRAININGS), encoding="utf-8")
    table, figure = str(tmp_path / "table.json"), str(tmp_path / "figure.svg")
    maps = {"bpe": str(tmp_path / "bpe")}
    found = [
        {"kind": "scores", "pair": "en-ru", "test_set": "test", "path": table, "systems": [system]}
        | {"claims": str(tmp_path / "claims.json")},
        {"kind": "table", "section": "rare-words", "title": HOSTILE, "path": table},
        {"kind": "training", "section": "training", "title": "Text", "pair": "en-ru", "path": str(tmp_path / "t.json")},
        {"kind": "figure", "section": "training", "title": "Curves", "path": figure, "description": HOSTILE},
        {"kind": "examples", "pair": "en-ru", "path": str(tmp_path / "examples.json"), "attention": maps},
        {"kind": "manifest", "path": str(tmp_path / "manifest.json")},
        {"kind": "files", "places": [["Tables", str(tmp_path / "tables"), "(.tsv)"]]},
        {"kind": "setup", "config": str(tmp_path / "config.yaml"), "trainings": {"en-ru": str(tmp_path / "t.json")}},
    ]  # fmt: skip
    assert {item["kind"] for item in found} == set(KINDS)
    assert all(set(item) == {"kind", *KINDS[item["kind"]]} for item in found)
    return found


class Elements(HTMLParser):
    """Every start tag with its attributes; fails for tags that are not closed in order."""

    EMPTY = frozenset({"meta", "img", "wbr"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def local(name: str, value: str) -> bool:
    """Whether this is a link to a file beside the page, which a person may follow."""
    return name == "href" and not re.match(r"[a-z]+:|/", value)


def test_nothing_comes_from_elsewhere(items: list[dict[str, Any]]) -> None:
    text = page("demo", items, Path(items[0]["path"]).parent)
    elements = Elements(text).tags
    assert "script" not in [tag for tag, _ in elements]
    for _, attributes in elements:
        for name in ("src", "href", "srcset", "data", "action", "poster"):
            value = attributes.get(name)
            assert value is None or value.startswith(("#", "data:image/svg+xml;base64,")) or local(name, value)
    assert not re.search(r"url\(|@import", text)
    for encoded in re.findall(r"base64,([^\"]+)", text):
        svg = base64.b64decode(encoded).decode()
        assert not re.search(r"(?:href|src)=[\"']http", svg)


def test_the_first_screen_says_what_was_trained(items: list[dict[str, Any]]) -> None:
    text = re.sub(r"<[^>]+>", "", page("demo", items)).split("Contents")[-1]
    for sentence in (
        "Text of the help (MPL-2.0); 5,120 to 5,400 training pairs, each seen 11.3 to 11.9 times in a run",
        "BPE-3k, C2",
        "embeddings of 620, hidden layer of 1,000, initial weights N(0, 0.01²)",
        "2 runs per system, 4,000 updates of 80 pairs; Adadelta, gradients clipped to a norm of 5 or 1",
        "4 models per system: the last 2 of each run, continued for 1 update with fixed embeddings",
        "beam of 12",
    ):
        assert sentence in text
        assert text.index(sentence) < text.index("How to read this table")


def test_settings_of_single_systems_are_said_too(items: list[dict[str, Any]], tmp_path: Path) -> None:
    own = {"network": {"hidden": 256}, "training": {"updates": 900}, "decoding": {"beam": 1}}
    config = CONFIG | {"systems": CONFIG["systems"] | {"c2": {"label": "C2"} | own}}
    (tmp_path / "config.yaml").write_text(json.dumps(config), encoding="utf-8")
    facts = dict(setup(tmp_path / "config.yaml", {}))
    assert "embeddings of 620, hidden layer of 1,000 or 256," in facts["Network"]
    assert "4,000 or 900 updates of 80 pairs" in facts["Training"]
    assert facts["Search"].startswith("beam of 12 or 1;")


def test_files_are_links_from_where_the_page_lies(items: list[dict[str, Any]], tmp_path: Path) -> None:
    elements = Elements(page("demo", items, tmp_path / "below")).tags
    links = {attributes["href"] for tag, attributes in elements if tag == "a"}
    assert links >= {
        "../table.tsv",
        "../table.md",
        "../table.tex",
        "../table.json",
        "../figure.svg",
        "../manifest.json",
        "../tables",
    }


def test_an_experiment_of_ones_own_is_not_introduced_as_the_papers(items: list[dict[str, Any]], tmp_path: Path) -> None:
    assert "A run of the experiment of Sennrich" in page("demo", items)
    own = Table(TABLE.caption, TABLE.columns, [row for row in TABLE.rows if row[1] == "ours"])
    write_table(tmp_path / "table.json", own)
    text = page("mine", items)
    assert "A run of the experiment of Sennrich" not in text
    assert "not comparable with the paper" not in text
    assert "The paper’s" not in text


def test_one_kind_of_minus() -> None:
    table = compared(Table([], COLUMNS, [["x", "ours", None, -1.5, None, None], ["x", "paper", None, 2.0, None, None]]))
    assert [line.cells[3] for line in table.blocks[0]] == ["−1.5", "2.0", "−3.5"]


def test_significant_differences_are_marked_and_explained(items: list[dict[str, Any]], tmp_path: Path) -> None:
    assert "in a paired test against" not in page("demo", items)
    p = Column("BLEU", "p", "bleu", "p")
    tested = Table([], [*COLUMNS, p], [[*row, 0.001 if row[0] == "BPE-3k" else None] for row in TABLE.rows])
    write_table(tmp_path / "table.json", tested)
    text = page("demo", items)
    assert "20.0*" in text
    assert "*: p &lt; 0.05 in a paired test against the baseline." in text
    assert "−4.5" in text  # the mark does not hide the number


def test_links_of_the_contents_lead_to_sections(items: list[dict[str, Any]]) -> None:
    elements = Elements(page("demo", items)).tags
    targets = {attributes["href"] for tag, attributes in elements if tag == "a"}
    assert {target for target in targets if target.startswith("#")} == {f"#{a['id']}" for _, a in elements if "id" in a}
    assert {"#results", "#pattern", "#rare-words", "#examples", "#provenance"} <= targets


def test_sections_without_content_are_left_out(items: list[dict[str, Any]]) -> None:
    text = page("demo", [item for item in items if item["kind"] == "manifest"])
    assert [a["id"] for _, a in Elements(text).tags if "id" in a] == ["provenance"]


def test_text_is_escaped(items: list[dict[str, Any]]) -> None:
    text = page(HOSTILE, items)
    assert "<script" not in text
    assert "&lt;script&gt;" in text


def test_languages_alternatives_and_units(items: list[dict[str, Any]]) -> None:
    text = page("demo", items)
    elements = Elements(text).tags
    assert {a.get("lang") for _, a in elements} >= {"en", "ru"}
    assert all(a["alt"] for tag, a in elements if tag == "img")
    assert 'Мир<span class="bar">|</span><wbr>за<span class="bar">|</span><wbr>ева' in text
    assert "&lt;unk&gt;" in text


def test_a_heat_map_stands_with_its_example_only(items: list[dict[str, Any]]) -> None:
    labels = [a["alt"] for tag, a in Elements(page("demo", items)).tags if tag == "img"]
    assert sum("Heat map" in str(label) for label in labels) == 1  # c2 has none


FRAME = """<!DOCTYPE html><html><head><title>waiting</title></head><body style="margin:0">
<iframe src="measured.html" style="border:0;width:{width}px;height:1500px"></iframe>
<script>window.onmessage = event => {{ document.title = event.data }}</script></body></html>"""
MEASURE = "<script>parent.postMessage(document.documentElement.scrollWidth + ' ' + innerWidth, '*')</script></body>"


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
@pytest.mark.parametrize("width", [1280, 400])
def test_it_fits_the_window_of_a_browser(items: list[dict[str, Any]], tmp_path: Path, width: int) -> None:
    """In a frame, because Chromium's own window is 500 pixels wide at least."""
    from PIL import Image

    # The page has no script; this copy gets one that tells how wide it became.
    (tmp_path / "measured.html").write_text(page("demo", items).replace("</body>", MEASURE), encoding="utf-8")
    (tmp_path / "frame.html").write_text(FRAME.format(width=width), encoding="utf-8")

    def chromium(*arguments: str) -> str:
        command = [str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000"]
        command += [f"--user-data-dir={tmp_path}/profile", "--window-size=1280,1500", "--hide-scrollbars", *arguments]
        address = (tmp_path / "frame.html").as_uri()
        return subprocess.run([*command, address], capture_output=True, text=True, check=True, timeout=600).stdout

    title = re.search(r"<title>(.*)</title>", chromium("--dump-dom"))
    assert title is not None
    assert title[1] == f"{width} {width}"
    chromium(f"--screenshot={tmp_path}/page.png")
    with Image.open(tmp_path / "page.png") as image:
        colours = image.convert("RGB").crop((0, 0, width, 1500)).getcolors(1 << 24)
        assert colours is not None
        assert len(colours) > 100  # letters are smoothed; a blank page has one colour
