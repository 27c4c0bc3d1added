"""`rarewords bpe` and `rarewords.bpe` in the place of subword-nmt: every command and flag, beside the released tool.

Codes for bytes came after release 0.3.8. For them the released tool is given a text in which each byte is a character,
in the order of bytes and none of them white space, and its codes are carried back.
"""

import io
import random
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from subword_nmt import apply_bpe, get_vocab, learn_bpe

from rarewords import bpe
from rarewords.cli import cli
from rarewords.cli.several import complete_flags
from rarewords.errors import InputError
from rarewords.text.files import read_lines

DEMO = Path(__file__).parents[2] / "data/demo/libreoffice-help"
SHIFT = 0x4E00  # where bytes outside ASCII stand as characters


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Texts with spaces and carriage returns at the ends of lines, an empty line and no LF at the end of the file."""
    monkeypatch.chdir(tmp_path)
    for name, path in (("en", DEMO / "en-ru/dev.en.gz"), ("ru", DEMO / "en-ru/dev.ru.gz")):
        lines = [line for line in read_lines(path) if "\u00a0" not in line][:200]
        lines[3:3] = [f"  {lines[0]}  {lines[1]} \r", " ", "", "Größe 😀 naïve"]
        Path(name).write_bytes("\n".join(lines).encode())
    Path("dictionary").write_text("low 5\nlower 2\nnewest 6\nwidest 3\nlow 1\n")
    return tmp_path


def run(command: list[str], line: str, stdin: bytes = b"") -> bytes:
    return subprocess.run([*command, *line.split()], input=stdin, capture_output=True, check=True).stdout


RELEASED = [str(Path(sys.executable).with_name("subword-nmt"))]


def released(line: str, stdin: bytes = b"") -> bytes:
    command, *_ = line.split()
    if command == "learn-joint-bpe-and-vocab":
        return run(RELEASED, line, stdin)
    module = command.replace("-", "_")  # the modules honour all their flags, the command `subword-nmt` does not
    return run([sys.executable, "-m", f"subword_nmt.{module}"], line.removeprefix(command), stdin)


def ours(line: str, stdin: bytes = b"") -> bytes:
    result = CliRunner().invoke(cli, ["bpe", *line.split()], input=stdin)
    assert result.exit_code == 0, result.output
    return result.stdout_bytes


@pytest.mark.parametrize(
    "line",
    [
        "learn-bpe -s 200 -i en -o out",
        "learn-bpe --symbols 200 --input en --output out --min-frequency 4 --verbose",
        "learn-bpe -i dictionary --dict-input -s 8 -v -o out",
        "learn-bpe -i ru -s 300 --total-symbols --num-workers 1 -o out",
        "learn-bpe -i ru -s 300 -t --num-workers -1 -o out",
        "learn-bpe -i en --sym=50 --out out",
        "apply-bpe -c codes -i en -o out",
        "apply-bpe --codes codes --input en --output out --merges 50 --separator ~~",
        "apply-bpe -c codes -m -1 -s ￭ -i en -o out",
        "apply-bpe -c codes -i en -o out --vocabulary vocab.en --vocabulary-threshold 3",
        "apply-bpe -c codes -i en -o out --vocabulary vocab.both",
        "apply-bpe -c codes -i en -o out --num-workers 2 --glossaries [0-9]+ Writer",
        "apply-bpe -c codes -i en -o out --dropout 0.3 --seed 7",
        "apply-bpe -c codes -i en -o out --dropout 0.1 --seed 8 --vocabulary vocab.en --num-workers 1",
        "segment-char-ngrams -i en --vocab vocab.en --shortlist 20 -n 3 -o out -s ++",
        "segment-char-ngrams --input ru --vocab vocab.en --output out --separator @@",
        "learn-joint-bpe-and-vocab -i en ru -o out -s 200 --write-vocabulary v1 v2 --separator ~~ -v",
        "learn-joint-bpe-and-vocab --input en -o out -s 300 -t --min-frequency 3 --write-vocabulary v1 --num-w=1",
    ],
)
def test_every_flag_makes_the_same_file(folder, line):
    released("learn-bpe -i en -s 150 -o codes")
    for name in ("vocab.en", "vocab.both"):
        Path(name).write_bytes(run(RELEASED, "get-vocab -i en"))
    Path("vocab.both").write_bytes(Path("vocab.en").read_bytes() + b"the 3\nan 0\n")
    outputs = ("out", "v1", "v2")
    if line.startswith("segment-char") or "workers 2" in line:  # there the released tool loses CR
        for name in ("en", "ru"):
            Path(name).write_bytes(Path(name).read_bytes().replace(b"\r", b""))
    released(line)
    expected = {name: Path(name).read_bytes() for name in outputs if Path(name).exists()}
    for name in expected:
        Path(name).unlink()
    ours(line)
    assert {name: Path(name).read_bytes() for name in outputs if Path(name).exists()} == expected
    assert len(expected["out"]) > 20


def test_standard_input_and_output(folder):
    text = Path("en").read_bytes()
    for line in ("learn-bpe -s 60", "get-vocab"):
        assert ours(line, text) == run(RELEASED, line, text)
    Path("codes").write_bytes(ours("learn-bpe -s 60", text))
    expected = run(RELEASED, "apply-bpe -c codes", text)
    assert ours("apply-bpe -c codes", text) == expected
    assert not expected.endswith(b"\n")
    assert b"\r\n" in expected
    assert run([sys.executable, "-m", "rarewords.bpe"], "apply-bpe -c codes", text) == expected


def to_characters(content: bytes) -> str:
    return "".join(chr(byte if byte < 0x80 else SHIFT + byte) for byte in content)


def to_bytes(text: str) -> bytes:
    return b"".join(bytes([ord(character) & 0xFF]) for character in text)


@pytest.mark.parametrize("flags", ["-s 400", "-s 400 -t", "-s 90 --min-frequency 5"])
def test_bytes(folder, flags):
    text = Path("ru").read_bytes()
    Path("characters").write_text(to_characters(text), encoding="utf-8", newline="")
    released(f"learn-bpe -i characters -o codes {flags}")
    expected = b"#version: 0.2 byte\n" + to_bytes(Path("codes").read_text().partition("\n")[2])
    assert ours(f"learn-bpe --byte -i ru {flags}") == expected
    Path("byte-codes").write_bytes(expected)
    released("apply-bpe -c codes -i characters -o out")
    segmented = ours("apply-bpe -c byte-codes -i ru")
    assert segmented == to_bytes(Path("out").read_bytes().decode())
    text = b"\n".join(b" ".join(filter(None, line.strip(b" ").split(b" "))) for line in text.split(b"\n"))
    assert segmented.replace(b"@@ ", b"").split() == text.split()


def test_bytes_that_are_no_utf_8(folder):
    Path("text").write_bytes(b"\xff\xfea \xff\xfea \xff\xfeb\n")
    assert ours("learn-bpe -b -s 2 -i text") == b"#version: 0.2 byte\n\xff \xfe\n\xff\xfe a</w>\n"
    Path("codes").write_bytes(ours("learn-bpe -b -s 2 -i text"))
    assert ours("apply-bpe -c codes -i text -s ++") == b"\xff\xfea \xff\xfea \xff\xfe++ b\n"
    assert ours("apply-bpe -c codes -i text --glossaries a") == b"\xff@@ \xfe@@ a \xff@@ \xfe@@ a \xff\xfe@@ b\n"


def test_the_beginning_of_a_flag_stands_for_it():
    flags = ["--vocabulary", "--vocabulary-threshold", "--separator", "-s"]
    given = ["--sep", "x", "--vocabulary", "--vocab", "--vocabulary-t=3", "-s", "--", "--other"]
    expected = ["--separator", "x", "--vocabulary", "--vocab", "--vocabulary-threshold=3", "-s", "--", "--other"]
    assert list(complete_flags(given, flags)) == expected


def test_the_python_interface(folder):
    text = Path("en").read_text(encoding="utf-8").splitlines(keepends=True)
    theirs, mine = io.StringIO(), io.StringIO()
    learn_bpe.learn_bpe(text, theirs, 120, total_symbols=True)
    bpe.learn_bpe(text, mine, 120, total_symbols=True)
    assert mine.getvalue() == theirs.getvalue()
    counted, counted_here = io.StringIO(), io.StringIO()
    get_vocab.get_vocab(text, counted)
    bpe.get_vocab(text, counted_here)
    assert counted_here.getvalue() == counted.getvalue()
    vocabulary = bpe.read_vocabulary(counted.getvalue().splitlines(), 3)
    assert vocabulary == apply_bpe.read_vocabulary(counted.getvalue().splitlines(), 3)
    for options in ({}, {"merges": 40, "separator": "~~"}, {"vocab": vocabulary}, {"glossaries": ["the", "o+"]}):
        released_bpe, our_bpe = apply_bpe.BPE(theirs, **options), bpe.BPE(mine, **options)
        assert [our_bpe.process_line(line) for line in text] == [released_bpe.process_line(line) for line in text]
        assert our_bpe.segment(text[0]) == released_bpe.segment(text[0])
        assert our_bpe.segment_tokens(["", "lower", "newest"]) == released_bpe.segment_tokens(["", "lower", "newest"])
        random.seed(5)
        expected = [released_bpe.process_line(line, 0.3) for line in text]
        random.seed(5)
        assert [our_bpe.process_line(line, 0.3) for line in text] == expected


def test_a_file_through_the_python_interface(folder):
    with open("en", "rb") as text, open("codes", "wb") as codes:
        bpe.learn_bpe(text, codes, 120, is_bytes=True)
    with open("codes", "rb") as codes:
        segmenter = bpe.BPE(codes)
    with open("out", "wb") as out:
        segmenter.process_lines("en", out, num_workers=2)
    assert Path("out").read_bytes() == ours("apply-bpe -c codes -i en")
    assert segmenter.process_line("Größe\n".encode()) == ours("apply-bpe -c codes", "Größe\n".encode())
    with pytest.raises(InputError, match="'Größe' is text, but these codes are for bytes"):
        segmenter.process_line("Größe")
