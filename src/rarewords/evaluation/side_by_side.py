"""Score several translations of one test set, and test their differences from the first one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rarewords import __version__
from rarewords.errors import InputError
from rarewords.evaluation import significance
from rarewords.evaluation.scoring import (
    UnigramInputs,
    check_inputs,
    read_pair,
    score_files,
    tokenised_pair,
    training_counts,
)
from rarewords.textio import PathLike


def score_systems(
    hypotheses: Mapping[str, PathLike],
    reference: PathLike,
    unigram: UnigramInputs | None = None,
    tokenised: Mapping[str, PathLike] | None = None,
    samples: int = 1000,
    seed: int = 12345,
) -> dict[str, Any]:
    """`systems` has the result of score_files for each system, `comparison` that of a paired bootstrap.

    `tokenised` maps the systems to tokenised hypotheses, where `unigram` has a tokenised reference. The keys of
    `comparison` are those of comparison.compare_files. Raises InputError as score_files does, and if `tokenised` names
    other systems.
    """
    if tokenised and list(tokenised) != list(hypotheses):
        raise InputError(
            f"--tokenised-hypothesis names {', '.join(tokenised)}, but the systems are {', '.join(hypotheses)}: "
            "name the same systems in the same order."
        )
    own = {name: _own(unigram, (tokenised or {}).get(name)) for name in hypotheses}
    for inputs in own.values():
        if inputs is not None:
            check_inputs(inputs)
    counts = training_counts(unigram) if unigram else None
    return {
        "rarewords": __version__,
        "systems": {name: score_files(path, reference, own[name], counts) for name, path in hypotheses.items()},
        "comparison": _compare(hypotheses, reference, own, counts, samples, seed),
    }


def _own(unigram: UnigramInputs | None, tokenised: PathLike | None) -> UnigramInputs | None:
    return None if unigram is None else replace(unigram, tokenised_hypothesis=tokenised)


def _compare(
    hypotheses: Mapping[str, PathLike],
    reference: PathLike,
    own: Mapping[str, UnigramInputs | None],
    counts: Mapping[str, int] | None,
    samples: int,
    seed: int,
) -> dict[str, Any]:
    texts: dict[str, list[str]] = {}
    words: dict[str, list[str]] = {}
    references: list[str] = []
    expected: list[str] = []
    rare_rank = None
    for name, path in hypotheses.items():
        texts[name], references = read_pair(path, reference)
        inputs = own[name]
        if inputs is not None:
            words[name], expected = map(list, tokenised_pair(texts[name], references, inputs))
            rare_rank = inputs.rare_rank
    metrics = significance.compare_text(texts, references, "bootstrap", samples, seed)
    if counts is not None and rare_rank is not None:
        metrics |= significance.compare_words(words, expected, counts, rare_rank, "bootstrap", samples, seed)
    return {
        "method": "bootstrap",
        "samples": samples,
        "seed": seed,
        "baseline": next(iter(hypotheses)),
        "sentences": len(references),
        "rare_rank": rare_rank,
        "metrics": metrics,
    }
