"""The output layer: maxout read-out, and a softmax whose logits never exist for a whole batch at once."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from rarewords.model.fused.rows import array, over_rows
from rarewords.model.fused.softmax import exponentials
from rarewords.model.parameters import Parameters
from rarewords.model.products import add_product, factor, product, set_product
from rarewords.model.reference_step import maxout

POSITIONS = 256  # whose logits exist at once on the CPU; a few MB that stay in the cache and are reused
NARROW_POSITIONS = (
    1024  # with bfloat16, whose products are so fast that adding up the gradients of chunks would cost more
)
DEVICE_LOGITS = 1 << 28  # that exist at once elsewhere: one chunk for an update of the paper's size, of 1 GiB at most
BITS = 1 / math.log(2)  # in a natural unit of information
SLICE = 1024  # units of the vocabulary in one product, see `logits`


def readout(parameters: Parameters, state: Tensor, context_term: Tensor, previous: Tensor | None) -> Tensor:
    """Output features (…, e) from the old state (…, d), the context's term (…, d), which is the context times its
    matrix, and the embedded previous word (…, e).

    previous=None is the first position, where the previous word's term is exactly zero.
    """
    values = context_term + product(state, parameters["readout.state"])
    values = values + parameters["readout.bias"]
    if previous is not None:
        values = values + product(previous, parameters["readout.previous"])
    return product(maxout(values), parameters["readout.maxout"])


def logits(parameters: Parameters, features: Tensor, scores: Tensor) -> None:
    """Write the scores of the first units of the vocabulary to `scores` (rows, units); features are (rows, e).

    On the CPU one slice of the vocabulary after the other: MKL takes 1.5 times as long for the whole width at once.
    """
    output, bias = parameters["readout.output"], parameters["readout.output_bias"]
    units = scores.shape[1]
    at_once = units if features.is_cuda else SLICE
    for start in range(0, units, at_once):
        part = slice(start, min(start + at_once, units))
        if output.dtype == features.dtype:
            torch.addmm(bias[part], features, output[part].t(), out=scores[:, part])
        else:
            torch.add(product(features, output[part].t()), bias[part], out=scores[:, part])


class SummedCrossEntropy(torch.autograd.Function):
    """Sum of -log p(target) over all rows, without averaging (docs/reproduction/training.md, section Loss).

    features (rows, e), targets (rows), padding (rows) true at rows that do not count, or None, output (vocabulary, e),
    bias (vocabulary). The gradients are made in the forward pass, chunk by chunk, while the logits are in the
    cache. They lie transposed, (vocabulary, rows): MKL is 1.5 times as fast for a tall product as for a wide one. They
    are in bits: torch computes powers of 2 three times as fast as powers of e on some CPUs, and the narrow factor
    of the product is scaled almost for nothing.
    """

    @staticmethod
    def forward(
        ctx: Any, features: Tensor, targets: Tensor, padding: Tensor | None, output: Tensor, bias: Tensor
    ) -> Tensor:
        need_gradients = any(ctx.needs_input_grad)
        bits, bias_bits = features.new_zeros(()), bias * BITS
        table = factor(output)
        at_once = positions_at_once(features, table)
        grad_features = torch.zeros_like(features)
        grad_output, grad_bias = torch.zeros_like(output), torch.zeros_like(bias)
        buffer = table.new_empty(output.shape[0] * min(at_once, features.shape[0]))
        for start in range(0, features.shape[0], at_once):
            part = slice(start, start + at_once)
            rows, wanted = features[part], targets[part]
            scores = buffer[: output.shape[0] * rows.shape[0]].view(output.shape[0], rows.shape[0])
            set_product(scores, table, factor((rows * BITS).t()))
            total, above = _exponentials(scores, bias_bits, wanted)
            logs = total.log2()
            if padding is not None:
                above.masked_fill_(padding[part], 0)
                logs.masked_fill_(padding[part], 0)
                total.masked_fill_(padding[part], torch.inf)  # so that each share of it is 0
            bits -= above.sum()
            bits += logs.sum()
            if need_gradients:
                # softmax = scores / total; dividing the narrow factor of each product is cheaper than the wide one
                grad_rows = grad_features[part]
                add_product(grad_rows, scores.t(), table)
                grad_rows.div_(total.unsqueeze(1))
                add_product(grad_output, scores, factor(rows / total.unsqueeze(1)))
                grad_bias += torch.mv(scores, factor(total.reciprocal()))
        if need_gradients:
            wanted_rows, ones = output[targets], torch.ones_like(features[:, 0])
            if padding is not None:
                wanted_rows.masked_fill_(padding.unsqueeze(1), 0)
                features = features.masked_fill(padding.unsqueeze(1), 0)
                ones.masked_fill_(padding, 0)
            grad_features -= wanted_rows
            grad_output.index_add_(0, targets, features, alpha=-1)
            grad_bias.index_add_(0, targets, ones, alpha=-1)
            ctx.save_for_backward(grad_features, grad_output, grad_bias)
        return bits / BITS

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad_loss: Tensor) -> tuple[Tensor | None, ...]:
        grad_features, grad_output, grad_bias = ctx.saved_tensors
        return grad_features.mul_(grad_loss), None, None, grad_output.mul_(grad_loss), grad_bias.mul_(grad_loss)


def positions_at_once(features: Tensor, table: Tensor) -> int:
    """How many positions have their logits in memory together, for an output layer with these factors."""
    if features.is_cpu:
        return POSITIONS if table.dtype == features.dtype else NARROW_POSITIONS
    return max(1, DEVICE_LOGITS // table.shape[0])


def _exponentials(scores: Tensor, bias: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
    """Add the bias (vocabulary) to scores (vocabulary, positions) in bits and replace them by 2^(score - largest).

    Returns for each position the sum of these, and its target's score above the largest: 0 for the best, or less.
    """
    if scores.is_cpu:
        total, above = bias.new_empty(2, scores.shape[1]).unbind()
        over_rows(
            exponentials, scores.shape[1], array(scores), array(bias), targets.numpy(), array(total), array(above)
        )
        return total, above
    shifted = scores.add_(bias.unsqueeze(1)) if scores.dtype == bias.dtype else scores + bias.unsqueeze(1)
    largest = shifted.amax(0)
    above = shifted.gather(0, targets.unsqueeze(0)).squeeze(0) - largest
    powers = shifted.sub_(largest).exp2_()
    if powers is not scores:
        scores.copy_(powers)
    return powers.sum(0), above
