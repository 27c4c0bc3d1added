"""The two recurrences with a backward pass written by hand.

Only what is recurrent stays in the loops: input projections of all positions are one matrix product before the loop,
the gradient of every matrix is one product after it. `steps.gru_step` is the same recurrence in plain operations; a
test holds both equal in value and gradient.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

_sigmoid_backward = torch.ops.aten.sigmoid_backward.grad_input
_tanh_backward = torch.ops.aten.tanh_backward.grad_input


class _Parts(NamedTuple):
    """Views of (…, batch, 3·d): the two gates together and alone, the candidate."""

    gates: Tensor
    reset: Tensor
    update: Tensor
    candidate: Tensor


class EncoderRecurrence(torch.autograd.Function):
    """Both encoder directions at once, each over its own order of the inputs.

    embedded (2, T, batch, e): the second one is reversed in time; mask (2, T, batch, 1) is 1 at real positions;
    weights as in parameters.py. Returns the states (2, T, batch, d), the second one reversed in time, too.
    """

    @staticmethod
    def forward(
        ctx: Any, embedded: Tensor, mask: Tensor, weight: Tensor, bias: Tensor, gates: Tensor, candidate: Tensor
    ) -> Tensor:
        _, length, batch, e = embedded.shape
        d = candidate.shape[-1]
        # activations start as input projections and end as (reset, update, candidate), in place
        activations = torch.bmm(embedded.reshape(2, length * batch, e), weight).view(2, length, batch, 3 * d)
        activations[..., 2 * d :] += bias[:, None, None]
        states = embedded.new_zeros(2, length + 1, batch, d)
        parts, state_at = _parts_by_step(activations, 1), states.unbind(1)
        for t, mask_now in enumerate(mask.unbind(1)):
            parts[t].gates.baddbmm_(state_at[t], gates)
            _finish_gates(parts[t], mask_now)
            parts[t].candidate.baddbmm_(parts[t].reset * state_at[t], candidate)
            _new_state(parts[t], state_at[t], state_at[t + 1])
        ctx.save_for_backward(embedded, weight, gates, candidate, activations, states)
        return states[:, 1:].clone()

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad_states: Tensor) -> tuple[Tensor | None, ...]:
        embedded, weight, gates, candidate, activations, states = ctx.saved_tensors
        _, length, batch, e = embedded.shape
        d = candidate.shape[-1]
        gates_t, candidate_t = gates.transpose(1, 2), candidate.transpose(1, 2)
        grads = torch.empty_like(activations)
        grad_state = torch.zeros_like(states[:, 0])
        parts, grad_parts = _parts_by_step(activations, 1), _parts_by_step(grads, 1)
        state_at, grad_at = states.unbind(1), grad_states.unbind(1)
        for t in reversed(range(length)):
            grad_state += grad_at[t]
            previous = _gru_backward(grad_state, parts[t], state_at[t], candidate_t, grad_parts[t])
            grad_state = previous.baddbmm_(grad_parts[t].gates, gates_t)
        inputs, flat = embedded.reshape(2, length * batch, e), grads.view(2, length * batch, 3 * d)
        before = states[:, :-1].reshape(2, length * batch, d)
        reset_states = before * activations[..., :d].reshape(2, length * batch, d)
        return (
            torch.bmm(flat, weight.transpose(1, 2)).view_as(embedded),
            None,
            torch.bmm(inputs.transpose(1, 2), flat),
            flat[..., 2 * d :].sum(1),
            torch.bmm(before.transpose(1, 2), flat[..., : 2 * d]),
            torch.bmm(reset_states.transpose(1, 2), flat[..., 2 * d :]),
        )


class DecoderRecurrence(torch.autograd.Function):
    """Look, (generate,) update: attention from the old state, then the state reads the word just produced.

    previous (U-1, batch, e): embedded target words 1…U-1; mask (U-1, batch, 1); annotations (batch, T, 2·d);
    keys (batch, T, d); source_mask (batch, T) boolean; initial (batch, d); weight (e, 3·d); bias (d);
    context (2·d, 3·d); state (d, 3·d): attention.state beside decoder.gates; candidate (d, d); score (d).
    Returns the states *before* each update (U, batch, d), the contexts (U, batch, 2·d) and, without gradient, the
    attention weights (U, batch, T).
    """

    @staticmethod
    def forward(
        ctx: Any,
        previous: Tensor,
        mask: Tensor,
        annotations: Tensor,
        keys: Tensor,
        source_mask: Tensor,
        initial: Tensor,
        weight: Tensor,
        bias: Tensor,
        context: Tensor,
        state: Tensor,
        candidate: Tensor,
        score: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]:
        steps, batch, d = previous.shape[0] + 1, initial.shape[0], initial.shape[1]
        length = keys.shape[1]
        activations = (previous.reshape(-1, previous.shape[2]) @ weight).view(steps - 1, batch, 3 * d)
        activations[..., 2 * d :] += bias
        states, contexts = initial.new_empty(steps, batch, d), initial.new_empty(steps, batch, 2 * d)
        queries, weights = torch.empty_like(states), initial.new_empty(steps, batch, length)
        keys, score = 2 * keys, 2 * score  # see _half_tanh
        scratch = torch.empty_like(keys)
        masked_energy = torch.zeros_like(weights[0]).masked_fill_(~source_mask, -torch.inf)
        states[0] = initial
        parts, activation_at, mask_at = _parts_by_step(activations, 0), activations.unbind(0), mask.unbind(0)
        state_at, context_at, query_at, weights_at = (x.unbind(0) for x in (states, contexts, queries, weights))
        for i in range(steps):
            query, gates = torch.mm(state_at[i], state).split([d, 2 * d], dim=1)
            query_at[i].copy_(query)
            _half_tanh(keys, query, scratch)
            energy = torch.addmv(masked_energy.view(-1), scratch.view(-1, d), score).view(batch, length)
            torch.softmax(energy, 1, out=weights_at[i])
            torch.bmm(weights_at[i].unsqueeze(1), annotations, out=context_at[i].unsqueeze(1))
            if i < steps - 1:
                activation_at[i].addmm_(context_at[i], context)
                parts[i].gates.add_(gates)
                _finish_gates(parts[i], mask_at[i])
                parts[i].candidate.addmm_(parts[i].reset * state_at[i], candidate)
                _new_state(parts[i], state_at[i], state_at[i + 1])
        ctx.save_for_backward(
            previous, annotations, keys, weight, context, state, candidate, score,
            activations, states, contexts, queries, weights,
        )  # fmt: skip
        ctx.mark_non_differentiable(weights)
        return states.clone(), contexts.clone(), weights

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad_states: Tensor, grad_contexts: Tensor, _weights: Tensor) -> tuple[Tensor | None, ...]:
        (previous, annotations, keys, weight, context, state, candidate, score,
         activations, states, contexts, queries, weights) = ctx.saved_tensors  # fmt: skip
        steps, batch, d = states.shape
        context_t, state_t, candidate_t = context.t(), state.t(), candidate.t()
        twice_score = 2 * score
        grads = states.new_zeros(steps, batch, 4 * d)  # query, reset, update, candidate
        grad_contexts = grad_contexts.clone()
        grad_keys, grad_score = torch.zeros_like(keys), torch.zeros_like(score)
        scratch, annotations_t = torch.empty_like(keys), annotations.transpose(1, 2)
        grad_state = torch.zeros_like(states[0])
        parts, grad_parts = _parts_by_step(activations, 0), _parts_by_step(grads[..., d:], 0)
        grad_query_at, grad_update_at, grad_from_state_at = (
            x.unbind(0) for x in (grads[..., :d], grads[..., d:], grads[..., : 3 * d])
        )
        state_at, query_at, weights_at, grad_state_at, grad_context_at = (
            x.unbind(0) for x in (states, queries, weights, grad_states, grad_contexts)
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
            torch.mul(torch.bmm(energy.unsqueeze(1), slope).squeeze(1), twice_score, out=grad_query_at[i])
            grad_keys.addcmul_(slope, energy.unsqueeze(2))
            grad_state = torch.addmm(before, grad_from_state_at[i], state_t)
        grad_keys *= twice_score
        grad_score *= 2
        updates = grads[:-1, :, d:].reshape(-1, 3 * d)
        reset_states = states[:-1].reshape(-1, d) * activations[..., :d].reshape(-1, d)
        return (
            (updates @ weight.t()).view_as(previous),
            None,
            torch.bmm(weights.permute(1, 2, 0), grad_contexts.transpose(0, 1)),
            grad_keys,
            None,
            grad_state,
            previous.reshape(-1, previous.shape[2]).t() @ updates,
            updates[:, 2 * d :].sum(0),
            contexts[:-1].reshape(-1, 2 * d).t() @ updates,
            states.view(-1, d).t() @ grads.view(-1, 4 * d)[:, : 3 * d],
            reset_states.t() @ updates[:, 2 * d :],
            grad_score,
        )


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
