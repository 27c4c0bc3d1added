"""The whole network: encoder, and the training loss of a minibatch (docs/reproduction/network.md)."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from rarewords.model.blocks import has_blocks, pool_blocks
from rarewords.model.parameters import Parameters
from rarewords.model.products import missing_rows, product
from rarewords.model.readout import SummedCrossEntropy, readout
from rarewords.model.recurrence import DecoderRecurrence, EncoderRecurrence


@dataclass(frozen=True)
class Encoded:
    """What the decoder reads of a batch of source sentences; with blocks of units, T are the pairs of units."""

    annotations: Tensor  # (batch, T, 2·d)
    keys: Tensor  # (batch, T, d): annotations times A
    mask: Tensor  # (batch, T) boolean
    initial: Tensor  # (batch, d): the decoder's first state


def embed(parameters: Parameters, side: str, words: Tensor) -> Tensor:
    """Embedding row plus the side's shared bias: (…) ids to (…, e)."""
    table = parameters[f"{side}.embedding"]
    if table.is_cpu:
        rows = torch.nn.functional.embedding(words, table)
    else:  # the gradient of `embedding` sorts the ids, and asks how many different ones there are
        rows = table.index_select(0, words.reshape(-1)).view(*words.shape, -1)
    return rows + parameters[f"{side}.embedding_bias"]


def encode(parameters: Parameters, source: Tensor, mask: Tensor) -> Encoded:
    """Encode source ids (T, batch), the closing EOS included; mask (T, batch) is true at real positions.

    A network with blocks (`blocks.py`) reads a vector for every two of the units.
    """
    embedded = embed(parameters, "source", source)
    if has_blocks(parameters):
        embedded, mask = pool_blocks(parameters, embedded, mask)
    states = EncoderRecurrence.apply(
        torch.stack([embedded, embedded.flip(0)]),
        torch.stack([mask, mask.flip(0)]).unsqueeze(-1).to(embedded.dtype),
        parameters["encoder.input"],
        parameters["encoder.bias"],
        parameters["encoder.gates"],
        parameters["encoder.candidate"],
    )
    backward = states[1].flip(0)
    annotations = torch.cat([states[0], backward], dim=2).transpose(0, 1).contiguous()
    initial = torch.tanh(backward[0] @ parameters["decoder.initial"] + parameters["decoder.initial_bias"])
    keys = product(annotations, parameters["attention.annotation"])
    return Encoded(annotations, keys, mask.t().contiguous(), initial)


def decode_states(
    parameters: Parameters, encoded: Encoded, previous: Tensor, mask: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Run the decoder over known target words.

    previous (U-1, batch, e) are the embedded words 1…U-1, mask (U-1, batch) is true where they are real. Returns the
    old states (U, batch, d), contexts (U, batch, 2·d) and attention weights (U, batch, T) of all U positions.
    """
    result: tuple[Tensor, Tensor, Tensor] = DecoderRecurrence.apply(
        previous,
        mask.unsqueeze(-1).to(previous.dtype),
        encoded.annotations,
        encoded.keys,
        encoded.mask,
        encoded.initial,
        parameters["decoder.input"],
        parameters["decoder.bias"],
        parameters["decoder.context"],
        torch.cat([parameters["attention.state"], parameters["decoder.gates"]], dim=1),
        parameters["decoder.candidate"],
        parameters["attention.score"],
    )
    return result


def leaves_padding_out(ids: Tensor) -> bool:
    """Whether the output layer computes real positions only; not where the host would wait for their number."""
    return ids.is_cpu


def loss(parameters: Parameters, source: Tensor, source_mask: Tensor, target: Tensor, target_mask: Tensor) -> Tensor:
    """Summed negative log-likelihood of a minibatch: all real target positions, EOS included, no averaging.

    source (T, batch) and target (U, batch) are ids with their closing EOS, padded; the masks are true at real
    positions. On the CPU the output layer leaves the padding out. Elsewhere the host would have to wait for the number
    of real positions, so it computes all of them, and the padding counts as nothing.
    """
    encoded = encode(parameters, source, source_mask)
    previous = embed(parameters, "target", target[:-1])
    states, contexts, _ = decode_states(parameters, encoded, previous, target_mask[:-1])
    # the first position has no previous word: its term is zero, and the embedding's bias does not leak in
    shifted = torch.cat([previous.new_zeros(1, *previous.shape[1:]), previous])
    rows = [x.flatten(0, 1) for x in (states, contexts, shifted)]
    wanted, padding = target.reshape(-1), None
    if leaves_padding_out(wanted):
        real = target_mask.reshape(-1).nonzero().squeeze(1)
        if added := missing_rows(len(real), states.dtype):
            padding = torch.arange(len(real) + added) >= len(real)
            real = torch.cat([real, real.new_zeros(added)])
        rows, wanted = [x.index_select(0, real) for x in rows], wanted[real]
    else:
        padding = ~target_mask.reshape(-1)
    old_states, seen, before = rows
    features = readout(parameters, old_states, product(seen, parameters["readout.context"]), before)
    result: Tensor = SummedCrossEntropy.apply(
        features, wanted, padding, parameters["readout.output"], parameters["readout.output_bias"]
    )
    return result
