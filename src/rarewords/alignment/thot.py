"""fast_align's model as the library sil-thot computes it (docs/reproduction/alignment.md)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from rarewords.alignment.links import Link
from rarewords.text.files import read_parallel

ITERATIONS = 4  # fast_align's five, the last of which only aligns
PAIRS_AT_ONCE = 1000


def align(source: Path, target: Path, reverse: bool, report: Callable[[str], None]) -> Iterator[list[Link]]:
    """Links of each pair of two numbered files; `reverse` models the source given the target.

    The library keeps the sentences on disk and one entry for each pair of numbers that occur in the same pair of
    sentences in memory.
    """
    # Read when the library is loaded. With more threads its sums, and with them single links, change from run to run.
    os.environ["OMP_NUM_THREADS"] = "1"
    from thot.alignment import FastAlignModel

    given, modelled = (target, source) if reverse else (source, target)
    model = FastAlignModel()
    model.variational_bayes = True
    model.read_sentence_pairs(str(given), str(modelled))
    model.start_training()
    for iteration in range(1, ITERATIONS + 1):
        model.train()
        report(f"iteration {iteration} of {ITERATIONS}")
    model.end_training()
    pairs = read_parallel(given, modelled)
    while block := list(islice(pairs, PAIRS_AT_ONCE)):
        sides = [[line.split(" ") for line in lines] for lines in zip(*block, strict=True)]
        for _, matrix in model.get_best_alignments(*sides):
            # For each modelled position the given one, counted from 1; 0 is the empty word.
            links = [(i - 1, j) for j, i in enumerate(matrix.to_list()) if i]
            yield [(j, i) for i, j in links] if reverse else links
