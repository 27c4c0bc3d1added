"""Learning curves and heat maps: what is in them, and what happens without data."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from rarewords.errors import InputError
from rarewords.report import attention, learning_curves
from rarewords.report.attention import AttentionMap, word_ends, write_maps
from rarewords.report.inputs import Run
from rarewords.report.learning_curves import read_curve, running_mean


def test_running_mean_by_hand() -> None:
    assert running_mean([1.0, 2.0, 6.0, 3.0], 1) == [1.5, 3.0, 11 / 3, 4.5]
    assert running_mean([2.0], 2) == [2.0]


def test_running_mean_leaves_out_what_is_no_number() -> None:
    found = running_mean([math.nan, 2.0, math.nan, math.nan, math.nan], 1)
    assert found[:3] == [2.0, 2.0, 2.0]
    assert all(map(math.isnan, found[3:]))


def run(folder: Path, label: str, number: int, losses: list[float | None]) -> Run:
    path = folder / f"{label}{number}.jsonl"
    lines = [
        json.dumps({"updates": 50 * k, "loss_per_token": loss, "gradient_norm": loss})
        for k, loss in enumerate(losses, 1)
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return Run("en-de", label, number, str(path), ord(label[0]) - ord("A"))


def test_one_panel_a_pair_one_colour_a_system(tmp_path: Path) -> None:
    runs = [run(tmp_path, label, number, [6.0, None, 4.0]) for label in ("A", "B") for number in (1, 2)]
    figure = learning_curves.draw([*runs, Run("en-ru", "A", 1, runs[0].metrics, 0)])
    assert len(figure.axes) == 4
    thick = [line for line in figure.axes[0].lines if line.get_linewidth() == 1.4 and len(line.get_xdata())]
    assert [line.get_color() for line in thick] == ["#000000"] * 2 + ["#E69F00"] * 2
    assert [line.get_linestyle() for line in thick] == ["-", "--"] * 2
    assert list(thick[0].get_xdata()) == [50, 100, 150]


def test_a_training_without_reports_is_named(tmp_path: Path) -> None:
    there = run(tmp_path, "A", 1, [6.0])
    figure = learning_curves.draw([there, Run("en-de", "B", 2, str(tmp_path / "nothing.jsonl"), 1)])
    assert [text.get_text() for text in figure.axes[0].texts] == ["no reports of B run 2"]
    alone = learning_curves.draw([Run("en-de", "B", 2, str(tmp_path / "nothing.jsonl"), 1)])
    alone.canvas.draw()


GOOD = '{"updates": 50, "loss_per_token": 6.5, "gradient_norm": null}\n'


def test_a_last_line_that_was_cut_short_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "metrics.jsonl").write_text(GOOD + '{"updates": 100, "lo', encoding="utf-8")
    assert read_curve(tmp_path / "metrics.jsonl") == [{"updates": 50, "loss_per_token": 6.5, "gradient_norm": None}]


@pytest.mark.parametrize(
    "line",
    [
        '{"updates": 100, "lo\n' + GOOD, "low 5\n", "low", "{\n", "[]\n", "\n", '{"updates": 100}\n',
        '{"updates": "100", "loss_per_token": 1, "gradient_norm": 1}\n',
        '{"updates": 100, "loss_per_token": "1", "gradient_norm": 1}\n',
    ],
)  # fmt: skip
def test_a_file_that_is_no_report_of_a_training_is_named_with_the_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "metrics.jsonl"
    path.write_text(GOOD + line, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        learning_curves.draw([Run("en-de", "A", 1, str(path), 0)])
    assert str(caught.value) == (
        f"{path}, line 2: not a report of a training run; give the metrics.jsonl of its checkpoints."
    )


def test_words_end_where_no_joiner_is() -> None:
    assert word_ends(["a@@", "b", "c", "d@@", "e", "EOS"]) == [1, 2, 4]
    assert word_ends(["a", "##b", "c", "d", "##e", "EOS"]) == [1, 2, 4]


def test_maps_are_drawn_with_cyrillic_and_dollar_signs(tmp_path: Path) -> None:
    units = ["$x$", "Мир@@", "зае@@", "ва"]
    one = AttentionMap(7, ["Mirza@@", "yeva", "EOS"], units, np.full((4, 3), 1 / 3))
    write_maps([one], "BPE", tmp_path)
    svg = (tmp_path / "line7.svg").read_text(encoding="utf-8")
    assert all(unit in svg for unit in units)
    stored = json.loads((tmp_path / "attention.json").read_text(encoding="utf-8"))
    assert stored["maps"][0]["weights"] == [[0.3333] * 3] * 4
    assert stored["maps"][0]["target"] == units


def test_attention_is_the_mean_over_the_members_of_the_forced_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Double:
        """Two members that look at the unit of their own place."""

        def attention(self, sentences: list[list[str]], translations: list[list[str]]) -> list[np.ndarray]:
            return [2 * np.eye(len(out), len(into) + 1) for into, out in zip(sentences, translations)]

    import rarewords.decoding.translator as translator

    monkeypatch.setattr(translator.Translator, "load", lambda members, device: Double())
    (tmp_path / "in").write_text("a b\nc\nd e\n", encoding="utf-8")
    (tmp_path / "out").write_text("A B\n\nD\n", encoding="utf-8")
    maps = attention.attention_maps(["m1", "m2"], [3, 2, 1], (tmp_path / "in", tmp_path / "out"), "cpu")
    assert [one.line for one in maps] == [3, 1]  # line 2 has no translation
    assert maps[0].source == ["d", "e", "EOS"]
    np.testing.assert_array_equal(maps[0].weights, [[1, 0, 0]])
    with pytest.raises(InputError, match=r"in has 3 lines, but line 9 is an example"):
        attention.attention_maps(["m1"], [9], (tmp_path / "in", tmp_path / "out"), "cpu")
