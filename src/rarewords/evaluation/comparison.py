"""Compare the translations of several systems with a baseline's, from files to one JSON-able dict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rarewords import __version__
from rarewords.corpus.importing import read_counts
from rarewords.errors import InputError
from rarewords.evaluation import significance
from rarewords.evaluation.scoring import identity, read_texts
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

    `metrics` of the result is what significance.compare_text and compare_words return. Raises InputError for fewer than
    two systems, files that are not aligned, and words that are not of the same systems.
    """
    if len(hypotheses) < 2:
        raise InputError("A comparison needs a baseline and at least one other system; name another --system.")
    if words is not None and list(words.hypotheses) != list(hypotheses):
        raise InputError(
            f"--words names {', '.join(words.hypotheses) or 'no system'}, but the systems are "
            f"{', '.join(hypotheses)}: name the same systems in the same order."
        )
    texts, references = read_texts(hypotheses, reference)
    metrics = significance.compare_text(texts, references, method, samples, seed)
    files = {"reference": reference} | {f"hypothesis of {name}": path for name, path in hypotheses.items()}
    if words is not None:
        metrics |= _compare_words(words, len(references), method, samples, seed)
        files |= {f"words of {name}": path for name, path in words.hypotheses.items()}
        files |= {"words of the reference": words.reference, "train_counts": words.train_counts}
    return {
        "rarewords": __version__,
        "method": method,
        "samples": samples,
        "seed": seed,
        "baseline": next(iter(hypotheses)),
        "sentences": len(references),
        "rare_rank": None if words is None else words.rare_rank,
        "metrics": metrics,
        "inputs": {role: identity(path) for role, path in files.items()},
    }


def _compare_words(words: Words, sentences: int, method: str, samples: int, seed: int) -> dict[str, Any]:
    texts, references = read_texts(words.hypotheses, words.reference)
    if len(references) != sentences:
        raise InputError(
            f"{words.reference} has {len(references)} lines but the raw reference has {sentences}: "
            "the tokenised files must be made from the raw ones line by line."
        )
    counts = read_counts(words.train_counts)
    return significance.compare_words(texts, references, counts, words.rare_rank, method, samples, seed)
