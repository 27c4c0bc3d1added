"""A whole and valid JSON file of the workflow in the place of another one is noticed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from rarewords.errors import InputError
from rarewords.text.documents import check_place, read_json, write_json


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The scores of two systems as the workflow writes them, below the working folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RAREWORDS_CHECKSUMS", "1")
    for system, bleu in (("bpe", 20.5), ("wunk", 18.0)):
        write_json(f"results/demo/en-de/{system}/test/best.json", {"bleu": bleu})
    return Path("results/demo/en-de")


def test_a_file_says_where_it_belongs(results: Path) -> None:
    path = results / "bpe/test/best.json"
    assert json.loads(path.read_text())["place"] == "en-de/bpe/test/best.json"
    assert read_json(path) == {"bleu": 20.5}


def test_the_file_of_another_system_is_refused(results: Path) -> None:
    shutil.copy(results / "bpe/test/best.json", results / "wunk/test/best.json")
    complaint = r"^results/demo/en-de/wunk/test/best\.json: this file was written as en-de/bpe/test/best\.json"
    with pytest.raises(InputError, match=complaint):
        read_json(results / "wunk/test/best.json")
    with pytest.raises(InputError, match=complaint):
        check_place(results / "wunk/test/best.json")


def test_a_whole_experiment_may_be_moved_and_renamed(results: Path, tmp_path: Path) -> None:
    shutil.move("results/demo", tmp_path / "elsewhere")
    assert read_json(tmp_path / "elsewhere/en-de/bpe/test/best.json") == {"bleu": 20.5}


def test_outside_the_workflow_a_file_may_lie_anywhere(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RAREWORDS_CHECKSUMS")
    shutil.copy(results / "bpe/test/best.json", "mine.json")
    assert read_json("mine.json") == {"bleu": 20.5}
    write_json("mine.json", {"bleu": 1.0})
    assert "place" not in json.loads(Path("mine.json").read_text())


def test_the_levels_of_a_path_that_tell_files_apart(results: Path) -> None:
    write_json("data/c/en-de/seg/bpe/pairs/pairs.json", {"pairs": 1}, levels=5)
    assert json.loads(Path("data/c/en-de/seg/bpe/pairs/pairs.json").read_text())["place"] == (
        "en-de/seg/bpe/pairs/pairs.json"
    )
    write_json("bundle/bundle.json", {"members": 1}, levels=0)
    assert "place" not in json.loads(Path("bundle/bundle.json").read_text())


def test_without_its_checksum_a_place_is_a_key_like_others(results: Path) -> None:
    Path("x.json").write_text('{"place": "Berlin"}')
    assert read_json("x.json") == {"place": "Berlin"}
    with pytest.raises(ValueError, match="those of the checksum and the place"):
        write_json("x.json", {"place": "Berlin"})
