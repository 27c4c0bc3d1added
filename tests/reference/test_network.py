"""The package's network against the equations: value, every gradient, three optimiser steps, in float64."""

import pytest
import torch
from network import adadelta_step, scalar_loss, sentence_loss

from rarewords.model.padding import pad
from rarewords.model.parameters import initial_parameters
from rarewords.model.rnnsearch import loss
from rarewords.model.size import NetworkSize
from rarewords.training.adadelta import Adadelta

SIZE = NetworkSize(source_vocabulary=11, target_vocabulary=13, embedding=5, hidden=6)
PAIRS = [([2, 3, 4, 0], [5, 6, 0]), ([7, 0], [8, 9, 10, 11, 0]), ([1, 1, 5, 6, 10, 0], [1, 0]), ([0], [12, 0])]


@pytest.fixture
def parameters():
    generator = torch.Generator().manual_seed(5)
    drawn = initial_parameters(SIZE, seed=3)
    # larger values than a real start, biases and the score vector included, so that no term hides behind a zero
    return {
        name: (value.double() + 0.4 * torch.randn(value.shape, generator=generator, dtype=torch.float64))
        for name, value in drawn.items()
    }


def package_loss(parameters, pairs):
    source, source_mask = pad([s for s, _ in pairs], 0)
    target, target_mask = pad([t for _, t in pairs], 0)
    return loss(parameters, source, source_mask, target, target_mask)


@pytest.mark.parametrize(("embedding", "hidden"), [(4, 4), (9, 4), (3, 10)])
def test_sizes_are_independent_of_each_other(embedding, hidden):
    drawn = initial_parameters(NetworkSize(11, 13, embedding, hidden), seed=1, init_std=0.3)
    parameters = {name: value.double() for name, value in drawn.items()}
    expected = sum(scalar_loss(parameters, s, t) for s, t in PAIRS)
    assert package_loss(parameters, PAIRS).item() == pytest.approx(expected, rel=1e-12)


def test_loss_of_a_padded_batch_is_the_sum_of_the_scalar_losses(parameters):
    expected = sum(scalar_loss(parameters, s, t) for s, t in PAIRS)
    assert package_loss(parameters, PAIRS).item() == pytest.approx(expected, rel=1e-12)


def test_every_gradient_equals_the_reference(parameters):
    ours = {name: value.clone().requires_grad_() for name, value in parameters.items()}
    reference = {name: value.clone().requires_grad_() for name, value in parameters.items()}
    package_loss(ours, PAIRS).backward()
    sum(sentence_loss(reference, s, t) for s, t in PAIRS).backward()
    for name in parameters:
        torch.testing.assert_close(ours[name].grad, reference[name].grad, rtol=0, atol=1e-10, msg=name)


@pytest.mark.parametrize("cutoff", [5.0, 1e6])  # every gradient is clipped, none is
def test_three_optimiser_steps_equal_the_reference(parameters, cutoff):
    ours = {name: value.clone().requires_grad_() for name, value in parameters.items()}
    optimiser = Adadelta(ours, cutoff)
    reference, squares, deltas = parameters, *({n: torch.zeros_like(v) for n, v in parameters.items()} for _ in "sd")
    for _ in range(3):
        package_loss(ours, PAIRS).backward()
        assert (optimiser.step() >= cutoff) == (cutoff == 5.0)
        leaves = {name: value.clone().requires_grad_() for name, value in reference.items()}
        sum(sentence_loss(leaves, s, t) for s, t in PAIRS).backward()
        gradients = {name: value.grad for name, value in leaves.items()}
        reference, squares, deltas = adadelta_step(reference, gradients, squares, deltas, cutoff)
    for name in parameters:
        for mine, other in [(ours, reference), (optimiser.squares, squares), (optimiser.deltas, deltas)]:
            torch.testing.assert_close(mine[name].detach(), other[name], rtol=0, atol=1e-10, msg=name)


def test_a_padded_sentence_gets_the_gradients_it_gets_alone(parameters):
    alone = {name: value.clone().requires_grad_() for name, value in parameters.items()}
    batched = {name: value.clone().requires_grad_() for name, value in parameters.items()}
    for pair in PAIRS:
        package_loss(alone, [pair]).backward()
    package_loss(batched, PAIRS).backward()
    for name in parameters:
        torch.testing.assert_close(batched[name].grad, alone[name].grad, rtol=0, atol=1e-12)


def test_gradients_scale_with_the_gradient_of_the_loss(parameters):
    once = {name: value.clone().requires_grad_() for name, value in parameters.items()}
    thrice = {name: value.clone().requires_grad_() for name, value in parameters.items()}
    package_loss(once, PAIRS).backward()
    (3 * package_loss(thrice, PAIRS)).backward()
    for name in parameters:
        torch.testing.assert_close(thrice[name].grad, 3 * once[name].grad, rtol=1e-12, atol=1e-12)
