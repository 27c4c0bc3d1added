"""The commands of `rarewords report` that make examples, curves and the page: files, and one sentence for a mistake."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from rarewords.cli import cli
from rarewords.errors import InputError


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {
        "source": "the solar system .\n",
        "reference": "das Sonnensystem .\n",
        "counts.en": "the 2\n",
        "counts.de": "das 2\n. 1\n",
        "output": "das Sonnen@@ system .\n",
        "vocabulary": "the 2\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


SYSTEM = json.dumps(
    {"system": "bpe", "label": "BPE", "source": "source", "output": "output", "vocabulary": "vocabulary"}
)
EXAMPLES = [
    *("report", "examples", "--system", SYSTEM, "--pair", "en-de", "--test-set", "test", "--source", "source"),
    *("--reference", "reference", "--source-counts", "counts.en", "--target-counts", "counts.de", "--rare-rank", "1"),
]
OUTPUTS = ["--json", "t/4.json", "--tsv", "t/4.tsv", "--markdown", "t/4.md", "--latex", "t/4.tex"]


def run(*arguments: str) -> None:
    CliRunner().invoke(cli, list(arguments), catch_exceptions=False, standalone_mode=False)


def test_examples_are_written_in_four_formats(folder: Path) -> None:
    run(*EXAMPLES, *OUTPUTS)
    assert sorted(path.name for path in (folder / "t").iterdir()) == ["4.json", "4.md", "4.tex", "4.tsv"]
    (example,) = json.loads((folder / "t/4.json").read_text(encoding="utf-8"))["examples"]
    assert example["words"] == [{"word": "Sonnensystem", "class": "OOV", "frequency": 0, "found_by": ["BPE"]}]


def test_a_wrong_line_writes_nothing(folder: Path) -> None:
    with pytest.raises(InputError, match="line 2 cannot be an example: source has lines 1 to 1; choose one of them"):
        run(*EXAMPLES, *OUTPUTS, "--line", "2")
    assert not (folder / "t").exists()


def test_an_input_is_not_overwritten(folder: Path) -> None:
    with pytest.raises(InputError, match="this output is also an input"):
        run(*EXAMPLES, *OUTPUTS[:-1], "reference")
    assert (folder / "reference").read_text(encoding="utf-8") == "das Sonnensystem .\n"


def test_learning_curves_without_reports_are_a_figure_with_a_note(folder: Path) -> None:
    training = json.dumps({"pair": "en-de", "label": "BPE", "place": 0, "run": 1, "metrics": "none.jsonl"})
    run("report", "learning-curves", "--run", training, "--svg", "c.svg", "--png", "c.png")
    assert "no reports of BPE run 1" in (folder / "c.svg").read_text(encoding="utf-8")
    assert (folder / "c.png").stat().st_size > 1000


def test_the_page_names_a_file_that_is_missing(folder: Path) -> None:
    item = json.dumps({"kind": "manifest", "path": "nothing.json"})
    with pytest.raises(InputError, match=r"nothing\.json: cannot be read"):
        run("report", "html", "--item", item, "--title", "x", "--output", "report.html")
    assert not (folder / "report.html").exists()
