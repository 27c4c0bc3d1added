"""Adadelta's step for devices whose numbers the host must not wait for: `adadelta.py` for all tensors at once.

What the CPU decides with numbers (is the gradient usable, is it clipped) is decided here on the device. For a moment
this takes twice the memory of the parameters.
"""

from __future__ import annotations

import torch
from torch import Tensor

RHO = 0.95
EPSILON = 1e-6
SHRINK = 0.1  # of a parameter, instead of a gradient that is not a number


def step_on_device(
    values: list[Tensor],
    gradients: list[Tensor],
    squares: list[Tensor],
    deltas: list[Tensor],
    moving: list[bool],
    clip_norm: float,
) -> Tensor:
    """Move the `values` that are `moving`, and all accumulators, in place; the gradients are used up.

    Returns the norm of all gradients before clipping, a tensor without dimensions on the device. Its sums are trees on
    a GPU, which do not lose small numbers.
    """
    norm = torch.linalg.vector_norm(torch.stack(torch._foreach_norm(gradients)))
    usable = norm.isfinite()
    scale = torch.where(norm >= clip_norm, clip_norm / norm, 1.0)
    # zero bits are the number 0, whatever stood there, while 0 times NaN would be NaN
    bits = torch.int64 if norm.dtype == torch.float64 else torch.int32
    torch._foreach_mul_([gradient.view(bits) for gradient in gradients], usable.to(bits))
    torch._foreach_mul_(gradients, torch.where(usable, scale, 1.0))
    torch._foreach_add_(gradients, torch._foreach_mul(values, (~usable).to(norm.dtype) * SHRINK))
    torch._foreach_mul_(squares, RHO)
    torch._foreach_addcmul_(squares, gradients, gradients, 1 - RHO)
    steps = torch._foreach_add(deltas, EPSILON)
    torch._foreach_div_(steps, torch._foreach_add(squares, EPSILON))
    torch._foreach_sqrt_(steps)
    torch._foreach_mul_(steps, gradients)
    moves = [(value, step) for value, step, moves in zip(values, steps, moving, strict=True) if moves]
    if moves:
        torch._foreach_sub_([value for value, _ in moves], [step for _, step in moves])
    torch._foreach_mul_(deltas, RHO)
    torch._foreach_addcmul_(deltas, steps, steps, 1 - RHO)
    return norm
