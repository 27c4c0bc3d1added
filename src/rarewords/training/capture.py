"""The recording of an update as a CUDA graph. NOT YET TRIED ON A GPU: nothing uses this unless `--capture` is given.

A graph launches all kernels of an update with one call, so that the host's time for each launch does not count.
"""

from __future__ import annotations

import torch
from torch import Tensor

from rarewords.training.adadelta import Adadelta
from rarewords.training.batches import Batch
from rarewords.training.buckets import Update


class GraphRecorder:
    """Records updates of one optimiser; all graphs share their memory, because one runs after the other."""

    def __init__(self, update_of: Update, optimiser: Adadelta) -> None:
        self._update_of, self._optimiser = update_of, optimiser
        self._pool = torch.cuda.graph_pool_handle()

    def __call__(self, batch: Batch) -> Update:
        """An update for minibatches of this one's shape. Nothing is computed here; raises RuntimeError if CUDA does."""
        inputs = Batch(
            batch.source.clone(),
            batch.source_mask.clone(),
            batch.target.clone(),
            batch.target_mask.clone(),
            batch.target_tokens,
        )
        graph = torch.cuda.CUDAGraph()
        try:
            with torch.cuda.graph(graph, pool=self._pool):
                outputs = self._update_of(inputs)
        finally:
            for value in self._optimiser.parameters.values():
                value.grad = None

        def replay(given: Batch) -> tuple[Tensor, Tensor]:
            for name in ("source", "source_mask", "target", "target_mask"):
                getattr(inputs, name).copy_(getattr(given, name), non_blocking=True)
            graph.replay()
            loss, norm = outputs
            return loss.clone(), norm.clone()  # the graph's own are overwritten by the next replay

        return replay
