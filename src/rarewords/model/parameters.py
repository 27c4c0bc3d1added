"""Names, shapes and initial values of the network's parameters.

The equations are in docs/reproduction/network.md, the initial values in its section Initial values.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

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
CONVOLUTION = 5  # units that one is mixed with before there are blocks, itself included
POOLED = 2  # units that become one position of the encoder if there are blocks
VOCABULARY_SIZED = tuple(name for names in VOCABULARY_SIZED_OF.values() for name in names)


@dataclass(frozen=True)
class NetworkSize:
    """Sizes of one network: vocabularies count EOS and UNK; `hidden` is even because the maxout halves it.

    `source_blocks` are the units of the largest block of the source (see `blocks.py`); 0: the network of the paper,
    which reads every unit by itself.
    """

    source_vocabulary: int
    target_vocabulary: int
    embedding: int
    hidden: int
    source_blocks: int = 0

    def __post_init__(self) -> None:
        if self.hidden % 2:
            raise ValueError(f"hidden must be even (the maxout reads pairs), not {self.hidden}")
        if self.source_blocks < 0:
            raise ValueError(f"source_blocks must be 0 or more, not {self.source_blocks}")

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Shape of every parameter, by name.

        The encoder's two directions lie side by side in a leading dimension of 2 (forward, backward). A width of 3·d
        holds reset gate, update gate and candidate in this order, 2·d the two gates.
        """
        e, d = self.embedding, self.hidden
        shapes: dict[str, tuple[int, ...]] = {
            "source.embedding": (self.source_vocabulary, e),
            "source.embedding_bias": (e,),
            "encoder.input": (2, e, 3 * d),
            "encoder.bias": (2, d),
            "encoder.gates": (2, d, 2 * d),
            "encoder.candidate": (2, d, d),
            "target.embedding": (self.target_vocabulary, e),
            "target.embedding_bias": (e,),
            "decoder.initial": (d, d),
            "decoder.initial_bias": (d,),
            "attention.annotation": (2 * d, d),
            "attention.state": (d, d),
            "attention.score": (d,),
            "decoder.input": (e, 3 * d),
            "decoder.bias": (d,),
            "decoder.context": (2 * d, 3 * d),
            "decoder.gates": (d, 2 * d),
            "decoder.candidate": (d, d),
            "readout.context": (2 * d, d),
            "readout.state": (d, d),
            "readout.previous": (e, d),
            "readout.bias": (d,),
            "readout.maxout": (d // 2, e),
            "readout.output": (self.target_vocabulary, e),
            "readout.output_bias": (self.target_vocabulary,),
        }
        if self.source_blocks:  # last, so that everything else is drawn as without them
            shapes["source.convolution"] = (CONVOLUTION, e, e)
            shapes["source.block_score"] = (e,)
            shapes["source.block_bias"] = (self.source_blocks,)
        return shapes

    def count(self) -> int:
        """Number of parameters."""
        return sum(torch.Size(shape).numel() for shape in self.shapes().values())


def initial_parameters(size: NetworkSize, seed: int, deviation: float = 0.01) -> Parameters:
    """Draw initial float32 parameters on the CPU, the same for the same seed on every machine class.

    Recurrent matrices are orthogonal, the two attention matrices N(0, (deviation/10)²), the score vectors of attention
    and blocks and all biases zero (their weights start uniform), everything else N(0, deviation²); the paper's code
    has 0.01.
    """
    generator = torch.Generator().manual_seed(seed)
    return {name: _initial(name, shape, generator, deviation) for name, shape in size.shapes().items()}


def _initial(name: str, shape: tuple[int, ...], generator: torch.Generator, deviation: float) -> Tensor:
    if name.endswith("bias") or name in ("attention.score", "source.block_score"):
        return torch.zeros(shape)
    if name.endswith((".gates", ".candidate")):
        return _orthogonal_blocks(shape, generator)
    if name in ("attention.annotation", "attention.state"):
        deviation /= 10
    return torch.randn(shape, generator=generator).mul_(deviation)


def _orthogonal_blocks(shape: tuple[int, ...], generator: torch.Generator) -> Tensor:
    """Fill (…, d, k·d) with k orthogonal d×d blocks side by side, one draw each."""
    *leading, rows, columns = shape
    blocks = torch.Size(leading).numel() * (columns // rows)
    drawn = torch.randn(blocks, rows, rows, generator=generator, dtype=torch.float64)
    left = torch.linalg.svd(drawn)[0].float()
    return left.view(*leading, columns // rows, rows, rows).transpose(-3, -2).reshape(shape).contiguous()
