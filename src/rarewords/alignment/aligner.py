"""Align segmented text in both directions and combine the two (docs/reproduction/alignment.md)."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from rarewords.alignment import fast_align, thot
from rarewords.alignment.links import format_links, read_link_files
from rarewords.alignment.numbered import write_numbered
from rarewords.alignment.symmetrisation import grow_diag_final_and
from rarewords.text.files import PathLike, write_lines

ALIGNERS = {"thot": thot.align, "fast_align": fast_align.align}


@dataclass(frozen=True)
class AlignmentFiles:
    """The files for the alignments: one line per pair of sentences, with links of source and target positions."""

    forward: PathLike  # the target modelled, given the source
    reverse: PathLike  # the source modelled, given the target
    symmetrised: PathLike  # grow-diag-final-and of both


def align_text(
    pairs: Iterable[tuple[str, str]], aligner: str, outputs: AlignmentFiles, report: Callable[[str], None]
) -> None:
    """Write the alignments of lines of units; `report` gets a line of text now and then.

    A pair with an empty side, or with more than 1,024 units on a side, gets an empty line. Raises InputError if no pair
    is left or the aligner fails.
    """
    with tempfile.TemporaryDirectory(prefix="rarewords-align-") as folder:
        text = write_numbered(pairs, Path(folder))
        report(f"{len(text.alignable):,} pairs, {text.left_out:,} of them empty or too long to align")
        for path, reverse in ((outputs.forward, False), (outputs.reverse, True)):
            report("target to source" if reverse else "source to target")
            links = ALIGNERS[aligner](text.source, text.target, reverse, report)
            write_lines(path, map(format_links, text.in_place(links)))
    both = read_link_files(outputs.forward, outputs.reverse)
    write_lines(outputs.symmetrised, (format_links(grow_diag_final_and(*pair)) for pair in both))
