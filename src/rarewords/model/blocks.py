"""Learned blocks of source units: the GBST block of Charformer (Tay et al., 2021), for byte input.

Instead of a row of the table for each unit x_1 … x_T, the encoder reads a vector for every two units:

    u_t     = Σ_{k=-2…2} ē(x_{t+k})·K_k                            a convolution; zero outside the sentence
    m_{b,j} = mean of the u_t of block j                           blocks of b units, one after the other; b = 1 … B
    q_{b,t} = m_{b,j(t)}·v + c_b                                   the block of size b that holds t
    p_{b,t} = exp(q_{b,t}) / Σ_a exp(q_{a,t})
    w_t     = Σ_b p_{b,t}·m_{b,j(t)}
    s_i     = mean of w_{2i-1} and w_{2i}                          i = 1 … ⌈T/2⌉

A mean is over the units that there are: the last block of a size, and the last pair, may be shorter. The convolution
shows the order of the units, which a mean does not. Names, and where this differs from Charformer:
docs/reproduction/network.md, section Blocks of source units.
"""

from __future__ import annotations

import torch
from torch import Tensor

from rarewords.model.parameters import Parameters
from rarewords.model.size import POOLED


def has_blocks(parameters: Parameters) -> bool:
    """Whether a network reads blocks of source units; others read a row of the table for each unit."""
    return "source.convolution" in parameters


def largest_block(parameters: Parameters) -> int:
    """B, the units of the largest block; 1 for a network without blocks."""
    return len(parameters["source.block_bias"]) if has_blocks(parameters) else 1


def pool_blocks(parameters: Parameters, embedded: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """The vectors s and their mask, (⌈T/2⌉, batch, e) and (⌈T/2⌉, batch).

    embedded (T, batch, e) are the rows ē of the units, mask (T, batch) is true at real positions, which come first.
    """
    length = len(embedded)
    real = mask.unsqueeze(-1).to(embedded.dtype)
    units = _convolve(embedded * real, parameters["source.convolution"])
    means = [_means(units, real, size) for size in range(1, largest_block(parameters) + 1)]
    scores = [
        _spread(mean @ parameters["source.block_score"] + bias, size, length)
        for size, (mean, bias) in enumerate(zip(means, parameters["source.block_bias"], strict=True), 1)
    ]
    weights = torch.softmax(torch.stack(scores), dim=0).unsqueeze(-1)
    mixed = torch.zeros_like(units)
    for size, (mean, weight) in enumerate(zip(means, weights, strict=True), 1):
        mixed = mixed + weight * _spread(mean, size, length)
    return _means(mixed, real, POOLED), mask[::POOLED]


def attention_to_units(parameters: Parameters, weights: Tensor, mask: Tensor) -> Tensor:
    """Attention weights (…, batch, T) over the units of the source, from those over what the encoder read.

    With blocks weights are (…, batch, ⌈T/2⌉), and the units of a pair get the same share; the sum stays. Without, they
    are what they were. mask (T, batch) is true at real positions.
    """
    if not has_blocks(parameters):
        return weights
    real = mask.unsqueeze(-1).to(weights.dtype)
    shares = _spread(_sums(real, POOLED).clamp(min=1).reciprocal(), POOLED, len(mask)) * real
    spread = weights.repeat_interleave(POOLED, dim=-1)[..., : len(mask)]
    return spread * shares.squeeze(-1).t()


def _convolve(values: Tensor, kernel: Tensor) -> Tensor:
    """Σ_k values[t + k]·kernel[k], k counted from the middle: (T, batch, e) by (width, e, e) to (T, batch, e)."""
    length, width = len(values), len(kernel)
    outside = values.new_zeros(width // 2, *values.shape[1:])
    padded = torch.cat([outside, values, outside])
    total = padded[:length] @ kernel[0]
    for k in range(1, width):
        total = total + padded[k : k + length] @ kernel[k]
    return total


def _means(values: Tensor, real: Tensor, size: int) -> Tensor:
    """Means of `size` adjacent positions each over the real ones: (T, batch, e) to (⌈T/size⌉, batch, e).

    real (T, batch, 1) is 1 at real positions. Where there are none, the mean is 0.
    """
    return _sums(values * real, size) / _sums(real, size).clamp(min=1)


def _sums(values: Tensor, size: int) -> Tensor:
    """Sums of `size` adjacent positions each, the last one of those that are left."""
    missing = values.new_zeros(-len(values) % size, *values.shape[1:])
    return torch.cat([values, missing]).unflatten(0, (-1, size)).sum(1)


def _spread(values: Tensor, size: int, length: int) -> Tensor:
    """Every position `size` times, `length` positions in all: a block's value at each of its positions."""
    return values.unsqueeze(1).expand(-1, size, *values.shape[1:]).flatten(0, 1)[:length]
