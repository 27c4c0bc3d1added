"""Score several translations of one test set, and test their differences from the first one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rarewords import __version__
from rarewords.errors import InputError
from rarewords.evaluation.scoring import UnigramInputs, count
from rarewords.evaluation.significance import compare
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
    counted = count(hypotheses, reference, _inputs(list(hypotheses), unigram, tokenised or {}), keep_sentences=True)
    return {
        "rarewords": __version__,
        "systems": {name: one.result() for name, one in counted.items()},
        "comparison": {
            "method": "bootstrap",
            "samples": samples,
            "seed": seed,
            "baseline": next(iter(hypotheses)),
            "sentences": next(iter(counted.values())).lines,
            "rare_rank": None if unigram is None else unigram.rare_rank,
            "metrics": compare({name: one.tested() for name, one in counted.items()}, "bootstrap", samples, seed),
        },
    }


def _inputs(
    names: list[str], unigram: UnigramInputs | None, tokenised: Mapping[str, PathLike]
) -> dict[str, UnigramInputs]:
    """The inputs of every system, or none at all without `unigram`."""
    if unigram is None:
        return {}
    return {name: replace(unigram, tokenised_hypothesis=tokenised.get(name)) for name in names}
