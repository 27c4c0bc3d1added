"""Minibatches padded to a few shapes are equal in value, and updates are recorded once for each shape."""

from contextlib import contextmanager
from types import SimpleNamespace

import pytest
import torch
from test_device_update import SIZES, batch, loss_of, network

from rarewords.errors import InputError
from rarewords.model import loops
from rarewords.training.buckets import ReplayedUpdates, padded
from rarewords.training.capture import GraphRecorder
from rarewords.training.session import Machine


def test_lengths_become_multiples_and_the_padding_is_masked():
    of = batch(lengths=(3, 5))  # with targets of 4 and 6
    wide = padded(of, 4)
    assert (wide.source.shape, wide.target.shape) == ((8, 2), (8, 2))
    assert torch.equal(wide.source[:5], of.source)
    assert wide.source[5:].eq(0).all()
    assert wide.source_mask.sum(0).tolist() == [3, 5]
    assert wide.target_mask.sum(0).tolist() == [4, 6]
    assert wide.target_tokens == of.target_tokens == 10
    again = padded(wide, 4)
    assert again.source.shape == wide.source.shape


@pytest.mark.parametrize("as_on_a_gpu", [False, True])
@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
@pytest.mark.parametrize("multiple", [2, 4, 16])
def test_padded_shapes_are_equal_in_value(size, multiple, as_on_a_gpu, monkeypatch):
    if as_on_a_gpu:
        monkeypatch.setattr("rarewords.model.rnnsearch.leaves_padding_out", lambda _ids: False)
        monkeypatch.setattr("rarewords.model.recurrence._loops_for", lambda _values: loops)
    narrow, wide = network(size), network(size)
    losses = [loss_of(narrow, batch()), loss_of(wide, padded(batch(), multiple))]
    for value in losses:
        value.backward()
    assert losses[1].item() == pytest.approx(losses[0].item(), rel=1e-13)
    for name, value in narrow.items():
        torch.testing.assert_close(wide[name].grad, value.grad, rtol=0, atol=1e-12, msg=name)


def of_length(words, sentences=2):
    return batch(lengths=(words,) * sentences)


class Recorder:
    """Stands for CUDA: an update is named by where it came from and the shape that it was recorded for."""

    def __init__(self, fails=False):
        self.fails = fails

    def plain(self, given):
        return "plain", len(given.source)

    def record(self, given):
        if self.fails:
            raise RuntimeError("no graphs")
        recorded_for = len(given.source)
        return lambda _given: ("replayed", recorded_for)


def test_a_shape_is_plain_then_recorded_then_replayed():
    stand_in, told = Recorder(), []
    updates = ReplayedUpdates(stand_in.plain, stand_in.record, 2, told.append)
    done = [updates(of_length(words)) for words in (3, 5, 3, 3, 5)]
    assert done == [("plain", 3), ("plain", 5), ("replayed", 3), ("replayed", 3), ("replayed", 5)]
    assert [updates(of_length(3, sentences=1)) for _ in range(3)] == [("plain", 3)] * 3  # the end of the data
    assert told == []


def test_without_graphs_all_updates_are_plain_and_one_line_says_so():
    stand_in, told = Recorder(fails=True), []
    updates = ReplayedUpdates(stand_in.plain, stand_in.record, 2, told.append)
    done = [updates(of_length(words)) for words in (3, 3, 3, 5, 5, 5)]
    assert done == [("plain", words) for words in (3, 3, 3, 5, 5, 5)]
    assert told == ["updates cannot be recorded here (no graphs); continuing without that"]


def test_capture_is_for_gpus():
    with pytest.raises(InputError, match="capture: updates can only be captured on a GPU"):
        Machine("cpu", capture=True).prepare()


class StandInGraph:
    """Does again at each replay what was done while it was recorded, and writes to the same results, as CUDA does."""

    def __init__(self):
        self.work = None

    def replay(self):
        given, results = self.work
        for result, number in zip(results, sums(given), strict=True):
            result.copy_(number)


def sums(given):
    return given.source.sum().float(), given.target_mask.sum().float()


def test_a_recorded_update_reads_each_minibatch_and_leaves_earlier_results_alone(monkeypatch):
    graphs, pools = [], []

    @contextmanager
    def recording(graph, pool):
        graphs.append(graph)
        pools.append(pool)
        yield

    def update_of(given):
        results = sums(given)
        graphs[-1].work = (given, results)
        optimiser.parameters["encoder.bias"].grad = torch.ones(1)
        return results

    monkeypatch.setattr(torch.cuda, "CUDAGraph", StandInGraph)
    monkeypatch.setattr(torch.cuda, "graph", recording)
    monkeypatch.setattr(torch.cuda, "graph_pool_handle", lambda: "one for all")
    optimiser = SimpleNamespace(parameters={"encoder.bias": SimpleNamespace(grad=None)})
    record = GraphRecorder(update_of, optimiser)
    batches = [batch(seed=seed) for seed in range(3)]
    recorded_for = batches[0].source.clone()
    replay = record(batches[0])
    assert optimiser.parameters["encoder.bias"].grad is None
    results = [replay(given) for given in batches]
    assert [tuple(map(float, result)) for result in results] == [tuple(map(float, sums(given))) for given in batches]
    assert torch.equal(batches[0].source, recorded_for)  # the recorder has tensors of its own
    record(of_length(5))
    assert pools == ["one for all"] * 2
