"""Archives from mirrors, caches and addresses: only the right one gets its name."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from rarewords.corpus.checksums import Digests, LockFile, digests
from rarewords.corpus.fetching import Fetcher, all_mirrors
from rarewords.corpus.sources import Archive
from rarewords.errors import InputError

from .archives import tgz
from .server import Server

GOOD = tgz({"a.txt": "good\n"})
OTHER = tgz({"a.txt": "another\n"})


def md5(content: bytes) -> str:
    return hashlib.md5(content, usedforsecurity=False).hexdigest()


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


class Folder:
    """A corpus folder, and what was said while an archive was fetched into it."""

    def __init__(self, path: Path) -> None:
        self.path = path / "archives" / "x.tgz"
        self.lock = LockFile(path / "corpora.lock.json")
        self.said: list[str] = []

    def fetch(self, archive: Archive, *mirrors: str) -> bytes:
        Fetcher(mirrors, self.lock, lambda have, total: None, self.said.append).fetch(archive, self.path)
        return self.path.read_bytes()

    def fail(self, archive: Archive, *mirrors: str) -> str:
        with pytest.raises(InputError) as caught:
            self.fetch(archive, *mirrors)
        assert "\n" not in str(caught.value)
        return str(caught.value)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "data")


def test_digests(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"abc")
    # The values of RFC 1321 and FIPS 180-2.
    assert digests(tmp_path / "x") == Digests(
        "900150983cd24fb0d6963f7d28e17f72", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", 3
    )


def test_a_right_archive_is_recorded(server: Server, folder: Folder) -> None:
    server.files["x.tgz"] = GOOD
    assert folder.fetch(Archive("x.tgz", (server.url("x.tgz"),), md5=md5(GOOD))) == GOOD
    assert json.loads(folder.lock.path.read_text()) == {
        "archives": {"x.tgz": {"sha256": sha256(GOOD), "bytes": len(GOOD)}}
    }
    assert not any("no checksum" in sentence for sentence in folder.said)


@pytest.mark.parametrize("kind", ["md5", "sha256"])
def test_a_wrong_checksum_prints_both_sums_and_leaves_no_file(server: Server, folder: Folder, kind: str) -> None:
    server.files["x.tgz"] = OTHER
    function = {"md5": md5, "sha256": sha256}[kind]
    sentence = folder.fail(Archive("x.tgz", (server.url("x.tgz"),), **{kind: function(GOOD)}))
    assert function(OTHER) in sentence
    assert function(GOOD) in sentence
    assert [path.name for path in folder.path.parent.iterdir()] == [".x.tgz.lock"]
    assert not folder.lock.path.exists()


def test_a_truncated_archive_is_not_taken_for_a_whole_one(server: Server, folder: Folder) -> None:
    server.files["x.tgz"] = GOOD[:-20]
    assert md5(GOOD[:-20]) in folder.fail(Archive("x.tgz", (server.url("x.tgz"),), md5=md5(GOOD)))
    assert not folder.path.exists()


def test_the_next_address_is_tried(server: Server, folder: Folder) -> None:
    server.files |= {"b/x.tgz": OTHER, "c/x.tgz": GOOD}
    urls = tuple(server.url(f"{letter}/x.tgz") for letter in "abcd")
    assert folder.fetch(Archive("x.tgz", urls, md5=md5(GOOD))) == GOOD
    assert [path for path, _ in server.requests] == ["a/x.tgz", "b/x.tgz", "c/x.tgz"]


def test_all_failures_are_named(server: Server, folder: Folder) -> None:
    server.files["b/x.tgz"] = OTHER
    sentence = folder.fail(Archive("x.tgz", (server.url("a/x.tgz"), server.url("b/x.tgz")), md5=md5(GOOD)))
    assert sentence.startswith(f"x.tgz could not be fetched: {server.url('a/x.tgz')}: status 404 (Not Found); ")
    assert (
        f"{server.url('b/x.tgz')}: its MD5 is {md5(OTHER)}, but {md5(GOOD)} is expected; try again later, " in sentence
    )
    assert "RAREWORDS_MIRROR" in sentence


def test_what_was_continued_and_is_wrong_is_fetched_anew(server: Server, folder: Folder) -> None:
    """The part is of another file although its version is the same: a disk that lost its cache, say."""
    server.files["x.tgz"] = GOOD
    part = folder.path.with_name("x.tgz.part")
    part.parent.mkdir(parents=True)
    part.write_bytes(b"\0" * 50)
    note = {"url": server.url("x.tgz"), "version": f'"{sha256(GOOD)[:16]}"'}
    part.with_name("x.tgz.part.json").write_text(json.dumps(note))
    assert folder.fetch(Archive("x.tgz", (server.url("x.tgz"),), md5=md5(GOOD))) == GOOD
    assert server.requests == [("x.tgz", "bytes=50-"), ("x.tgz", None)]


def test_without_a_checksum_the_first_download_counts(server: Server, folder: Folder) -> None:
    server.files["x.tgz"] = GOOD
    archive = Archive("x.tgz", (server.url("x.tgz"),))
    folder.fetch(archive)
    assert folder.said[-1].startswith(f"no checksum of x.tgz is known: its SHA-256, {sha256(GOOD)}, is now in ")
    folder.path.unlink()
    server.files["x.tgz"] = OTHER
    sentence = folder.fail(archive)
    assert (
        f"its SHA-256 is {sha256(OTHER)}, but {folder.lock.path} has {sha256(GOOD)} from when it was first seen"
        in sentence
    )
    assert not folder.path.exists()


def test_a_page_instead_of_an_archive_is_refused(server: Server, folder: Folder) -> None:
    server.files["x.tgz"] = b"<html>Please log in.</html>"
    assert "it is not a tar or zip archive (27 bytes)" in folder.fail(Archive("x.tgz", (server.url("x.tgz"),)))
    assert not folder.lock.path.exists()


def test_what_is_there_is_checked_and_stays(server: Server, folder: Folder) -> None:
    server.files["x.tgz"] = GOOD
    folder.path.parent.mkdir(parents=True)
    archive = Archive("x.tgz", (server.url("x.tgz"),), md5=md5(GOOD))
    folder.path.write_bytes(GOOD)
    folder.fetch(archive)
    assert folder.lock.recorded("x.tgz") == sha256(GOOD)
    folder.path.write_bytes(OTHER)
    sentence = folder.fail(archive)
    assert sentence.startswith(f"{folder.path}: its MD5 is {md5(OTHER)}, but {md5(GOOD)} is expected; remove the file")
    assert folder.path.read_bytes() == OTHER
    assert server.requests == []


def test_a_folder_that_is_only_read_will_do(server: Server, folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.path.parent.mkdir(parents=True)
    folder.path.write_bytes(GOOD)

    def no_lock(path: Path) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("rarewords.corpus.fetching.exclusive", no_lock)
    assert folder.fetch(Archive("x.tgz", md5=md5(GOOD))) == GOOD


@pytest.mark.parametrize("name", ["x.tgz", "wmt15/test.tgz", "test.tgz"])
def test_a_mirror_may_use_any_of_its_names(server: Server, folder: Folder, tmp_path: Path, name: str) -> None:
    archive = Archive("x.tgz", ("https://absent.invalid/wmt15/test.tgz",), md5=md5(GOOD))
    mirror = tmp_path / "mirror"
    (mirror / name).parent.mkdir(parents=True)
    (mirror / name).write_bytes(GOOD)
    assert folder.fetch(archive, str(mirror)) == GOOD
    assert folder.said == [f"copied {mirror / name} to {folder.path}"]
    folder.path.unlink()
    server.files[f"copy/{name}"] = GOOD
    assert folder.fetch(archive, f"{server.address}/copy/") == GOOD


def test_a_wrong_file_of_a_mirror_is_passed_over(server: Server, folder: Folder, tmp_path: Path) -> None:
    (tmp_path / "test.tgz").write_bytes(OTHER)  # of another year
    server.files["wmt15/test.tgz"] = GOOD
    archive = Archive("x.tgz", (server.url("wmt15/test.tgz"),), md5=md5(GOOD))
    assert folder.fetch(archive, tmp_path.as_uri()) == GOOD
    assert (tmp_path / "test.tgz").read_bytes() == OTHER


def test_the_environment_s_mirror_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    assert all_mirrors(["a", "b"]) == ["a", "b"]
    monkeypatch.setenv("RAREWORDS_MIRROR", "c")
    assert all_mirrors(["a", "b"]) == ["c", "a", "b"]


def test_the_archive_of_sacrebleu_s_cache_is_used(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sacrebleu.dataset import DATASETS

    monkeypatch.setenv("SACREBLEU", str(tmp_path / "cache"))
    url = DATASETS["wmt14/full"].data[0]
    cached = tmp_path / "cache" / "wmt14/full" / "raw" / DATASETS["wmt14/full"]._get_tarball_filename(url)
    cached.parent.mkdir(parents=True)
    cached.write_bytes(GOOD)
    assert folder.fetch(Archive("x.tgz", (url,), md5=md5(GOOD), sacrebleu="wmt14/full")) == GOOD


def test_an_archive_by_hand_is_explained_and_found_in_a_mirror(folder: Folder, tmp_path: Path) -> None:
    archive = Archive("x.tgz", by_hand="fill in the form.")
    assert folder.fail(archive) == f"{folder.path} must be put there by hand: fill in the form."
    (tmp_path / "x.tgz").write_bytes(GOOD)
    assert folder.fetch(archive, str(tmp_path)) == GOOD


@pytest.mark.parametrize("text", ["[]", '{"archives": 3}', '{"archives": {"x.tgz": "abc"}}', "{"])
def test_a_broken_lock_file_is_named(server: Server, folder: Folder, text: str) -> None:
    server.files["x.tgz"] = GOOD
    folder.lock.path.parent.mkdir(parents=True)
    folder.lock.path.write_text(text, encoding="utf-8")
    assert str(folder.lock.path) in folder.fail(Archive("x.tgz", (server.url("x.tgz"),)))
    assert folder.lock.path.read_text() == text


def test_entries_of_a_lock_file_stay(folder: Folder) -> None:
    folder.lock.record("b.tgz", Digests("", "2" * 64, 2))
    folder.lock.record("a.tgz", Digests("", "1" * 64, 1))
    folder.lock.record("b.tgz", Digests("", "3" * 64, 3))
    assert json.loads(folder.lock.path.read_text())["archives"] == {
        "a.tgz": {"sha256": "1" * 64, "bytes": 1},
        "b.tgz": {"sha256": "2" * 64, "bytes": 2},
    }
