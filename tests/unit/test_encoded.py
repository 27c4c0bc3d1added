"""Training text as integers on disk."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from rarewords.errors import InputError
from rarewords.training import encoded
from rarewords.training.batches import Corpus
from rarewords.training.encoded import SIDES, encode_pairs, load_pairs, load_vocabularies
from rarewords.vocabulary import EOS, UNK, Vocabulary

VOCABULARIES = Vocabulary({"a": 3, "b": 2}), Vocabulary({"x": 3})


def encode(folder: Path, source: Sequence[str], target: Sequence[str]) -> Path:
    for name, lines in (("source", source), ("target", target)):
        (folder / name).write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    for name, vocabulary in zip(("a", "b"), VOCABULARIES, strict=True):
        vocabulary.save(folder / name)
    encode_pairs(*(folder / name for name in ("source", "target", "a", "b")), folder / "pairs")
    return folder / "pairs"


def kept_pairs(corpus: Corpus) -> list[list[list[int]]]:
    return [[side.tolist() for side in corpus.pair(int(k))] for k in corpus.kept]


def test_encoding_maps_units_to_ids_and_appends_eos(tmp_path: Path) -> None:
    corpus = load_pairs(encode(tmp_path, ["a b c", "  b  a "], ["x", "y x"]), maximum=3)
    assert kept_pairs(corpus) == [[[2, 3, UNK, EOS], [2, EOS]], [[3, 2, EOS], [UNK, 2, EOS]]]
    assert corpus.lengths().tolist() == [4, 3]
    assert (len(corpus), corpus.skipped) == (2, 0)


def test_pairs_with_a_longer_or_an_empty_side_are_skipped_not_cut(tmp_path: Path) -> None:
    source = ["a a a", "a a a a", "a", "", "b", "b b"]
    target = ["x x x", "x", "x x x x", "x", " ", "x"]
    corpus = load_pairs(encode(tmp_path, source, target), maximum=3)
    assert [ids for ids, _ in kept_pairs(corpus)] == [[2, 2, 2, EOS], [3, 3, EOS]]
    assert (corpus.kept.tolist(), corpus.skipped) == ([0, 5], 4)
    assert len(load_pairs(tmp_path / "pairs", maximum=4)) == 4  # the same folder serves another limit


def test_encoding_in_blocks_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    source, target = ([" ".join(rng.choice(list("abcx"), rng.integers(1, 9))) for _ in range(50)] for _ in range(2))
    whole = kept_pairs(load_pairs(encode(tmp_path, source, target), maximum=9))
    monkeypatch.setattr(encoded, "PAIRS_AT_ONCE", 7)
    assert kept_pairs(load_pairs(encode(tmp_path, source, target), maximum=9)) == whole
    assert len(whole) == 50


def test_the_arrays_are_mapped_not_read(tmp_path: Path) -> None:
    corpus = load_pairs(encode(tmp_path, ["a"], ["x"]), maximum=3)
    for side in (corpus.source, corpus.target, corpus.source_offsets, corpus.target_offsets):
        assert isinstance(side, np.memmap)
        assert not side.flags.writeable


def test_vocabularies_and_checksums_are_in_the_folder(tmp_path: Path) -> None:
    folder = encode(tmp_path, ["a"], ["x"])
    assert [side.counts for side in load_vocabularies(folder)] == [side.counts for side in VOCABULARIES]
    before = encoded.read_description(folder)["checksums"]
    assert list(before) == ["source", "target", "source_vocabulary", "target_vocabulary"]
    after = encoded.read_description(encode(tmp_path, ["b"], ["x"]))["checksums"]
    assert [name for name in before if before[name] != after[name]] == ["source"]


def test_no_usable_pair(tmp_path: Path) -> None:
    folder = encode(tmp_path, ["a a a", ""], ["x", ""])
    with pytest.raises(InputError, match=r"pairs: no pair has 1 to 2 units on both sides \(2 skipped\)"):
        load_pairs(folder, maximum=2)
    with pytest.raises(InputError, match=r"source and .*target are empty; there is nothing to train on"):
        encode(tmp_path, [], [])


@pytest.mark.parametrize(
    ("source", "target", "complaint"), [(["a"], ["x", "x"], "source ends after line 1 but .*target goes on")]
)
def test_bad_text_leaves_the_folder_as_it_was(
    tmp_path: Path, source: list[str], target: list[str], complaint: str
) -> None:
    encode(tmp_path, ["a"], ["x"])
    with pytest.raises(InputError, match=complaint):
        encode(tmp_path, source, target)
    assert kept_pairs(load_pairs(tmp_path / "pairs", maximum=3)) == [[[2, EOS], [2, EOS]]]
    assert not list((tmp_path / "pairs").glob(".*"))


def test_damage_is_noticed(tmp_path: Path) -> None:
    folder = encode(tmp_path, ["a b"], ["x"])
    with open(folder / "source.ids", "ab") as out:
        out.write(b"\0")
    with pytest.raises(InputError, match=r"source.ids: damaged, .*; encode the text again."):
        load_pairs(folder, maximum=3)
    without_checksums(folder)
    with pytest.raises(InputError, match=r"source.ids: 13 bytes, but 12 were written; encode again."):
        load_pairs(folder, maximum=3)
    (folder / "pairs.json").write_text(json.dumps({"format": 99}), encoding="utf-8")
    with pytest.raises(InputError, match=r"pairs.json: not encoded by this version of rarewords"):
        load_pairs(folder, maximum=3)


def without_checksums(folder: Path, **changes: object) -> None:
    """Make the folder one of an earlier version, perhaps with other numbers."""
    description = json.loads((folder / "pairs.json").read_text(encoding="utf-8"))
    del description["sha256"], description["files"]
    (folder / "pairs.json").write_text(json.dumps(description | changes), encoding="utf-8")


@pytest.mark.parametrize("name", [f"{side}.{end}" for side in SIDES for end in ("ids", "offsets", "vocabulary")])
def test_flipped_bits_are_noticed(tmp_path: Path, name: str) -> None:
    folder = encode(tmp_path, ["a b c", "b a", "c"] * 5, ["x", "y x", "x x"] * 5)
    path, draw = folder / name, random.Random(2)
    good = path.read_bytes()
    for _ in range(50):
        place = draw.randrange(len(good))
        path.write_bytes(good[:place] + bytes([good[place] ^ 1 << draw.randrange(8)]) + good[place + 1 :])
        with pytest.raises(InputError, match=name):
            load_pairs(folder, maximum=3)
    for content in (b"", good[: len(good) // 2], good + b"\0"):
        path.write_bytes(content)
        with pytest.raises(InputError, match=name):
            load_pairs(folder, maximum=3)


def test_a_flipped_bit_in_the_description_is_noticed(tmp_path: Path) -> None:
    folder = encode(tmp_path, ["a b c", "b a"], ["x", "y x"])
    path = folder / "pairs.json"
    good = path.read_bytes()
    for place in range(len(good)):
        path.write_bytes(good[:place] + bytes([good[place] ^ 4]) + good[place + 1 :])
        with pytest.raises(InputError, match=r"pairs\.json"):
            load_pairs(folder, maximum=3)


def test_files_of_another_folder_are_noticed(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    mine, other = encode(tmp_path, ["a b"], ["x"]), encode(tmp_path / "other", ["b a"], ["x"])
    (other / "source.ids").rename(mine / "source.ids")
    with pytest.raises(InputError, match="not the file that belongs here"):
        load_pairs(mine, maximum=3)


def test_a_folder_of_an_earlier_version_is_checked_for_what_cannot_be(tmp_path: Path) -> None:
    folder = encode(tmp_path, ["a b", "b"], ["x", "x x"])
    without_checksums(folder)
    assert len(load_pairs(folder, maximum=3)) == 2
    for change in ({"copies": -3}, {"copies": 10**30}, {"copies": "1"}, {"pairs": 0}, {"pairs": 1e3}, {"ids": []}):
        without_checksums(encode(tmp_path, ["a b", "b"], ["x", "x x"]), **change)
        with pytest.raises(InputError, match=r"pairs\.json: not encoded by this version"):
            load_pairs(folder, maximum=3)
    without_checksums(encode(tmp_path, ["a b", "b"], ["x", "x x"]), copies=3)
    with pytest.raises(InputError, match="2 pairs are not 3 copies"):
        load_pairs(folder, maximum=3)
    without_checksums(encode(tmp_path, ["a b", "b"], ["x", "x x"]))
    wrong: tuple[tuple[str, list[int], str], ...] = (
        ("source.ids", [2, 9, 0, 3, 0], "ids that the vocabulary does not have"),
        ("source.ids", [2, -3, 0, 3, 0], "ids that the vocabulary does not have"),
        ("source.ids", [2, 3, 3, 3, 0], "ids that the vocabulary does not have"),
        ("source.offsets", [0, 9, 5], "do not follow one another"),
        ("source.offsets", [0, 3, 4], "do not follow one another"),
    )
    for name, numbers, complaint in wrong:
        good = (folder / name).read_bytes()
        (folder / name).write_bytes(np.array(numbers, np.int32 if name.endswith("ids") else np.int64).tobytes())
        with pytest.raises(InputError, match=complaint):
            load_pairs(folder, maximum=3)
        (folder / name).write_bytes(good)


def test_standard_input_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"standard input \(-\) cannot be encoded"):
        encode_pairs("-", tmp_path / "target", tmp_path / "a", tmp_path / "b", tmp_path / "pairs")
