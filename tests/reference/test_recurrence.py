"""The recurrences with gradients by hand against `gru_step` and autograd: value and every gradient, in float64."""

import pytest
import torch

from rarewords.model.recurrence import DecoderRecurrence, EncoderRecurrence
from rarewords.model.reference_step import gru_step

LENGTHS, WIDTH, HIDDEN = [4, 1, 3], 5, 6


@pytest.fixture
def draw():
    """Random float64 leaves with gradients."""
    generator = torch.Generator().manual_seed(8)
    return lambda *shape: (0.7 * torch.randn(shape, generator=generator, dtype=torch.float64)).requires_grad_()


def mask_of(lengths):
    """(positions, batch, 1), 1 at real positions."""
    return (torch.arange(max(lengths))[:, None] < torch.tensor(lengths)).double().unsqueeze(-1)


def assert_equal_with_gradients(ours, plain, leaves):
    """Values equal, and every leaf's gradient of the same random weighting of them."""
    generator = torch.Generator().manual_seed(2)
    weights = [torch.randn(value.shape, generator=generator, dtype=torch.float64) for value in ours]
    gradients = []
    for values in (ours, plain):
        loss = sum((weight * value).sum() for weight, value in zip(weights, values, strict=True))
        gradients.append(torch.autograd.grad(loss, leaves))
    for mine, other in [*zip(ours, plain), *zip(*gradients)]:
        torch.testing.assert_close(mine, other, rtol=0, atol=1e-12)


def test_encoder(draw):
    mask = mask_of(LENGTHS)
    masks = torch.stack([mask, mask.flip(0)])
    embedded, weight, bias = draw(2, 4, 3, WIDTH), draw(2, WIDTH, 3 * HIDDEN), draw(2, HIDDEN)
    gates, candidate = draw(2, HIDDEN, 2 * HIDDEN), draw(2, HIDDEN, HIDDEN)
    state, states = torch.zeros(2, 3, HIDDEN, dtype=torch.float64), []
    for t in range(4):
        inputs = embedded[:, t] @ weight
        inputs = torch.cat([inputs[..., : 2 * HIDDEN], inputs[..., 2 * HIDDEN :] + bias[:, None]], dim=-1)
        new = gru_step(inputs, gates, candidate, state)
        state = masks[:, t] * new + (1 - masks[:, t]) * state
        states.append(state)
    leaves = (embedded, weight, bias, gates, candidate)
    ours = EncoderRecurrence.apply(embedded, masks, *leaves[1:])
    assert_equal_with_gradients([ours], [torch.stack(states, dim=1)], leaves)


def test_decoder(draw):
    source_mask, mask = mask_of(LENGTHS)[..., 0].t().bool(), mask_of([1, 3, 2])
    previous, annotations, keys = draw(3, 3, WIDTH), draw(3, 4, 2 * HIDDEN), draw(3, 4, HIDDEN)
    initial, weight, bias = draw(3, HIDDEN), draw(WIDTH, 3 * HIDDEN), draw(HIDDEN)
    context, both = draw(2 * HIDDEN, 3 * HIDDEN), draw(HIDDEN, 3 * HIDDEN)
    candidate, score = draw(HIDDEN, HIDDEN), draw(HIDDEN)
    query, gates = both.split([HIDDEN, 2 * HIDDEN], dim=1)
    state, states, contexts, weights = initial, [], [], []
    for i in range(4):
        energy = torch.tanh(keys + (state @ query)[:, None]) @ score
        attention = torch.softmax(energy.masked_fill(~source_mask, -torch.inf), dim=1)
        seen = (attention[:, :, None] * annotations).sum(1)
        for values, value in [(states, state), (contexts, seen), (weights, attention)]:
            values.append(value)
        if i < 3:
            inputs = previous[i] @ weight + seen @ context
            inputs = torch.cat([inputs[:, : 2 * HIDDEN], inputs[:, 2 * HIDDEN :] + bias], dim=1)
            state = mask[i] * gru_step(inputs, gates, candidate, state) + (1 - mask[i]) * state
    leaves = (previous, annotations, keys, initial, weight, bias, context, both, candidate, score)
    *ours, our_weights = DecoderRecurrence.apply(previous, mask, annotations, keys, source_mask, *leaves[3:])
    torch.testing.assert_close(our_weights, torch.stack(weights), rtol=0, atol=1e-12)
    assert_equal_with_gradients(ours, [torch.stack(states), torch.stack(contexts)], leaves)
