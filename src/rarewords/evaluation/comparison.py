"""Compare the translations of several systems with a baseline's, from files to one JSON-able dict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rarewords import __version__
from rarewords.corpus.importing import read_counts
from rarewords.errors import InputError
from rarewords.evaluation.aligned import read_blocks
from rarewords.evaluation.scoring import identity
from rarewords.evaluation.significance import compare, text_tallies, word_tallies
from rarewords.evaluation.statistics import Tally
from rarewords.text.files import PathLike


@dataclass(frozen=True)
class Words:
    """The inputs of the comparison of unigram F1: tokenised, truecased files by system, their reference, the counts."""

    hypotheses: Mapping[str, PathLike]
    reference: PathLike
    train_counts: PathLike
    rare_rank: int


def compare_files(
    hypotheses: Mapping[str, PathLike],
    reference: PathLike,
    words: Words | None,
    method: str,
    samples: int,
    seed: int,
) -> dict[str, Any]:
    """Compare detokenised translations, by system, with that of the first system; with `words` unigram F1, too.

    `metrics` of the result is what significance.compare returns. Raises InputError for fewer than
    two systems, files that are not aligned, and words that are not of the same systems.
    """
    if len(hypotheses) < 2:
        raise InputError("A comparison needs a baseline and at least one other system; name another --system.")
    if words is not None and list(words.hypotheses) != list(hypotheses):
        raise InputError(
            f"--words names {', '.join(words.hypotheses) or 'no system'}, but the systems are "
            f"{', '.join(hypotheses)}: name the same systems in the same order."
        )
    tallies, sentences = _count(hypotheses, reference, {name: text_tallies() for name in hypotheses})
    metrics = compare(tallies, method, samples, seed)
    files = {"reference": reference} | {f"hypothesis of {name}": path for name, path in hypotheses.items()}
    if words is not None:
        metrics |= _compare_words(words, sentences, method, samples, seed)
        files |= {f"words of {name}": path for name, path in words.hypotheses.items()}
        files |= {"words of the reference": words.reference, "train_counts": words.train_counts}
    return {
        "rarewords": __version__,
        "method": method,
        "samples": samples,
        "seed": seed,
        "baseline": next(iter(hypotheses)),
        "sentences": sentences,
        "rare_rank": None if words is None else words.rare_rank,
        "metrics": metrics,
        "inputs": {role: identity(path) for role, path in files.items()},
    }


def _compare_words(words: Words, sentences: int, method: str, samples: int, seed: int) -> dict[str, Any]:
    counts = read_counts(words.train_counts)
    own = {name: word_tallies(counts, words.rare_rank) for name in words.hypotheses}
    tallies, lines = _count(words.hypotheses, words.reference, own)
    if lines != sentences:
        raise InputError(
            f"{words.reference} has {lines} lines but the raw reference has {sentences}: "
            "the tokenised files must be made from the raw ones line by line."
        )
    return compare(tallies, method, samples, seed)


def _count(
    hypotheses: Mapping[str, PathLike], reference: PathLike, tallies: dict[str, dict[str, Tally]]
) -> tuple[dict[str, dict[str, Tally]], int]:
    """Count all sentences; returns the tallies of each system and the number of sentences."""
    sentences = 0
    for block in read_blocks(hypotheses, reference):
        sentences += len(block.references)
        for name, lines in block.hypotheses.items():
            for tally in tallies[name].values():
                tally.add(lines, block.references)
    return tallies, sentences
