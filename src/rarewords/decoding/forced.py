"""The forced pass: the network's attention while a finished translation is fed back.

Source: docs/reproduction/decoding.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from rarewords.model.blocks import attention_to_units
from rarewords.model.padding import pad
from rarewords.model.parameters import Parameters
from rarewords.model.rnnsearch import decode_states, embed, encode
from rarewords.vocabulary import EOS


@torch.inference_mode()
def forced_attention(
    members: Sequence[Parameters], sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]
) -> list[NDArray[np.floating[Any]]]:
    """Attention weights of a batch, summed over the members: one array (U, T) a sentence pair.

    sources are ids with their closing EOS, T is their number. targets are ids of translations, U is their number; a
    closing EOS is a unit like the others, with a row of its own if it is given. Row i is the attention that produced
    unit i of the translation, so each row sums to the number of members. A member with blocks attends to pairs of
    units; each unit of a pair gets half of the weight.
    """
    device = next(iter(members[0].values())).device
    source, source_mask = (tensor.to(device) for tensor in pad(sources, EOS))
    target, target_mask = (tensor.to(device) for tensor in pad(targets, EOS))
    weights = []
    for parameters in members:
        encoded, previous = encode(parameters, source, source_mask), embed(parameters, "target", target[:-1])
        attended = decode_states(parameters, encoded, previous, target_mask[:-1])[2]
        weights.append(attention_to_units(parameters, attended, source_mask))
    total = torch.stack(weights).sum(0).transpose(0, 1).cpu().numpy()
    return [
        total[k, : len(target_ids), : len(source_ids)]
        for k, (source_ids, target_ids) in enumerate(zip(sources, targets, strict=True))
    ]
