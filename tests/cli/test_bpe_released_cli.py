"""The command lines of the released tool's README, against the released tool itself."""

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from rarewords.cli import cli
from rarewords.cli.several import repeat_flags
from rarewords.errors import InputError
from rarewords.text.files import read_lines, write_lines

DEMO = Path(__file__).parents[2] / "data/demo/libreoffice-help/en-de"
COMMANDS = {"learn-joint-bpe-and-vocab": "learn-joint", "learn-bpe": "learn", "apply-bpe": "apply"}
LEARN_JOINT = "learn-joint-bpe-and-vocab --input train.L1 train.L2 -s 300 -o codes --write-vocabulary v.L1 v.L2"
OUTPUTS = ("codes", "v.L1", "v.L2")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder with a text in two languages."""
    monkeypatch.chdir(tmp_path)
    for name, language in (("train.L1", "en"), ("train.L2", "de")):
        lines = [line for line in read_lines(DEMO / f"dev.{language}.gz") if "\u00a0" not in line]
        write_lines(tmp_path / name, [*lines[:300], "USA 1934USABUSA UK the UK"])
    return tmp_path


def released(line: str, text: str = "") -> str:
    """Run a command line of the released tool; returns standard output."""
    run = [Path(sys.executable).with_name("subword-nmt"), *line.split()]
    return subprocess.run(run, input=text, capture_output=True, encoding="utf-8", check=True).stdout


def ours(line: str, text: str = "") -> str:
    """Run the same command line with `rarewords bpe`."""
    command, *arguments = line.split()
    result = CliRunner().invoke(cli, ["bpe", COMMANDS[command], *arguments], input=text)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_learn_joint_and_apply_with_the_vocabulary(folder):
    text = (folder / "train.L1").read_text(encoding="utf-8")
    apply = "apply-bpe -c codes --vocabulary v.L1 --vocabulary-threshold 50"
    released(LEARN_JOINT)
    expected = [(folder / name).read_bytes() for name in OUTPUTS]
    expected_text = released(apply, text)
    for name in OUTPUTS:
        (folder / name).unlink()
    ours(LEARN_JOINT)
    assert [(folder / name).read_bytes() for name in OUTPUTS] == expected
    assert ours(apply, text) == expected_text
    assert expected_text != ours("apply-bpe -c codes", text)


def test_learn_and_apply_with_glossaries(folder):
    text = (folder / "train.L1").read_text(encoding="utf-8")
    assert ours("learn-bpe -s 300", text) == released("learn-bpe -s 300", text)
    ours("learn-bpe -s 300 -o codes", text)
    apply = "apply-bpe --glossaries USA UK -c codes"
    assert ours(apply, text) == released(apply, text)
    assert "USA@@ B@@ USA UK" in ours(apply, text)


def test_short_and_repeated_flags_are_the_same(folder):
    ours(LEARN_JOINT)
    expected = [(folder / name).read_bytes() for name in OUTPUTS]
    for inputs in ("-i train.L1 train.L2", "-i train.L1 --input train.L2"):
        for vocabularies in ("--write-vocabulary v.L1 v.L2", "--write-vocabulary v.L1 --write-vocabulary=v.L2"):
            for name in OUTPUTS:
                (folder / name).unlink()
            ours(f"learn-joint-bpe-and-vocab {vocabularies} -s 300 -o codes {inputs}")
            assert [(folder / name).read_bytes() for name in OUTPUTS] == expected
    assert ours("learn-bpe -s 300 -i train.L1 train.L2") == (folder / "codes").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("-i a b -s 3", "-i a -i b -s 3"),
        ("-i a - --in b c", "-i a -i - --in b --in c"),
        ("-i -x b", "-i -x -i b"),
        ("-i -i b", "-i -i -i b"),
        ("-s 3 a -i", "-s 3 a -i"),
        ("-i a -t b", "-i a -t b"),
    ],
)
def test_repeat_flags(arguments, expected):
    assert list(repeat_flags(arguments.split(), {"-i", "--in"})) == expected.split()


def test_a_value_without_a_flag_is_refused(folder):
    for line in ("train.L1", "-s 300 train.L1", "-i train.L1 -t train.L2"):
        result = CliRunner().invoke(cli, ["bpe", "learn", *line.split()])
        assert result.exit_code == 2
        assert "unexpected extra argument" in result.output


def test_an_empty_codes_file_is_refused_but_codes_without_merges_are_not(folder):
    (folder / "codes").write_bytes(b"")
    result = CliRunner().invoke(cli, ["bpe", "apply", "-c", "codes"], input="ab\n")
    assert isinstance(result.exception, InputError)
    assert str(result.exception) == "codes: the codes file is empty; learn it again with `rarewords bpe learn`."
    (folder / "codes").write_text("#version: 0.2\n", encoding="utf-8")
    assert ours("apply-bpe -c codes", "ab\n") == "a@@ b\n"


@pytest.mark.parametrize("dropout", ["nan", "inf", "-0.1", "1.5"])
def test_a_dropout_that_is_no_probability_is_refused(folder, dropout):
    (folder / "codes").write_text("#version: 0.2\n", encoding="utf-8")
    result = CliRunner().invoke(cli, ["bpe", "apply", "-c", "codes", "--dropout", dropout], input="ab\n")
    assert result.exit_code == 2
    assert "Invalid value for '--dropout'" in result.output
