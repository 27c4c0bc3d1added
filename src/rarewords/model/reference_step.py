"""The network one step at a time in plain tensor operations: the decoder's steps, and what `recurrence` must equal."""

from __future__ import annotations

import torch
from torch import Tensor

from rarewords.model.fused.attention import attend
from rarewords.model.fused.rows import array, over_rows
from rarewords.model.products import product


def gru_step(inputs: Tensor, gates: Tensor, candidate: Tensor, state: Tensor) -> Tensor:
    """One step of the recurrence: reset before the product, update gate on the candidate.

    inputs (…, batch, 3·d) are the summed projections of everything but the state (the candidate's bias included),
    gates (…, d, 2·d), candidate (…, d, d), state (…, batch, d); returns the new state. Equation:
    docs/reproduction/network.md.
    """
    d = state.shape[-1]
    reset, update = torch.sigmoid(inputs[..., : 2 * d] + product(state, gates)).split(d, dim=-1)
    proposal = torch.tanh(inputs[..., 2 * d :] + product(reset * state, candidate))
    return update * proposal + (1 - update) * state


def attention_weights(keys: Tensor, query: Tensor, score: Tensor, mask: Tensor) -> Tensor:
    """Weights over the source positions.

    keys (sentences, T, d) are annotations times A, query (sentences, rows, d) states times B (several rows when a
    sentence has several hypotheses), score (d), mask (sentences, T) true at real positions; returns
    (sentences, rows, T), each row summing to 1.
    """
    sentences, rows, d = query.shape
    if keys.device.type == "cpu":
        weights = keys.new_empty(sentences, rows, keys.shape[1])
        arrays = (array(values.contiguous()) for values in (keys, query, score))
        over_rows(attend, sentences, *arrays, mask.sum(1).numpy(), array(weights))
        return weights
    # tanh(x) = 2·σ(2x) - 1, and the sigmoid is several times faster; the softmax does not see the -1
    hidden = torch.add(keys[:, None], query[:, :, None]).mul_(2).sigmoid_()
    energy = torch.mv(hidden.view(-1, d), 2 * score).view(sentences, rows, -1)
    return torch.softmax(energy.masked_fill_(~mask[:, None], -torch.inf), dim=-1)


def maxout(values: Tensor) -> Tensor:
    """Maximum over adjacent pairs of the last dimension, which halves."""
    return values.unflatten(-1, (-1, 2)).amax(-1)
