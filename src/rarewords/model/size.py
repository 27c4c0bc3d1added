"""Sizes of a network, and the shapes of its parameters; without torch, so that `rarewords plan` starts quickly."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

CONVOLUTION = 5  # units that one is mixed with before there are blocks, itself included
POOLED = 2  # units that become one position of the encoder if there are blocks


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
        return sum(map(prod, self.shapes().values()))
