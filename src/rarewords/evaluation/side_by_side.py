"""Score several translations of one test set, and test their differences from the first one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rarewords import __version__
from rarewords.errors import InputError
from rarewords.evaluation import significance
from rarewords.evaluation.metrics import text_statistics
from rarewords.evaluation.scoring import (
    UnigramInputs,
    Words,
    check_inputs,
    hypothesis_words,
    read_texts,
    reference_words,
    score_texts,
    training_counts,
)
from rarewords.text.files import PathLike


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
    own = _inputs(list(hypotheses), unigram, tokenised or {})
    texts, references = read_texts(hypotheses, reference)
    words = _words(texts, references, own)
    statistics = {name: text_statistics(lines, references) for name, lines in texts.items()}
    metrics = significance.compare_text(texts, references, "bootstrap", samples, seed, statistics)
    if unigram is not None:
        metrics |= _compare_words(words, unigram.rare_rank, samples, seed)
    return {
        "rarewords": __version__,
        "systems": {
            name: score_texts(
                (path, texts[name]), (reference, references), own.get(name), words.get(name), statistics[name]
            )
            for name, path in hypotheses.items()
        },
        "comparison": {
            "method": "bootstrap",
            "samples": samples,
            "seed": seed,
            "baseline": next(iter(hypotheses)),
            "sentences": len(references),
            "rare_rank": None if unigram is None else unigram.rare_rank,
            "metrics": metrics,
        },
    }


def _inputs(
    names: list[str], unigram: UnigramInputs | None, tokenised: Mapping[str, PathLike]
) -> dict[str, UnigramInputs]:
    """The inputs of every system, or none at all without `unigram`."""
    if unigram is None:
        return {}
    own = {name: replace(unigram, tokenised_hypothesis=tokenised.get(name)) for name in names}
    for inputs in own.values():
        check_inputs(inputs)
    return own


def _words(texts: Mapping[str, list[str]], references: list[str], own: Mapping[str, UnigramInputs]) -> dict[str, Words]:
    """The words of each system; those of the reference and of the training text, which all share, are made once."""
    if not own:
        return {}
    shared = next(iter(own.values()))
    expected, counts = reference_words(references, shared), training_counts(shared)
    return {name: Words(hypothesis_words(texts[name], inputs), expected, counts) for name, inputs in own.items()}


def _compare_words(words: Mapping[str, Words], rare_rank: int, samples: int, seed: int) -> dict[str, Any]:
    first = next(iter(words.values()))
    hypotheses = {name: own.hypothesis for name, own in words.items()}
    return significance.compare_words(hypotheses, first.reference, first.counts, rare_rank, "bootstrap", samples, seed)
