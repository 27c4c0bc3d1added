"""Importing parallel text, and word counts."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rarewords.corpus.importing import (
    count_words,
    import_test_set,
    import_text,
    parallel_writer,
    read_counts,
    write_counts,
)
from rarewords.errors import InputError
from rarewords.text.files import read_lines, write_lines

DEMO = Path(__file__).parents[2] / "data" / "demo"


@pytest.fixture
def parts(tmp_path: Path) -> list[tuple[Path, Path]]:
    (tmp_path / "a.en").write_bytes("one\u2028more\r\n\r\n".encode())
    (tmp_path / "a.de").write_bytes(b"eins\nzwei")
    (tmp_path / "b.en.gz").write_bytes(gzip.compress(b"three\n"))
    (tmp_path / "b.de").write_bytes(b"drei\n")
    return [(tmp_path / "a.en", tmp_path / "a.de"), (tmp_path / "b.en.gz", tmp_path / "b.de")]


def test_parts_are_joined_in_order(parts: list[tuple[Path, Path]], tmp_path: Path) -> None:
    outputs = tmp_path / "raw" / "train.en", tmp_path / "raw" / "train.de.gz"
    assert import_text(parts, outputs) == 3
    assert outputs[0].read_bytes() == "one\u2028more\n\nthree\n".encode()
    assert gzip.decompress(outputs[1].read_bytes()) == b"eins\nzwei\ndrei\n"
    assert sorted(path.name for path in (tmp_path / "raw").iterdir()) == ["train.de.gz", "train.en"]


def failing(parts: list[tuple[Path, Path]], fault: str) -> str:
    """Break the second part, return the expected message."""
    source, target = parts[1]
    if fault == "lines":
        target.write_bytes(b"drei\nvier\n")
        return r"b\.en\.gz ends after line 1 but .*b\.de goes on"
    if fault == "encoding":
        target.write_bytes(b"dr\xe9i\n")
        return r"b\.de, line 1: not UTF-8"
    if fault == "missing":
        source.unlink()
        return r"b\.en\.gz: cannot be read"
    for part in parts:
        for path in part:
            path.write_bytes(gzip.compress(b"") if path.suffix == ".gz" else b"")
    return r"there is no text in .*a\.en, .*b\.en\.gz"


@pytest.mark.parametrize("fault", ["lines", "encoding", "missing", "empty"])
def test_a_fault_leaves_both_outputs_alone(parts: list[tuple[Path, Path]], tmp_path: Path, fault: str) -> None:
    new = tmp_path / "out" / "x.en", tmp_path / "out" / "x.de"
    old = tmp_path / "out" / "y.en", tmp_path / "out" / "y.de"
    for path in old:
        write_lines(path, ["old"])
    message = failing(parts, fault)
    for outputs in (new, old):
        with pytest.raises(InputError, match=message):
            import_text(parts, outputs)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["y.de", "y.en"]
    assert [list(read_lines(path)) for path in old] == [["old"], ["old"]]


def test_no_parts_at_all(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no text in the list of parts"):
        import_text([], (tmp_path / "en", tmp_path / "de"))


def test_the_two_outputs_must_differ_and_be_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="both the source and the target"), parallel_writer("x", "x"):
        pass
    with pytest.raises(InputError, match="is not a regular file"), parallel_writer(tmp_path / "x", tmp_path):
        pass
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_left_over_when_a_file_cannot_be_put_in_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = os.replace

    def full(source: Path, target: Path) -> None:
        if target.name == "en":
            raise OSError("disk full")
        replace(source, target)

    monkeypatch.setattr(os, "replace", full)
    with (
        pytest.raises(InputError, match=r"/en: cannot be written \(disk full"),
        parallel_writer(tmp_path / "en", tmp_path / "de"),
    ):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_made_is_named_as_the_user_named_it(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    path = tmp_path / "file" / "de"
    with pytest.raises(InputError) as caught, parallel_writer(tmp_path / "en", path):
        pass
    assert str(caught.value) == f"{path}: cannot be written (File exists)."
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


def test_test_set_refuses_overlong_lines(tmp_path: Path) -> None:
    source, target = tmp_path / "t.en", tmp_path / "t.de"
    outputs = tmp_path / "out.en", tmp_path / "out.de"
    write_lines(source, ["x", "ä" * 5_000])
    write_lines(target, ["x", "ö" * 5_001])
    with pytest.raises(InputError, match=r"t\.de, line 2: 5,001 characters, .* at most 5,000"):
        import_test_set([(source, target)], outputs)
    assert not outputs[0].exists()
    assert import_test_set([(source, source)], outputs) == 2
    assert import_text([(source, target)], outputs) == 2


@pytest.mark.parametrize("blank", ["source", "target"])
def test_a_side_of_blank_lines_is_refused(tmp_path: Path, blank: str) -> None:
    paths = {side: tmp_path / side for side in ("source", "target")}
    for side, path in paths.items():
        write_lines(path, ["  ", ""] if side == blank else ["x", ""])
    with pytest.raises(InputError, match=f"there is no text in .*{blank};"):
        import_test_set([(paths["source"], paths["target"])], (tmp_path / "a", tmp_path / "b"))
    assert not (tmp_path / "a").exists()


def test_standard_input_and_output_have_one_side_only(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="given twice"):
        import_text([("-", "-")], (tmp_path / "a", tmp_path / "b"))
    with pytest.raises(InputError, match="neither can be standard output"):
        import_text([(tmp_path / "x", tmp_path / "y")], ("-", tmp_path / "b"))


def test_counts_keep_the_order_of_first_occurrence() -> None:
    counts = count_words(["b a  b", "", " c a\u00a0a b\tb b "])
    assert list(counts.items()) == [("b", 3), ("a", 1), ("c", 1), ("a\u00a0a", 1), ("b\tb", 1)]


def test_count_file_format(tmp_path: Path) -> None:
    write_counts(tmp_path / "counts", {"der": 12, "Haus\u2028": 1})
    assert (tmp_path / "counts").read_bytes() == "der 12\nHaus\u2028 1\n".encode()


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\n"))))
@settings(deadline=None, max_examples=50)
def test_counts_survive_the_file(tmp_path_factory: pytest.TempPathFactory, lines: list[str]) -> None:
    file = tmp_path_factory.mktemp("counts") / "counts"
    counts = count_words(lines)
    assert "" not in counts
    assert sum(counts.values()) == sum(1 for line in lines for word in line.split(" ") if word)
    write_counts(file, counts)
    assert list(read_counts(file).items()) == list(counts.items())


@pytest.mark.parametrize(
    "line", ["", "word", "word\t3", "word  3", " 3", "word x", "word -1", "word 0", "word ²", "a b 3"]
)
def test_bad_count_line_names_file_and_line(tmp_path: Path, line: str) -> None:
    write_lines(tmp_path / "counts", ["fine 1", line])
    with pytest.raises(InputError, match=r"counts, line 2: expected a word, one space and a count"):
        read_counts(tmp_path / "counts")


def test_a_byte_order_mark_of_the_first_word_stays(tmp_path: Path) -> None:
    counts = {"\ufeffHaus": 2, "\ufeff": 1}
    write_counts(tmp_path / "counts", counts)
    assert read_counts(tmp_path / "counts") == counts


def test_a_word_counted_twice_is_refused(tmp_path: Path) -> None:
    write_lines(tmp_path / "counts", ["a 1", "b 2", "a 3"])
    with pytest.raises(InputError, match=r"counts, line 3: the word 'a' has a count in an earlier line"):
        read_counts(tmp_path / "counts")


@pytest.mark.parametrize(
    ("corpus", "language", "expected"),
    [
        ("libreoffice-help", "de", [26_697, 847, 904]),
        ("libreoffice-help", "ru", [15_759, 496, 612]),
        ("gnome-help", "de", [6_302, 220, 347]),
        ("gnome-help", "ru", [5_514, 193, 298]),
    ],
)
def test_demonstration_corpora_are_complete(corpus: str, language: str, expected: list[int]) -> None:
    for name, pairs in zip(("train", "dev", "test"), expected, strict=True):
        for side in ("en", language):
            lines = read_lines(DEMO / corpus / f"en-{language}" / f"{name}.{side}.gz")
            assert sum(1 for _ in lines) == pairs
