"""The optimiser against the numbers of its definition and against torch's.

Source: docs/reproduction/training.md, section Optimiser.
"""

import math

import pytest
import torch

from rarewords.training.adadelta import Adadelta, gradient_norm, move_by_numbers
from rarewords.training.device_step import step_on_device

INFINITE = float("inf")


def parameters(*values):
    return {f"p{k}": torch.tensor(value, dtype=torch.float64).requires_grad_() for k, value in enumerate(values)}


def step(optimiser, *gradients):
    for value, gradient in zip(optimiser.parameters.values(), gradients, strict=True):
        value.grad = torch.tensor(gradient, dtype=torch.float64)
    return optimiser.step()


def test_three_steps_by_hand():
    own = parameters([1.0, -2.0])
    optimiser = Adadelta(own, clip_norm=1.0)
    for gradient, norm, expected in [
        ([30.0, 40.0], 50.0, [0.9955279883, -2.0044720661]),
        ([0.3, 0.4], 0.5, [0.9926413438, -2.0073587573]),
        ([3.0, -4.0], 5.0, [0.9879384698, -2.0026558202]),
    ]:
        assert step(optimiser, gradient) == pytest.approx(norm)
        assert own["p0"].tolist() == pytest.approx(expected, abs=1e-10)


def test_unclipped_steps_equal_those_of_torch():
    generator = torch.Generator().manual_seed(3)
    shapes = [(4, 5), (7,), (2, 3, 4)]
    start = [torch.randn(shape, generator=generator, dtype=torch.float64) for shape in shapes]
    ours = {f"p{k}": value.clone().requires_grad_() for k, value in enumerate(start)}
    theirs = [value.clone().requires_grad_() for value in start]
    optimiser = Adadelta(ours, clip_norm=INFINITE)
    reference = torch.optim.Adadelta(theirs, lr=1.0, rho=0.95, eps=1e-6)
    for _ in range(25):
        for mine, other in zip(ours.values(), theirs, strict=True):
            other.grad = torch.randn(other.shape, generator=generator, dtype=torch.float64)
            mine.grad = other.grad.clone()
        optimiser.step()
        reference.step()
        for mine, other in zip(ours.values(), theirs, strict=True):
            torch.testing.assert_close(mine, other, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("cutoff", [0.5, 3.0])
def test_clipping_is_a_step_on_the_scaled_gradients_of_all_parameters_together(cutoff):
    gradients = [3.0, 4.0], [12.0]  # norm 13
    clipped, scaled = parameters([1.0, 2.0], [3.0]), parameters([1.0, 2.0], [3.0])
    assert step(Adadelta(clipped, cutoff), *gradients) == pytest.approx(13.0)
    step(Adadelta(scaled, INFINITE), *([value * cutoff / 13 for value in gradient] for gradient in gradients))
    for name in clipped:
        torch.testing.assert_close(clipped[name], scaled[name], rtol=1e-12, atol=0)


def test_a_norm_below_the_cutoff_is_not_scaled_up():
    below, free = parameters([1.0, 2.0]), parameters([1.0, 2.0])
    step(Adadelta(below, 1.0), [0.3, 0.4])
    step(Adadelta(free, INFINITE), [0.3, 0.4])
    assert torch.equal(below["p0"], free["p0"])


@pytest.mark.parametrize("bad", [float("nan"), INFINITE, -INFINITE])
def test_a_norm_that_is_no_number_takes_a_tenth_of_the_parameter_as_gradient(bad):
    own, expected = parameters([1.0, -2.0], [3.0]), parameters([1.0, -2.0], [3.0])
    optimiser, reference = Adadelta(own, clip_norm=0.01), Adadelta(expected, clip_norm=INFINITE)
    for _ in range(2):  # the second one starts from finite accumulators
        assert not math.isfinite(step(optimiser, [0.5, bad], [0.5]))
        step(reference, *((0.1 * value).tolist() for value in expected.values()))
        for name in own:
            torch.testing.assert_close(own[name], expected[name], rtol=1e-12, atol=0)
            assert (own[name].abs() < parameters([1.0, -2.0], [3.0])[name].abs()).all()


def test_frozen_parameters_stay_but_count_in_the_norm_and_their_accumulators_go_on():
    own, free = parameters([1.0, 2.0], [3.0]), parameters([1.0, 2.0], [3.0])
    optimiser, reference = Adadelta(own, 1.0, frozen=["p1"]), Adadelta(free, 1.0)
    for gradients in [([3.0, 4.0], [12.0]), ([-1.0, 0.2], [0.7])]:
        assert step(optimiser, *gradients) == step(reference, *gradients)
    assert torch.equal(own["p0"], free["p0"])
    assert own["p1"].tolist() == [3.0]
    assert free["p1"].tolist() != [3.0]
    for mine, other in [(optimiser.squares, reference.squares), (optimiser.deltas, reference.deltas)]:
        for name in mine:
            assert mine[name].abs().min() > 0
            torch.testing.assert_close(mine[name], other[name], rtol=1e-14, atol=0)


def test_gradients_are_dropped_after_the_step():
    own = parameters([1.0])
    step(Adadelta(own, 1.0), [2.0])
    assert own["p0"].grad is None


def test_the_order_of_the_parameters_changes_nothing():
    generator = torch.Generator().manual_seed(1)
    for _ in range(20):
        gradients = {f"p{k}": torch.randn(7, generator=generator) * 3**k for k in range(12)}
        norms = []
        for names in (sorted(gradients), sorted(gradients, reverse=True)):
            own = {name: torch.ones(7).requires_grad_() for name in names}
            for name in names:
                own[name].grad = gradients[name].clone()
            norms.append(Adadelta(own, 1.0).step())
        assert norms[0] == norms[1]


@pytest.mark.parametrize("frozen", [False, True])
@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 2e-6), (torch.float64, 4e-15)])
def test_number_by_number_is_the_same_as_all_tensors_at_once(dtype, tolerance, frozen):
    generator = torch.Generator().manual_seed(5)
    start = [torch.rand(41, 7, generator=generator, dtype=dtype) for _ in range(4)]
    by_numbers, by_tensors = ([value.clone() for value in start] for _ in range(2))
    norm = by_tensors[1].norm()
    move_by_numbers(*by_numbers, 0.3, frozen)
    step_on_device(*([value] for value in by_tensors), [not frozen], 0.3 * norm.item())
    for k in (0, 2, 3):  # the gradient is used up
        torch.testing.assert_close(by_numbers[k], by_tensors[k], rtol=tolerance, atol=tolerance)
    assert torch.equal(by_numbers[0], start[0]) == frozen
    assert not torch.equal(by_numbers[3], start[3])


def test_the_norm_is_right_at_the_size_of_large_vocabularies():
    """500,000 units of 620 numbers: a float32 sum of their squares loses 5% of the norm."""
    row = torch.randn(620, generator=torch.Generator().manual_seed(4))
    table = row.expand(500_000, 620).contiguous()
    expected = math.sqrt(500_000 * sum(number * number for number in row.tolist()))
    assert gradient_norm([table]) == pytest.approx(expected, rel=1e-10)
    assert gradient_norm([table, torch.tensor([expected])]) == pytest.approx(math.sqrt(2) * expected, rel=1e-7)


@pytest.mark.parametrize("bad", [float("nan"), INFINITE, -INFINITE])
def test_a_norm_with_a_number_that_is_none_is_not_finite(bad):
    assert not math.isfinite(gradient_norm([torch.ones(40), torch.tensor([1.0] * 50 + [bad])]))
