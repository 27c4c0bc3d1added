"""What stands between the matrix products of the recurrences, in plain operations of torch.

Tensors are (…, batch, d), or (…, batch, 1) for masks; the last argument or arguments are written. These are the
reference for the kernels in `source.py`.
"""

from __future__ import annotations

import torch
from torch import Tensor


def gates(gates: Tensor, mask: Tensor, state: Tensor, more: Tensor | None, reset_state: Tensor) -> None:
    """From the summed projections of both gates (…, batch, 2·d), with `more` to add, to the gates, in place.

    The mask goes into the update gate: where it is 0 the state stays, and the gate's gradient vanishes by itself.
    reset_state is the state times the reset gate.
    """
    d = state.shape[-1]
    if more is not None:
        gates.add_(more)
    gates.sigmoid_()
    gates[..., d:].mul_(mask)
    torch.mul(gates[..., :d], state, out=reset_state)


def new_state(candidate: Tensor, update: Tensor, state: Tensor, out: Tensor) -> None:
    """From the candidate's summed projections to the candidate, in place, and to the new state."""
    candidate.tanh_()
    torch.lerp(state, candidate, update, out=out)


def attention(keys: Tensor, query: Tensor, score: Tensor, source_mask: Tensor, weights: Tensor) -> None:
    """Attention weights (batch, T) from keys (batch, T, d), query (batch, d), score (d), source_mask (batch, T)."""
    energy = torch.tanh(keys + query.unsqueeze(1)) @ score
    torch.softmax(energy.masked_fill_(~source_mask, -torch.inf), 1, out=weights)


def state_gradients(
    grad: Tensor, update: Tensor, candidate: Tensor, state: Tensor, grad_update: Tensor, grad_candidate: Tensor
) -> None:
    """From the gradient of the new state to those of the projections of update gate and candidate."""
    torch.mul(grad * update, 1 - candidate * candidate, out=grad_candidate)
    torch.mul((candidate - state) * grad, update * (1 - update), out=grad_update)


def gate_gradients(
    grad_reset_state: Tensor,
    grad: Tensor,
    reset: Tensor,
    update: Tensor,
    state: Tensor,
    more: Tensor | None,
    grad_reset: Tensor,
    before: Tensor,
) -> None:
    """The gradient of the reset gate's projections, and of the old state but for the gates' matrix, `more` added."""
    torch.mul(grad_reset_state * state, reset * (1 - reset), out=grad_reset)
    torch.addcmul(grad * (1 - update), grad_reset_state, reset, out=before)
    if more is not None:
        before.add_(more)


def attention_gradients(
    grad_weights: Tensor,
    weights: Tensor,
    keys: Tensor,
    query: Tensor,
    score: Tensor,
    grad_query: Tensor,
    grad_keys: Tensor,
    grad_score: Tensor,
) -> None:
    """From the gradient of the attention weights (batch, T) to that of the query (batch, d).

    Those of the keys (batch, T, d) and, for each sentence, of the score (batch, d) are added to.
    """
    energy = (weights * (grad_weights - (weights * grad_weights).sum(1, keepdim=True))).unsqueeze(2)
    hidden = torch.tanh(keys + query.unsqueeze(1))
    grad_score.add_((energy * hidden).sum(1))
    of_keys = (1 - hidden * hidden) * energy * score
    grad_keys.add_(of_keys)
    grad_query.copy_(of_keys.sum(1))
