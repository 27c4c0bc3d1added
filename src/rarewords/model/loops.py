"""What is recurrent in the two recurrences, in few operations of torch, because each is a launch on a GPU.

For GPUs, and the reference of `fused/loops.py`, which computes the same on a CPU. What stands between two products is
one operation of `kernels`; what need not be in a loop is before or after it.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from rarewords.model import kernels


class _Parts(NamedTuple):
    """Views of (…, batch, 3·d): the two gates together and alone, the candidate."""

    gates: Tensor
    reset: Tensor
    update: Tensor
    candidate: Tensor


def encoder_forward(activations: Tensor, states: Tensor, mask: Tensor, gates: Tensor, candidate: Tensor) -> None:
    """Fill states (2, 1 + T, batch, d), of which the first are given; activations (2, T, batch, 3·d) start as input
    projections and end as (reset, update, candidate), in place."""
    parts, state_at = _parts_by_step(activations, 1), states.unbind(1)
    reset_state = states.new_empty(states[:, 0].shape)
    for t, mask_now in enumerate(mask.unbind(1)):
        parts[t].gates.baddbmm_(state_at[t], gates)
        kernels.gates(parts[t].gates, mask_now, state_at[t], None, reset_state)
        parts[t].candidate.baddbmm_(reset_state, candidate)
        kernels.new_state(parts[t].candidate, parts[t].update, state_at[t], state_at[t + 1])


def encoder_backward(
    activations: Tensor, states: Tensor, gates: Tensor, candidate: Tensor, grad_states: Tensor, grads: Tensor
) -> None:
    """Fill grads (2, T, batch, 3·d), the gradients before the functions of gates and candidate."""
    gates_t, candidate_t = gates.transpose(1, 2), candidate.transpose(1, 2)
    parts, grad_parts = _parts_by_step(activations, 1), _parts_by_step(grads, 1)
    state_at, grad_at = states.unbind(1), grad_states.unbind(1)
    grad_state = grad_at[-1]
    for t in reversed(range(activations.shape[1])):
        more = grad_at[t - 1] if t else None
        before = _gru_backward(grad_state, parts[t], state_at[t], candidate_t, more, grad_parts[t])
        grad_state = before.baddbmm_(grad_parts[t].gates, gates_t)


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
    """Fill states (U, batch, d), of which the first is given, contexts (U, batch, 2·d), attention weights (U, batch, T)
    and projected (U, batch, 3·d), the products of states with `state`; activations (U-1, batch, 3·d) as above."""
    steps, batch, d = states.shape
    keys, score, annotated = keys.contiguous(), score.contiguous(), annotations @ context
    parts, mask_at = _parts_by_step(activations, 0), mask.unbind(0)
    reset_state = states.new_empty(batch, d)
    state_at, projected_at, weights_at = (x.unbind(0) for x in (states, projected, weights))
    query_at, gates_at = projected[..., :d].unbind(0), projected[..., d:].unbind(0)
    activation_at, rows_of_weights = activations.unsqueeze(2).unbind(0), weights.unsqueeze(2).unbind(0)
    for i in range(steps):
        torch.mm(state_at[i], state, out=projected_at[i])
        kernels.attention(keys, query_at[i], score, source_mask, weights_at[i])
        if i < steps - 1:
            activation_at[i].baddbmm_(rows_of_weights[i], annotated)
            kernels.gates(parts[i].gates, mask_at[i], state_at[i], gates_at[i], reset_state)
            parts[i].candidate.addmm_(reset_state, candidate)
            kernels.new_state(parts[i].candidate, parts[i].update, state_at[i], state_at[i + 1])
    contexts.copy_(torch.bmm(weights.transpose(0, 1), annotations).transpose(0, 1))


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
    """Fill grads (U, batch, 4·d), the gradients of queries and before the functions of gates and candidate, which are
    zeros; complete grad_contexts by what comes back through the updates.

    Returns the gradients of the first state, the keys and the score.
    """
    steps, batch, d = states.shape
    keys, score, annotated_t = keys.contiguous(), score.contiguous(), (annotations @ context).transpose(1, 2)
    state_t, candidate_t = state.t(), candidate.t()
    grad_keys, grad_scores = torch.zeros_like(keys), score.new_zeros(batch, d)
    # the gradients of the weights but for what comes back through the updates
    from_contexts = torch.bmm(grad_contexts.transpose(0, 1), annotations.transpose(1, 2)).transpose(0, 1).contiguous()
    parts, grad_parts = _parts_by_step(activations, 0), _parts_by_step(grads[..., d:], 0)
    grad_query_at, grad_from_state_at = grads[..., :d].unbind(0), grads[..., : 3 * d].unbind(0)
    state_at, query_at, weights_at, grad_state_at, from_context_at = (
        x.unbind(0) for x in (states, projected[..., :d], weights, grad_states, from_contexts)
    )
    row_of_update_at = grads[..., d:].unsqueeze(2).unbind(0)
    grad_state = before = grad_state_at[-1]
    for i in reversed(range(steps)):
        grad_weights = from_context_at[i]
        if i < steps - 1:
            before = _gru_backward(grad_state, parts[i], state_at[i], candidate_t, grad_state_at[i], grad_parts[i])
            grad_weights = torch.baddbmm(grad_weights.unsqueeze(1), row_of_update_at[i], annotated_t).squeeze(1)
        kernels.attention_gradients(
            grad_weights, weights_at[i], keys, query_at[i], score, grad_query_at[i], grad_keys, grad_scores
        )
        grad_state = torch.addmm(before, grad_from_state_at[i], state_t)
    updates = grads[:-1, :, d:].reshape(-1, 3 * d)
    grad_contexts[:-1].view(-1, 2 * d).addmm_(updates, context.t())
    return grad_state, grad_keys, grad_scores.sum(0)


def _parts_by_step(activations: Tensor, steps: int) -> list[_Parts]:
    """The parts of (…, 3·d) at every index of the dimension `steps`: all views at once, because each costs time."""
    d = activations.shape[-1] // 3
    views = (activations[..., : 2 * d], *activations.split(d, dim=-1))
    return [_Parts(*step) for step in zip(*(view.unbind(steps) for view in views), strict=True)]


def _gru_backward(
    grad_state: Tensor, parts: _Parts, state: Tensor, candidate_t: Tensor, more: Tensor | None, out: _Parts
) -> Tensor:
    """Write the gradients of the three projections to `out` and return the part of the old state's gradient that does
    not pass through the gates' matrix, with `more` added."""
    before = torch.empty_like(state)
    kernels.state_gradients(grad_state, parts.update, parts.candidate, state, out.update, out.candidate)
    grad_reset_state = out.candidate @ candidate_t
    kernels.gate_gradients(grad_reset_state, grad_state, parts.reset, parts.update, state, more, out.reset, before)
    return before
