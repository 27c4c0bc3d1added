"""The loops of the two recurrences on a CPU: matrix products of torch, and between them compiled functions.

Each computes what the function of the same name in `loops.py` does.
"""

from __future__ import annotations

import torch
from torch import Tensor

from rarewords.model.fused.attention import attend, attend_backward, mix
from rarewords.model.fused.gru import candidate_backward, new_state, open_gates, reset_backward
from rarewords.model.fused.rows import array, over_rows
from rarewords.model.products import add_product, factor, set_product


def encoder_forward(activations: Tensor, states: Tensor, mask: Tensor, gates: Tensor, candidate: Tensor) -> None:
    """As `loops.encoder_forward`."""
    for k in range(2):  # one direction after the other: two products of a batch are not faster together
        _encode(activations[k], states[k], mask[k], gates[k], candidate[k])


def _encode(activations: Tensor, states: Tensor, mask: Tensor, gates: Tensor, candidate: Tensor) -> None:
    length, batch, d = activations.shape[0], activations.shape[1], states.shape[2]
    gates, candidate = factor(gates), factor(candidate)
    projected, reset_state = states.new_empty(batch, 2 * d), states.new_empty(batch, d)
    values, masks, rows = array(activations), array(mask.reshape(length, batch)), array(states)
    projected_rows, reset_rows = array(projected), array(reset_state)
    state_at, candidate_at = states.unbind(0), activations[..., 2 * d :].unbind(0)
    for t in range(length):
        set_product(projected, state_at[t], gates)
        over_rows(open_gates, batch, values[t], projected_rows, 0, masks[t], rows[t], reset_rows)
        add_product(candidate_at[t], reset_state, candidate)
        over_rows(new_state, batch, values[t], rows[t], rows[t + 1])


def encoder_backward(
    activations: Tensor, states: Tensor, gates: Tensor, candidate: Tensor, grad_states: Tensor, grads: Tensor
) -> None:
    """As `loops.encoder_backward`."""
    for k in range(2):
        _encode_backward(activations[k], states[k], gates[k], candidate[k], grad_states[k], grads[k])


def _encode_backward(
    activations: Tensor, states: Tensor, gates: Tensor, candidate: Tensor, grad_states: Tensor, grads: Tensor
) -> None:
    length, batch, d = activations.shape[0], activations.shape[1], states.shape[2]
    gates_t, candidate_t = factor(gates.t()), factor(candidate.t())
    grad_state, grad_reset_state = states.new_zeros(batch, d), states.new_empty(batch, d)
    values, rows, results, out = array(activations), array(states), array(grad_states.contiguous()), array(grads)
    grad_rows, reset_rows = array(grad_state), array(grad_reset_state)
    grad_candidate_at, grad_gates_at = grads[..., 2 * d :].unbind(0), grads[..., : 2 * d].unbind(0)
    for t in reversed(range(length)):
        over_rows(candidate_backward, batch, values[t], rows[t], results[t], grad_rows, out[t], 0)
        set_product(grad_reset_state, grad_candidate_at[t], candidate_t)
        over_rows(reset_backward, batch, values[t], rows[t], reset_rows, grad_rows, out[t], 0)
        add_product(grad_state, grad_gates_at[t], gates_t)


def decoder_forward(
    activations: Tensor,
    states: Tensor,
    contexts: Tensor,
    projected: Tensor,
    weights: Tensor,
    mask: Tensor,
    annotations: Tensor,
    keys: Tensor,
    source_mask: Tensor,
    context: Tensor,
    state: Tensor,
    candidate: Tensor,
    score: Tensor,
) -> None:
    """As `loops.decoder_forward`."""
    steps, batch, d = states.shape
    context, state, candidate = factor(context), factor(state), factor(candidate)
    reset_state = states.new_empty(batch, d)
    lengths, masks, scores = source_mask.sum(1).numpy(), array(mask.reshape(-1, batch)), array(score)
    key_rows, annotation_rows = array(keys.contiguous()), array(annotations.contiguous())
    values, rows, context_rows, projected_rows = array(activations), array(states), array(contexts), array(projected)
    weight_rows, reset_rows = array(weights), array(reset_state)
    state_at, context_at, projected_at = states.unbind(0), contexts.unbind(0), projected.unbind(0)
    activation_at, candidate_at = activations.unbind(0), activations[..., 2 * d :].unbind(0)
    for i in range(steps):
        set_product(projected_at[i], state_at[i], state)
        queries, attention = projected_rows[i, :, None], weight_rows[i, :, None]
        over_rows(attend, batch, key_rows, queries, scores, lengths, attention)
        over_rows(mix, batch, weight_rows[i], annotation_rows, lengths, context_rows[i])
        if i < steps - 1:
            add_product(activation_at[i], context_at[i], context)
            over_rows(open_gates, batch, values[i], projected_rows[i], d, masks[i], rows[i], reset_rows)
            add_product(candidate_at[i], reset_state, candidate)
            over_rows(new_state, batch, values[i], rows[i], rows[i + 1])


def decoder_backward(
    activations: Tensor,
    states: Tensor,
    projected: Tensor,
    weights: Tensor,
    annotations: Tensor,
    keys: Tensor,
    source_mask: Tensor,
    context: Tensor,
    state: Tensor,
    candidate: Tensor,
    score: Tensor,
    grad_states: Tensor,
    grad_contexts: Tensor,
    grads: Tensor,
) -> tuple[Tensor, Tensor, Tensor]:
    """As `loops.decoder_backward`."""
    steps, batch, d = states.shape
    context_t, state_t, candidate_t = factor(context.t()), factor(state.t()), factor(candidate.t())
    grad_state, grad_reset_state = torch.zeros_like(states[0]), torch.empty_like(states[0])
    grad_keys, grad_scores = torch.zeros_like(keys), torch.zeros_like(states[0])
    lengths, scores, energies = source_mask.sum(1).numpy(), array(score), array(torch.empty_like(weights[0]))
    key_rows, annotation_rows = array(keys.contiguous()), array(annotations.contiguous())
    values, rows, projected_rows, weight_rows = array(activations), array(states), array(projected), array(weights)
    results, context_rows, out = array(grad_states.contiguous()), array(grad_contexts), array(grads)
    grad_rows, reset_rows = array(grad_state), array(grad_reset_state)
    key_grads, score_grads = array(grad_keys), array(grad_scores)
    grad_candidate_at, grad_update_at = grads[..., 3 * d :].unbind(0), grads[..., d:].unbind(0)
    grad_from_state_at, grad_context_at = grads[..., : 3 * d].unbind(0), grad_contexts.unbind(0)
    for i in reversed(range(steps)):
        if i < steps - 1:
            over_rows(candidate_backward, batch, values[i], rows[i], results[i + 1], grad_rows, out[i], d)
            set_product(grad_reset_state, grad_candidate_at[i], candidate_t)
            over_rows(reset_backward, batch, values[i], rows[i], reset_rows, grad_rows, out[i], d)
            add_product(grad_context_at[i], grad_update_at[i], context_t)
        over_rows(
            attend_backward, batch, key_rows, projected_rows[i], scores, lengths, annotation_rows, weight_rows[i],
            context_rows[i], out[i], key_grads, score_grads, energies,
        )  # fmt: skip
        add_product(grad_state, grad_from_state_at[i], state_t)
    return grad_state + grad_states[0], grad_keys * score, grad_scores.sum(0)
