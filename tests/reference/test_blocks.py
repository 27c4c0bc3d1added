"""Learned blocks of source units against their equations: values, gradients, padding, attention over units."""

import blocks
import network
import numpy as np
import pytest
import torch

from rarewords.decoding.beam import beam_search
from rarewords.decoding.ensemble import Ensemble
from rarewords.decoding.forced import forced_attention
from rarewords.model.blocks import attention_to_units, pool_blocks
from rarewords.model.padding import pad
from rarewords.model.parameters import initial_parameters
from rarewords.model.rnnsearch import decode_states, embed, encode, loss
from rarewords.model.size import NetworkSize
from rarewords.settings import DecodingSettings

SIZE = NetworkSize(source_vocabulary=11, target_vocabulary=13, embedding=3, hidden=6, source_blocks=4)
PAIRS = [
    ([2, 3, 4, 5, 6, 7, 8, 9, 10, 2, 0], [5, 6, 0]),
    ([7, 0], [8, 9, 10, 11, 0]),
    ([1, 1, 5, 6, 10, 0], [1, 0]),
    ([0], [12, 0]),
    ([3, 4, 0], [7, 0]),
]


def drawn(size=SIZE, seed=5):
    """Larger values than a real start, so that no term hides behind a zero."""
    generator = torch.Generator().manual_seed(seed)
    return {
        name: value.double() + 0.5 * torch.randn(value.shape, generator=generator, dtype=torch.float64)
        for name, value in initial_parameters(size, seed=3).items()
    }


def package_loss(parameters, pairs):
    return loss(parameters, *pad([s for s, _ in pairs], 0), *pad([t for _, t in pairs], 0))


def pooled(parameters, sources):
    source, mask = pad(sources, 0)
    return pool_blocks(parameters, embed(parameters, "source", source), mask)


def reference_pooled(parameters, source):
    names = ("source.convolution", "source.block_score", "source.block_bias")
    rows = embed(parameters, "source", torch.tensor(source))
    return blocks.pooled(rows.tolist(), *(parameters[name].tolist() for name in names))


def scalars(tensor):
    """A tensor as nested lists of tensors with one number each."""
    return [scalars(part) for part in tensor] if tensor.dim() else tensor


def test_blocks_by_hand():
    """One feature, convolution that only copies: blocks of 1 and 2, scored by their means."""
    kernel = torch.zeros(5, 1, 1)
    kernel[2] = 1
    parameters = {
        "source.convolution": kernel, "source.block_score": torch.ones(1), "source.block_bias": torch.zeros(2),
    }  # fmt: skip
    values = torch.tensor([0.0, 2.0, 5.0])  # means of two: 1, 1, 5
    weight = torch.sigmoid(torch.tensor([-1.0, 1.0]))  # of the blocks of 1, at the first two positions
    mixed = weight * values[:2] + (1 - weight)
    found, mask = pool_blocks(parameters, values[:, None, None], torch.ones(3, 1, dtype=torch.bool))
    torch.testing.assert_close(found[:, 0, 0], torch.stack([mixed.mean(), values[2]]))
    assert mask.all()


@pytest.mark.parametrize("largest", [1, 2, 3, 4, 7])
def test_a_padded_batch_has_the_values_of_the_scalar_equations(largest):
    parameters = drawn(NetworkSize(11, 13, 3, 6, largest))
    sources = [source for source, _ in PAIRS]
    found, mask = pooled(parameters, sources)
    assert mask.sum(0).tolist() == [-(-len(source) // 2) for source in sources]
    for column, source in enumerate(sources):
        expected = torch.tensor(reference_pooled(parameters, source), dtype=torch.float64)
        torch.testing.assert_close(found[mask[:, column], column], expected, rtol=0, atol=1e-12)


def test_gradients_are_those_of_differences():
    parameters = drawn()
    names = ["source.embedding", "source.convolution", "source.block_score", "source.block_bias"]
    leaves = [parameters[name].requires_grad_() for name in names]

    def of(*values):
        return pooled(parameters | dict(zip(names, values, strict=True)), [source for source, _ in PAIRS[1:3]])[0]

    assert torch.autograd.gradcheck(of, leaves)


def test_value_and_every_gradient_of_the_whole_network_equal_the_reference(monkeypatch):
    ours = {name: value.requires_grad_() for name, value in drawn().items()}
    package_loss(ours, PAIRS).backward()
    reference = {name: value.requires_grad_() for name, value in drawn().items()}
    names = ("source.convolution", "source.block_score", "source.block_bias")

    def reference_loss(source, target):
        rows = [network.embed(reference, "source", word) for word in source]
        vectors = blocks.pooled([scalars(row) for row in rows], *(scalars(reference[name]) for name in names))
        read = [torch.stack(vector) for vector in vectors]
        # the encoder reads these vectors: it asks for "word" t of as many as there are
        with monkeypatch.context() as patch:
            plain = network.embed
            patch.setattr(network, "embed", lambda p, side, w: read[w] if side == "source" else plain(p, side, w))
            return network.sentence_loss(reference, range(len(read)), target)

    total = sum(reference_loss(source, target) for source, target in PAIRS)
    assert package_loss(ours, PAIRS).item() == pytest.approx(total.item(), rel=1e-12)
    total.backward()
    for name in ours:
        torch.testing.assert_close(ours[name].grad, reference[name].grad, rtol=0, atol=1e-10, msg=name)


def test_a_sentence_does_not_depend_on_its_batch_or_padding():
    alone = {name: value.requires_grad_() for name, value in drawn().items()}
    together = {name: value.requires_grad_() for name, value in drawn().items()}
    for pair in PAIRS:
        package_loss(alone, [pair]).backward()
    package_loss(together, PAIRS).backward()
    for name in alone:
        torch.testing.assert_close(together[name].grad, alone[name].grad, rtol=0, atol=1e-12, msg=name)


def test_what_stands_in_the_padding_has_no_effect():
    parameters = drawn()
    source, mask = pad([source for source, _ in PAIRS], 0)
    other = torch.where(mask, source, 9)
    one, two = (encode(parameters, ids, mask) for ids in (source, other))
    for field in ("annotations", "keys"):
        a, b = (getattr(x, field)[x.mask] for x in (one, two))
        torch.testing.assert_close(a, b, rtol=0, atol=0)
    torch.testing.assert_close(one.initial, two.initial, rtol=0, atol=0)


def test_the_paper_network_is_as_ever():
    """Everything else is drawn alike, and a network without blocks has no further parameter."""
    plain, other = (initial_parameters(NetworkSize(11, 13, 3, 6, blocks), seed=7) for blocks in (0, 4))
    assert all(torch.equal(value, other[name]) for name, value in plain.items())
    assert set(other) - set(plain) == {"source.convolution", "source.block_score", "source.block_bias"}
    assert {name for name in set(other) - set(plain) if not other[name].any()} == {
        "source.block_score", "source.block_bias",
    }  # fmt: skip
    assert NetworkSize(11, 13, 3, 6, 4).count() == NetworkSize(11, 13, 3, 6).count() + 5 * 3 * 3 + 3 + 4
    with pytest.raises(ValueError, match="source_blocks"):
        NetworkSize(11, 13, 3, 6, -1)


def test_attention_to_pairs_is_shared_by_their_units():
    mask = torch.tensor([[1, 1, 1], [1, 1, 0], [1, 1, 0], [0, 1, 0], [0, 1, 0]]).bool()
    weights = torch.tensor([[[0.4, 0.6, 0.0], [0.2, 0.2, 0.6], [1.0, 0.0, 0.0]]])
    found = attention_to_units({"source.convolution": mask, "source.block_bias": mask}, weights, mask)
    expected = [[0.2, 0.2, 0.6, 0, 0], [0.1, 0.1, 0.1, 0.1, 0.6], [1, 0, 0, 0, 0]]
    torch.testing.assert_close(found, torch.tensor([expected]))
    assert attention_to_units({}, weights, mask) is weights


def test_forced_attention_is_over_units():
    members = [drawn(), drawn(NetworkSize(11, 13, 3, 6), seed=8)]  # one with blocks and one without
    found = forced_attention(members, *([pair[side] for pair in PAIRS] for side in (0, 1)))
    for weights, (source, target) in zip(found, PAIRS, strict=True):
        assert weights.shape == (len(target), len(source))
        np.testing.assert_allclose(weights.sum(1), 2)
    (both,), (second,) = (forced_attention(m, [PAIRS[0][0]], [PAIRS[0][1]]) for m in (members, members[1:]))
    first = both - second
    np.testing.assert_allclose(first[:, 0:10:2], first[:, 1:10:2], rtol=1e-9)
    encoded = encode(members[0], torch.tensor(PAIRS[0][0])[:, None], torch.ones(11, 1, dtype=torch.bool))
    previous = embed(members[0], "target", torch.tensor(PAIRS[0][1])[:-1, None])
    weights = decode_states(members[0], encoded, previous, torch.ones(2, 1, dtype=torch.bool))[2][:, 0]
    np.testing.assert_allclose(first[:, 0:10:2] + first[:, 1:10:2], weights[:, :5].numpy(), rtol=1e-9)
    np.testing.assert_allclose(first[:, 10], weights[:, 5].numpy(), rtol=1e-9)


@pytest.mark.parametrize(("largest", "shortest"), [(0, 16), (4, 2)])
def test_translations_of_bytes_may_be_much_shorter_than_their_source(largest, shortest):
    parameters = drawn(NetworkSize(11, 13, 3, 6, largest))
    parameters["readout.output_bias"][0] = 50.0  # the end of the sentence, as soon as it may come
    source, mask = pad([[3] * 31 + [0]], 0)
    best = beam_search(Ensemble([parameters]), source, mask, DecodingSettings(beam=2))[0][0]
    assert len(best.ids) == shortest
