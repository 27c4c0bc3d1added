"""Names and initial values of the network's parameters.

The equations are in docs/reproduction/network.md, the initial values in its section Initial values.
"""

from __future__ import annotations

import torch
from torch import Tensor

from rarewords.model.size import NetworkSize

Parameters = dict[str, Tensor]

# The four tensors with a row for each unit of a side: frozen in the last phase of the paper's training (section 4).
VOCABULARY_SIZED_OF = {
    "source": ("source.embedding",),
    "target": ("target.embedding", "readout.output", "readout.output_bias"),
}
# Right factors of the products that take nearly all of the time; the tables and the convolution of blocks are not.
PRODUCT_MATRICES = frozenset(
    f"{part}.{name}"
    for part, names in {
        "encoder": ("input", "gates", "candidate"),
        "attention": ("annotation", "state"),
        "decoder": ("input", "context", "gates", "candidate"),
        "readout": ("context", "state", "previous", "maxout", "output"),
    }.items()
    for name in names
)
VOCABULARY_SIZED = tuple(name for names in VOCABULARY_SIZED_OF.values() for name in names)


def initial_parameters(size: NetworkSize, seed: int, init_std: float = 0.01) -> Parameters:
    """Draw initial float32 parameters on the CPU, the same for the same seed on every machine class.

    Recurrent matrices are orthogonal, the two attention matrices N(0, (init_std/10)²), the score vectors of attention
    and blocks and all biases zero (their weights start uniform), everything else N(0, init_std²); the paper's code
    has 0.01.
    """
    generator = torch.Generator().manual_seed(seed)
    return {name: _initial(name, shape, generator, init_std) for name, shape in size.shapes().items()}


def _initial(name: str, shape: tuple[int, ...], generator: torch.Generator, init_std: float) -> Tensor:
    if name.endswith("bias") or name in ("attention.score", "source.block_score"):
        return torch.zeros(shape)
    if name.endswith((".gates", ".candidate")):
        return _orthogonal_blocks(shape, generator)
    if name in ("attention.annotation", "attention.state"):
        init_std /= 10
    return torch.randn(shape, generator=generator).mul_(init_std)


def _orthogonal_blocks(shape: tuple[int, ...], generator: torch.Generator) -> Tensor:
    """Fill (…, d, k·d) with k orthogonal d×d blocks side by side, one draw each."""
    *leading, rows, columns = shape
    blocks = torch.Size(leading).numel() * (columns // rows)
    drawn = torch.randn(blocks, rows, rows, generator=generator, dtype=torch.float64)
    left = torch.linalg.svd(drawn)[0].float()
    return left.view(*leading, columns // rows, rows, rows).transpose(-3, -2).reshape(shape).contiguous()
