"""Sequences of different lengths as one tensor and a mask."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor


def pad(sequences: Sequence[Sequence[int] | NDArray[np.int32]], filler: int) -> tuple[Tensor, Tensor]:
    """Ids (longest, sequences) with `filler` in the padding, and the mask that is true at real positions."""
    lengths = np.array([len(sequence) for sequence in sequences])
    ids = np.full((lengths.max(), len(sequences)), filler, dtype=np.int64)
    for column, sequence in enumerate(sequences):
        ids[: len(sequence), column] = sequence
    mask = np.arange(lengths.max())[:, None] < lengths[None, :]
    return torch.from_numpy(ids), torch.from_numpy(mask)
