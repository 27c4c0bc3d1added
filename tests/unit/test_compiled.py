"""Where compiled machine code is kept, and when it is renewed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest

from rarewords import compiled as module
from rarewords.compiled import cache_folder, compiled, source_digest
from rarewords.segmentation import bpe

FOLDER = Path(bpe.__file__).parent
SOURCES = sorted(FOLDER.glob("*.py"))


@pytest.fixture(autouse=True)
def _fresh_folder(monkeypatch):
    cache_folder.cache_clear()
    yield
    monkeypatch.undo()
    cache_folder.cache_clear()


@pytest.mark.parametrize("name", [path.name for path in SOURCES])
def test_a_change_of_any_file_changes_the_digest(name, tmp_path):
    for path in SOURCES:
        shutil.copy(path, tmp_path)
    before = source_digest(tmp_path)
    assert before == source_digest(FOLDER)
    with open(tmp_path / name, "a") as stream:
        stream.write("# changed\n")
    assert source_digest(tmp_path) != before
    (tmp_path / name).unlink()
    assert source_digest(tmp_path) not in (before, source_digest(FOLDER))


def test_the_digest_names_the_folder(monkeypatch, tmp_path):
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    assert cache_folder(FOLDER) == FOLDER / "__pycache__" / f"compiled-{source_digest(FOLDER)}"
    cache_folder.cache_clear()
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    assert cache_folder(FOLDER) == tmp_path / f"compiled-{source_digest(FOLDER)}"
    assert compiled(lambda number: number + 1)(1) == 2
    assert list(tmp_path.glob("compiled-*/*/*.nbc"))
    assert str(tmp_path) == numba.config.CACHE_DIR


def test_the_users_folder_where_the_sources_cannot_be_written(monkeypatch, tmp_path):
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    (tmp_path / "__pycache__").write_text("a file, not a folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    assert cache_folder(tmp_path) == tmp_path / "user" / "rarewords" / f"compiled-{source_digest(tmp_path)}"


def test_nothing_is_kept_where_nothing_can_be_written(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "file"))
    assert cache_folder(FOLDER) is None
    function = compiled(lambda number: number + 1)
    assert function(1) == 2
    assert not function.stats.cache_path


def test_compiles_where_numba_refuses_to_keep_anything(monkeypatch):
    def refuse(*arguments, **options):
        if options.get("cache"):
            raise RuntimeError("no locator available")
        return njit(*arguments, **options)

    njit = numba.njit
    monkeypatch.setattr(numba, "njit", refuse)
    assert compiled(lambda number: number + 1)(1) == 2


def test_a_change_reaches_the_compiled_functions_of_other_files(tmp_path):
    package = tmp_path / "numbers_package"
    package.mkdir()
    shutil.copy(module.__file__, package)
    head = "from numbers_package.compiled import compiled\n"
    (package / "inner.py").write_text(f"{head}@compiled\ndef step(number):\n    return number + 1\n")
    outer = "from numbers_package.inner import step\n@compiled\ndef twice(number):\n    return step(step(number))\n"
    (package / "outer.py").write_text(head + outer)

    def result() -> str:
        run = [sys.executable, "-c", "from numbers_package.outer import twice; print(twice(5))"]
        return subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=True).stdout

    assert result() == "7\n"
    changed = package / "inner.py"
    changed.write_text(changed.read_text().replace("+ 1", "+ 2"))
    # Python tells its own compiled files apart by whole seconds and size
    os.utime(changed, (changed.stat().st_atime, changed.stat().st_mtime + 10))
    assert result() == "9\n"
