"""What is recurrent in the two recurrences, in plain operations of torch.

For GPUs, and the reference of `fused/loops.py`, which computes the same on a CPU.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

_sigmoid_backward = torch.ops.aten.sigmoid_backward.grad_input
_tanh_backward = torch.ops.aten.tanh_backward.grad_input


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
    for t, mask_now in enumerate(mask.unbind(1)):
        parts[t].gates.baddbmm_(state_at[t], gates)
        _finish_gates(parts[t], mask_now)
        parts[t].candidate.baddbmm_(parts[t].reset * state_at[t], candidate)
        _new_state(parts[t], state_at[t], state_at[t + 1])


def encoder_backward(
    activations: Tensor, states: Tensor, gates: Tensor, candidate: Tensor, grad_states: Tensor, grads: Tensor
) -> None:
    """Fill grads (2, T, batch, 3·d), the gradients before the functions of gates and candidate."""
    gates_t, candidate_t = gates.transpose(1, 2), candidate.transpose(1, 2)
    grad_state = torch.zeros_like(states[:, 0])
    parts, grad_parts = _parts_by_step(activations, 1), _parts_by_step(grads, 1)
    state_at, grad_at = states.unbind(1), grad_states.unbind(1)
    for t in reversed(range(activations.shape[1])):
        grad_state += grad_at[t]
        previous = _gru_backward(grad_state, parts[t], state_at[t], candidate_t, grad_parts[t])
        grad_state = previous.baddbmm_(grad_parts[t].gates, gates_t)


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
    keys, score = 2 * keys, 2 * score  # see _half_tanh
    scratch = torch.empty_like(keys)
    masked_energy = torch.zeros_like(weights[0]).masked_fill_(~source_mask, -torch.inf)
    parts, activation_at, mask_at = _parts_by_step(activations, 0), activations.unbind(0), mask.unbind(0)
    state_at, context_at, projected_at, weights_at = (x.unbind(0) for x in (states, contexts, projected, weights))
    for i in range(steps):
        query, gates = torch.mm(state_at[i], state, out=projected_at[i]).split([d, 2 * d], dim=1)
        _half_tanh(keys, query, scratch)
        energy = torch.addmv(masked_energy.view(-1), scratch.view(-1, d), score).view(batch, -1)
        torch.softmax(energy, 1, out=weights_at[i])
        torch.bmm(weights_at[i].unsqueeze(1), annotations, out=context_at[i].unsqueeze(1))
        if i < steps - 1:
            activation_at[i].addmm_(context_at[i], context)
            parts[i].gates.add_(gates)
            _finish_gates(parts[i], mask_at[i])
            parts[i].candidate.addmm_(parts[i].reset * state_at[i], candidate)
            _new_state(parts[i], state_at[i], state_at[i + 1])


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
    steps, _, d = states.shape
    context_t, state_t, candidate_t = context.t(), state.t(), candidate.t()
    keys, slope_of = 2 * keys, 4 * score  # see _half_tanh
    grad_keys, grad_score = torch.zeros_like(keys), torch.zeros_like(score)
    scratch, annotations_t = torch.empty_like(keys), annotations.transpose(1, 2)
    grad_state = torch.zeros_like(states[0])
    parts, grad_parts = _parts_by_step(activations, 0), _parts_by_step(grads[..., d:], 0)
    grad_query_at, grad_update_at, grad_from_state_at = (
        x.unbind(0) for x in (grads[..., :d], grads[..., d:], grads[..., : 3 * d])
    )
    state_at, query_at, weights_at, grad_state_at, grad_context_at = (
        x.unbind(0) for x in (states, projected[..., :d], weights, grad_states, grad_contexts)
    )
    for i in reversed(range(steps)):
        before = grad_state_at[i]
        if i < steps - 1:
            before = before + _gru_backward(grad_state, parts[i], state_at[i], candidate_t, grad_parts[i])
            grad_context_at[i].addmm_(grad_update_at[i], context_t)
        # a row times a matrix, because MKL takes ten times as long for a matrix times a column
        grad_weights = torch.bmm(grad_context_at[i].unsqueeze(1), annotations_t).squeeze(1)
        energy = torch._softmax_backward_data(grad_weights, weights_at[i], 1, weights.dtype)
        _half_tanh(keys, query_at[i], scratch)
        grad_score.addmv_(scratch.view(-1, d).t(), energy.view(-1))
        # what is the same at every step (the score vector, powers of 2) is multiplied after the loop
        slope = torch.addcmul(scratch, scratch, scratch, value=-1, out=scratch)
        torch.mul(torch.bmm(energy.unsqueeze(1), slope).squeeze(1), slope_of, out=grad_query_at[i])
        grad_keys.addcmul_(slope, energy.unsqueeze(2))
        grad_state = torch.addmm(before, grad_from_state_at[i], state_t)
    return grad_state, grad_keys.mul_(slope_of), grad_score.mul_(2)


def _parts_by_step(activations: Tensor, steps: int) -> list[_Parts]:
    """The parts of (…, 3·d) at every index of the dimension `steps`: all views at once, because each costs time."""
    d = activations.shape[-1] // 3
    views = (activations[..., : 2 * d], *activations.split(d, dim=-1))
    return [_Parts(*step) for step in zip(*(view.unbind(steps) for view in views), strict=True)]


def _finish_gates(parts: _Parts, mask: Tensor) -> None:
    """From the gates' summed projections to the gates, in place.

    The mask goes into the update gate: where it is 0 the state stays, and the gate's gradient vanishes by itself.
    """
    parts.gates.sigmoid_()
    parts.update.mul_(mask)


def _new_state(parts: _Parts, state: Tensor, out: Tensor) -> None:
    """From the candidate's summed projections to the candidate, in place, and to the new state in `out`."""
    parts.candidate.tanh_()
    torch.lerp(state, parts.candidate, parts.update, out=out)


def _gru_backward(grad_state: Tensor, parts: _Parts, state: Tensor, candidate_t: Tensor, out: _Parts) -> Tensor:
    """Write the gradients of the three pre-activations to `out` and return the part of the old state's gradient that
    does not pass through the gates' matrix."""
    through = grad_state * parts.update
    _tanh_backward(through, parts.candidate, grad_input=out.candidate)
    _sigmoid_backward((parts.candidate - state).mul_(grad_state), parts.update, grad_input=out.update)
    grad_reset_state = out.candidate @ candidate_t
    _sigmoid_backward(grad_reset_state * state, parts.reset, grad_input=out.reset)
    return (grad_state - through).addcmul_(grad_reset_state, parts.reset)


def _half_tanh(keys: Tensor, query: Tensor, out: Tensor) -> None:
    """Write σ(2·(key + query)) to `out`; keys are doubled already.

    tanh(x) = 2·σ(2x) - 1, and the sigmoid is several times faster. The -1 adds the same to the energies of all source
    positions, which the softmax does not see; the 2 is in the score vector. d tanh = 4·σ·(1 - σ).
    """
    torch.add(keys, query.unsqueeze(1), alpha=2, out=out).sigmoid_()
