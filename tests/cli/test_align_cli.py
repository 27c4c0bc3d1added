"""`rarewords align` on files: a run, the lexical table, the error rate, and one sentence for each mistake."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rarewords.cli import cli
from rarewords.errors import InputError
from rarewords.text.documents import CHECKSUM

SOURCE = ["the house", "the green house", "", "a house", "green"]
TARGET = ["das Haus", "das grüne Haus", "leer", "ein Haus", "grün"]
RUN = "run --source en --target de --forward f --reverse r --symmetrised s"
LEXICON = "lexicon --source en --target de --alignment s"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write("en", SOURCE)
    write("de", TARGET)


def write(name: str, lines: list[str]) -> None:
    Path(name).write_text("".join(line + "\n" for line in lines), encoding="utf-8")


def align(line: str) -> Result:
    return CliRunner().invoke(cli, ["align", *line.split()])


def succeed(line: str) -> str:
    result = align(line)
    assert result.exit_code == 0, result.output + repr(result.exception)
    return result.stdout


def mistake(line: str) -> str:
    result = align(line)
    assert isinstance(result.exception, InputError), result.output
    assert "\n" not in str(result.exception)
    return str(result.exception)


@pytest.mark.parametrize("name", ["", "run", "lexicon", "evaluate"])
def test_help(name: str) -> None:
    assert succeed(f"{name} --help").startswith(f"Usage: cli align {name}".rstrip())


def test_from_text_to_lexicon() -> None:
    result = align(RUN)
    assert result.exit_code == 0, result.output
    assert result.stdout == ""
    assert result.stderr.splitlines()[:3] == [
        "5 pairs, 1 of them empty or too long to align",
        "source to target",
        "iteration 1 of 4",
    ]
    for name in ("f", "r", "s"):
        links = Path(name).read_text(encoding="utf-8").split("\n")
        assert (links[0], links[2], len(links)) == ("0-0 1-1", "", 6)
    rows = [line.split("\t") for line in succeed(f"{LEXICON} --most 1").splitlines()]
    assert [row[:2] for row in rows][:2] == [["the", "das"], ["house", "Haus"]]
    assert {row[0] for row in rows} == {"the", "house", "green", "a"}
    assert succeed(f"{LEXICON} --output lexicon.tsv") == ""
    assert len(Path("lexicon.tsv").read_text(encoding="utf-8").splitlines()) >= len(rows)


def test_error_rate_by_hand() -> None:
    write("s", ["0-0 1-1 2-2", "", "0-1"])
    write("gold", ["0-0 1-1 1?2", "0-0", "0?1"])
    # A = 4 links, S = 3; A∩S = 2 (0-0, 1-1), A∩P = 3 (and 0-1).
    found = json.loads(succeed("evaluate --alignment s --gold gold"))
    assert found.pop(CHECKSUM)
    assert found == {
        "error_rate": 1 - 5 / 7,
        "precision": 3 / 4,
        "recall": 2 / 3,
        "pairs": 3,
        "links": 4,
        "sure": 3,
    }
    write("perfect", ["0-0 1-1", "0-0", "0-1"])
    assert json.loads(succeed("evaluate --alignment perfect --gold gold"))["error_rate"] == 0


def test_mistakes() -> None:
    write("s", ["0-0", "0-0", "", "0-0"])
    write("short", ["x"])
    write("empty", [""] * 5)
    assert "same number of lines" in mistake(RUN.replace("de", "short"))
    assert "no pair has units on both sides" in mistake(RUN.replace("de", "empty"))
    assert mistake(RUN.replace("--reverse r", "--reverse f")).startswith("f: this output is also another output")
    assert mistake(RUN.replace("--reverse r", "--reverse en")).startswith("en: this output is also an input")
    assert mistake(RUN.replace("--forward f", "--forward -")).startswith("--forward -: this alignment is read again")
    assert not Path("f").exists()
    assert mistake(LEXICON) == "s has fewer lines than en; give the alignment of this text."
    assert mistake(f"{LEXICON} --output s").startswith("s: this output is also an input")
    assert mistake("evaluate --alignment s --gold short") == (
        "short, line 1: 'x' is not a link; write source and target position from 0, like 0-0."
    )
    assert mistake("evaluate --alignment s --gold empty").startswith("s has 4 lines, empty has 5")
    assert mistake("evaluate --alignment empty --gold empty").startswith("empty has no sure link")
    assert align("run --aligner giza").exit_code == 2
    assert align(f"{LEXICON} --most 0").exit_code == 2
