"""The kernels on a GPU: compiled by torch (NVRTC, no compiler needed) at first use, and compared with the plain form.

NOT YET TRIED ON A GPU. Where a kernel cannot be compiled, or computes something else than the plain form, a warning
says so and the plain form is used. So it is for numbers that are not float32 and for tensors whose columns are apart.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from rarewords.model.kernels import plain
from rarewords.model.kernels.source import BY_SENTENCE, ELEMENTWISE, LANES, SHARED_BYTES, SOURCE, THREADS

DENSE = {"attention": (0, 2, 3), "attention_gradients": (2, 4, 6)}  # arguments without strides
Kernel = Callable[..., None]  # called with grid, block, args and shared_mem


def implementation(name: str) -> Callable[..., None]:
    """The kernel of this name, with the arguments of the function in `plain.py`."""
    arrange, reference = ARRANGED[name], getattr(plain, name)

    def launch(first: Tensor, *others: Tensor | None) -> None:
        kernels = checked_kernels(first.device)
        if kernels is None or not _fits(name, (first, *others)):
            reference(first, *others)
        else:
            with torch.cuda.device(first.device):
                arrange(kernels[name], first, *others)

    return launch


@functools.cache
def checked_kernels(device: torch.device) -> dict[str, Kernel] | None:
    """All kernels for a device, compiled and compared; None if that fails."""
    try:
        with torch.cuda.device(device):
            compiled = {name: torch.cuda._compile_kernel(SOURCE, name) for name in (*ELEMENTWISE, *BY_SENTENCE)}
            for name, kernel in compiled.items():
                compare(name, kernel, device)
    except (RuntimeError, ImportError, AttributeError, OSError, AssertionError, ValueError) as error:
        warnings.warn(f"the GPU kernels are not used, plain operations are: {error}", stacklevel=2)
        return None
    return compiled


def compare(name: str, kernel: Kernel, device: torch.device) -> None:
    """Raise AssertionError if a kernel and the plain form differ on random numbers."""
    generator = torch.Generator().manual_seed(1)
    given = [None if x is None else x.to(device) for x in EXAMPLES[name](generator)]
    expected = [None if x is None else x.clone() for x in given]
    ARRANGED[name](kernel, *given)
    getattr(plain, name)(*expected)
    for mine, other in zip(given, expected, strict=True):
        if mine is not None:
            torch.testing.assert_close(
                mine, other, rtol=1e-4, atol=1e-5, msg=f"the kernel {name} computes wrong numbers"
            )


def _fits(name: str, tensors: tuple[Tensor | None, ...]) -> bool:
    """Whether the kernels can read these tensors."""
    given = [tensor for tensor in tensors if tensor is not None]
    dense = [tensor for number, tensor in enumerate(tensors) if tensor is not None and number in DENSE.get(name, ())]
    length = given[0].shape[1] if name == "attention" else 0  # of the source
    return (
        all(tensor.is_contiguous() for tensor in dense)
        and all(x.dtype in (torch.float32, torch.bool) and (x.stride(-1) == 1 or x.shape[-1] == 1) for x in given)
        and 4 * length * (LANES + 1) < SHARED_BYTES
    )


def _strided(tensor: Tensor) -> list[Any]:
    """A tensor (rows, columns) or (outer, rows, columns) as the kernels take it."""
    outer = tensor.stride(0) if tensor.dim() == 3 else 0
    return [tensor, outer, tensor.stride(-2)]


def _elementwise(kernel: Kernel, arguments: list[Any], like: Tensor, *sizes: int) -> None:
    """A thread for each number of `like`."""
    count = like.numel()
    arguments = [*arguments, *sizes, like.shape[-2], like.shape[-1], count]
    kernel(grid=(-(-count // THREADS), 1, 1), block=(THREADS, 1, 1), args=arguments)


def _gates(
    kernel: Kernel, gates: Tensor, mask: Tensor, state: Tensor, more: Tensor | None, reset_state: Tensor
) -> None:
    given = state if more is None else more  # a kernel takes no None
    arguments = [*_strided(gates), *_strided(mask), *_strided(state), *_strided(given), int(more is not None)]
    _elementwise(kernel, [*arguments, *_strided(reset_state)], state)


def _of_one_shape(kernel: Kernel, *tensors: Tensor) -> None:
    _elementwise(kernel, [part for tensor in tensors for part in _strided(tensor)], tensors[0])


def _gate_gradients(kernel: Kernel, *tensors: Tensor | None) -> None:
    *given, more, grad_reset, before = tensors
    first = [part for tensor in given if tensor is not None for part in _strided(tensor)]
    assert grad_reset is not None
    assert before is not None
    added = before if more is None else more
    last = [*_strided(added), int(more is not None), *_strided(grad_reset), *_strided(before)]
    _elementwise(kernel, [*first, *last], before)


def _attention_gradients(
    kernel: Kernel,
    grad_weights: Tensor,
    weights: Tensor,
    keys: Tensor,
    query: Tensor,
    score: Tensor,
    grad_query: Tensor,
    grad_keys: Tensor,
    grad_score: Tensor,
) -> None:
    first = [*_strided(grad_weights), *_strided(weights), keys, *_strided(query), score, *_strided(grad_query)]
    _elementwise(kernel, [*first, grad_keys, *_strided(grad_score)], query, keys.shape[1])


def _attention(
    kernel: Kernel, keys: Tensor, query: Tensor, score: Tensor, source_mask: Tensor, weights: Tensor
) -> None:
    batch, length, d = keys.shape
    arguments = [keys, *_strided(query), score, source_mask, *_strided(weights), length, d]
    kernel(grid=(batch, 1, 1), block=(4 * THREADS, 1, 1), args=arguments, shared_mem=4 * length * (LANES + 1))


ARRANGED: dict[str, Callable[..., None]] = {
    "gates": _gates,
    "new_state": _of_one_shape,
    "attention": _attention,
    "state_gradients": _of_one_shape,
    "gate_gradients": _gate_gradients,
    "attention_gradients": _attention_gradients,
}


def _recurrent(generator: torch.Generator, inputs: int, outputs: int, more: bool) -> list[Tensor | None]:
    """Tensors (2, 3, 5), parts of wider ones, the last input one that may be missing; then outputs."""
    drawn: list[Tensor | None] = [torch.randn(2, 3, 11, generator=generator)[..., 3:8] for _ in range(inputs + outputs)]
    return drawn if more else [*drawn[: inputs - 1], None, *drawn[inputs:]]


def _gates_example(generator: torch.Generator) -> list[Tensor | None]:
    gates, more = (torch.randn(2, 3, 17, generator=generator)[..., 4:14] for _ in range(2))
    mask = torch.tensor([1.0, 0.0, 1.0]).view(1, 3, 1).expand(2, 3, 1)
    state, reset_state = (torch.randn(2, 3, 5, generator=generator) for _ in range(2))
    return [gates, mask, state, more, reset_state]


def _attention_tensors(generator: torch.Generator) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Keys, query (a part of a wider tensor), score, and a mask with true positions first."""
    keys, query = torch.randn(3, 7, 40, generator=generator), torch.randn(3, 50, generator=generator)[:, 5:45]
    mask = torch.arange(7) < torch.tensor([[7], [1], [4]])
    return keys, query, torch.randn(40, generator=generator), mask


def _attention_example(generator: torch.Generator) -> list[Tensor | None]:
    return [*_attention_tensors(generator), torch.zeros(3, 7)]


def _attention_gradients_example(generator: torch.Generator) -> list[Tensor | None]:
    keys, query, score, mask = _attention_tensors(generator)
    weights = mask / mask.sum(1, keepdim=True)
    grad_weights, grad_keys = torch.randn(3, 7, generator=generator), torch.randn(keys.shape, generator=generator)
    grad_query, grad_score = torch.zeros(3, 160)[:, :40], torch.randn(3, 40, generator=generator)
    return [grad_weights, weights, keys, query, score, grad_query, grad_keys, grad_score]


EXAMPLES: dict[str, Callable[[torch.Generator], list[Tensor | None]]] = {
    "gates": _gates_example,
    "new_state": lambda generator: _recurrent(generator, 3, 1, more=True),
    "attention": _attention_example,
    "state_gradients": lambda generator: _recurrent(generator, 4, 2, more=True),
    "gate_gradients": lambda generator: _recurrent(generator, 6, 2, more=False),
    "attention_gradients": _attention_gradients_example,
}
