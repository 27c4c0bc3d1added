"""The form of an update that a GPU runs: equal in value to that of the CPU, and the host waits for nothing."""

import math

import numpy as np
import pytest
import torch

from rarewords.machine.launches import LaunchCounter
from rarewords.model import readout, rnnsearch
from rarewords.model.parameters import initial_parameters
from rarewords.model.rnnsearch import loss
from rarewords.model.size import NetworkSize
from rarewords.training import adadelta
from rarewords.training.adadelta import Adadelta
from rarewords.training.batches import Batch, Corpus, make_batch
from rarewords.training.trainer import update

SIZES = {"units": NetworkSize(30, 40, 6, 8), "blocks": NetworkSize(30, 40, 6, 8, source_blocks=3)}


def batch(lengths=(3, 5, 1, 5), vocabulary=30, seed=3):
    """A minibatch of pairs whose target is one unit longer than the source, which has so many with EOS."""
    rng = np.random.default_rng(seed)
    source, target = ([[*rng.integers(1, vocabulary, n - 1 + more), 0] for n in lengths] for more in (0, 1))
    arrays = [(np.concatenate(side).astype(np.int32), np.cumsum([0, *map(len, side)])) for side in (source, target)]
    return make_batch(Corpus(*arrays[0], *arrays[1], np.arange(len(lengths))), np.arange(len(lengths)))


def network(size, seed=1, dtype=torch.float64):
    generator = torch.Generator().manual_seed(seed)
    drawn = initial_parameters(size, seed)
    return {
        name: (value + 0.2 * torch.randn(value.shape, generator=generator)).to(dtype).requires_grad_()
        for name, value in drawn.items()
    }


def loss_of(parameters, of):
    return loss(parameters, of.source, of.source_mask, of.target, of.target_mask)


def test_the_batch_knows_its_real_target_positions():
    of = batch()
    assert of.target_tokens == 3 + 5 + 1 + 5 + 4 == int(of.target_mask.sum())
    assert of.to(torch.device("meta")).target_tokens == of.target_tokens


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
@pytest.mark.parametrize("chunk", [1, 7, 10_000])
def test_padding_in_the_output_layer_counts_as_nothing(size, chunk, monkeypatch):
    left_out, counted = network(size), network(size)
    expected = loss_of(left_out, batch())
    expected.backward()
    monkeypatch.setattr(rnnsearch, "leaves_padding_out", lambda _ids: False)
    monkeypatch.setattr(readout, "POSITIONS", chunk)
    found = loss_of(counted, batch())
    found.backward()
    assert found.item() == pytest.approx(expected.item(), rel=1e-13)
    for name, value in left_out.items():
        torch.testing.assert_close(counted[name].grad, value.grad, rtol=0, atol=1e-12, msg=name)


def test_logits_at_once_by_device():
    features, output = torch.empty(4, 2), torch.empty(30_000, 2)
    assert readout.positions_at_once(features, output) == 256
    # of 30,000 units, more than the 4,080 positions of 80 sentences of 50 words and EOS
    assert readout.positions_at_once(features.to("meta"), output) == 8947
    assert readout.positions_at_once(features.to("meta"), torch.empty(1 << 29, 1, device="meta")) == 1


@pytest.mark.parametrize("cutoff", [0.5, 1e9])  # the gradient is clipped, it is not
@pytest.mark.parametrize("bad", [None, math.nan, math.inf])
def test_a_step_on_the_device_is_that_of_the_cpu(cutoff, bad):
    frozen = ["source.embedding", "readout.output"]
    optimisers = [Adadelta(network(SIZES["units"]), cutoff, frozen) for _ in range(2)]
    for number in range(3):
        for optimiser in optimisers:
            loss_of(optimiser.parameters, batch(seed=number)).backward()
            if bad is not None and number == 1:
                optimiser.parameters["encoder.bias"].grad[0, 1] = bad
        cpu, device = optimisers
        norm = cpu.step()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(adadelta, "steps_on_device", lambda _gradients: True)
            on_device = device.step()
        assert on_device.shape == norm.shape == ()
        assert on_device.item() == pytest.approx(norm.item(), rel=1e-13, nan_ok=True)
        assert all(value.grad is None for value in device.parameters.values())
    for mine, other in zip(*((o.parameters, o.squares, o.deltas) for o in optimisers), strict=True):
        for name, value in mine.items():
            torch.testing.assert_close(other[name], value, rtol=1e-12, atol=1e-14, msg=name)


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_a_whole_update_without_numbers_and_without_waiting(size):
    """On the meta device there are no numbers, so whatever asks for one fails."""
    parameters = {name: value.to("meta").detach().requires_grad_() for name, value in network(size).items()}
    optimiser = Adadelta(parameters, 1.0)
    of = batch().to(torch.device("meta"))
    with LaunchCounter() as counter:
        value, norm = update(of, optimiser)
    assert (value.is_meta, norm.is_meta, value.shape, norm.shape) == (True, True, (), ())
    assert not counter.waits
    assert all(value.is_meta for group in (optimiser.squares, optimiser.deltas) for value in group.values())


def test_waits_and_launches_are_counted():
    with LaunchCounter() as counter:
        values = torch.arange(6.0).view(2, 3)
        (values[0] * 2).sum().item()
        values[values > 2]
        torch.empty(3)
    assert counter.waits == {"_local_scalar_dense": 1, "index": 1}
    assert counter.launches == {"arange": 1, "mul": 1, "sum": 1, "gt": 1}


@pytest.mark.parametrize("by_shape", [False, True])  # how the CPU of the machine multiplies is nothing to the GPU
def test_an_update_of_25_words_launches_at_most_700_kernels(by_shape, monkeypatch):
    monkeypatch.setattr("rarewords.model.products._by_shape", by_shape)
    parameters = {name: torch.empty(shape, device="meta") for name, shape in NetworkSize(90, 90, 6, 8).shapes().items()}
    for value in parameters.values():
        value.requires_grad_()
    optimiser = Adadelta(parameters, 1.0)
    ids, mask = torch.zeros(26, 4, dtype=torch.long), torch.ones(26, 4, dtype=torch.bool)
    of = Batch(ids, mask, ids, mask, 26 * 4).to(torch.device("meta"))
    with LaunchCounter() as counter:
        update(of, optimiser)
    assert sum(counter.launches.values()) <= 700
    assert not counter.waits
