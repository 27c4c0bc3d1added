"""Adadelta with the clipping and the NaN rule of the paper's code (docs/reproduction.md, section Optimiser)."""

from __future__ import annotations

import math
from collections.abc import Collection

import torch
from torch import Tensor

from rarewords.model.parameters import Parameters

RHO = 0.95
EPSILON = 1e-6
# numbers of a parameter that are updated together on the CPU: they stay in the cache for all operations
CHUNK = 1 << 16


class Adadelta:
    """Adadelta (rho 0.95, epsilon 1e-6, learning rate 1) on gradients clipped to the norm `cutoff`.

    Frozen parameters do not move, but their gradients count in the norm and their accumulators go on. `squares` and
    `deltas` are the running means of squared gradients and of squared steps, by parameter name.
    """

    def __init__(
        self,
        parameters: Parameters,
        cutoff: float,
        frozen: Collection[str] = (),
        squares: dict[str, Tensor] | None = None,
        deltas: dict[str, Tensor] | None = None,
    ) -> None:
        """The accumulators of a training that goes on can be given; else they are zeros."""
        self.parameters = parameters
        self.cutoff = cutoff
        self.frozen = frozenset(frozen)
        self.squares = _zeros(parameters) if squares is None else squares
        self.deltas = _zeros(parameters) if deltas is None else deltas

    @torch.no_grad()
    def step(self) -> float:
        """Use the gradients for one step and drop them; returns their norm before clipping.

        Where the norm is NaN or infinite, every gradient is replaced by a tenth of its parameter, which shrinks the
        weights; the caller counts such steps.
        """
        # by name, because the norm's last bit depends on the order, and a loaded checkpoint has an order of its own
        gradients = {name: value.grad for name, value in sorted(self.parameters.items()) if value.grad is not None}
        norm = float(torch.stack(torch._foreach_norm(list(gradients.values()))).norm())
        broken = not math.isfinite(norm)
        scale = self.cutoff / norm if not broken and norm >= self.cutoff else 1.0
        for name, gradient in gradients.items():
            value = self.parameters[name]
            size = value.numel() if value.is_cuda else CHUNK
            tensors = (value, gradient, self.squares[name], self.deltas[name])
            for part in zip(*(tensor.view(-1).split(size) for tensor in tensors), strict=True):
                _move(part, scale, broken, frozen=name in self.frozen)
            value.grad = None
        return norm


def _zeros(parameters: Parameters) -> dict[str, Tensor]:
    return {name: torch.zeros_like(value) for name, value in parameters.items()}


def _move(part: tuple[Tensor, ...], scale: float, broken: bool, frozen: bool) -> None:
    """Adadelta's rule on (value, gradient, squares, deltas), in place; the gradient is used up."""
    value, gradient, squares, deltas = part
    if broken:
        torch.mul(value, 0.1, out=gradient)
    elif scale != 1.0:
        gradient.mul_(scale)
    squares.mul_(RHO).addcmul_(gradient, gradient, value=1 - RHO)
    step = (deltas + EPSILON).div_(squares + EPSILON).sqrt_().mul_(gradient)
    if not frozen:
        value.sub_(step)
    deltas.mul_(RHO).addcmul_(step, step, value=1 - RHO)
