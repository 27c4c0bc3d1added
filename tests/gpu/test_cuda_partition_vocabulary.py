"""A training with a part of the vocabulary loaded is the same on a GPU (skipped without one)."""

import io

import numpy as np
import pytest
import torch

from rarewords.model.size import NetworkSize
from rarewords.settings import TrainingSettings
from rarewords.training.batches import Corpus
from rarewords.training.checkpoint import CheckpointFolder
from rarewords.training.progress import Progress
from rarewords.training.schedule import Schedule
from rarewords.training.trainer import initial_state, run

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA GPU here")

SETTINGS = TrainingSettings(
    embedding=8, hidden=12, init_std=0.3, clip_norm=2.0, batch_size=2, max_length=9, seed=1, partition_vocabulary=12
)


def corpus():
    """Forty pairs of one to four ids and EOS: at most nine distinct ids in two."""
    rng = np.random.default_rng(2)
    sides = [[[*rng.integers(1, size, rng.integers(1, 5)), 0] for _ in range(40)] for size in (20, 30)]
    arrays = [(np.concatenate(side).astype(np.int32), np.cumsum([0, *map(len, side)])) for side in sides]
    return Corpus(*arrays[0], *arrays[1], np.arange(40))


def trained(device, folder):
    state = initial_state(SETTINGS, NetworkSize(20, 30, 8, 12), torch.device(device))
    for group in (state.parameters, state.squares, state.deltas):
        group |= {name: value.double() for name, value in group.items()}
    progress = Progress("x", 0, 25, folder / "metrics.jsonl", stream=io.StringIO())
    run(state, corpus(), SETTINGS, Schedule(25, frozenset()), CheckpointFolder(folder / "c"), progress)
    return state


def test_the_complete_tensors_are_those_of_the_cpu(tmp_path):
    cpu, gpu = trained("cpu", tmp_path / "cpu"), trained("cuda", tmp_path / "gpu")
    for mine, other in [(cpu.parameters, gpu.parameters), (cpu.squares, gpu.squares), (cpu.deltas, gpu.deltas)]:
        for name, value in mine.items():
            assert other[name].is_cuda
            torch.testing.assert_close(other[name].detach().cpu(), value.detach(), rtol=0, atol=1e-9, msg=name)
