"""What the systems were trained on, against hand-counted pairs, units, passes and minutes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rarewords.report.inputs import TrainingFolders
from rarewords.report.training import as_json, read_training, training_table, unequal
from rarewords.text.documents import write_json
from rarewords.training.encoded import encode_pairs, load_pairs
from rarewords.training.text_size import TextSize, describe, text_size

# Three pairs; with at most 3 units a side the second is lost. Of 8 target units one is unknown (z).
SOURCE = "a b\na b a b\nb\n"
TARGET = "x y z\nx x\ny x y\n"


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    for name, text in (("source", SOURCE), ("target", TARGET), ("v.s", "a 3\nb 4\n"), ("v.t", "x 4\ny 3\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    files = [tmp_path / name for name in ("source", "target", "v.s", "v.t")]
    encode_pairs(*files, tmp_path / "pairs")
    return tmp_path / "pairs"


def member(folder: Path, seconds: float, updates: int = 6, longest: int = 3) -> Path:
    training = {"updates": updates, "fingerprint": {"max_length": longest, "batch_size": 4}}
    size = {"source_vocabulary": 4, "target_vocabulary": 4, "embedding": 2, "hidden": 2}
    vocabularies = {"source_vocabulary": {"a": 3, "b": 4}, "target_vocabulary": {"x": 4, "y": 3}}
    write_json(folder / "model.json", {"format": 1, "size": size, "training": training, **vocabularies})
    return run(folder, seconds)


def run(folder: Path, seconds: float) -> Path:
    (folder / "checkpoints").mkdir(parents=True, exist_ok=True)
    (folder / "checkpoints/metrics.jsonl").write_text(json.dumps({"updates": 6, "seconds": seconds}) + "\n")
    return folder


def test_pairs_and_units_by_hand(pairs: Path) -> None:
    assert text_size(pairs, 3) == TextSize(3, 2, 1.5, 3.0, 12.5)
    assert text_size(pairs, 4) == TextSize(3, 3, pytest.approx(7 / 3), pytest.approx(8 / 3), 12.5)


def test_copies_of_a_text_count_once(tmp_path: Path, pairs: Path) -> None:
    for name in ("source", "target"):
        path = tmp_path / name
        path.write_text(path.read_text(encoding="utf-8") * 2, encoding="utf-8")
    encode_pairs(*(tmp_path / name for name in ("source", "target", "v.s", "v.t")), pairs, copies=2)
    assert text_size(pairs, 3) == TextSize(3, 2, 1.5, 3.0, 12.5)


def test_a_training_says_when_too_much_is_lost(pairs: Path) -> None:
    assert describe(load_pairs(pairs, 4), 4) == "3 pairs, 0 longer than 4 units skipped"
    sentence = describe(load_pairs(pairs, 3), 3)
    assert sentence.startswith("2 pairs, 1 longer than 3 units skipped (33.3 %): systems that lose different pairs")


def folders(system: str, pairs: Path, runs: list[Path], members: list[Path]) -> TrainingFolders:
    return TrainingFolders(
        system, system.upper(), str(pairs / "pairs.json"), list(map(str, runs)), list(map(str, members))
    )


def test_passes_and_minutes_of_two_runs_with_two_members_each(tmp_path: Path, pairs: Path) -> None:
    runs = [run(tmp_path / f"run{k}", 600.0 * k) for k in (1, 2)]
    members = [member(tmp_path / f"member{k}", 60.0) for k in (1, 2, 3, 4)]
    found = read_training(folders("bpe", pairs, runs, members))
    # 6 updates of 4 pairs over 2 pairs; 10 and 20 minutes, and 4 continuations of one
    assert (found.runs, found.updates, found.passes, found.hours) == (2, 6, 12.0, pytest.approx(34 / 60))
    table = training_table([found], "en-de")
    assert table.rows == [["BPE", 2, pytest.approx(100 / 3), 1.5, 3.0, 12.5, 2, 6, 12.0, 34]]
    assert as_json([found])["bpe"]["text"]["trained_on"] == 2
    (runs[0] / "checkpoints/metrics.jsonl").unlink()
    assert read_training(folders("bpe", pairs, runs, members)).hours is None


def test_systems_that_saw_other_text_are_named(tmp_path: Path, pairs: Path) -> None:
    short = read_training(folders("c2", pairs, [], [member(tmp_path / "short", 1.0)]))
    whole = read_training(folders("bpe", pairs, [], [member(tmp_path / "whole", 1.0, longest=4)]))
    assert unequal([whole]) == []
    (sentence,) = unequal([whole, short])
    assert sentence.startswith("The systems did not see the same text: the limit in units costs some of them more than")
    assert "(C2 33.3 %)" in sentence
    assert sentence in training_table([whole, short], "en-de").caption


def test_runs_that_ended_at_different_updates_show_both(tmp_path: Path, pairs: Path) -> None:
    runs = [run(tmp_path / f"run{k}", 60.0) for k in (1, 2)]
    members = [member(tmp_path / f"member{k}", 60.0, updates=k * 1000) for k in (1, 2, 3, 4)]
    found = read_training(folders("bpe", pairs, runs, members))
    assert (found.reached, found.updates, found.passes) == ([2000, 4000], 4000, 8000.0)
    table = training_table([found], "en-de")
    assert table.rows[0][7] == "2,000–4,000"
    assert "Runs ended by time or patience, after different numbers of updates" in table.caption[-1]
