"""The two gradient cut-offs compared over the members of an experiment (the paper trains one run with each)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from statistics import fmean

import numpy as np

from rarewords.evaluation.significance import p_text
from rarewords.report.pattern import OPEN, Statement, verdict_of

CLAIM = "BLEU on the development set: members of the run with cut-off {0:g} beat those of the run with {1:g}."
PAPER = "The paper trains one run with 5 and one with 1, but does not print separate scores."
EXACT = 16  # pairs; with more, a sample of the signs is drawn
SAMPLES = 20_000


def cutoff_statement(differences: Sequence[float], cutoffs: Sequence[float], seed: int) -> Statement | None:
    """The claim by a sign-flip test over pairs of members, one of each run, of the same system and number of updates.

    `differences` are first run minus second run in BLEU. None unless there are two runs with different cut-offs.
    """
    if len(cutoffs) != 2 or cutoffs[0] == cutoffs[1]:
        return None
    claim = CLAIM.format(*cutoffs)
    if not differences:
        return Statement(claim, OPEN, "No system has members of both runs.", OPEN, PAPER)
    p = sign_flip_test(differences, seed)
    mean = fmean(differences)
    ours = (
        f"{mean:+.2f} on average over {len(differences)} pairs of members, from {min(differences):+.1f} to "
        f"{max(differences):+.1f} ({p_text(p)})."
    )
    return Statement(claim, verdict_of(mean, p), ours, OPEN, PAPER, p)


def sign_flip_test(differences: Sequence[float], seed: int) -> float:
    """The two-sided p of a mean this large if the sign of every difference were due to chance."""
    values = np.array(differences)
    if len(values) <= EXACT:
        signs = np.array(list(product((1, -1), repeat=len(values))))
    else:
        signs = np.random.default_rng(seed).choice((1, -1), size=(SAMPLES, len(values)))
        signs[0] = 1  # the observed signs
    sums = np.abs(signs @ values)
    return float(np.mean(sums >= abs(values.sum()) - 1e-9))
