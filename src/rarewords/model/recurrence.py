"""The two recurrences with a backward pass written by hand.

Only what is recurrent stays in the loops, which are in `fused/loops.py` for CPUs and in `loops.py` for all else: input
projections of all positions are one matrix product before the loop, the gradient of every matrix is one product after
it. `steps.gru_step` is the same recurrence one step at a time; a test holds all equal in value and gradient.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from rarewords.model import loops
from rarewords.model.fused import loops as fused_loops
from rarewords.model.products import product


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
        activations = product(embedded.reshape(2, length * batch, e), weight).view(2, length, batch, 3 * d)
        activations[..., 2 * d :] += bias[:, None, None]
        states = embedded.new_zeros(2, length + 1, batch, d)
        _loops_for(embedded).encoder_forward(activations, states, mask, gates, candidate)
        ctx.save_for_backward(embedded, weight, gates, candidate, activations, states)
        return states[:, 1:].clone()

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad_states: Tensor) -> tuple[Tensor | None, ...]:
        embedded, weight, gates, candidate, activations, states = ctx.saved_tensors
        _, length, batch, e = embedded.shape
        d = candidate.shape[-1]
        grads = torch.empty_like(activations)
        _loops_for(embedded).encoder_backward(activations, states, gates, candidate, grad_states, grads)
        inputs, flat = embedded.reshape(2, length * batch, e), grads.view(2, length * batch, 3 * d)
        before = states[:, :-1].reshape(2, length * batch, d)
        reset_states = before * activations[..., :d].reshape(2, length * batch, d)
        return (
            product(flat, weight.transpose(1, 2)).view_as(embedded),
            None,
            product(inputs.transpose(1, 2), flat),
            flat[..., 2 * d :].sum(1),
            product(before.transpose(1, 2), flat[..., : 2 * d]),
            product(reset_states.transpose(1, 2), flat[..., 2 * d :]),
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
        activations = product(previous.reshape(-1, previous.shape[2]), weight).view(steps - 1, batch, 3 * d)
        activations[..., 2 * d :] += bias
        states, contexts = initial.new_empty(steps, batch, d), initial.new_empty(steps, batch, 2 * d)
        projected, weights = initial.new_empty(steps, batch, 3 * d), initial.new_empty(steps, batch, length)
        states[0] = initial
        _loops_for(initial).decoder_forward(
            activations, states, contexts, projected, weights,
            mask, annotations, keys, source_mask, context, state, candidate, score,
        )  # fmt: skip
        ctx.save_for_backward(
            previous, annotations, keys, source_mask, weight, context, state, candidate, score,
            activations, states, contexts, projected, weights,
        )  # fmt: skip
        ctx.mark_non_differentiable(weights)
        return states.clone(), contexts.clone(), weights

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad_states: Tensor, grad_contexts: Tensor, _weights: Tensor) -> tuple[Tensor | None, ...]:
        (previous, annotations, keys, source_mask, weight, context, state, candidate, score,
         activations, states, contexts, projected, weights) = ctx.saved_tensors  # fmt: skip
        d = states.shape[2]
        grads = states.new_zeros(*states.shape[:2], 4 * d)  # query, reset, update, candidate
        grad_contexts = grad_contexts.clone()
        grad_state, grad_keys, grad_score = _loops_for(states).decoder_backward(
            activations, states, projected, weights,
            annotations, keys, source_mask, context, state, candidate, score, grad_states, grad_contexts, grads,
        )  # fmt: skip
        updates = grads[:-1, :, d:].reshape(-1, 3 * d)
        reset_states = states[:-1].reshape(-1, d) * activations[..., :d].reshape(-1, d)
        return (
            product(updates, weight.t()).view_as(previous),
            None,
            torch.bmm(weights.permute(1, 2, 0), grad_contexts.transpose(0, 1)),
            grad_keys,
            None,
            grad_state,
            product(previous.reshape(-1, previous.shape[2]).t(), updates),
            updates[:, 2 * d :].sum(0),
            product(contexts[:-1].reshape(-1, 2 * d).t(), updates),
            product(states.view(-1, d).t(), grads.view(-1, 4 * d)[:, : 3 * d]),
            product(reset_states.t(), updates[:, 2 * d :]),
            grad_score,
        )


def _loops_for(values: Tensor) -> Any:
    return fused_loops if values.device.type == "cpu" else loops
