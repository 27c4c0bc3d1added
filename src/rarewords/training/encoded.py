"""Training text as integers on disk: encoded once, then mapped into the memory of every training run on it.

A folder with four arrays, both vocabularies and `pairs.json`:

    source.ids, target.ids           int32: the ids of all sentences, each with its closing EOS
    source.offsets, target.offsets   int64: pair k is ids[offsets[k]:offsets[k + 1]]
    source.vocabulary, target.vocabulary
    pairs.json                       number of pairs, copies and ids, and the checksums of the text and the vocabularies
                                     that they come from and of the files beside it

A folder of an earlier version has no checksums of its files; its numbers are only checked for impossible values.
Numbers are in the byte order of the machine (little on all that torch knows). `pairs.json` is written last, so a folder
with one is complete.
"""

from __future__ import annotations

import sys
from array import array
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewords.errors import InputError
from rarewords.text.documents import Kind, read_json, write_json
from rarewords.text.files import PathLike, atomic_file, read_parallel, sha256, split_words
from rarewords.text.identity import IDENTITY, HashedStream, check_identity, identity
from rarewords.text.shapes import SHA256, one_of, record, text, whole
from rarewords.training.batches import Corpus
from rarewords.vocabulary import EOS, Vocabulary

DESCRIPTION = "pairs.json"
FORMAT = 1
SIDES = ("source", "target")
AGAIN = "encode the text again"
_FILES = [f"{side}.{end}" for side in SIDES for end in ("ids", "offsets", "vocabulary")]
KIND = Kind(
    "encoded by this version of rarewords on such a machine",
    record(
        {
            "format": one_of(FORMAT),
            "pairs": whole(1),
            "ids": record({side: whole(1) for side in SIDES}),
            "byte_order": one_of(sys.byteorder),
            "checksums": record(
                {name: text(SHA256) for side in SIDES for name in (side, f"{side}_vocabulary")},
            ),
        },
        {"copies": whole(1), "files": record(dict.fromkeys(_FILES, IDENTITY))},
    ),
    AGAIN,
)
PAIRS_AT_ONCE = 20_000  # are held in memory while encoding


def encode_pairs(
    source: PathLike,
    target: PathLike,
    source_vocabulary: PathLike,
    target_vocabulary: PathLike,
    folder: PathLike,
    copies: int = 1,
) -> int:
    """Encode segmented text into a folder; returns the number of pairs. An existing folder is replaced.

    The text may hold several `copies` of itself, each segmented at random, one after the other.

    All pairs are written, even those that are too long, which training leaves out. Raises InputError for sides of
    different length, for text without pairs or whose length does not fit the copies, and if it cannot be written; an
    existing folder then stays as it was.
    """
    texts = {"source": source, "target": target}
    vocabularies = {"source": source_vocabulary, "target": target_vocabulary}
    if "-" in map(str, [*texts.values(), *vocabularies.values()]):
        raise InputError("standard input (-) cannot be encoded, because the text is read twice; name files.")
    folder = Path(folder)
    known = {side: Vocabulary.load(path) for side, path in vocabularies.items()}
    with ExitStack() as files:
        out = {
            name: HashedStream(files.enter_context(atomic_file(folder / name)))
            for side in SIDES
            for name in (f"{side}.ids", f"{side}.offsets")
        }
        ids, ends = ({side: array(kind) for side in SIDES} for kind in ("i", "q"))
        written = dict.fromkeys(SIDES, 0)
        for side in SIDES:
            ends[side].append(0)
        pairs = 0
        for pairs, lines in enumerate(read_parallel(source, target), 1):
            for side, line in zip(SIDES, lines, strict=True):
                sentence = known[side].encode(split_words(line))
                ids[side].extend([*sentence, EOS])
                written[side] += len(sentence) + 1
                ends[side].append(written[side])
            if pairs % PAIRS_AT_ONCE == 0:
                _flush(out, ids, ends)
        _flush(out, ids, ends)
        if not pairs:
            raise InputError(f"{source} and {target} are empty; there is nothing to train on.")
        if pairs % copies:
            raise InputError(f"{source}: {pairs} lines are not {copies} copies of a text; give the number of copies.")
        # the arrays take their places when this block ends; from here until the end the folder is not complete
        (folder / DESCRIPTION).unlink(missing_ok=True)
    written_files = {name: stream.identity() for name, stream in out.items()}
    for side in SIDES:
        known[side].save(folder / f"{side}.vocabulary")
        written_files[f"{side}.vocabulary"] = identity(folder / f"{side}.vocabulary")
    checksums = {side: sha256(texts[side]) for side in SIDES}
    checksums |= {f"{side}_vocabulary": sha256(vocabularies[side]) for side in SIDES}
    description = {
        "format": FORMAT,
        "pairs": pairs,
        "copies": copies,
        "ids": written,
        "byte_order": sys.byteorder,
        "checksums": checksums,
        "files": written_files,
    }
    write_json(folder / DESCRIPTION, description, levels=5)  # from the pair on
    return pairs


def load_pairs(folder: PathLike, maximum: int) -> Corpus:
    """The pairs of a folder whose sides both have 1 to `maximum` units, mapped into memory.

    Raises InputError if the folder is not complete or not what was written, or no pair is short enough.
    """
    folder = Path(folder)
    description = read_description(folder)
    for name, expected in description.get("files", {}).items():
        check_identity(folder / name, expected, AGAIN)
    pairs = description["pairs"]
    offsets = {side: _mapped(folder / f"{side}.offsets", np.dtype(np.int64), pairs + 1) for side in SIDES}
    ids = {side: _mapped(folder / f"{side}.ids", np.dtype(np.int32), description["ids"][side]) for side in SIDES}
    vocabularies = dict(zip(SIDES, load_vocabularies(folder), strict=True))
    for side in SIDES:
        _check_ranges(folder, side, offsets[side], ids[side], len(vocabularies[side]))
    lengths = [np.diff(offsets[side]) - 1 for side in SIDES]  # without EOS
    fitting = np.logical_and.reduce([(length > 0) & (length <= maximum) for length in lengths])
    kept = np.flatnonzero(fitting)
    if not len(kept):
        raise InputError(
            f"{folder}: no pair has 1 to {maximum} units on both sides ({pairs} skipped); "
            "raise training.max_length, or check the segmentation."
        )
    copies = description.get("copies", 1)
    if pairs % copies:
        raise InputError(f"{folder / DESCRIPTION}: {pairs} pairs are not {copies} copies of a text; {AGAIN}.")
    return Corpus(ids["source"], offsets["source"], ids["target"], offsets["target"], kept, copies)


def load_vocabularies(folder: PathLike) -> tuple[Vocabulary, Vocabulary]:
    """The vocabularies of both sides."""
    source, target = (Vocabulary.load(Path(folder) / f"{side}.vocabulary") for side in SIDES)
    return source, target


def read_description(folder: PathLike) -> dict[str, Any]:
    """Read `pairs.json`; raises InputError if it is missing, of another format or of another byte order."""
    description: dict[str, Any] = read_json(Path(folder) / DESCRIPTION, KIND)
    return description


def _flush(out: dict[str, HashedStream], ids: dict[str, array[int]], ends: dict[str, array[int]]) -> None:
    for side in SIDES:
        out[f"{side}.ids"].write(ids[side].tobytes())
        out[f"{side}.offsets"].write(ends[side].tobytes())
        del ids[side][:], ends[side][:]


def _check_ranges(folder: Path, side: str, offsets: NDArray[np.int64], ids: NDArray[np.int32], units: int) -> None:
    """Raise InputError for impossible offsets or ids, with which the network would read beyond its tables."""
    if offsets[0] != 0 or offsets[-1] != len(ids) or (np.diff(offsets) < 1).any():
        raise InputError(f"{folder / side}.offsets: damaged (the pairs do not follow one another); {AGAIN}.")
    if ids.min() < 0 or ids.max() >= units or (ids[offsets[1:] - 1] != EOS).any():
        raise InputError(f"{folder / side}.ids: damaged (ids that the vocabulary does not have); {AGAIN}.")


def _mapped(path: Path, kind: np.dtype[Any], size: int) -> NDArray[Any]:
    """A file of numbers as a read-only array; raises InputError if it does not hold `size` of them."""
    try:
        found = path.stat().st_size
        if found != size * kind.itemsize:
            raise InputError(f"{path}: {found:,} bytes, but {size * kind.itemsize:,} were written; encode again.")
        return np.memmap(path, dtype=kind, mode="r", shape=(size,))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}); encode the text again.") from error
