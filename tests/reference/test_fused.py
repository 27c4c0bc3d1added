"""The compiled functions between matrix products: their exponentials against float64, the rest against plain torch."""

import numpy as np
import pytest
import torch

from rarewords.decoding.ensemble import _most_probable
from rarewords.model import loops
from rarewords.model import readout as readout_module
from rarewords.model.fused import loops as fused_loops
from rarewords.model.fused.exponential import power_of_two, sigmoid, tanh
from rarewords.model.fused.rows import array, kernel, over_rows
from rarewords.model.fused.vocabulary import log_softmax
from rarewords.model.reference_step import attention_weights

BATCH, LENGTH, STEPS, HIDDEN = 5, 7, 6, 10


@kernel
def _all_three(first, last, values, powers, tangents, sigmoids):
    for k in range(first, last):
        powers[k] = power_of_two(values[k])
        tangents[k] = tanh(values[k])
        sigmoids[k] = sigmoid(values[k])


def all_three(values):
    results = [np.empty_like(values) for _ in range(3)]
    over_rows(_all_three, len(values), values, *results)
    return results


def test_exponentials_keep_their_error_bounds():
    values = np.concatenate([np.linspace(-120, 120, 1_000_003), np.linspace(-1, 1, 1_000_003)]).astype(np.float32)
    exact = values.astype(np.float64)
    powers, tangents, sigmoids = all_three(values)
    assert np.abs(powers / 2.0**exact - 1).max() < 3e-7
    assert np.abs(tangents - np.tanh(exact)).max() < 3e-7
    assert np.abs(sigmoids - 1 / (1 + np.exp(-exact))).max() < 3e-7


def test_exponentials_of_float64_are_those_of_the_library():
    values = np.linspace(-40, 40, 10_001)
    for mine, exact in zip(all_three(values), (2.0**values, np.tanh(values), 1 / (1 + np.exp(-values))), strict=True):
        np.testing.assert_allclose(mine, exact, rtol=1e-14)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_exponentials_at_the_ends_and_of_nan(dtype):
    powers, tangents, sigmoids = all_three(np.array([np.inf, -np.inf, 1e30, -1e30, np.nan], dtype))
    assert tangents[:4].tolist() == [1, -1, 1, -1]
    assert sigmoids[:4].tolist() == pytest.approx([1, 0, 1, 0], abs=1e-37)
    assert powers[1] == pytest.approx(0, abs=1e-37)
    assert np.isnan([powers[4], tangents[4], sigmoids[4]]).all()


@pytest.fixture(params=[1, 3], ids=["one thread", "three threads"])
def _threads(request):
    before = torch.get_num_threads()
    torch.set_num_threads(request.param)
    yield
    torch.set_num_threads(before)


def drawn(dtype):
    generator = torch.Generator().manual_seed(4)
    return lambda *shape: 0.7 * torch.randn(shape, generator=generator, dtype=dtype)


TOLERANCES = [(torch.float64, 1e-12), (torch.float32, 3e-5)]


def mask_of(lengths, longest):
    return torch.arange(longest)[:, None] < torch.tensor(lengths)


@pytest.mark.usefixtures("_threads")
@pytest.mark.parametrize(("dtype", "tolerance"), TOLERANCES)
def test_encoder_loops(dtype, tolerance):
    draw, d = drawn(dtype), HIDDEN
    inputs, gates, candidate = draw(2, LENGTH, BATCH, 3 * d), draw(2, d, 2 * d), draw(2, d, d)
    grad_states = draw(2, LENGTH, BATCH, d)
    mask = torch.stack([mask_of([7, 1, 3, 6, 2], LENGTH)] * 2).to(dtype).unsqueeze(-1)
    found = []
    for tool in (loops, fused_loops):
        activations, states = inputs.clone(), torch.zeros(2, LENGTH + 1, BATCH, d, dtype=dtype)
        grads = torch.full_like(activations, float("nan"))
        tool.encoder_forward(activations, states, mask, gates, candidate)
        tool.encoder_backward(activations, states, gates, candidate, grad_states, grads)
        found.append((activations, states, grads))
    for plain, fused in zip(*found, strict=True):
        torch.testing.assert_close(fused, plain, rtol=tolerance, atol=tolerance)


@pytest.mark.usefixtures("_threads")
@pytest.mark.parametrize(("dtype", "tolerance"), TOLERANCES)
def test_decoder_loops(dtype, tolerance):
    draw, d = drawn(dtype), HIDDEN
    inputs, initial = draw(STEPS - 1, BATCH, 3 * d), draw(BATCH, d)
    annotations, keys = draw(BATCH, LENGTH, 2 * d), draw(BATCH, LENGTH, d)
    context, state, candidate, score = draw(2 * d, 3 * d), draw(d, 3 * d), draw(d, d), draw(d)
    grad_states, grad_contexts = draw(STEPS, BATCH, d), draw(STEPS, BATCH, 2 * d)
    source_mask = mask_of([7, 1, 3, 6, 2], LENGTH).t().contiguous()
    mask = mask_of([1, 5, 4, 2, 3], STEPS - 1).to(dtype).unsqueeze(-1)
    found = []
    for tool in (loops, fused_loops):
        activations, weights = inputs.clone(), initial.new_full((STEPS, BATCH, LENGTH), float("nan"))
        states, contexts, projected, grads = (
            initial.new_full((STEPS, BATCH, width * d), float("nan")) for width in (1, 2, 3, 4)
        )
        states[0], grads[-1, :, d:] = initial, 0
        read = (annotations, keys, source_mask, context, state, candidate, score)
        tool.decoder_forward(activations, states, contexts, projected, weights, mask, *read)
        grad_contexts_now = grad_contexts.clone()
        grad_initial, grad_keys, grad_score = tool.decoder_backward(
            activations, states, projected, weights, *read, grad_states, grad_contexts_now, grads
        )
        # what a kernel leaves in the padding of keys is of no use to anybody
        grad_keys *= source_mask.unsqueeze(-1)
        computed = (activations, states, contexts, projected, weights, grads, grad_contexts_now)
        found.append([*computed, grad_initial, grad_keys, grad_score])
    for plain, fused in zip(*found, strict=True):
        torch.testing.assert_close(fused, plain, rtol=tolerance, atol=tolerance)


@pytest.mark.usefixtures("_threads")
@pytest.mark.parametrize(("dtype", "tolerance"), TOLERANCES)
def test_attention_of_several_hypotheses(dtype, tolerance):
    draw = drawn(dtype)
    keys, query, score = draw(BATCH, LENGTH, HIDDEN), draw(BATCH, 4, HIDDEN), draw(HIDDEN)
    mask = mask_of([7, 1, 3, 6, 2], LENGTH).t().contiguous()
    energy = torch.tanh(keys[:, None] + query[:, :, None]) @ score
    expected = torch.softmax(energy.masked_fill(~mask[:, None], -torch.inf), dim=-1)
    torch.testing.assert_close(attention_weights(keys, query, score, mask), expected, rtol=tolerance, atol=tolerance)


@pytest.mark.usefixtures("_threads")
@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float64, 1e-12), (torch.float32, 1e-6)])
def test_softmax(dtype, tolerance):
    draw = drawn(dtype)
    scores, bias = 30 * draw(150, 9), draw(150)
    targets = torch.arange(9)
    shifted = scores + bias.unsqueeze(1)
    largest = shifted.amax(0)
    powers = (shifted - largest).exp2()
    total, wanted = readout_module._exponentials(scores, bias, targets)
    torch.testing.assert_close(scores, powers, rtol=1e-5 if dtype == torch.float32 else tolerance, atol=tolerance)
    torch.testing.assert_close(total, powers.sum(0), rtol=tolerance, atol=0)
    torch.testing.assert_close(wanted, shifted[targets, targets] - largest, rtol=tolerance, atol=tolerance)


def test_softmax_of_nan_is_nan():
    scores = torch.zeros(70, 3)
    scores[40, 1] = float("nan")
    total, _ = readout_module._exponentials(scores, torch.zeros(70), torch.tensor([0, 0, 0]))
    assert total[0] == total[2] == 70
    assert total[1].isnan()


@pytest.mark.usefixtures("_threads")
@pytest.mark.parametrize("units", [3, 64, 150])
@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float64, 1e-12), (torch.float32, 3e-6)])
def test_log_softmax(dtype, tolerance, units):
    scores = 10 * drawn(dtype)(5, units)
    scores[3, 1] = -torch.inf
    expected = torch.log_softmax(scores, dim=1)
    over_rows(log_softmax, 5, array(scores))
    torch.testing.assert_close(scores, expected, rtol=tolerance, atol=tolerance)


@pytest.mark.usefixtures("_threads")
@pytest.mark.parametrize(("units", "count"), [(3, 3), (64, 5), (150, 12), (150, 150)])
def test_most_probable(units, count):
    scores = drawn(torch.float32)(5, units)
    scores[:, 1] = -torch.inf
    values, columns = _most_probable(scores, count)
    expected = scores.topk(count, dim=1)
    assert torch.equal(values, expected.values)
    assert torch.equal(scores.gather(1, columns), values)


def test_of_equal_scores_the_first_is_more_probable():
    scores = torch.tensor([[1.0, 2.0, 2.0, 1.0], [-torch.inf] * 4])
    assert _most_probable(scores, 3)[1].tolist() == [[1, 2, 0], [0, 1, 2]]
