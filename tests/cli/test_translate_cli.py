"""`rarewords translate` with candidate lists, and which members it takes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import torch
from click.testing import CliRunner, Result

from rarewords.cli import cli, translations
from rarewords.model.parameters import initial_parameters
from rarewords.model.size import NetworkSize
from rarewords.saved_model import SavedModel, save_model
from rarewords.segmentation.registry import create
from rarewords.vocabulary import Vocabulary


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A member that writes any unit, a segmenter of words, two source lines and a lexical table."""
    source, target = Vocabulary(dict.fromkeys("abc", 1)), Vocabulary(dict.fromkeys("pqrstuvw", 1))
    size = NetworkSize(len(source), len(target), embedding=6, hidden=8)
    generator = torch.Generator().manual_seed(4)
    drawn = initial_parameters(size, 4)
    noisy = {name: value + 0.8 * torch.randn(value.shape, generator=generator) for name, value in drawn.items()}
    save_model(tmp_path / "m", SavedModel(noisy, size, source, target, {}))
    segmenter, _ = create("words", {}, [{"a": 1}, {"p": 1}], ["en", "de"])
    segmenter.save(tmp_path / "segmenter.json")
    (tmp_path / "source").write_text("a a b\nc c c c\n", encoding="utf-8")
    (tmp_path / "lexicon.tsv").write_text("a\tv\t0.5\na\tu\t0.5\nb\tw\t1\nc\tt\t1\n", encoding="utf-8")
    return tmp_path


def translate(folder: Path, *arguments: str) -> Result:
    files = [f"--input={folder / 'source'}", f"--segmenter={folder / 'segmenter.json'}"]
    return CliRunner().invoke(cli, ["translate-units", *files, "--language=de", "--device=cpu", *arguments])


def units(folder: Path, *arguments: str) -> list[set[str]]:
    """The units of each line's translation."""
    result = translate(folder, f"--member={folder / 'm'}", f"--units={folder / 'units'}", *arguments)
    assert (result.exit_code, result.output[:11]) == (0, "translation")
    return [set(line.split()) for line in (folder / "units").read_text(encoding="utf-8").splitlines()]


def test_lists_limit_what_is_written(folder: Path) -> None:
    lexicon = f"--lexicon={folder / 'lexicon.tsv'}"
    whole = units(folder)
    assert any(found - {"p", "<unk>", "v", "w", "t"} for found in whole)  # else the lists would change nothing
    # EOS, UNK and p; the first translation of a, that of b, that of c
    first, second = units(folder, lexicon, "--common=3", "--per-word=1")
    assert first <= {"p", "<unk>", "v", "w"}
    assert second <= {"p", "<unk>", "t"}
    # two blocks of one line with four units each: EOS and UNK, and two of the line's translations, or p
    first, second = units(folder, lexicon, "--common=4", "--per-word=1", "--block=1")
    assert first <= {"<unk>", "v", "w"}
    assert second <= {"p", "<unk>", "t"}
    assert units(folder, lexicon) == whole  # 30,000 common units are more than there are


def test_members_or_a_choice(folder: Path) -> None:
    (folder / "choice.json").write_text(f'{{"member": "{folder / "m"}", "bleu": {{}}}}', encoding="utf-8")
    member, choice = f"--member={folder / 'm'}", f"--choice={folder / 'choice.json'}"
    assert translate(folder, member).stdout == translate(folder, choice).stdout != ""
    for arguments in ((), (member, choice)):
        result = translate(folder, *arguments)
        assert result.exit_code == 2
        assert "Give either --member (once or more) or --choice." in result.output


def test_blocks_of_lines_do_not_change_translations(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines are translated in blocks, whose size changes nothing; with --block lists are of whole blocks."""
    (folder / "source").write_text("a a b\n\nc c c c\nb\na c\n" * 3, encoding="utf-8")
    member, lexicon = f"--member={folder / 'm'}", [f"--lexicon={folder / 'lexicon.tsv'}", "--common=4", "--block=3"]
    whole = [translate(folder, member, *options).stdout for options in ((), lexicon)]
    assert len(whole[0].splitlines()) == len(whole[1].splitlines()) == 15
    monkeypatch.setattr(translations, "LINES_AT_ONCE", 4)
    assert [translate(folder, member, *options).stdout for options in ((), lexicon)] == whole
    monkeypatch.setattr(translations, "LINES_AT_ONCE", 2)  # less than a block of lists
    assert translate(folder, member, *lexicon).stdout == whole[1]
    assert translate(folder, member, "--flush").stdout == whole[0]


def test_units_are_answered_line_by_line(folder: Path) -> None:
    whole = translate(folder, f"--member={folder / 'm'}").stdout.splitlines()
    command = ["translate-units", "--member=m", "--segmenter=segmenter.json", "--language=de", "--device=cpu"]
    program = [sys.executable, "-c", "from rarewords.cli import main; main()", *command]
    with subprocess.Popen(program, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for line, answer in zip(("a a b\n", "c c c c\n"), whole, strict=True):
            process.stdin.write(line.encode())
            process.stdin.flush()
            assert process.stdout.readline().decode() == answer + "\n"
        process.stdin.close()
        assert process.stdout.read() == b""


def test_nothing_is_written_if_a_later_line_is_too_long(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translations, "LINES_AT_ONCE", 2)
    (folder / "source").write_text("a\na\na\n" + "a " * 10_001 + "\n", encoding="utf-8")
    result = translate(folder, f"--member={folder / 'm'}", f"--text={folder / 'text'}")
    assert str(result.exception) == (
        f"{folder / 'source'}, line 4 has 10,001 units, but at most 10,000 can be translated at once: "
        "split it into sentences."
    )
    assert not (folder / "text").exists()
