"""The checksum beside a text that a workflow has written."""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path

import pytest

from rarewords.corpus.importing import write_parallel
from rarewords.errors import InputError
from rarewords.text.documents import write_json
from rarewords.text.files import read_byte_lines, read_lines, read_parallel, write_lines

LINES = ["A line.", "", "Größe \u2028 Ж", "the last one"]


@pytest.fixture
def text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RAREWORDS_CHECKSUMS", "1")
    write_lines(tmp_path / "train.en", LINES)
    monkeypatch.delenv("RAREWORDS_CHECKSUMS")
    return tmp_path / "train.en"


def test_the_checksum_is_that_of_sha256sum(text: Path) -> None:
    seal = text.with_name(".train.en.sha256")
    assert seal.read_text() == f"{hashlib.sha256(text.read_bytes()).hexdigest()}  train.en\n"
    assert list(read_lines(text)) == LINES
    assert len(list(read_byte_lines(text))) == len(LINES)


def test_every_damage_is_noticed(text: Path) -> None:
    good, draw = text.read_bytes(), random.Random(7)
    places = [draw.randrange(len(good)) for _ in range(50)]
    damaged = [good[:k] + bytes([good[k] ^ 1 << draw.randrange(8)]) + good[k + 1 :] for k in places]
    for content in [*damaged, b"", good[:9], good[:-1], good + b"\n"]:
        text.write_bytes(content)
        with pytest.raises(InputError, match=r"train\.en"):
            list(read_lines(text))
        with pytest.raises(InputError, match=r"train\.en"):
            list(read_parallel(text, text))


def test_a_damaged_checksum_is_no_licence(text: Path) -> None:
    for content in (b"", b"\xff" * 80, b"0" * 64):
        text.with_name(".train.en.sha256").write_bytes(content)
        with pytest.raises(InputError, match=r"remove \.train\.en\.sha256 if the change is intended"):
            list(read_lines(text))


def test_a_file_that_is_written_anew_has_no_old_checksum(text: Path) -> None:
    write_lines(text, ["other"])
    assert not text.with_name(".train.en.sha256").exists()
    assert list(read_lines(text)) == ["other"]


def test_nobody_else_gets_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_lines(tmp_path / "a", LINES)
    monkeypatch.setenv("RAREWORDS_CHECKSUMS", "1")
    write_lines(tmp_path / "b.gz", LINES)  # it has a checksum in it
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b.gz"]


def test_in_a_storage_only_json_has_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files beside the declared ones are not copied there, and those that stay behind would be out of date."""
    monkeypatch.setenv("RAREWORDS_CHECKSUMS", "json")
    write_lines(tmp_path / "train.en", LINES)
    write_json(tmp_path / "seg/a.json", {"a": 1})
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["train.en"]
    assert json.loads((tmp_path / "seg/a.json").read_text())["place"].endswith("seg/a.json")


def test_a_lone_reader_of_the_first_lines_is_not_kept_waiting(text: Path) -> None:
    text.write_bytes(text.read_bytes() + b"more\n")
    assert next(read_lines(text)) == LINES[0]


def test_two_files_that_are_written_together_have_theirs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAREWORDS_CHECKSUMS", "1")
    write_parallel(tmp_path / "en", tmp_path / "de", [("a", "b")])
    assert sorted(path.name for path in tmp_path.iterdir()) == [".de.sha256", ".en.sha256", "de", "en"]
    assert list(read_parallel(tmp_path / "en", tmp_path / "de")) == [("a", "b")]
    (tmp_path / "de").write_text("c\n")
    with pytest.raises(InputError, match="damaged, or changed since the workflow wrote it"):
        list(read_parallel(tmp_path / "en", tmp_path / "de"))
