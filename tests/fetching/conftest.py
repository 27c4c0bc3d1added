"""A server for each test, downloads that do not wait, and no mirror or cache of the machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .server import Server


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        yield running


@pytest.fixture(autouse=True)
def own_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rarewords.corpus.download.FIRST_WAIT", 0.0)
    monkeypatch.delenv("RAREWORDS_MIRROR", raising=False)
    monkeypatch.setenv("SACREBLEU", str(tmp_path / "no-sacrebleu-cache"))
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
