"""Texts out of archives: the right member, nothing unsafe, every line."""

from __future__ import annotations

import gzip
import hashlib
import random
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from rarewords.corpus import archives, checksums
from rarewords.corpus.archives import open_member
from rarewords.corpus.checksums import LockFile, accept
from rarewords.corpus.extraction import Extraction
from rarewords.corpus.sgm import read_segments
from rarewords.corpus.sources import Archive
from rarewords.errors import InputError
from rarewords.text.files import read_lines

from .archives import HEADLINES, sgm, tgz, zipped

Pack = Callable[..., bytes]
both_kinds = pytest.mark.parametrize("pack", [tgz, zipped])


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return tmp_path / "x.tgz"


def read(archive: Path, *names: str) -> bytes:
    with open_member(archive, names) as member:
        content = member.stream.read()
        assert member.size == len(content)
        return content


def refused(archive: Path, *names: str) -> str:
    with pytest.raises(InputError) as caught:
        read(archive, *names)
    return str(caught.value)


@both_kinds
def test_a_member_is_found_by_its_name_in_any_folder(archive: Path, pack: Pack) -> None:
    archive.write_bytes(pack({"new/a.en": "in a folder\n", "b.en": "above\n", "new/b.en": "below\n"}))
    assert read(archive, "a.en") == b"in a folder\n"
    assert read(archive, "old/a.en") == b"in a folder\n"
    assert read(archive, "absent.en", "a.en") == b"in a folder\n"
    assert read(archive, "b.en") == b"above\n"
    assert read(archive, "new/b.en") == b"below\n"
    assert "several members are called old/b.en (b.en, new/b.en)" in refused(archive, "old/b.en")
    assert "does not contain c.en or d.en, but new/a.en, b.en, new/b.en; " in refused(archive, "c.en", "d.en")


@both_kinds
@pytest.mark.parametrize("name", ["../a.en", "/tmp/a.en", "x/../../a.en", "..\\a.en"])
def test_names_that_lead_out_are_refused(archive: Path, pack: Pack, name: str) -> None:
    for members in ({name: "x"}, {"a.en": "x", name: "y"}):
        archive.write_bytes(pack(members))
        assert "leads out of the archive's folder; do not use this archive" in refused(archive, "a.en")
    assert [path.name for path in archive.parent.iterdir()] == ["x.tgz"]


@both_kinds
def test_links_are_refused_and_others_ignored(archive: Path, pack: Pack) -> None:
    archive.write_bytes(pack({"good.en": "text\n"}, links={"a.en": "/etc/passwd", "b.en": "good.en"}))
    assert "a.en is a link or not an ordinary file" in refused(archive, "a.en")
    assert "b.en is a link or not an ordinary file" in refused(archive, "b.en")
    assert read(archive, "good.en") == b"text\n"


def test_damaged_archives_are_named(archive: Path) -> None:
    content = tgz({"a.en": "".join(f"{number} {number**7}\n" for number in range(20_000))})
    archive.write_bytes(content[: len(content) // 2])
    assert "the archive is damaged" in refused(archive, "a.en")
    packed = bytearray(zipped({"a.en": "some text, long enough to be hit\n" * 9}))
    packed[40:48] = bytes(8)
    archive.write_bytes(packed)
    assert "the archive is damaged" in refused(archive, "a.en")
    archive.write_bytes(b"no archive")
    assert "the archive is damaged" in refused(archive, "a.en")
    assert "cannot be read (No such file" in refused(archive.with_name("absent.tgz"), "a.en")


TEXT = "".join(f"{number} {number**7}\n" for number in range(300))
PACKED = {
    "x.tgz": tgz({"a.en": TEXT, "b.en": TEXT[::-1]}),
    "x.zip": zipped({"a.en": TEXT}),
    "a.en.gz": gzip.compress(TEXT.encode()),
}


@pytest.mark.parametrize("name", list(PACKED))
def test_a_flipped_bit_or_a_cut_is_noticed_before_anything_is_recorded(tmp_path: Path, name: str) -> None:
    good, draw = PACKED[name], random.Random(3)
    path = tmp_path / name
    damaged = []
    for _ in range(120):
        place = draw.randrange(len(good))
        damaged.append(good[:place] + bytes([good[place] ^ 1 << draw.randrange(8)]) + good[place + 1 :])
    damaged += [good[: draw.randrange(len(good))] for _ in range(30)] + [b"", b"\x1f\x8b"]
    refused_ones = 0
    for content in damaged:
        path.write_bytes(content)
        lock = LockFile(tmp_path / "lock.json")
        (tmp_path / "lock.json").unlink(missing_ok=True)
        wrong = accept(Archive(name), path, lock)
        assert (wrong is None) == (lock.recorded(name) is not None)
        refused_ones += wrong is not None
        try:
            with open_member(path, ["a.en"]) as member:
                text = member.stream.read().decode()
        except InputError:
            continue
        assert text == TEXT  # what was hit is a time, a name, or a mode
    assert refused_ones > 110


def test_damage_has_the_same_words_in_both_places_and_no_name_twice(tmp_path: Path) -> None:
    path = tmp_path / "x.tgz"
    path.write_bytes(PACKED["x.tgz"][:-9])
    wrong = accept(Archive("x.tgz"), path, LockFile(tmp_path / "lock.json"))
    assert wrong is not None
    assert wrong.startswith("the archive is damaged (")
    with pytest.raises(InputError) as refusal, open_member(path, ["a.en"]):
        pass
    assert str(refusal.value) == f"{path}: {wrong}; remove it and fetch it again."


def test_a_compressed_text_is_accepted_while_its_file_has_the_name_of_a_part(tmp_path: Path) -> None:
    (tmp_path / "a.en.gz.part").write_bytes(PACKED["a.en.gz"])
    assert accept(Archive("a.en.gz"), tmp_path / "a.en.gz.part", LockFile(tmp_path / "lock.json")) is None


def test_a_known_checksum_needs_no_second_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checksums, "what_is_wrong", None)
    (tmp_path / "x.tgz").write_bytes(PACKED["x.tgz"])
    known = Archive("x.tgz", sha256=hashlib.sha256(PACKED["x.tgz"]).hexdigest())
    assert accept(known, tmp_path / "x.tgz", LockFile(tmp_path / "lock.json")) is None


def test_a_line_without_end_is_not_held_in_memory(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("a.en", "short\n" + "a" * (64 << 20))
    tracemalloc.start()
    with pytest.raises(InputError, match="line 2: longer than 16 MiB"):
        Extraction(["a.en"], "en").run(tmp_path / "x.zip", tmp_path / "text")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60 << 20
    assert not (tmp_path / "text").exists()


def test_too_many_members(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MOST_MEMBERS", 3)
    archive.write_bytes(tgz({f"{number}.en": "text" for number in range(4)}))
    assert "more than 3 members" in refused(archive, "0.en")


def test_absurd_entities_and_sizes_in_sgm(monkeypatch: pytest.MonkeyPatch) -> None:
    digits = "9" * 5000
    assert read_segments([f"<seg>&#{digits};&#x{digits};&#65;</seg>"], "x") == [f"&#{digits};&#x{digits};A"]
    monkeypatch.setattr("rarewords.corpus.sgm.MOST_CHARACTERS", 10)
    with pytest.raises(InputError, match="larger than any test set"):
        read_segments(["<seg>a</seg>"], "x")


def test_a_compressed_file_has_one_member(tmp_path: Path) -> None:
    archive = tmp_path / "train.en.gz"
    archive.write_bytes(gzip.compress(b"One.\nTwo.\n" * 5_000))
    assert read(archive, "train.en") == b"One.\nTwo.\n" * 5_000
    assert "does not contain train.de, but train.en; " in refused(archive, "train.de")
    for content in (archive.read_bytes()[:-20], archive.read_bytes()[:-5] + b"wrong", b"no archive", b""):
        archive.write_bytes(content)
        assert "the archive is damaged" in refused(archive, "train.en")


def test_plain_text_is_kept_with_its_unusual_characters(archive: Path, tmp_path: Path) -> None:
    text = "a\u2028b\x85c\x0cd\n\n e\u00a0f \nlast"
    archive.write_bytes(tgz({"a.en": text.replace("\n\n", "\r\n\r\n")}))
    assert Extraction(["a.en"], "en", lines=4).run(archive, tmp_path / "given/a.en") == 4
    assert (tmp_path / "given/a.en").read_bytes() == (text + "\n").encode()


def test_sgm_members_become_text(archive: Path, tmp_path: Path) -> None:
    archive.write_bytes(tgz({"t/x-ref.de.sgm": sgm("refset", "de", "F&amp;A", "", "Drei.")}))
    assert Extraction(["x-ref.de.sgm"], "de").run(archive, tmp_path / "x.de") == 3
    assert (tmp_path / "x.de").read_text() == "F&A\n\nDrei.\n"


def test_columns_stay_aligned(archive: Path, tmp_path: Path) -> None:
    lines = HEADLINES + "".join(f"слово {number} ||| word {number}\n" for number in range(300))
    lines += "one column\na ||| b ||| c\n ||| empty\n"
    archive.write_bytes(tgz({"wiki/ru-en/wiki.ru-en": lines}))
    texts = {}
    for language in ("en", "ru"):
        extraction = Extraction(["wiki.ru-en"], language, columns=["ru", "en"])
        extraction.run(archive, tmp_path / f"x.{language}")
        texts[language] = list(read_lines(tmp_path / f"x.{language}"))
        assert extraction.warnings == [
            f"{archive}, wiki/ru-en/wiki.ru-en: left out 2 of 305 lines, which have another number of columns"
        ]
    assert texts["ru"][:3] == ["Берлин", "Москва", "слово 0"]
    assert texts["en"][:3] == ["Berlin", "Moscow", "word 0"]
    assert (len(texts["ru"]), texts["ru"][-1], texts["en"][-1]) == (303, "", "empty")
    assert len(texts["en"]) == 303


def test_another_format_is_no_file_with_columns(archive: Path, tmp_path: Path) -> None:
    archive.write_bytes(tgz({"w": "a\tb\n" * 10}))
    with pytest.raises(InputError, match=r"10 of 10 lines do not have 2 columns"):
        Extraction(["w"], "en", columns=["ru", "en"]).run(archive, tmp_path / "x.en")
    with pytest.raises(InputError, match="the columns are ru, en, but the text should be de"):
        Extraction(["w"], "de", columns=["ru", "en"])
    assert not (tmp_path / "x.en").exists()


def test_a_wrong_number_of_lines_is_an_error_or_a_warning(archive: Path, tmp_path: Path) -> None:
    archive.write_bytes(tgz({"a.en": "one\ntwo\n"}))
    with pytest.raises(InputError, match=r"x\.en: 2 lines came out of the archive instead of 3"):
        Extraction(["a.en"], "en", lines=3).run(archive, tmp_path / "x.en")
    assert not (tmp_path / "x.en").exists()
    about = Extraction(["a.en"], "en", approximate_lines=3)
    about.run(archive, tmp_path / "x.en")
    assert about.warnings == [f"{tmp_path}/x.en: 2 lines; from memory it should be 3 (docs/data.md)"]


def test_text_that_is_not_utf_8_names_archive_member_and_line(archive: Path, tmp_path: Path) -> None:
    archive.write_bytes(tgz({"t/a.en": b"one\n\xff\n"}))
    with pytest.raises(InputError, match=r"x\.tgz, t/a\.en, line 2: not UTF-8"):
        Extraction(["a.en"], "en").run(archive, tmp_path / "x.en")
    assert [path.name for path in tmp_path.iterdir()] == ["x.tgz"]


def test_a_text_that_is_there_is_not_replaced(archive: Path, tmp_path: Path) -> None:
    archive.write_bytes(tgz({"a.en": "new\n"}))
    (tmp_path / "x.en").write_text("mine\n")
    with pytest.raises(InputError, match="already exists and is not replaced"):
        Extraction(["a.en"], "en").run(archive, tmp_path / "x.en")
    assert (tmp_path / "x.en").read_text() == "mine\n"


def test_too_little_room_is_said_first(archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive.write_bytes(tgz({"a.en": "x" * 2_000_000}))
    monkeypatch.setattr("rarewords.corpus.disk.shutil.disk_usage", lambda folder: SimpleNamespace(free=1_000_000))
    with pytest.raises(InputError, match=r"2\.0 MB are needed, but only 1\.0 MB are free"):
        Extraction(["a.en"], "en").run(archive, tmp_path / "given/x.en")
    assert not (tmp_path / "given").exists()
