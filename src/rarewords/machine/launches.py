"""What an update would ask of a GPU, counted without one: kernel launches and waits of the host for the device.

Each operation that writes numbers counts as one launch. Views and allocations launch nothing. Some operations are more
kernels than one on a GPU (a sum over a large tensor is two), so the count is a lower bound.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

# The host needs a number of these before it goes on: a value, or the size of a result.
WAITS = {"_local_scalar_dense", "nonzero", "masked_select", "equal", "is_nonzero", "_unique2", "unique_consecutive"}
# Nothing is computed: memory is taken, or a tensor gets another name.
FREE = {
    "empty",
    "empty_like",
    "empty_strided",
    "new_empty",
    "new_empty_strided",
    "detach",
    "_unsafe_view",
    "lift_fresh",
}


class LaunchCounter(TorchDispatchMode):
    """Counts within its block: `launches` and `waits` by the name of the operation."""

    def __init__(self) -> None:
        super().__init__()
        self.launches: Counter[str] = Counter()
        self.waits: Counter[str] = Counter()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = func._schema.name.partition("::")[2]
        if name in WAITS or _takes_a_mask(name, args):
            self.waits[name] += 1
        elif not (func.is_view or name in FREE):
            self.launches[name] += 1
        return func(*args, **(kwargs or {}))


def _takes_a_mask(name: str, args: Any) -> bool:
    """Whether the size of the result depends on how many positions of a mask are true."""
    masks = args[1] if name in ("index", "index_put", "index_put_") else ()
    return any(mask is not None and mask.dtype == torch.bool for mask in masks)
