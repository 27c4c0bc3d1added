"""The commands of `rarewords corpus`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from rarewords.cli import cli
from rarewords.errors import InputError
from rarewords.parallel import map_chunks


def run(*arguments: str | Path, text: str | None = None) -> Result:
    """Run a command in this process; exceptions pass through."""
    return CliRunner().invoke(cli, ["corpus", *map(str, arguments)], input=text, catch_exceptions=False)


def succeed(*arguments: str | Path, text: str | None = None) -> Result:
    result = run(*arguments, text=text)
    assert result.exit_code == 0, result.output
    return result


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: Path, *lines: str) -> Path:
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


def test_help_of_every_command() -> None:
    names = ["import", "tokenise", "clean", "train-truecaser", "truecase", "detruecase", "detokenise", "count"]
    overview = succeed("--help").stdout
    for name in [*names, "require"]:
        assert name in overview
        assert succeed(name, "--help").stdout.startswith(f"Usage: cli corpus {name}")


def test_import(folder: Path) -> None:
    write(folder / "a.en", "one")
    write(folder / "a.de", "eins")
    write(folder / "b.en", "two", "three")
    write(folder / "b.de", "zwei", "drei")
    parts = ["--source-part", "a.en", "--target-part", "a.de", "--source-part", "b.en", "--target-part", "b.de"]
    result = succeed("import", *parts, "--source", "raw/x.en", "--target", "raw/x.de")
    assert (folder / "raw/x.en").read_text() == "one\ntwo\nthree\n"
    assert (folder / "raw/x.de").read_text() == "eins\nzwei\ndrei\n"
    assert result.stderr == "imported 3 pairs from 2 parts\n"


def test_import_needs_both_sides_of_every_part() -> None:
    arguments = ["--source-part", "a.en", "--source-part", "b.en", "--target-part", "a.de"]
    with pytest.raises(InputError, match="--source-part is given 2 times and --target-part 1 times"):
        run("import", *arguments, "--source", "x", "--target", "y")


def test_import_checks_test_sets(folder: Path) -> None:
    write(folder / "a", "x" * 20_001)
    arguments = ["--source-part", "a", "--target-part", "a", "--source", "x", "--target", "y"]
    succeed("import", *arguments)
    with pytest.raises(InputError, match="a, line 1: 20,001 characters"):
        run("import", *arguments, "--test-set")


def test_tokenise_from_standard_input() -> None:
    text = "„Ja,“ well-known\n\nx\u2028y\n"
    assert succeed("tokenise", "--language", "de", text=text).stdout == "„ Ja , “ well-known\n\nx y\n"
    normalised = succeed("tokenise", "--language", "de", "--normalise", "--aggressive", text=text).stdout
    assert normalised == "&quot; Ja &quot; , well @-@ known\n\nx y\n"


def test_tokenise_warns_once_of_a_language_without_rules() -> None:
    sentence = "--language xx: there is no list of abbreviations for it, so the English one is used; check that the "
    assert succeed("tokenise", "--language", "xx", text="a\nb\n").stderr == f"{sentence}code is right.\n"
    assert succeed("tokenise", "--language", "ru", text="a\n").stderr == ""


def test_tokenise_and_detokenise_files(folder: Path) -> None:
    write(folder / "in.en", "It's (very) good, isn't it?", "R&D <b>")
    succeed("tokenise", "--language", "en", "--input", "in.en", "--output", "tok.en.gz")
    succeed("detokenise", "--language", "en", "--input", "tok.en.gz", "--output", "out.en")
    assert (folder / "out.en").read_text() == "It's (very) good, isn't it?\nR&D < b >\n"


def test_clean(folder: Path) -> None:
    write(folder / "en", "a b", "", "a", "w " * 6)
    write(folder / "de", "c", "x", "a b c d", "w " * 3)
    arguments = ["--source", "en", "--target", "de", "--clean-source", "out.en", "--clean-target", "out.de"]
    result = succeed("clean", *arguments, "--maximum", "5", "--ratio", "3")
    assert (folder / "out.en").read_text() == "a b\n"
    assert (folder / "out.de").read_text() == "c\n"
    assert result.stderr.startswith("kept 1 of 4 pairs; dropped: 1 empty, 0 too short, 1 too long, 1 too different")
    with pytest.raises(InputError, match=r"none of the 4 pairs is left after cleaning \(1 empty, 3 too short"):
        run("clean", *arguments[:4], "--clean-source", "new.en", "--clean-target", "new.de", "--minimum", "50")
    assert not (folder / "new.en").exists()
    with pytest.raises(InputError, match="--minimum 9 is greater than --maximum 3"):
        run("clean", *arguments, "--minimum", "9", "--maximum", "3")


def test_truecase_and_back(folder: Path) -> None:
    write(folder / "train", "Today the house fell .", "Then the House fell and the house stood .")
    result = succeed("train-truecaser", "--input", "train", "--model", "model")
    assert result.stderr == "learnt the case of 5 words\n"
    assert (folder / "model").read_text().splitlines()[:2] == ["house (2/3) House (1)", "the (3/3)"]
    truecased = succeed("truecase", "--model", "model", text="The house . House !\n\n").stdout
    assert truecased == "the house . house !\n\n"
    assert succeed("detruecase", text=truecased).stdout == "The house . House !\n\n"


def test_a_language_without_case_has_an_empty_truecaser(folder: Path) -> None:
    write(folder / "train", "我们 去 学校 。", "他 来 了 。")
    assert "truecasing will change nothing" in succeed("train-truecaser", "--input", "train", "--model", "model").stderr
    assert succeed("truecase", "--model", "model", "--input", "train").stdout == "我们 去 学校 。\n他 来 了 。\n"


def test_count() -> None:
    assert succeed("count", text="b a  b\nc\n").stdout == "b 2\na 1\nc 1\n"


def test_count_in_several_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(f"b {number % 7} b\n" for number in range(5000))
    expected = succeed("count", text=text).stdout
    workers = []

    def recorded(work: Any, lines: Any, number: int) -> Any:
        workers.append(number)
        return map_chunks(work, lines, number)

    monkeypatch.setattr("rarewords.corpus.importing.map_chunks", recorded)
    assert succeed("count", "--num-workers", "2", text=text).stdout == expected
    assert workers == [2]


def test_require(folder: Path) -> None:
    write(folder / "there", "x")
    succeed("require", "--file", "there")
    for missing in ("not-there", folder):
        with pytest.raises(InputError, match=r"put it there by hand; docs/reproduction/data\.md"):
            run("require", "--file", missing)


def test_a_terminal_sees_progress(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    from rarewords.cli.progress import watched

    assert watched(items := ["a", "b"], "step") is items
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert list(watched(items, "step")) == items
    assert "step: 2 lines" in capsys.readouterr().err


def test_a_mistake_is_one_sentence_and_exit_code_2(folder: Path) -> None:
    program = Path(sys.executable).with_name("rarewords")
    write(folder / "en", "one")
    (folder / "de").write_bytes(b"\xff\n")
    arguments = ["--source-part", "en", "--target-part", "de", "--source", "x.en", "--target", "x.de"]
    result = subprocess.run([program, "corpus", "import", *arguments], capture_output=True, text=True)
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr == "rarewords: de, line 1: not UTF-8 (byte 0xff at column 1); convert the file to UTF-8.\n"
    assert sorted(path.name for path in folder.iterdir()) == ["de", "en"]
