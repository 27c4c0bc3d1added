"""Pipes, closed standard streams and odd encodings, as programs and shells give them."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

PROGRAM = [sys.executable, "-c", "from rarewords.cli import main; main()"]
CLOSED = b"rarewords: standard output is closed; name an output file, or send it to one.\n"
TOKENISE = ["corpus", "tokenise", "--language", "de"]


def run(*arguments: str, shell: str = "", text: bytes = b"", **variables: str) -> subprocess.CompletedProcess[bytes]:
    command = ["sh", "-c", f'exec "$@" {shell}', "sh", *PROGRAM, *arguments]
    return subprocess.run(command, input=text, capture_output=True, env={**os.environ, **variables}, timeout=600)


def fill(path: Path, content: bytes) -> threading.Thread:
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(content,))
    writer.start()
    return writer


@pytest.mark.parametrize(
    "command",
    [TOKENISE, ["bpe", "apply", "--codes", "codes"], [*TOKENISE, "--flush"]],
    ids=["tokenise", "bpe", "flush"],
)
def test_a_line_is_answered_before_the_next_one_is_sent(tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "codes").write_text("#version: 0.2\nH a\n", encoding="utf-8")
    with subprocess.Popen([*PROGRAM, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tmp_path) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for line in (b"Haus\n", b"Ha\n"):
            process.stdin.write(line)
            process.stdin.flush()
            answer = process.stdout.readline()
            assert answer.replace(b"@@ ", b"") == line
        process.stdin.close()
        assert process.stdout.read() == b""


def test_a_piped_translation_is_read_once_and_its_checksum_is_that_of_what_was_read(tmp_path: Path) -> None:
    text = b"Hallo, Welt!\n"
    (tmp_path / "reference").write_bytes(text)
    writer = fill(tmp_path / "pipe", text)
    done = run(
        "score", "--hypothesis", str(tmp_path / "pipe"), "--reference", str(tmp_path / "reference"),
        "--json", str(tmp_path / "json"),
    )  # fmt: skip
    writer.join()
    assert done.returncode == 0
    inputs = json.loads((tmp_path / "json").read_text(encoding="utf-8"))["inputs"]
    assert {found["sha256"] for found in inputs.values()} == {hashlib.sha256(text).hexdigest()}


def test_a_pipe_that_is_needed_twice_is_an_error_and_no_endless_wait() -> None:
    done = run("score", "--hypothesis", "-", "--reference", "/dev/stdin", text=b"a\n")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"rarewords: /dev/stdin: a pipe can be read only once, but is needed again; give a file.\n"


def test_closed_standard_streams() -> None:
    done = run(*TOKENISE, shell="<&-")
    assert (done.returncode, done.stderr) == (2, b"rarewords: standard input is closed; name an input file.\n")
    done = run(*TOKENISE, shell=">&-", text=b"a\n")
    assert (done.returncode, done.stderr) == (2, CLOSED)
    done = run(*TOKENISE, shell="2>&-", text=b"abc.\n")
    assert (done.returncode, done.stdout) == (0, b"abc .\n")


@pytest.mark.parametrize(
    "command", [["score", "--hypothesis", "t", "--reference", "t"], ["corpus", "list"], ["--version"]]
)
def test_a_result_that_cannot_be_printed_is_not_lost_without_a_word(tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "t").write_text("A line.\n", encoding="utf-8")
    at = [str(tmp_path / "t") if word == "t" else word for word in command]
    done = run(*at, shell=">&-")
    assert done.returncode == 2
    assert done.stderr == CLOSED
    assert run(*at, shell=">/dev/full").returncode == 2
    assert run(*at).returncode == 0


def test_messages_are_shown_where_a_program_has_replaced_standard_error() -> None:
    program = """
import gc, os, sys
from rarewords.cli import main
sys.stderr = os.fdopen(2, "w")
try:
    main(["corpus", "tokenise", "--language", "de", "--input", "nowhere"])
finally:
    gc.collect()
    os.write(2, b"still open")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=600)
    assert done.returncode == 2
    assert done.stderr.startswith(b"rarewords: nowhere: ")
    assert done.stderr.endswith(b"still open")


def test_messages_do_not_get_into_a_file_that_has_the_number_of_a_closed_stream(tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes(b"a b\n" * 3)
    done = run(
        "corpus", "clean", "--source", str(tmp_path / "text"), "--target", str(tmp_path / "text"),
        "--clean-source", str(tmp_path / "x"), "--clean-target", str(tmp_path / "y"), shell="2>&- <&- >&-",
    )  # fmt: skip
    assert done.returncode == 0
    assert (tmp_path / "x").read_bytes() == (tmp_path / "y").read_bytes() == b"a b\n" * 3


@pytest.mark.parametrize("encoding", ["latin-1", "ascii"])
def test_text_is_utf8_and_messages_are_shown_as_well_as_can_be(encoding: str) -> None:
    done = run(*TOKENISE, text="Ж«ß»\n".encode(), PYTHONIOENCODING=encoding)
    assert done.stdout.decode() == "Ж « ß »\n"
    assert run("translate", "--help", PYTHONIOENCODING=encoding).returncode == 0
    done = run(*TOKENISE, "--input", "кот", PYTHONIOENCODING=encoding)
    shown = "???" if encoding == "latin-1" else "кот"  # Python takes ASCII for a mistake
    assert (done.returncode, done.stderr[: 11 + len(shown.encode())]) == (2, f"rarewords: {shown}".encode())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs Linux's /dev/full")
def test_a_full_disk_behind_standard_error_ends_no_command(tmp_path: Path) -> None:
    assert run(*TOKENISE, "--input", "missing", shell="2>/dev/full").returncode == 2
    done = run(*TOKENISE, shell="2>/dev/full", text=b"abc.\n")
    assert (done.returncode, done.stdout) == (0, b"abc .\n")
    (tmp_path / "a").write_text("A line .\n" * 20, encoding="utf-8")
    files = ["--hypothesis", str(tmp_path / "a"), "--reference", str(tmp_path / "a")]
    assert b"looks tokenised" in run("score", *files).stderr  # a warning
    assert b"BLEU" in run("score", *files, shell="2>/dev/full").stdout


def test_standard_input_that_is_a_file_is_not_read_twice(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("Hallo\n", encoding="utf-8")
    done = run("score", "--hypothesis", "-", "--reference", "-", shell=f"<{tmp_path / 'text'}")
    assert done.returncode == 2
    assert done.stderr == b"rarewords: -: standard input can be read only once, but is needed again; give a file.\n"
