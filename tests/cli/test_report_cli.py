"""The commands of `rarewords report` read an experiment: files, and one sentence for a mistake."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import run_folder
from click.testing import CliRunner

from rarewords.cli import cli
from rarewords.errors import InputError


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An experiment that has translated one line."""
    run_folder.write_experiment(tmp_path)
    data = tmp_path / "data/text/en-de"
    for name, text in {
        "tc/test.en": "the solar system .\n",
        "tc/test.de": "das Sonnensystem .\n",
        "tc/counts.en": "the 2\n",
        "tc/counts.de": "das 2\n. 1\n",
        "seg/bpe/test.en": "the solar system .\n",
    }.items():
        run_folder.write(data / name, text)
    run_folder.write(tmp_path / run_folder.RESULTS / "test/ensemble.sub", "das Sonnen@@ system .\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


OF_PAIR = ("--experiment", "mine", "--pair", "en-de")
OUTPUTS = ["--json", "t/4.json", "--tsv", "t/4.tsv", "--markdown", "t/4.md", "--latex", "t/4.tex"]


def run(*arguments: str) -> None:
    CliRunner().invoke(cli, ["report", *arguments], catch_exceptions=False, standalone_mode=False)


def test_examples_are_written_in_four_formats(folder: Path) -> None:
    run("examples", *OF_PAIR, *OUTPUTS)
    assert sorted(path.name for path in (folder / "t").iterdir()) == ["4.json", "4.md", "4.tex", "4.tsv"]
    (example,) = json.loads((folder / "t/4.json").read_text(encoding="utf-8"))["examples"]
    assert example["words"] == [{"word": "Sonnensystem", "class": "OOV", "frequency": 0, "found_by": ["My BPE"]}]


def test_a_wrong_line_writes_nothing(folder: Path) -> None:
    run_folder.write_experiment(folder, report={"examples": {"en-de": [2]}})
    with pytest.raises(InputError, match=r"line 2 cannot be an example: .*/tc/test.en has lines 1 to 1; choose one"):
        run("examples", *OF_PAIR, *OUTPUTS)
    assert not (folder / "t").exists()


def test_an_input_is_not_overwritten(folder: Path) -> None:
    reference = "data/text/en-de/tc/test.de"
    with pytest.raises(InputError, match="this output is also an input"):
        run("examples", *OF_PAIR, *OUTPUTS[:-1], reference)
    assert (folder / reference).read_text(encoding="utf-8") == "das Sonnensystem .\n"


def test_learning_curves_without_reports_are_a_figure_with_a_note(folder: Path) -> None:
    run("learning-curves", "--experiment", "mine", "--svg", "c.svg", "--png", "c.png")
    assert "no reports of My BPE run 1" in (folder / "c.svg").read_text(encoding="utf-8")
    assert (folder / "c.png").stat().st_size > 1000


def test_the_page_names_a_file_that_is_missing(folder: Path) -> None:
    with pytest.raises(InputError, match=r"results/mine/.*: cannot be read"):
        run("html", "--experiment", "results/mine/config.yaml", "--output", "report.html")
    assert not (folder / "report.html").exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--experiment", "mime", "--pair", "en-de"), "results/mime/config.yaml does not exist: "),
        (("--experiment", "mine", "--pair", "en-ru"), "--pair: the experiment has no 'en-ru'"),
        (
            ("--experiment", "mine", "--pair", "en-de", "--test-set", "tests"),
            "--test-set: the experiment has no 'tests'",
        ),
    ],
)
def test_what_the_experiment_has_not_is_one_sentence(folder: Path, arguments: tuple[str, ...], sentence: str) -> None:
    outputs = ("--tsv", "t.tsv", "--markdown", "t.md", "--latex", "t.tex")
    test_set = () if "--test-set" in arguments else ("--test-set", "test")
    with pytest.raises(InputError, match=sentence):
        run("table", *arguments, *test_set, *outputs)


def test_without_a_grid_there_is_no_ablation(folder: Path) -> None:
    outputs = ("--tsv", "t.tsv", "--markdown", "t.md", "--latex", "t.tex", "--svg", "t.svg", "--png", "t.png")
    with pytest.raises(InputError, match="experiment 'mine' has no grid; "):
        run("ablation", *OF_PAIR, "--test-set", "test", *outputs)
