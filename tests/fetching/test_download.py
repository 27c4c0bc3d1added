"""Downloads that are cut, refused, changed under way, or stopped."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar

import pytest
import urllib3

from rarewords.corpus import download as module
from rarewords.corpus.checksums import LockFile
from rarewords.corpus.download import ATTEMPTS, Unavailable, download
from rarewords.corpus.fetching import Fetcher
from rarewords.corpus.sources import Archive
from rarewords.errors import InputError
from rarewords.text.shapes import natural

from .archives import tgz
from .server import Server

CONTENT = random.Random(1).randbytes(300_000)


def get(url: str, part: Path) -> None:
    download(url, part, lambda have, total: None)


@pytest.fixture
def part(tmp_path: Path) -> Path:
    return tmp_path / "archives" / "x.tgz.part"


def test_a_whole_file(server: Server, part: Path) -> None:
    server.files["x.tgz"] = CONTENT
    seen: list[tuple[int, int | None]] = []
    download(server.url("x.tgz"), part, lambda have, total: seen.append((have, total)))
    assert part.read_bytes() == CONTENT
    assert seen[0] == (0, len(CONTENT))
    assert seen[-1] == (len(CONTENT), len(CONTENT))


def test_a_cut_connection_goes_on_where_it_ended(server: Server, part: Path) -> None:
    server.files["x.tgz"] = CONTENT
    server.cuts["x.tgz"] = [100_000, 50_000]
    get(server.url("x.tgz"), part)
    assert part.read_bytes() == CONTENT
    assert server.requests == [("x.tgz", None), ("x.tgz", "bytes=100000-"), ("x.tgz", "bytes=150000-")]
    assert server.sent["x.tgz"] == len(CONTENT)


def test_an_old_http_library_that_ends_early_is_noticed(
    server: Server, part: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """urllib3 before version 2 ends without an error when the connection does."""
    stream = urllib3.response.HTTPResponse.stream

    def short(self: urllib3.response.HTTPResponse, *arguments: object, **options: object) -> Iterator[bytes]:
        with contextlib.suppress(urllib3.exceptions.HTTPError):
            yield from stream(self, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(urllib3.response.HTTPResponse, "stream", short)
    monkeypatch.setattr(module, "ATTEMPTS", 1)
    server.files["x.tgz"] = CONTENT
    server.cuts["x.tgz"] = [70_000]
    with pytest.raises(Unavailable, match="the connection ended after 70,000 of 300,000 bytes"):
        get(server.url("x.tgz"), part)


def test_another_process_goes_on_too(server: Server, part: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server.files["x.tgz"] = CONTENT
    server.cuts["x.tgz"] = [70_000]
    monkeypatch.setattr(module, "ATTEMPTS", 1)
    with pytest.raises(Unavailable, match="IncompleteRead"):
        get(server.url("x.tgz"), part)
    assert part.read_bytes() == CONTENT[:70_000]
    get(server.url("x.tgz"), part)
    assert part.read_bytes() == CONTENT
    assert server.sent["x.tgz"] == len(CONTENT)


def test_a_server_that_ignores_ranges_begins_again(server: Server, part: Path) -> None:
    server.files["x.tgz"] = CONTENT
    server.ranges = False
    server.cuts["x.tgz"] = [100_000]
    get(server.url("x.tgz"), part)
    assert part.read_bytes() == CONTENT
    assert server.sent["x.tgz"] == len(CONTENT) + 100_000


def test_a_server_without_versions_begins_again(server: Server, part: Path) -> None:
    server.files["x.tgz"] = CONTENT
    server.versions = False
    server.cuts["x.tgz"] = [100_000]
    get(server.url("x.tgz"), part)
    assert part.read_bytes() == CONTENT
    assert server.requests == [("x.tgz", None), ("x.tgz", None)]


def test_a_file_that_changed_meanwhile_begins_again(
    server: Server, part: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.files["x.tgz"] = CONTENT
    server.cuts["x.tgz"] = [100_000]
    monkeypatch.setattr(module, "ATTEMPTS", 1)
    with pytest.raises(Unavailable):
        get(server.url("x.tgz"), part)
    server.files["x.tgz"] = changed = bytes(reversed(CONTENT))
    get(server.url("x.tgz"), part)
    assert part.read_bytes() == changed
    assert server.requests[-1] == ("x.tgz", "bytes=100000-")


def test_a_part_that_is_whole_is_not_fetched_again(server: Server, part: Path) -> None:
    server.files["x.tgz"] = CONTENT
    get(server.url("x.tgz"), part)
    get(server.url("x.tgz"), part)
    assert part.read_bytes() == CONTENT
    assert server.sent["x.tgz"] == len(CONTENT)


@pytest.mark.parametrize("note", [None, "no JSON", "[]", '{"url": "http://elsewhere/x.tgz", "version": "1"}'])
def test_a_part_of_unknown_origin_is_not_used(server: Server, part: Path, note: str | None) -> None:
    server.files["x.tgz"] = CONTENT
    part.parent.mkdir()
    part.write_bytes(b"something else")
    if note is not None:
        part.with_name("x.tgz.part.json").write_text(note, encoding="utf-8")
    get(server.url("x.tgz"), part)
    assert part.read_bytes() == CONTENT
    assert server.requests == [("x.tgz", None)]


def test_a_busy_server_is_asked_again_but_not_for_ever(server: Server, part: Path) -> None:
    server.files["x.tgz"] = CONTENT
    server.statuses["x.tgz"] = [503, 429, 500]
    get(server.url("x.tgz"), part)
    assert part.read_bytes() == CONTENT
    server.statuses["y.tgz"] = [503] * 20
    with pytest.raises(Unavailable, match=r"status 503 .*, 4 times"):
        get(server.url("y.tgz"), part)
    assert len([path for path, _ in server.requests if path == "y.tgz"]) == ATTEMPTS


def test_waits_grow(server: Server, part: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr(module, "FIRST_WAIT", 1.0)
    monkeypatch.setattr(module.time, "sleep", waits.append)
    server.statuses["x.tgz"] = [503] * 20
    with pytest.raises(Unavailable):
        get(server.url("x.tgz"), part)
    assert waits == [1.0, 2.0, 4.0]


def test_what_is_not_there_is_asked_for_once(server: Server, part: Path) -> None:
    with pytest.raises(Unavailable, match=r"x\.tgz: status 404 \(Not Found\)"):
        get(server.url("x.tgz"), part)
    assert len(server.requests) == 1


def test_nobody_listens(part: Path) -> None:
    with pytest.raises(Unavailable, match=r"http://127\.0\.0\.1:9/x\.tgz: .*refused.*, 4 times"):
        get("http://127.0.0.1:9/x.tgz", part)


def test_a_proxy_of_the_environment_is_used(server: Server, part: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", server.address)
    server.files["http://data.example/x.tgz"] = CONTENT  # a proxy is asked with the whole address
    get("http://data.example/x.tgz", part)
    assert part.read_bytes() == CONTENT


def test_what_a_server_calls_compressed_is_not_unpacked(server: Server, part: Path) -> None:
    server.files["x.tgz"] = CONTENT
    server.encoding = "x-gzip"
    server.cuts["x.tgz"] = [100_000]
    get(server.url("x.tgz"), part)
    assert part.read_bytes() == CONTENT


def test_a_file_address(tmp_path: Path, part: Path) -> None:
    (tmp_path / "with space.tgz").write_bytes(CONTENT)
    get((tmp_path / "with space.tgz").as_uri(), part)
    assert part.read_bytes() == CONTENT
    with pytest.raises(Unavailable, match="there is no such file"):
        get((tmp_path / "absent.tgz").as_uri(), part)


def test_too_little_room_is_said_before_anything_is_fetched(
    server: Server, part: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.files["x.tgz"] = CONTENT
    monkeypatch.setattr("rarewords.corpus.disk.shutil.disk_usage", lambda folder: SimpleNamespace(free=200_000))
    with pytest.raises(InputError, match=r"archives: 0\.3 MB are needed, but only 0\.2 MB are free; make room"):
        get(server.url("x.tgz"), part)
    assert not part.exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_keeps_what_there_is(server: Server, part: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server.files["x.tgz"] = CONTENT
    real = open

    def full(path: object, mode: str = "r", **options: object) -> object:
        return real("/dev/full" if path == part and "a" in mode else path, mode, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(module, "open", full, raising=False)
    with pytest.raises(InputError, match=r"x\.tgz\.part: cannot be written \(No space left on device\); make room"):
        get(server.url("x.tgz"), part)
    monkeypatch.setattr(module, "open", real)
    get(server.url("x.tgz"), part)
    assert part.read_bytes() == CONTENT


def test_a_killed_process_is_continued_by_the_next(server: Server, tmp_path: Path) -> None:
    server.files["x.tgz"] = archive = tgz({"a.txt": CONTENT})
    server.pause["x.tgz"] = 150_000
    output = tmp_path / "archives" / "x.tgz"
    part = output.with_name("x.tgz.part")
    command = [
        str(Path(sys.executable).with_name("rarewords")), "corpus", "download", "--url", server.url("x.tgz"),
        "--output", str(output), "--lock", str(tmp_path / "lock.json"),
    ]  # fmt: skip
    process = subprocess.Popen(command, env={**os.environ}, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 300
    while not (part.exists() and part.stat().st_size > 50_000):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    assert process.wait(300) == 128 + signal.SIGTERM
    arrived = part.stat().st_size
    assert not output.exists()
    assert not (tmp_path / "lock.json").exists()

    finished = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False, timeout=300)
    assert finished.returncode == 0, finished.stderr
    assert output.read_bytes() == archive
    assert server.requests == [("x.tgz", None), ("x.tgz", f"bytes={arrived}-")]
    assert sorted(path.name for path in output.parent.iterdir()) == [".x.tgz.lock", "x.tgz"]
    assert json.loads((tmp_path / "lock.json").read_text())["archives"]["x.tgz"]["bytes"] == len(archive)


def test_two_processes_fetch_once(server: Server, tmp_path: Path) -> None:
    server.files["x.tgz"] = tgz({"a.txt": CONTENT})
    server.pause["x.tgz"] = 100_000
    said: list[str] = []

    def fetch() -> None:
        fetcher = Fetcher([], LockFile(tmp_path / "lock.json"), lambda have, total: None, said.append)
        fetcher.fetch(Archive("x.tgz", (server.url("x.tgz"),)), tmp_path / "x.tgz")

    both = [threading.Thread(target=fetch) for _ in range(2)]
    for thread in both:
        thread.start()
    while not server.requests:
        time.sleep(0.01)
    server.go_on.set()
    for thread in both:
        thread.join(300)
    assert len(server.requests) == 1
    assert sum("exists and is the right file" in sentence for sentence in said) == 1


class Endless:
    """A response without a length, of which a block arrives whenever one is asked for."""

    headers: ClassVar[dict[str, str]] = {}
    url = "http://x/y"

    def __init__(self, block: bytes) -> None:
        self.block = block
        self.raw = self

    def stream(self, size: int, decode_content: bool) -> Iterator[bytes]:
        while True:
            yield self.block


def test_a_file_without_end_ends(part: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST", 1_000_000)
    part.parent.mkdir()
    with pytest.raises(Unavailable, match="it has more than 1,000,000 bytes"):
        module._append(Endless(bytes(1000)), part, 0, None, lambda have, total: None)  # type: ignore[arg-type]


def test_a_server_that_sends_next_to_nothing_is_left(part: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 100_000, 50))
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: float(next(clock))))
    part.parent.mkdir()
    with pytest.raises(Unavailable, match="only 6 bytes came in 300 seconds"):
        module._append(Endless(b"x"), part, 0, 10**6, lambda have, total: None)  # type: ignore[arg-type]


def test_room_is_looked_at_where_the_length_is_not_known(part: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RESERVE", 5000)
    monkeypatch.setattr("shutil.disk_usage", lambda folder: SimpleNamespace(free=1000))
    part.parent.mkdir()
    with pytest.raises(InputError, match="make room"):
        module._append(Endless(bytes(1000)), part, 0, None, lambda have, total: None)  # type: ignore[arg-type]


@pytest.mark.parametrize("length", ["9" * 5000, "-1", "1e3", "٣"])
def test_an_absurd_length_is_none(length: str) -> None:
    assert natural(length) is None
