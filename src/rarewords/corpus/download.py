"""Download a file, retrying and continuing where it stopped.

The part that has arrived is in `<file>.part`; `<file>.part.json` records its address and version. An interrupted
download continues from there if the server supports that, and begins again if not.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import requests
import urllib3

from rarewords import __version__
from rarewords.corpus.disk import require_space
from rarewords.errors import InputError
from rarewords.text.documents import read_json, write_json
from rarewords.text.shapes import natural

ATTEMPTS = 4  # in a row without a byte arriving
MOST_ATTEMPTS = 500  # in all, in case a server sends a little each time
FIRST_WAIT = 1.0  # seconds before the second attempt; doubled each time
TIMEOUT = (20, 60)  # seconds to connect, and to wait for more bytes
PATIENCE = 300.0  # seconds over which the pace is looked at
SLOWEST = 1000  # bytes per second on average; a million of them take 17 minutes
LARGEST = 1 << 40  # bytes of a file
RESERVE = 1 << 28  # bytes of room to require if the server does not say how many will come
BLOCK = 1 << 16  # bytes written at a time; as many are lost at most when the process is killed
_HOPELESS = (
    requests.exceptions.SSLError,
    requests.exceptions.InvalidURL,
    requests.exceptions.MissingSchema,
    requests.exceptions.InvalidSchema,
    requests.exceptions.TooManyRedirects,
)
BUSY = (408, 425, 429, 500, 502, 503, 504)

# Called with the bytes so far and the bytes in all (None if the server does not say).
Show = Callable[[int, int | None], None]


class Unavailable(Exception):
    """A source does not have the file, or cannot be reached; another one may."""


class _TryAgain(Exception):
    """This attempt failed, the next one may succeed."""


def download(url: str, part: Path, show: Show) -> None:
    """Download the whole file at an address to `part`; what `part` already holds is not fetched again.

    Addresses are http, https (through a proxy, if the environment variables say so) or file. Raises Unavailable if the
    source does not have it or fails again and again, InputError if it cannot be written.
    """
    part.parent.mkdir(parents=True, exist_ok=True)
    if url.startswith("file:"):
        _copy(Path(unquote(urlsplit(url).path)), part)
        return
    failures, furthest = 0, _size(part)
    for _ in range(MOST_ATTEMPTS):
        try:
            with requests.Session() as session:
                _go_on(session, url, part, show)
            return
        except _HOPELESS as error:
            raise Unavailable(f"{url}: {_reason(error)}") from error
        except (_TryAgain, requests.RequestException, urllib3.exceptions.HTTPError) as error:
            failures = 1 if _size(part) > furthest else failures + 1
            furthest = max(furthest, _size(part))
            if failures == ATTEMPTS:
                raise Unavailable(f"{url}: {_reason(error)}, {ATTEMPTS} times") from error
            time.sleep(FIRST_WAIT * 2 ** (failures - 1))
    raise Unavailable(f"{url}: the connection ended {MOST_ATTEMPTS} times; {_size(part):,} bytes have arrived")


def discard(part: Path) -> None:
    """Forget what has arrived."""
    for path in (part, _note(part)):
        path.unlink(missing_ok=True)


def _go_on(session: requests.Session, url: str, part: Path, show: Show) -> None:
    """One attempt: ask for the rest (or for everything), and add it to the part."""
    have, version = _arrived(url, part)
    # `identity`: a server must not compress, and what it calls compressed (.tgz) must not be unpacked on the way.
    headers = {"Accept-Encoding": "identity", "User-Agent": f"rarewords/{__version__}"}
    if have:
        headers |= {"Range": f"bytes={have}-", "If-Range": version}
    with session.get(url, headers=headers, stream=True, timeout=TIMEOUT) as response:
        if response.status_code == 416 and _total_of_range(response) == have:
            return
        if response.status_code == 416 or (response.status_code == 206 and _first_of_range(response) != have):
            discard(part)
            raise _TryAgain("the server sent a range other than the one requested")
        if response.status_code in BUSY:
            raise _TryAgain(f"status {response.status_code} ({response.reason})")
        if response.status_code not in (200, 206):
            raise Unavailable(f"{url}: status {response.status_code} ({response.reason})")
        if response.status_code == 200:
            have = 0
        length = natural(response.headers.get("Content-Length", ""))
        total = None if length is None else have + length
        if total is not None and total > LARGEST:
            raise Unavailable(f"{url}: {total:,} bytes, more than any corpus has ({LARGEST:,})")
        if total is not None:
            require_space(part.parent, total - have)
        if have == 0:
            discard(part)
            write_json(_note(part), {"url": url, "version": _version(response)}, sealed=False)
        _append(response, part, have, total, show)


def _append(response: requests.Response, part: Path, have: int, total: int | None, show: Show) -> None:
    with open(part, "ab") as out:
        show(have, total)
        pace = _Pace(response.url, have)
        for block in response.raw.stream(BLOCK, decode_content=False):
            try:
                out.write(block)
                out.flush()
            except OSError as error:
                raise InputError(
                    f"{part}: cannot be written ({error.strerror or error}); make room and start again: the download "
                    "continues where it stopped."
                ) from error
            have += len(block)
            show(have, total)
            pace.check(have)
            if have > LARGEST:
                raise Unavailable(f"{response.url}: it has more than {LARGEST:,} bytes, more than any corpus")
            if total is None and have // RESERVE > (have - len(block)) // RESERVE:
                require_space(part.parent, RESERVE)
    if total is not None and have != total:  # urllib3 notices only since version 2
        raise _TryAgain(f"the connection ended after {have:,} of {total:,} bytes")


class _Pace:
    """Whether a server that sends something now and then sends enough."""

    def __init__(self, url: str, have: int) -> None:
        self._url = url
        self._began, self._had = time.monotonic(), have

    def check(self, have: int) -> None:
        """Raise Unavailable if hardly anything has arrived for a while."""
        now = time.monotonic()
        if now - self._began < PATIENCE:
            return
        if have - self._had < SLOWEST * PATIENCE:
            raise Unavailable(f"{self._url}: only {have - self._had:,} bytes came in {now - self._began:,.0f} seconds")
        self._began, self._had = now, have


def _arrived(url: str, part: Path) -> tuple[int, str]:
    """The bytes that have arrived of this version of the file, and the version; none if that is not certain."""
    try:
        note = read_json(_note(part))
    except InputError:
        return 0, ""
    if not isinstance(note, dict) or note.get("url") != url or not isinstance(note.get("version"), str):
        return 0, ""
    return _size(part), note["version"]


def _version(response: requests.Response) -> str | None:
    """What `If-Range` may name: a strong ETag, or else the time of the last change."""
    tag = response.headers.get("ETag", "")
    if tag and not tag.startswith("W/"):
        return tag
    return response.headers.get("Last-Modified")


def _first_of_range(response: requests.Response) -> int | None:
    match = re.fullmatch(r"bytes (\d{1,18})-\d+/(?:\d+|\*)", response.headers.get("Content-Range", ""))
    return int(match[1]) if match else None


def _total_of_range(response: requests.Response) -> int | None:
    match = re.fullmatch(r"bytes \*/(\d{1,18})", response.headers.get("Content-Range", ""))
    return int(match[1]) if match else None


def _copy(source: Path, part: Path) -> None:
    if not source.is_file():
        raise Unavailable(f"{source}: there is no such file")
    require_space(part.parent, source.stat().st_size)
    try:
        shutil.copyfile(source, part)
    except OSError as error:
        raise InputError(f"{part}: {source} cannot be copied there ({error.strerror or error}).") from error


def _note(part: Path) -> Path:
    return part.with_name(part.name + ".json")


def _size(part: Path) -> int:
    with contextlib.suppress(OSError):
        return part.stat().st_size
    return 0


def _reason(error: Any) -> str:
    """The innermost sentence of an error; the outer ones repeat it with object addresses."""
    while isinstance(inner := (error.args[0] if error.args else None), Exception):
        error = inner
    reason = getattr(error, "reason", None)
    return _reason(reason) if isinstance(reason, Exception) else str(error)
