"""Work in several processes, and in one where several cannot be started."""

from __future__ import annotations

import concurrent.futures
from collections.abc import Callable
from typing import Any

import pytest

from rarewords.parallel import Chunk, map_chunks


def counter() -> Callable[[Chunk], int]:
    return lambda chunk: len(chunk.lines)


@pytest.mark.parametrize(
    "reason",
    [FileNotFoundError(2, "No such file or directory"), PermissionError(13, "Permission denied"), ImportError()],
)
def test_one_process_does_the_work_where_processes_can_share_nothing(
    reason: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*arguments: Any, **options: Any) -> None:
        raise reason

    monkeypatch.setattr(concurrent.futures, "ProcessPoolExecutor", refuse)
    assert list(map_chunks(counter, ["a"] * 4100, 2)) == [2000, 2000, 100]
    assert capsys.readouterr().err.startswith("note: one process does the work, since several cannot be started here")
