"""Attention of one step without a stored (batch, T, d) tensor: the hidden layer passes through the registers.

Sentences are rows first … last - 1. Only the first lengths[b] source positions of a sentence are looked at.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rarewords.model.fused.exponential import tanh
from rarewords.model.fused.rows import Array, kernel


@kernel
def attend(
    first: int,
    last: int,
    keys: Array,
    queries: Array,
    score: Array,
    lengths: NDArray[np.int64],
    weights: Array,
) -> None:
    """Weights over the source: softmax over t of Σ_j score_j·tanh(keys_tj + query_j).

    keys (sentences, T, d), queries (sentences, rows, at least d), score (d); writes weights (sentences, rows, T).
    """
    d, zero = score.size, score.dtype.type(0)
    for b in range(first, last):
        for row in range(queries.shape[1]):
            query, found = queries[b, row], weights[b, row]
            largest = -score.dtype.type(np.inf)
            for t in range(lengths[b]):
                key, energy = keys[b, t], zero
                for j in range(d):
                    energy += score[j] * tanh(key[j] + query[j])
                found[t] = energy
                if energy > largest:
                    largest = energy
            total = 0.0
            for t in range(lengths[b]):
                found[t] = np.exp(found[t] - largest)
                total += found[t]
            for t in range(lengths[b]):
                found[t] /= total
            found[lengths[b] :] = 0


@kernel
def mix(first: int, last: int, weights: Array, annotations: Array, lengths: NDArray[np.int64], contexts: Array) -> None:
    """Contexts Σ_t weights_t·annotations_t (sentences, w), of weights (sentences, T), annotations (sentences, T, w)."""
    for b in range(first, last):
        context = contexts[b]
        context[:] = 0
        for t in range(lengths[b]):
            weight, annotation = weights[b, t], annotations[b, t]
            for j in range(context.size):
                context[j] += weight * annotation[j]


@kernel
def attend_backward(
    first: int,
    last: int,
    keys: Array,
    queries: Array,
    score: Array,
    lengths: NDArray[np.int64],
    annotations: Array,
    weights: Array,
    grad_contexts: Array,
    grad_queries: Array,
    grad_keys: Array,
    grad_scores: Array,
    energies: Array,
) -> None:
    """From the gradient of the contexts (sentences, w) to those before them, in one pass over keys and annotations.

    Writes the first d columns of grad_queries (sentences, …); adds to grad_keys (sentences, T, d), which have yet to be
    multiplied by the score, and to grad_scores (sentences, d), which have yet to be summed. energies (sentences, T) is
    room for the gradient of the energies.
    """
    d, zero, one = score.size, score.dtype.type(0), score.dtype.type(1)
    for b in range(first, last):
        query, energy, weight, grad_context = queries[b], energies[b], weights[b], grad_contexts[b]
        mean = 0.0
        for t in range(lengths[b]):
            annotation, grad = annotations[b, t], zero
            for j in range(grad_context.size):
                grad += grad_context[j] * annotation[j]
            energy[t] = grad
            mean += grad * weight[t]
        grad_query, grad_score = grad_queries[b], grad_scores[b]
        grad_query[:d] = 0
        for t in range(lengths[b]):
            key, grad_key, grad = keys[b, t], grad_keys[b, t], weight.dtype.type((energy[t] - mean) * weight[t])
            for j in range(d):
                hidden = tanh(key[j] + query[j])
                slope = grad * (one - hidden * hidden)
                grad_score[j] += grad * hidden
                grad_query[j] += slope
                grad_key[j] += slope
        for j in range(d):
            grad_query[j] *= score[j]
