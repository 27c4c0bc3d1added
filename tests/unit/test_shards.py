"""Cutting a parallel text into shards."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarewords.corpus.shards import cut_into_shards
from rarewords.errors import InputError


def cut(folder: Path, lines: list[str], number: int) -> list[list[str]]:
    source, target = folder / "text.en", folder / "text.de"
    source.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    target.write_text("".join(f"{line}!\n" for line in lines), encoding="utf-8")
    outputs = [(folder / f"{k}.en", folder / f"{k}.de") for k in range(number)]
    assert cut_into_shards(source, target, outputs) == [
        len(left.read_text(encoding="utf-8").split("\n")) - 1 for left, _ in outputs
    ]
    for left, right in outputs:
        assert right.read_text(encoding="utf-8") == left.read_text(encoding="utf-8").replace("\n", "!\n")
    return [left.read_text(encoding="utf-8").split("\n")[:-1] for left, _ in outputs]


def test_shards_are_consecutive_and_nearly_equal(tmp_path: Path) -> None:
    assert cut(tmp_path, list("abcdefg"), 3) == [["a", "b"], ["c", "d"], ["e", "f", "g"]]


@given(lines=st.lists(st.sampled_from(["a", "b c", "", "x\u2028y"]), min_size=1, max_size=30), data=st.data())
def test_shards_together_are_the_text(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], data: st.DataObject
) -> None:
    number = data.draw(st.integers(1, len(lines)))
    shards = cut(tmp_path_factory.mktemp("shards"), lines, number)
    assert [line for shard in shards for line in shard] == lines
    assert max(map(len, shards)) - min(map(len, shards)) <= 1


def test_too_many_shards(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has 2 lines, too few for 3 shards; lower preprocess.shards"):
        cut(tmp_path, ["a", "b"], 3)


def test_sides_of_different_length(tmp_path: Path) -> None:
    (tmp_path / "text.en").write_text("a\nb\n", encoding="utf-8")
    (tmp_path / "text.de").write_text("a\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"text.de ends after line 1 but .*text.en goes on"):
        cut_into_shards(tmp_path / "text.en", tmp_path / "text.de", [(tmp_path / "x.en", tmp_path / "x.de")])
    assert not (tmp_path / "x.en").exists()
