"""Cut a parallel text into shards of consecutive lines, so that a long text can be prepared in several jobs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from rarewords.corpus.importing import write_parallel
from rarewords.errors import InputError
from rarewords.text.files import PathLike, read_parallel


def cut_into_shards(source: PathLike, target: PathLike, outputs: Sequence[tuple[PathLike, PathLike]]) -> list[int]:
    """Write consecutive blocks of pairs to the (source, target) files in `outputs`; returns the pairs in each.

    The sizes of the blocks differ by at most one pair; concatenated in order they are the text. The text is read twice
    (once to count) and never held in memory. Raises InputError for sides of different length and for more shards than
    pairs.
    """
    total = sum(1 for _ in read_parallel(source, target))
    if total < len(outputs):
        raise InputError(
            f"{source} has {total} lines, too few for {len(outputs)} shards; lower preprocess.shards of the corpus."
        )
    sizes = [(k + 1) * total // len(outputs) - k * total // len(outputs) for k in range(len(outputs))]
    pairs = read_parallel(source, target)
    for size, files in zip(sizes, outputs, strict=True):
        write_parallel(*files, islice(pairs, size))
    return sizes
