"""The batched beam search against a plain one, and both against enumerating every translation."""

import itertools

import pytest
import torch
from network import scalar_loss
from search import EOS, plain_beam_search

from rarewords.decoding.beam import beam_search
from rarewords.decoding.ensemble import Ensemble
from rarewords.model.padding import pad
from rarewords.model.parameters import initial_parameters
from rarewords.model.size import NetworkSize
from rarewords.settings import DecodingSettings

SIZE = NetworkSize(source_vocabulary=9, target_vocabulary=11, embedding=6, hidden=8)
SOURCES = [[2, 3, 0], [4, 5, 6, 7, 8, 0], [8, 0], [3, 3, 3, 3, 0], [5, 2, 0], [7, 6, 5, 4, 3, 2, 2, 0]]


def model(seed, size=SIZE):
    """A random network with sharp opinions, so that searches differ and costs do not tie."""
    generator = torch.Generator().manual_seed(seed)
    drawn = initial_parameters(size, seed)
    noisy = {n: v.double() + 0.8 * torch.randn(v.shape, generator=generator).double() for n, v in drawn.items()}
    noisy["readout.output_bias"][EOS] += 8  # so that translations end now and then
    return noisy


def batched(members, sources, beam):
    return beam_search(Ensemble(members), *pad(sources, EOS), DecodingSettings(beam=beam))


def cost_of(members, source, words):
    """Negative mean log-probability of a given translation, EOS included, from the equations in Python floats."""
    return sum(scalar_loss(member, source, [*words, EOS]) for member in members) / len(members)


@pytest.mark.parametrize("beam", [1, 2, 5, 12])
@pytest.mark.parametrize("seeds", [(1,), (17,), (2, 4, 7)])
def test_batched_search_finds_what_the_plain_search_finds(beam, seeds):
    members = [model(seed) for seed in seeds]
    for source, found in zip(SOURCES, batched(members, SOURCES, beam), strict=True):
        expected = plain_beam_search(members, source, beam)
        assert found
        assert [h.ids for h in found] == [words for _, words in expected]
        assert [h.cost for h in found] == pytest.approx([cost for cost, _ in expected], rel=1e-9)


def test_each_sentence_alone_gives_what_it_gives_in_a_batch():
    members = [model(17)]
    together = batched(members, SOURCES, 12)
    for source, found in zip(SOURCES, together, strict=True):
        (alone,) = batched(members, [source], 12)
        assert alone
        assert [h.ids for h in alone] == [h.ids for h in found]


def test_costs_are_those_of_the_translations():
    members = [model(2), model(7)]
    for source, found in zip(SOURCES, batched(members, SOURCES, 5), strict=True):
        assert found
        for hypothesis in found:
            expected = cost_of(members, source, hypothesis.ids) / (len(hypothesis.ids) + 1)
            assert hypothesis.cost == pytest.approx(expected, rel=1e-9)


def test_a_beam_as_wide_as_the_language_finds_the_best_of_all_translations():
    size = NetworkSize(source_vocabulary=5, target_vocabulary=3, embedding=4, hidden=4)
    members = [model(9, size)]
    source = [2, 0]  # translations of 1 to 5 units (EOS is not allowed first, six steps at most)
    candidates = [list(words) for n in range(1, 6) for words in itertools.product([1, 2], repeat=n)]
    costs = sorted((cost_of(members, source, words) / (len(words) + 1), words) for words in candidates)
    (found,) = batched(members, [source], beam=len(candidates) + 2**6)
    assert [(pytest.approx(h.cost), h.ids) for h in found] == costs


@pytest.mark.parametrize(("exponent", "ignore_unknown"), [(0.0, False), (0.6, False), (1.0, True), (0.0, True)])
def test_other_rules_change_what_is_compared_and_what_is_allowed(exponent, ignore_unknown):
    """Of all translations: the cost over length to a power, and none with UNK (1)."""
    size = NetworkSize(source_vocabulary=5, target_vocabulary=4, embedding=4, hidden=4)
    members = [model(9, size)]
    source = [2, 0]
    units = [2, 3] if ignore_unknown else [1, 2, 3]
    candidates = [list(words) for n in range(1, 6) for words in itertools.product(units, repeat=n)]
    costs = sorted((cost_of(members, source, words) / (len(words) + 1) ** exponent, words) for words in candidates)
    tensor, mask = torch.tensor([source]).t(), torch.ones(2, 1, dtype=torch.bool)
    settings = DecodingSettings(beam=1000, ignore_unknown=ignore_unknown, length_exponent=exponent)
    (found,) = beam_search(Ensemble(members), tensor, mask, settings)
    assert [(pytest.approx(h.cost), h.ids) for h in found] == costs


def test_an_ensemble_of_one_model_with_itself_is_the_model():
    one, three = batched([model(1)], SOURCES, 6), batched([model(1)] * 3, SOURCES, 6)
    for a, b in zip(one, three, strict=True):
        assert a
        assert [h.ids for h in a] == [h.ids for h in b]
        assert [h.cost for h in a] == pytest.approx([h.cost for h in b])


def test_an_ensemble_takes_the_mean_of_log_probabilities_not_of_probabilities():
    members = [model(1), model(2)]
    (found,) = batched(members, [SOURCES[0]], 12)
    assert found
    for hypothesis in found:
        separate = [cost_of([member], SOURCES[0], hypothesis.ids) for member in members]
        assert hypothesis.cost * (len(hypothesis.ids) + 1) == pytest.approx(sum(separate) / 2)


def test_length_limits_count_eos():
    eager, reluctant = model(3), model(29)
    eager["readout.output_bias"][EOS] += 100  # ends as soon as it may
    reluctant["readout.output_bias"][EOS] -= 2  # in a wide beam some end as late as they may
    for source, found in zip(SOURCES, batched([eager], SOURCES, 12), strict=True):
        assert min(len(hypothesis.ids) for hypothesis in found) == len(source) // 2
    for source, found in zip(SOURCES, batched([reluctant], SOURCES, 40), strict=True):
        assert max(len(hypothesis.ids) for hypothesis in found) == 3 * len(source) - 1


def test_nothing_is_returned_when_nothing_ends_in_time():
    never = model(3)
    never["readout.output_bias"][EOS] = -1e9
    assert batched([never], [[2, 0]], 4) == [[]]
