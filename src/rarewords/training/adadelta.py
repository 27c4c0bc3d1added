"""Adadelta with the clipping and the NaN rule of the paper's code.

Source: docs/reproduction/training.md, section Optimiser.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Collection, Iterable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from rarewords.compiled import compiled
from rarewords.model.parameters import Parameters
from rarewords.training.device_step import EPSILON, RHO, SHRINK, step_on_device


class Adadelta:
    """Adadelta (rho 0.95, epsilon 1e-6, learning rate 1) on gradients clipped to the norm `clip_norm`.

    Frozen parameters do not move, but their gradients count in the norm and their accumulators are updated. `squares`
    and `deltas` are the running means of squared gradients and of squared steps, by parameter name.
    """

    def __init__(
        self,
        parameters: Parameters,
        clip_norm: float,
        frozen: Collection[str] = (),
        squares: dict[str, Tensor] | None = None,
        deltas: dict[str, Tensor] | None = None,
    ) -> None:
        """Accumulators of a run that continues may be given; otherwise they are zeros."""
        self.parameters = parameters
        self.clip_norm = clip_norm
        self.frozen = frozenset(frozen)
        self.squares = _zeros(parameters) if squares is None else squares
        self.deltas = _zeros(parameters) if deltas is None else deltas

    @torch.no_grad()
    def step(self) -> Tensor:
        """Use the gradients for one step and drop them; returns their norm before clipping, without dimensions.

        The norm is a float64 number on the CPU; elsewhere it is on the device, and the host does not wait for it.
        Where the norm is NaN or infinite, every gradient is replaced by a tenth of its parameter, which shrinks the
        weights; the caller counts such steps.
        """
        # by name, because the norm's last bit depends on the order, and a loaded checkpoint has an order of its own
        gradients = {name: value.grad for name, value in sorted(self.parameters.items()) if value.grad is not None}
        if steps_on_device(gradients.values()):
            return self._step_on_device(gradients)
        norm = gradient_norm(gradients.values())
        broken = not math.isfinite(norm)
        scale = self.clip_norm / norm if not broken and norm >= self.clip_norm else 1.0
        for name, gradient in gradients.items():
            value = self.parameters[name]
            usable, factor = (value.clone(), SHRINK) if broken else (gradient, scale)
            move_by_numbers(value, usable, self.squares[name], self.deltas[name], factor, frozen=name in self.frozen)
            value.grad = None
        return torch.tensor(norm, dtype=torch.float64)

    def _step_on_device(self, gradients: dict[str, Tensor]) -> Tensor:
        values, squares, deltas = (
            [tensors[name] for name in gradients] for tensors in (self.parameters, self.squares, self.deltas)
        )
        moving = [name not in self.frozen for name in gradients]
        norm = step_on_device(values, list(gradients.values()), squares, deltas, moving, self.clip_norm)
        for value in values:
            value.grad = None
        return norm


def _zeros(parameters: Parameters) -> dict[str, Tensor]:
    return {name: torch.zeros_like(value) for name, value in parameters.items()}


def steps_on_device(gradients: Iterable[Tensor]) -> bool:
    """Whether the step is decided on the device, so that the host need not look at numbers."""
    return not next(iter(gradients)).is_cpu


def gradient_norm(gradients: Iterable[Tensor]) -> float:
    """The norm of all gradients together, on the CPU, summed in float64.

    torch adds float32 numbers on the CPU one after the other: at 500,000 units of 620 numbers the norm is 5% too small,
    and clipped steps would be 5% too long.
    """
    return math.sqrt(sum(_sum_of_squares(gradient.reshape(-1).numpy()) for gradient in gradients))


# without a fixed order of the terms the sum runs through several registers at once
@functools.partial(compiled, fastmath={"reassoc", "contract"})
def _sum_of_squares(values: NDArray[np.floating]) -> float:
    total = 0.0
    for i in range(values.size):
        total += np.float64(values[i]) * np.float64(values[i])
    return total


def move_by_numbers(
    value: Tensor, gradient: Tensor, squares: Tensor, deltas: Tensor, scale: float, frozen: bool
) -> None:
    """Adadelta's rule on the gradient times `scale`, in place, number by number: one pass through the memory."""
    arrays = [tensor.detach().view(-1).numpy() for tensor in (value, gradient, squares, deltas)]
    number = arrays[0].dtype.type  # constants of another type would have all computed in float64
    _move(*arrays, number(scale), number(RHO), number(1 - RHO), number(EPSILON), frozen)


@compiled
def _move(
    value: NDArray[np.floating],
    gradient: NDArray[np.floating],
    squares: NDArray[np.floating],
    deltas: NDArray[np.floating],
    scale: np.floating,
    rho: np.floating,
    rest: np.floating,
    epsilon: np.floating,
    frozen: bool,
) -> None:
    for i in range(value.size):
        scaled = gradient[i] * scale
        squares[i] = rho * squares[i] + rest * scaled * scaled
        # np.divide does not look for a zero at every division
        step = np.sqrt(np.divide(deltas[i] + epsilon, squares[i] + epsilon)) * scaled
        deltas[i] = rho * deltas[i] + rest * step * step
        if not frozen:
            value[i] -= step
