"""Floating-point operations of the network's matrix products."""

from __future__ import annotations

from rarewords.model.size import CONVOLUTION, POOLED, NetworkSize


def forward_flops(size: NetworkSize) -> tuple[int, int]:
    """Operations of the forward pass: for a source unit, for a target unit.

    A multiplication and an addition count as two; attention's sums over the source are left out (below 1%), and so are
    the means of blocks. With blocks every unit takes part in the convolution, and two of them are one position of the
    encoder.
    """
    e, d, v = size.embedding, size.hidden, size.target_vocabulary
    source = 2 * (e + d) * 3 * d + 2 * d * d
    if size.source_blocks:
        source = CONVOLUTION * e * e + source // POOLED
    step = d * 4 * d + 2 * d * 3 * d + e * 3 * d
    output = (2 * d + d + e) * d + d // 2 * e + e * v
    return 2 * source, 2 * (step + output)


def search_flops(size: NetworkSize) -> tuple[int, int]:
    """Operations of a search: for a source unit, for a unit of each hypothesis in the beam.

    The matrices of the context are multiplied by the source positions instead (`decoding/ensemble.py`).
    """
    source, target = forward_flops(size)
    moved = 2 * 2 * size.hidden * 4 * size.hidden
    return source + (moved // POOLED if size.source_blocks else moved), target - moved


def training_flops(size: NetworkSize, source: float, target: float) -> float:
    """Operations of an update over so many source and target positions, EOS included.

    The backward pass has two products for each one of the forward pass.
    """
    per_source, per_target = forward_flops(size)
    return 3 * (source * per_source + target * per_target)
