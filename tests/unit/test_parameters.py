"""Sizes and initial values of the network (docs/reproduction/network.md)."""

import pytest
import torch

from rarewords.model.parameters import VOCABULARY_SIZED, initial_parameters
from rarewords.model.size import NetworkSize

SIZE = NetworkSize(source_vocabulary=300, target_vocabulary=400, embedding=60, hidden=80)
RECURRENT = ("encoder.gates", "encoder.candidate", "decoder.gates", "decoder.candidate")


@pytest.fixture(scope="module")
def drawn():
    return initial_parameters(SIZE, seed=7)


def blocks(value):
    """The square blocks of a recurrent parameter (…, d, k·d)."""
    d = value.shape[-2]
    return [block for matrix in value.reshape(-1, d, value.shape[-1]) for block in matrix.split(d, dim=1)]


@pytest.mark.parametrize(
    ("source", "target", "count"),
    [
        (60_000, 60_000, 140_177_240),
        (90_000, 90_000, 196_007_240),
        (90_000, 100_000, 208_417_240),
        (300_000, 500_000, 835_017_240),
    ],
)
def test_the_papers_networks_have_the_number_of_parameters_of_its_code(source, target, count):
    assert NetworkSize(source, target, embedding=620, hidden=1000).count() == count


def test_an_odd_hidden_size_is_refused():
    with pytest.raises(ValueError, match="even"):
        NetworkSize(10, 10, embedding=4, hidden=5)


def test_the_vocabulary_sized_tensors_are_those_that_grow_with_a_vocabulary():
    larger = NetworkSize(SIZE.source_vocabulary + 1, SIZE.target_vocabulary + 1, SIZE.embedding, SIZE.hidden).shapes()
    assert {name for name, shape in SIZE.shapes().items() if shape != larger[name]} == set(VOCABULARY_SIZED)


def test_drawn_values_have_the_promised_shapes_and_precision(drawn):
    assert {name: tuple(value.shape) for name, value in drawn.items()} == SIZE.shapes()
    assert {value.dtype for value in drawn.values()} == {torch.float32}


def test_every_recurrent_block_is_orthogonal_and_a_draw_of_its_own(drawn):
    found = [block for name in RECURRENT for block in blocks(drawn[name])]
    assert len(found) == 9
    for block in found:
        torch.testing.assert_close(block @ block.T, torch.eye(SIZE.hidden), rtol=0, atol=1e-5)
    assert len({block.sum().item() for block in found}) == 9


def test_biases_and_the_score_vector_are_zero_and_nothing_else_is(drawn):
    zeros = {name for name, value in drawn.items() if not value.any()}
    assert zeros == {
        "source.embedding_bias", "target.embedding_bias", "encoder.bias", "decoder.bias", "decoder.initial_bias",
        "attention.score", "readout.bias", "readout.output_bias",
    }  # fmt: skip


@pytest.mark.parametrize("deviation", [0.01, 0.05])
def test_other_matrices_are_normal_with_the_deviation_and_attention_with_a_tenth_of_it(deviation):
    values = initial_parameters(SIZE, seed=3, init_std=deviation)
    for name, value in values.items():
        if name in RECURRENT or not value.any():
            continue
        expected = deviation / 10 if name in ("attention.annotation", "attention.state") else deviation
        assert value.std().item() == pytest.approx(expected, rel=0.06), name
        assert abs(value.mean().item()) < 5 * expected / value.numel() ** 0.5, name
        assert value.abs().max().item() > 3 * expected, name  # a uniform draw of that deviation ends at 1.7 times it


def test_the_same_seed_draws_the_same_values_and_another_seed_others(drawn):
    again, other = initial_parameters(SIZE, seed=7), initial_parameters(SIZE, seed=8)
    for name, value in drawn.items():
        assert torch.equal(again[name], value)
        assert torch.equal(other[name], value) == (not value.any())


def test_drawing_leaves_the_global_random_state_alone():
    torch.manual_seed(1)
    expected = torch.rand(3)
    torch.manual_seed(1)
    initial_parameters(SIZE, seed=7)
    assert torch.equal(torch.rand(3), expected)
