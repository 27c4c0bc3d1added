"""Reading and writing line-aligned text."""

from __future__ import annotations

import gzip
import io
import os
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rarewords.errors import InputError
from rarewords.text.documents import read_json, write_json
from rarewords.text.files import (
    atomic_file,
    atomic_writer,
    read_lines,
    read_parallel,
    sha256,
    write_lines,
)

# Characters at which str.splitlines() would break a line.
NOT_LINE_ENDS = "a\u2028b\u2029c\u0085d\x0be\x0cf\x1cg\x1dh\x1ei"


def test_only_line_feeds_end_lines(tmp_path: Path) -> None:
    file = tmp_path / "text"
    file.write_bytes(f"{NOT_LINE_ENDS}\nsecond\r\n\nx\ry\nlast".encode())
    assert list(read_lines(file)) == [NOT_LINE_ENDS, "second", "", "x\ry", "last"]


def test_empty_file_has_no_lines(tmp_path: Path) -> None:
    file = tmp_path / "text"
    file.write_bytes(b"")
    assert list(read_lines(file)) == []


def test_byte_order_mark_is_dropped_at_the_start_only(tmp_path: Path) -> None:
    file = tmp_path / "text"
    file.write_bytes("\ufeffone\n\ufefftwo\n".encode())
    assert list(read_lines(file)) == ["one", "\ufefftwo"]


def test_bad_utf8_names_file_line_and_column(tmp_path: Path) -> None:
    file = tmp_path / "latin1.de"
    file.write_bytes("gut\nSchön\n".encode("latin-1"))
    with pytest.raises(InputError, match=r"latin1\.de, line 2: not UTF-8 \(byte 0xf6 at column 4\)"):
        list(read_lines(file))


def test_gzip_file_of_another_name_is_called_one(tmp_path: Path) -> None:
    file = tmp_path / "text.de"
    file.write_bytes(gzip.compress(b"gut\n"))
    with pytest.raises(InputError, match=r"text\.de: this is a gzip file; unpack it, or let its name end in \.gz"):
        list(read_lines(file))


def test_missing_file_and_directory(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere: cannot be read"):
        list(read_lines(tmp_path / "nowhere"))
    with pytest.raises(InputError, match="cannot be read"):
        list(read_lines(tmp_path))


def test_truncated_gzip(tmp_path: Path) -> None:
    file = tmp_path / "text.gz"
    file.write_bytes(gzip.compress(b"one\ntwo\n")[:-4])
    with pytest.raises(InputError, match=r"text\.gz.*damaged"):
        list(read_lines(file))


def test_text_named_gz(tmp_path: Path) -> None:
    file = tmp_path / "text.gz"
    file.write_bytes(b"one\ntwo\n")
    with pytest.raises(InputError, match=r"text\.gz.*damaged"):
        list(read_lines(file))


def test_gzip_with_damaged_content(tmp_path: Path) -> None:
    file = tmp_path / "text.gz"
    content = bytearray(gzip.compress(b"".join(b"%d " % (n * n) for n in range(2000))))
    content[200] ^= 0xFF
    file.write_bytes(content)
    with pytest.raises(InputError, match=r"text\.gz.*damaged"):
        list(read_lines(file))


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\n\r\ufeff"))))
@settings(deadline=None, max_examples=30)
@pytest.mark.parametrize("name", ["text", "text.gz"])
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, name: str, lines: list[str]) -> None:
    file = tmp_path_factory.mktemp("round") / name
    assert write_lines(file, lines) == len(lines)
    assert list(read_lines(file)) == lines


def test_gzip_output_is_reproducible(tmp_path: Path) -> None:
    for name in ("a.gz", "b.gz"):
        write_lines(tmp_path / name, ["one", "two"])
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()
    assert gzip.decompress((tmp_path / "a.gz").read_bytes()) == b"one\ntwo\n"
    assert sha256(tmp_path / "a.gz") == sha256(tmp_path / "b.gz")


@pytest.mark.parametrize("name", ["text", "text.gz"])
def test_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    write_lines(file, ["old"])

    def lines():
        yield "new"
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        write_lines(file, lines())
    assert list(read_lines(file)) == ["old"]
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_file_appears_only_when_complete(tmp_path: Path) -> None:
    file = tmp_path / "new" / "folder" / "text"
    with atomic_writer(file) as out:
        out.write("one\n")
        out.flush()
        assert not file.exists()
    assert file.read_bytes() == b"one\n"


def test_atomic_file_is_removed_on_keyboard_interrupt(tmp_path: Path) -> None:
    def interrupted() -> None:
        with atomic_file(tmp_path / "binary") as out:
            out.write(b"x")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert list(tmp_path.iterdir()) == []


def test_dash_is_standard_input_and_output(monkeypatch: pytest.MonkeyPatch, capfdbinary) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("ä\nb".encode())))
    write_lines("-", read_lines("-"))
    sys.stdout.write("still open\n")
    sys.stdout.flush()
    assert capfdbinary.readouterr().out == "ä\nb\nstill open\n".encode()


def test_parallel_lines(tmp_path: Path) -> None:
    write_lines(tmp_path / "en", ["one", ""])
    write_lines(tmp_path / "de.gz", ["eins", "zwei"])
    assert list(read_parallel(tmp_path / "en", tmp_path / "de.gz")) == [("one", "eins"), ("", "zwei")]


@pytest.mark.parametrize(("source", "target", "shorter"), [(2, 3, "en"), (3, 2, "de")])
def test_unequal_numbers_of_lines_name_the_shorter_file(tmp_path: Path, source: int, target: int, shorter: str) -> None:
    write_lines(tmp_path / "en", [""] * source)
    write_lines(tmp_path / "de", [""] * target)
    with pytest.raises(InputError, match=rf"{shorter} ends after line 2 but .* goes on"):
        list(read_parallel(tmp_path / "en", tmp_path / "de"))


def test_json(tmp_path: Path) -> None:
    value = {"größe": [1, None, "\u2028"], "a": {"b": 0.5}}
    write_json(tmp_path / "a.json", value)
    assert read_json(tmp_path / "a.json") == value
    assert "größe" in (tmp_path / "a.json").read_text(encoding="utf-8")
    (tmp_path / "b.json").write_text('{\n"a": 1,\n}', encoding="utf-8")
    with pytest.raises(InputError, match=r"b\.json, line [23]: not JSON"):
        read_json(tmp_path / "b.json")


def test_a_link_is_followed_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "big-disk").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "big-disk" / "file")
    write_lines(tmp_path / "link", ["text"])
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "big-disk" / "file").read_text(encoding="utf-8") == "text\n"


def test_a_pipe_is_written_to_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_lines(pipe, ["through"])
        assert os.read(reader, 100) == b"through\n"
    finally:
        os.close(reader)
    assert pipe.is_fifo()


def test_an_output_without_a_name_is_refused() -> None:
    with pytest.raises(InputError, match="empty name"):
        write_lines("", ["x"])
