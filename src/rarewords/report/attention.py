"""Heat maps of the ensemble's attention to a sentence (columns) while it writes the translation (rows)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from rarewords.errors import InputError
from rarewords.report.figures import write_figure
from rarewords.segmentation.joiner import goes_on
from rarewords.text.documents import write_json
from rarewords.text.files import PathLike, read_lines, split_words

END = "EOS"  # how the end of a sentence is labelled
INCHES_PER_UNIT = 0.22


@dataclass(frozen=True)
class AttentionMap:
    """Weights (target units, source units) of one sentence, mean over the members; the source ends in EOS.

    Every row sums to 1.
    """

    line: int
    source: list[str]
    target: list[str]
    weights: NDArray[np.floating[Any]]


def attention_maps(
    members: Sequence[PathLike], lines: Sequence[int], texts: tuple[PathLike, PathLike], device: str
) -> list[AttentionMap]:
    """Feed finished translations back to the members; `texts` are units of source and translation, lines from 1.

    An empty translation has no map. Raises InputError for a line that a text does not have, and for members that do not
    match.
    """
    from rarewords.decoding.translator import Translator

    sources, targets = (_chosen(path, lines) for path in texts)
    shown = [number for number, target in enumerate(targets) if target]
    translator = Translator.load(members, device)
    attention = translator.attention([sources[k] for k in shown], [targets[k] for k in shown])
    return [
        AttentionMap(lines[k], [*sources[k], END], targets[k], weights / len(members))
        for k, weights in zip(shown, attention, strict=True)
    ]


def _chosen(path: PathLike, lines: Sequence[int]) -> list[list[str]]:
    """The units of some lines of a text."""
    texts = list(read_lines(path))
    if lines and max(lines) > len(texts):
        raise InputError(
            f"{path} has {len(texts)} lines, but line {max(lines)} is an example; choose the examples again."
        )
    return [split_words(texts[line - 1]) for line in lines]


def write_maps(maps: Sequence[AttentionMap], label: str, folder: PathLike) -> None:
    """Write `line{n}.svg`, `line{n}.png` for each map and all weights as `attention.json`."""
    folder = Path(folder)
    for one in maps:
        write_figure(draw(one, label), folder / f"line{one.line}.svg", folder / f"line{one.line}.png")
    entries = [
        {"line": one.line, "source": one.source, "target": one.target, "weights": np.round(one.weights, 4).tolist()}
        for one in maps
    ]
    write_json(folder / "attention.json", {"system": label, "maps": entries})


def draw(attention: AttentionMap, label: str) -> Figure:
    """The heat map of one sentence; a thin line stands between words."""
    width, height = len(attention.source), len(attention.target)
    figure = Figure(figsize=(2.6 + INCHES_PER_UNIT * width, 1.6 + INCHES_PER_UNIT * height), layout="constrained")
    axes = figure.add_subplot()
    # Small networks attend weakly, so the darkest blue is the largest weight, however small.
    image = axes.imshow(attention.weights, cmap="Blues", vmin=0, aspect="equal", interpolation="none")
    # parse_math: a dollar sign is a unit like any other
    axes.set_xticks(range(width), attention.source, rotation=90, fontsize=9, parse_math=False)
    axes.set_yticks(range(height), attention.target, fontsize=9, parse_math=False)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    for position in word_ends(attention.source):
        axes.axvline(position + 0.5, color="0.8", linewidth=0.6)
    for position in word_ends(attention.target):
        axes.axhline(position + 0.5, color="0.8", linewidth=0.6)
    for spine in axes.spines.values():
        spine.set_color("0.6")
    axes.set_xlabel(label, fontsize=9, parse_math=False)
    figure.colorbar(image, ax=axes, shrink=min(1.0, 12 / height), aspect=15, label="weight")
    return figure


def word_ends(units: Sequence[str]) -> list[int]:
    """Positions of the units that end a word, but for the last one."""
    return [position for position, (unit, following) in enumerate(pairwise(units)) if not goes_on(unit, following)]
