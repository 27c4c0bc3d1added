"""The forced pass against the network one step at a time."""

import numpy as np
import pytest
import torch

from rarewords.decoding.forced import forced_attention
from rarewords.model.parameters import initial_parameters
from rarewords.model.reference_step import attention_weights, gru_step
from rarewords.model.rnnsearch import embed, encode
from rarewords.model.size import NetworkSize
from rarewords.vocabulary import EOS

SIZE = NetworkSize(source_vocabulary=9, target_vocabulary=11, embedding=6, hidden=8)
SOURCES = [[2, 3, 0], [4, 5, 6, 7, 8, 0], [8, 0]]
TARGETS = [[3, 9, 1, 4], [5, 0], []]


def model(seed):
    generator = torch.Generator().manual_seed(seed)
    drawn = initial_parameters(SIZE, seed)
    return {n: v.double() + 0.8 * torch.randn(v.shape, generator=generator).double() for n, v in drawn.items()}


def stepwise(parameters, source, target):
    """Attention of one sentence pair, look by look, as beam search does it: (U, T)."""
    encoded = encode(parameters, torch.tensor(source)[:, None], torch.ones(len(source), 1, dtype=torch.bool))
    state, d = encoded.initial, SIZE.hidden
    rows = []
    for word in target:
        query = (state @ parameters["attention.state"]).unsqueeze(1)
        weights = attention_weights(encoded.keys, query, parameters["attention.score"], encoded.mask)
        rows.append(weights[0, 0])
        context = (weights @ encoded.annotations)[:, 0]
        inputs = embed(parameters, "target", torch.tensor([word])) @ parameters["decoder.input"]
        inputs = inputs + context @ parameters["decoder.context"]
        inputs[:, 2 * d :] += parameters["decoder.bias"]
        state = gru_step(inputs, parameters["decoder.gates"], parameters["decoder.candidate"], state)
    return torch.stack(rows).numpy() if rows else np.empty((0, len(source)))


@pytest.mark.parametrize("seeds", [(1,), (2, 5, 7)])
def test_a_batch_gives_what_single_steps_give(seeds):
    members = [model(seed) for seed in seeds]
    for found, source, target in zip(forced_attention(members, SOURCES, TARGETS), SOURCES, TARGETS, strict=True):
        assert found.shape == (len(target), len(source))
        np.testing.assert_allclose(found, sum(stepwise(m, source, target) for m in members), rtol=1e-9)
        np.testing.assert_allclose(found.sum(1), len(members))


def test_a_row_does_not_depend_on_the_unit_it_produced_or_on_later_ones():
    (one,), (other,) = (forced_attention([model(3)], [SOURCES[1]], [target]) for target in ([5, 6, 7], [5, 8, 2]))
    np.testing.assert_array_equal(one[:2], other[:2])
    assert abs(one[2] - other[2]).max() > 1e-3


def test_the_end_of_the_sentence_has_a_row_if_it_is_given():
    (without,), (with_end,) = (forced_attention([model(3)], [SOURCES[1]], [target]) for target in ([5, 6], [5, 6, EOS]))
    assert with_end.shape == (3, 6)
    np.testing.assert_array_equal(with_end[:2], without)


def test_only_empty_translations():
    found = forced_attention([model(3)], SOURCES[:2], [[], []])
    assert [array.shape for array in found] == [(0, 3), (0, 6)]
