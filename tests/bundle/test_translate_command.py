"""`rarewords translate` as people run it: a stream, files, a terminal."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rarewords.bundle.translator import Translation, Translator
from rarewords.cli import cli
from rarewords.text.streams import blocks

from .conftest import ENGLISH

LINES = [*ENGLISH, "", "The „old“ house!", "Unseen zebra."]
PROGRAM = [sys.executable, "-c", "from rarewords.cli import main; main()"]


def translate(bundle: Path, *arguments: object, lines: list[str] = LINES) -> Result:
    text = "".join(line + "\n" for line in lines)
    return CliRunner().invoke(cli, ["translate", str(bundle), "--device", "cpu", *map(str, arguments)], input=text)


def test_a_line_for_each_line_and_nothing_else(bundle: Path, translator: Translator) -> None:
    done = translate(bundle)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.split("\n") == [*translator.translate(LINES), ""]
    assert translate(bundle, lines=[]).stdout == ""


def test_many_lines_are_translated_in_blocks(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = translate(bundle).stdout
    sizes = []
    original = Translator.sentence_translations

    def counting(self: Translator, lines: list[str], *arguments: object, **options: object) -> object:
        sizes.append(len(lines))
        return original(self, lines, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Translator, "sentence_translations", counting)
    monkeypatch.setattr("rarewords.bundle.translator.LINES_AT_ONCE", 3)
    assert translate(bundle).stdout == whole
    assert sizes == [3, 3, 1]


def test_blocks_read_no_further_than_needed() -> None:
    lines = iter("abcdefg")
    cut = blocks(lines, 3)
    assert next(cut) == ["a", "b", "c"]
    assert next(lines) == "d"
    assert list(cut) == [["e", "f", "g"]]


def test_members_and_beam(bundle: Path) -> None:
    chosen = Translator.load(bundle, members=[1, 3], device="cpu").translate(LINES, beam=2)
    assert translate(bundle, "--members", "1,3", "--beam", 2).stdout.splitlines() == chosen
    for wrong in ("0", "1,1", "a", "", "1,"):
        assert translate(bundle, "--members", wrong).exit_code == 2
    done = subprocess.run([*PROGRAM, "translate", bundle, "--members", "4"], input="", capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("has members 1 to 3, but not member 4; name one of these.\n")


def test_an_nbest_list(bundle: Path, translator: Translator) -> None:
    found = translator.sentence_translations(LINES, number=2)
    assert [len(sentences) for sentences in found] == [1, 1, 2, 1, 0, 1, 1]
    expected = []
    for k, sentences in enumerate(found):
        for place, best in enumerate(sentences):
            expected += [f"{k} ||| {one.text} ||| {one.cost:.6f} ||| {place}" for one in best]
        expected += [] if sentences else [f"{k} |||  ||| 0.000000 ||| 0"]
    assert translate(bundle, "--nbest", 2).stdout.splitlines() == expected
    whole = translate(bundle, "--nbest", 2, "--no-split").stdout.splitlines()
    assert {line.split(" ||| ")[3] for line in whole} == {"0"}


def test_alignments_units_and_files(bundle: Path, translator: Translator, tmp_path: Path) -> None:
    (tmp_path / "in").write_text("\n".join(LINES) + "\n", encoding="utf-8")
    files = ("--input", tmp_path / "in", "--output", tmp_path / "out", "--alignments", tmp_path / "links")
    done = translate(bundle, *files, "--show-units")
    assert (done.exit_code, done.stdout) == (0, "")
    assert (tmp_path / "out").read_text(encoding="utf-8").splitlines() == translator.translate(LINES)
    found = [[best[0] for best in sentences] for sentences in translator.sentence_translations(LINES)]
    shown = [
        f"line {k}, sentence {n}: {' '.join(piece.source)} -> {' '.join(piece.units)}"
        for k, sentences in enumerate(found, 1)
        for n, one in enumerate(sentences, 1)
        for piece in one.pieces
    ]
    assert done.stderr.splitlines() == shown

    def links(align: Callable[[list[Translation]], list[list[tuple[int, int]]]]) -> list[str]:
        of_sentences = [[" ".join(f"{i}-{j}" for i, j in one) for one in align(sentences)] for sentences in found]
        return [" ||| ".join(line) for line in of_sentences]

    words, units = links(translator.align_words), links(translator.align)
    assert " ||| " in words[2]
    assert (tmp_path / "links").read_text(encoding="utf-8").splitlines() == [
        " ".join(f"{i}-{j}" for i, j in one) for one in translator.align_text(LINES, found)
    ]
    assert translate(bundle, *files, "--alignments-of", "tokens").exit_code == 0
    assert (tmp_path / "links").read_text(encoding="utf-8").splitlines() == words
    assert translate(bundle, *files, "--alignments-of", "units").exit_code == 0
    assert (tmp_path / "links").read_text(encoding="utf-8").splitlines() == units
    assert words != units


def test_a_long_line_is_a_warning_with_its_number(bundle: Path) -> None:
    lines = ["", "The house.", " ".join(ENGLISH), "a b c d e f g h i j k l m n"]
    done = translate(bundle, "--longest", 12, lines=lines)
    assert len(done.stdout.splitlines()) == 4
    first, *_, last = done.stderr.splitlines()
    assert first.startswith("warning: line 3, sentence 2 has 17 units")
    assert "is translated in 3 parts of at most 12 units" in first
    assert last.endswith(" sentences were translated in parts.")


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="this system has no pseudo-terminals")
def test_on_a_terminal_each_line_is_translated_when_it_is_entered(bundle: Path, translator: Translator) -> None:
    terminal, inside = os.openpty()
    command = [*PROGRAM, "translate", str(bundle), "--device", "cpu"]
    with subprocess.Popen(command, stdin=inside, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        for line in ENGLISH[:2]:
            os.write(terminal, f"{line}\n".encode())
            assert process.stdout.readline().decode() == translator.translate([line])[0] + "\n"
        os.write(terminal, b"\x04")
        assert process.stdout.read() == b""
        assert process.stderr.read() == b"toy: en to de. Enter text; Ctrl-D ends.\n"
    assert process.returncode == 0
    os.close(terminal)
    os.close(inside)
