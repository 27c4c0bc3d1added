"""Matrix products whose factors may be narrower than float32.

With bfloat16 the factors of all large products are rounded to bfloat16, and so is each result once, after its float32
sum; everything else stays float32. float64 is never narrowed.
"""

from __future__ import annotations

import torch
from torch import Tensor

_narrow = False


def use_bfloat16(narrow: bool) -> None:
    """Whether this process multiplies bfloat16 instead of float32 numbers."""
    global _narrow
    _narrow = narrow


def factor(values: Tensor) -> Tensor:
    """The numbers as they are multiplied, contiguous."""
    narrow = _narrow and values.dtype == torch.float32
    return values.to(torch.bfloat16 if narrow else values.dtype).contiguous()


def product(left: Tensor, right: Tensor) -> Tensor:
    """left·right of two matrices, or of two batches of them, in their own type."""
    if not _narrow or left.dtype != torch.float32:
        return left @ right
    return (left.to(torch.bfloat16) @ right.to(torch.bfloat16)).float()


def add_product(into: Tensor, left: Tensor, right: Tensor) -> None:
    """Add left·right to a matrix; `right` may be a `factor` already."""
    if right.dtype == into.dtype:
        into.addmm_(left, right)
    else:
        into.add_(torch.mm(left.to(right.dtype), right))


def set_product(out: Tensor, left: Tensor, right: Tensor) -> None:
    """Write left·right to a matrix; `right` may be a `factor` already."""
    if right.dtype == out.dtype:
        torch.mm(left, right, out=out)
    else:
        out.copy_(torch.mm(left.to(right.dtype), right))
