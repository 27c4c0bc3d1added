"""The gated recurrence between its matrix products; sentences are rows first … last - 1.

activations (batch, 3·d) hold the summed projections of reset gate, update gate and candidate, and become these three in
place. The mask (batch) goes into the update gate: where it is 0 the state stays, and the gate's gradient vanishes by
itself.
"""

from __future__ import annotations

from rarewords.model.fused.exponential import sigmoid, tanh
from rarewords.model.fused.rows import Array, kernel


@kernel
def open_gates(
    first: int,
    last: int,
    activations: Array,
    projected: Array,
    offset: int,
    mask: Array,
    state: Array,
    reset_state: Array,
) -> None:
    """Both gates, and the reset state (batch, d) that the candidate reads.

    The gates' projections of the state are the columns of `projected` from `offset` on.
    """
    d = state.shape[1]
    for b in range(first, last):
        reset, update, old, out = activations[b, :d], activations[b, d : 2 * d], state[b], reset_state[b]
        for_reset, for_update = projected[b, offset : offset + d], projected[b, offset + d : offset + 2 * d]
        for j in range(d):
            gate = sigmoid(reset[j] + for_reset[j])
            reset[j] = gate
            out[j] = gate * old[j]
        for j in range(d):
            update[j] = mask[b] * sigmoid(update[j] + for_update[j])


@kernel
def new_state(first: int, last: int, activations: Array, state: Array, out: Array) -> None:
    """The candidate, and the state (batch, d) after the step."""
    d = state.shape[1]
    for b in range(first, last):
        update, candidate, old, new = activations[b, d : 2 * d], activations[b, 2 * d :], state[b], out[b]
        for j in range(d):
            proposal = tanh(candidate[j])
            candidate[j] = proposal
            new[j] = old[j] + update[j] * (proposal - old[j])


@kernel
def candidate_backward(
    first: int, last: int, activations: Array, state: Array, grad_new: Array, grad_state: Array, grads: Array, at: int
) -> None:
    """The gradients of update gate and candidate before their functions, in the columns of `grads` from at + d on.

    The gradient of the new state is grad_state, what comes back from later steps, plus grad_new, that of the state as a
    result (batch, d). grad_state is left with the part that reaches the old state past the candidate.
    """
    d = state.shape[1]
    one = state.dtype.type(1)
    for b in range(first, last):
        values, old, result, grad, out = activations[b], state[b], grad_new[b], grad_state[b], grads[b, at:]
        for j in range(d):
            update, candidate, total = values[d + j], values[2 * d + j], grad[j] + result[j]
            through = total * update
            out[2 * d + j] = through * (one - candidate * candidate)
            out[d + j] = total * (candidate - old[j]) * update * (one - update)
            grad[j] = total - through


@kernel
def reset_backward(
    first: int,
    last: int,
    activations: Array,
    state: Array,
    grad_reset_state: Array,
    grad_state: Array,
    grads: Array,
    at: int,
) -> None:
    """The gradient of the reset gate before its function, in the columns of `grads` from `at` on.

    Adds to grad_state what comes to the old state through the reset state, whose gradient is given.
    """
    d = state.shape[1]
    one = state.dtype.type(1)
    for b in range(first, last):
        values, old, through, grad, out = activations[b], state[b], grad_reset_state[b], grad_state[b], grads[b, at:]
        for j in range(d):
            out[j] = through[j] * old[j] * values[j] * (one - values[j])
            grad[j] += through[j] * values[j]
