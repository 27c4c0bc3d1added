"""Compiled functions over rows: how they are compiled, called with several threads, and given tensors."""

from __future__ import annotations

import functools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from rarewords.compiled import compiled

Array = NDArray[np.floating]

# Sums may be taken in any order, as in a matrix product, and a product may be added without rounding it first. NaN and
# infinite stay what they are: the NaN rule of the optimiser needs them.
kernel: Callable[[Callable[..., None]], Callable[..., None]] = functools.partial(
    compiled, fastmath={"reassoc", "contract", "nsz"}, nogil=True
)


def array(values: Tensor) -> Array:
    """The numbers of a contiguous tensor on the CPU, in the same memory; of bfloat16 the bits."""
    narrow = values.dtype == torch.bfloat16
    found: Array = (values.view(torch.uint16) if narrow else values).detach().numpy()
    return found


def over_rows(function: Callable[..., None], count: int, *arguments: Any) -> None:
    """Call function(first, last, *arguments) for the rows 0 … count - 1, a share of them in each of torch's threads."""
    threads = min(torch.get_num_threads(), count)
    if threads < 2:
        function(0, count, *arguments)
        return
    edges = [count * k // threads for k in range(threads + 1)]
    others = [_pool(threads - 1).submit(function, edges[k], edges[k + 1], *arguments) for k in range(1, threads)]
    function(edges[0], edges[1], *arguments)
    for other in others:
        other.result()


@functools.cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, "rows")
