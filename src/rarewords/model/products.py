"""Matrix products whose factors may be narrower than float32.

With bfloat16 the factors of all large products are rounded to bfloat16, and so is each result once, after its float32
sum; everything else stays float32. float64 is never narrowed.
"""

from __future__ import annotations

import torch
from torch import Tensor

from rarewords.model.parameters import PRODUCT_MATRICES, Parameters

# On a CPU the rows of products are filled up to multiples of these where each new shape costs time: those of the output
# layer in training, and those of a search, whose hypotheses become fewer with every step.
ROWS, FEW_ROWS = 64, 16

_narrow = False
_by_shape = False


def use_bfloat16(narrow: bool) -> None:
    """Whether this process multiplies bfloat16 instead of float32 numbers."""
    global _narrow
    _narrow = narrow


def compile_by_shape(by_shape: bool) -> None:
    """Whether float32 products are compiled for each new shape, which takes milliseconds; bfloat16 ones always are."""
    global _by_shape
    _by_shape = by_shape


def missing_rows(rows: int, dtype: torch.dtype) -> int:
    """How many rows to add to a number of rows that changes from minibatch to minibatch, so that few shapes occur."""
    return -rows % ROWS if (_by_shape or _narrow) and dtype == torch.float32 else 0


def factor(values: Tensor) -> Tensor:
    """The numbers as they are multiplied."""
    if _narrow and values.dtype == torch.float32:
        return values.to(torch.bfloat16)
    return values.contiguous()  # MKL is slower where the right factor is transposed


def factors(parameters: Parameters) -> Parameters:
    """A network for a search: the matrices of its large products as they are multiplied, all else as it is."""
    return {name: factor(value) if name in PRODUCT_MATRICES else value for name, value in parameters.items()}


def product(left: Tensor, right: Tensor) -> Tensor:
    """left·right of two matrices, or of two batches of them; either may be a `factor` already."""
    narrow = torch.bfloat16 in (left.dtype, right.dtype) or (_narrow and left.dtype == torch.float32)
    rows = left.shape[0]
    compiles = left.is_cpu and (narrow or _by_shape)
    if left.dim() == 2 and compiles and (added := -rows % FEW_ROWS) and rows < ROWS * FEW_ROWS:
        left = torch.nn.functional.pad(left, (0, 0, 0, added))
    result = (left.to(torch.bfloat16) @ right.to(torch.bfloat16)).float() if narrow else left @ right
    return result[:rows] if left.dim() == 2 else result


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
