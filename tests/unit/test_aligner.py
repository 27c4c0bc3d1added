"""Alignment of text in both directions: by thot, and by a program that stands in for fast_align."""

from __future__ import annotations

import gzip
import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from rarewords.alignment.aligner import ALIGNERS, AlignmentFiles, align_text
from rarewords.alignment.numbered import write_numbered
from rarewords.errors import InputError
from rarewords.text.moses import tokenise

DEMO = Path(__file__).parents[2] / "data/demo/gnome-help/en-de"
ODD = ["NULL", "<eps>", "|||", "UNKNOWN_WORD", "a\tb", "x\u2028y", "a\u00a0b", "0"]


def demo_pairs(lines: int) -> list[tuple[str, str]]:
    sides = []
    for language in ("en", "de"):
        with gzip.open(DEMO / f"train.{language}.gz", "rt", encoding="utf-8") as stream:
            sides.append([tokenise(line, language) for _, line in zip(range(lines), stream)])
    return list(zip(*sides))


def files(folder: Path) -> AlignmentFiles:
    return AlignmentFiles(folder / "forward", folder / "reverse", folder / "symmetrised")


def lines(path: object) -> list[str]:
    return Path(str(path)).read_text(encoding="utf-8").split("\n")[:-1]


def align(folder: Path, pairs: list[tuple[str, str]], aligner: str = "thot") -> tuple[list[str], list[str], list[str]]:
    """Lines of forward, reverse and symmetrised."""
    outputs = files(folder)
    align_text(pairs, aligner, outputs, lambda text: None)
    return lines(outputs.forward), lines(outputs.reverse), lines(outputs.symmetrised)


def test_identical_sides_align_word_by_word(tmp_path: Path) -> None:
    english = [pair[0] for pair in demo_pairs(150)]
    words = sum(len(line.split(" ")) for line in english)
    for direction in align(tmp_path, [(line, line) for line in english]):
        links = [link.split("-") for line in direction for link in line.split(" ")]
        assert abs(len(links) - words) < 0.01 * words
        assert sum(i == j for i, j in links) > 0.99 * words


def test_names_and_numbers_align_with_themselves_in_real_text(tmp_path: Path) -> None:
    pairs = demo_pairs(400)
    *_, symmetrised = align(tmp_path, pairs)
    same = linked = 0
    for (source, target), links in zip(pairs, symmetrised):
        left, right = source.split(" "), target.split(" ")
        for i, word in enumerate(left):
            if left.count(word) == right.count(word) == 1:
                same += 1
                linked += f"{i}-{right.index(word)}" in links.split(" ")
    assert same > 250
    assert linked / same > 0.9


def test_both_directions_write_source_first(tmp_path: Path) -> None:
    # Three source units for each target unit: only source positions go beyond 1.
    pairs = [("a b c", "x"), ("a b c d e f", "x y"), ("d e f", "y")] * 5
    forward, reverse, symmetrised = align(tmp_path, pairs)
    assert set(reverse[1].split(" ")) == {"0-0", "1-0", "2-0", "3-1", "4-1", "5-1"} == set(symmetrised[1].split(" "))
    assert sorted(link[-2:] for link in forward[1].split(" ")) == ["-0", "-1"]


def test_lines_stay_in_place(tmp_path: Path) -> None:
    pairs = demo_pairs(40)
    hidden = [("", ""), ("a b", ""), (" ", "c"), (" ".join(["a"] * 1025), "c"), ("c", " ".join(["a"] * 1025))]
    mixed = [*hidden, *pairs[:20], *hidden, *pairs[20:], *hidden]
    for alone, among in zip(align(tmp_path, pairs), align(tmp_path, mixed)):
        assert among == [*[""] * 5, *alone[:20], *[""] * 5, *alone[20:], *[""] * 5]


def test_repeated_spaces_are_no_units(tmp_path: Path) -> None:
    pairs = demo_pairs(30)
    assert align(tmp_path, [(f"  {a.replace(' ', '  ')} ", b) for a, b in pairs]) == align(tmp_path, pairs)


def test_odd_units_are_ordinary_ones(tmp_path: Path) -> None:
    pairs = [(" ".join(ODD[k : k + 3]), " ".join(ODD[k : k + 3])) for k in range(6)] * 3
    names = {unit: f"u{k}" for k, unit in enumerate(ODD)}
    plain = [tuple(" ".join(names[unit] for unit in side.split(" ")) for side in pair) for pair in pairs]
    assert align(tmp_path, pairs) == align(tmp_path, plain)


def test_a_text_without_an_alignable_pair_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no pair has units on both sides"):
        align(tmp_path, [("", "a"), ("b", "")])
    assert list(tmp_path.iterdir()) == []


def test_numbers_follow_first_occurrence(tmp_path: Path) -> None:
    text = write_numbered([("b a b", "x"), ("", "z"), ("a c", "y x")], tmp_path)
    assert (lines(text.source), lines(text.target)) == (["0 1 0", "1 2"], ["0", "1 0"])
    assert text.left_out == 1
    assert list(text.in_place([[(0, 0)], [(1, 1)]])) == [[(0, 0)], [], [(1, 1)]]
    for given in ([[(0, 0)]], [[(0, 0)]] * 3):
        with pytest.raises(InputError, match="lines; its own messages are above"):
            list(text.in_place(given))


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="threads cannot be counted here")
def test_one_thread_whatever_the_environment_says(tmp_path: Path) -> None:
    """With more threads the library's sums, and on large texts its links, differ from run to run."""
    program = (
        "import os; from rarewords.alignment.aligner import *\n"
        "align_text([('a b', 'x y')] * 100, 'thot', AlignmentFiles('f', 'r', 's'), lambda text: None)\n"
        "print(len(os.listdir('/proc/self/task')))"
    )
    environment = {**os.environ, "OMP_NUM_THREADS": "3"}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True, text=True)
    assert done.stdout == "1\n"


FAKE = f"""#!{sys.executable}
import json, os, sys
lines = open(sys.argv[2], encoding="utf-8").read().splitlines()
with open(os.environ["RECORD"], "a", encoding="utf-8") as record:
    record.write(json.dumps([sys.argv[3:], lines, os.environ["OMP_NUM_THREADS"]]) + "\\n")
for line in lines[int(os.environ["FEWER"]):]:
    print("0-0 1-1" if "-r" in sys.argv else "0-0 0-1")
sys.exit(int(os.environ["CODE"]))
"""


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program fast_align on the PATH that records how it was called; returns the record."""
    program = tmp_path / "bin" / "fast_align"
    program.parent.mkdir()
    program.write_text(FAKE, encoding="utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(program.parent))
    for name, value in (("RECORD", str(tmp_path / "record")), ("FEWER", "0"), ("CODE", "0")):
        monkeypatch.setenv(name, value)
    return tmp_path / "record"


def test_fast_align_is_called_for_both_directions(tmp_path: Path, fake: Path) -> None:
    forward, reverse, symmetrised = align(tmp_path, [("||| b", "x y"), ("", "z"), ("b c", "y |||")], "fast_align")
    text = ["0 1 ||| 0 1", "1 2 ||| 1 2"]
    calls = [json.loads(line) for line in fake.read_text(encoding="utf-8").splitlines()]
    assert calls == [[["-d", "-o", "-v"], text, "1"], [["-d", "-o", "-v", "-r"], text, "1"]]
    assert (forward, reverse) == (["0-0 0-1", "", "0-0 0-1"], ["0-0 1-1", "", "0-0 1-1"])
    assert symmetrised == ["0-0 0-1 1-1", "", "0-0 0-1 1-1"]


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [("CODE", "3", "ended with code 3; its own messages are above"), ("FEWER", "1", "gave too few lines")],
)
def test_a_failing_fast_align_is_reported(
    tmp_path: Path, fake: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str, message: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(InputError, match=message):
        align(tmp_path, [("a b", "x y"), ("b c", "y z")], "fast_align")
    assert not (tmp_path / "forward").exists()


def test_a_missing_fast_align_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match=r"there is no program fast_align on the PATH; .*choose the aligner thot"):
        align(tmp_path, [("a", "x")], "fast_align")


def test_the_command_line_and_the_schema_know_the_aligners() -> None:
    from rarewords.cli.align import run
    from rarewords.schema import schema

    (option,) = [parameter for parameter in run.params if parameter.name == "aligner"]
    assert list(option.type.choices) == list(ALIGNERS)
    assert schema()["properties"]["alignment"]["properties"]["aligner"]["enum"] == list(ALIGNERS)
