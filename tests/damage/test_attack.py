"""The attack: flipped bits, files cut short, emptied, lengthened, and in the place of others.

Whatever was done to a file, it is refused in a sentence or read as what it was. Nothing else may come out of it: no
other result, no other exception.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rarewords.errors import InputError

from .kinds import KINDS, Kind

FLIPS = 50
CUTS = 10

# Lines of reports each have a checksum: what is left of a file that was cut is right, only less. Whose they are they do
# not say, and nothing but the curves is drawn from them.
ALONE = {"reports"}


@pytest.fixture(params=list(KINDS))
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Kind:
    monkeypatch.setenv("RAREWORDS_CHECKSUMS", "1")
    return KINDS[request.param]


def made(kind: Kind, folder: Path, number: int) -> Path:
    folder.mkdir()
    kind.make(folder, number)
    return folder


def damaged(good: bytes, draw: random.Random) -> Iterator[bytes]:
    for _ in range(FLIPS):
        place = draw.randrange(len(good))
        yield good[:place] + bytes([good[place] ^ 1 << draw.randrange(8)]) + good[place + 1 :]
    for _ in range(CUTS):
        yield good[: draw.randrange(len(good))]
    yield b""
    yield bytes(len(good))
    yield good + good
    yield good + b"\0"


def outcome(kind: Kind, folder: Path) -> Any:
    try:
        return kind.read(folder)
    except InputError:
        return "refused"


def test_a_damaged_file_is_refused_or_read_as_what_it_was(kind: Kind, tmp_path: Path) -> None:
    folder = made(kind, tmp_path / "1", 1)
    path = folder / kind.file
    good, expected = path.read_bytes(), kind.read(folder)
    assert expected != "refused"
    for content in damaged(good, random.Random(9)):
        path.write_bytes(content)
        found = outcome(kind, folder)
        if kind is KINDS["reports"] and found != "refused":
            assert all(report in expected or only_more(report, expected) for report in found)
        else:
            assert found in ("refused", expected) or only_more(found, [expected])
    path.write_bytes(good)
    assert kind.read(folder) == expected


def only_more(found: Any, expected: list[Any]) -> bool:
    """Whether a map is an expected one and an unknown key: the name of the checksum's key was hit."""
    return isinstance(found, dict) and any({**one, **found} == found for one in expected if isinstance(one, dict))


def test_a_file_in_the_place_of_another_is_refused(kind: Kind, tmp_path: Path) -> None:
    if kind in [KINDS[name] for name in ALONE]:
        pytest.skip("such a file is whole in itself")
    mine, other = made(kind, tmp_path / "1", 1), made(kind, tmp_path / "2", 2)
    good, its = (mine / kind.file).read_bytes(), (other / kind.file).read_bytes()
    if good == its:
        pytest.skip("both are equal")
    (mine / kind.file).write_bytes(its)
    assert outcome(kind, mine) == "refused"


def test_a_file_that_is_gone_is_refused(kind: Kind, tmp_path: Path) -> None:
    folder = made(kind, tmp_path / "1", 1)
    (folder / kind.file).unlink()
    assert outcome(kind, folder) in ("refused", [], None) or kind is KINDS["checkpoint"]
