"""A GPU computes what the CPU computes: loss, gradients, an optimiser step, translations (skipped without a GPU)."""

import numpy as np
import pytest
import torch

from rarewords.decoding.beam import beam_search
from rarewords.decoding.candidates import UnitLists
from rarewords.decoding.ensemble import Ensemble
from rarewords.decoding.translator import Translator
from rarewords.machine.device import set_precision
from rarewords.model.kernels.cuda import checked_kernels
from rarewords.model.kernels.source import BY_SENTENCE, ELEMENTWISE
from rarewords.model.padding import pad
from rarewords.model.parameters import initial_parameters
from rarewords.model.rnnsearch import loss
from rarewords.model.size import NetworkSize
from rarewords.saved_model import SavedModel, save_model
from rarewords.settings import DecodingSettings
from rarewords.training.adadelta import Adadelta
from rarewords.vocabulary import EOS, Vocabulary

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA GPU here")

GPU = "cuda"
SIZE = NetworkSize(source_vocabulary=40, target_vocabulary=1500, embedding=24, hidden=32)
SEEDS = (1, 2)
# difference that is allowed, relative to the largest number of a tensor
TOLERANCE = {torch.float32: 2e-5, torch.float64: 1e-11}


def model(seed, dtype):
    """A random network with sharp opinions that ends its translations now and then, on the CPU."""
    generator = torch.Generator().manual_seed(seed)
    drawn = initial_parameters(SIZE, seed)
    noisy = {n: v.double() + 0.3 * torch.randn(v.shape, generator=generator).double() for n, v in drawn.items()}
    noisy["readout.output_bias"][EOS] += 12
    return {name: value.to(dtype) for name, value in noisy.items()}


def sentences(seed, vocabulary):
    """Thirty sentences of 1 to 30 ids with EOS: more positions than the loss takes at once."""
    generator = torch.Generator().manual_seed(seed)
    lengths = torch.randint(0, 30, (30,), generator=generator).tolist()
    return [[*torch.randint(1, vocabulary, (n,), generator=generator).tolist(), EOS] for n in lengths]


def trainable(parameters, device):
    return {name: value.to(device, copy=True).requires_grad_() for name, value in parameters.items()}


def loss_with_gradients(parameters, device):
    sides = (pad(sentences(seed, size), EOS) for seed, size in [(5, 40), (6, 1500)])
    value = loss(parameters, *(tensor.to(device) for side in sides for tensor in side))
    value.backward()
    return value.item()


def assert_close(gpu, cpu, dtype, name):
    assert gpu.device.type == GPU, name
    scale = cpu.abs().max().item()
    torch.testing.assert_close(gpu.cpu(), cpu, rtol=0, atol=TOLERANCE[dtype] * scale, msg=name)


@pytest.fixture(params=TOLERANCE, ids=str)
def both(request):
    """The dtype, and parameters with gradients on the CPU and on the GPU, from one batch."""
    dtype = request.param
    cpu, gpu = (trainable(model(3, dtype), device) for device in ("cpu", GPU))
    assert loss_with_gradients(gpu, GPU) == pytest.approx(loss_with_gradients(cpu, "cpu"), rel=TOLERANCE[dtype])
    return dtype, cpu, gpu


def test_loss_and_every_gradient(both):
    dtype, cpu, gpu = both
    for name in cpu:
        assert_close(gpu[name].grad, cpu[name].grad, dtype, name)


def test_the_kernels_of_our_own_are_used():
    assert set(checked_kernels(torch.device(GPU, torch.cuda.current_device()))) == {*ELEMENTWISE, *BY_SENTENCE}


@pytest.mark.parametrize(("precision", "tolerance"), [("tf32", 2e-3), ("bfloat16", 5e-3)])
def test_lower_precision_is_near(precision, tolerance):
    exact, near = (trainable(model(3, torch.float32), GPU) for _ in range(2))
    expected = loss_with_gradients(exact, GPU)
    try:
        set_precision(precision)
        assert loss_with_gradients(near, GPU) == pytest.approx(expected, rel=tolerance)
    finally:
        set_precision("float32")
    gradients = [torch.cat([own[name].grad.flatten() for name in exact]) for own in (exact, near)]
    assert torch.nn.functional.cosine_similarity(*gradients, dim=0) > 0.995


@pytest.mark.parametrize("cutoff", [5.0, 1e9])  # the gradient is clipped, it is not
def test_an_optimiser_step(both, cutoff):
    dtype, cpu, gpu = both
    for name, value in gpu.items():  # exactly the same ones: a step on a gradient near 0 depends on its sign
        value.grad = cpu[name].grad.to(GPU, copy=True)
    optimisers = [Adadelta(parameters, cutoff, ["source.embedding"]) for parameters in (cpu, gpu)]
    norms = [optimiser.step().item() for optimiser in optimisers]
    assert norms[1] == pytest.approx(norms[0], rel=TOLERANCE[dtype])
    for of_cpu, of_gpu in zip(*((o.parameters, o.squares, o.deltas) for o in optimisers), strict=True):
        for name in cpu:
            assert_close(of_gpu[name].detach(), of_cpu[name].detach(), dtype, name)


LISTS = {
    "whole vocabulary": None,
    "a list for each sentence": UnitLists(50, [list(range(60 + k, 90 + 2 * k)) for k in range(30)]),
    "one list for all": UnitLists(50, [list(range(60, 400))]),
}


@pytest.mark.parametrize("lists", LISTS.values(), ids=LISTS)
@pytest.mark.parametrize("seeds", [SEEDS[:1], SEEDS])
def test_all_hypotheses_of_a_beam_search(seeds, lists):
    members = [model(seed, torch.float64) for seed in seeds]
    on_gpu = [{name: value.to(GPU) for name, value in member.items()} for member in members]
    source, mask = pad(sentences(7, 40), EOS)
    expected = beam_search(Ensemble(members), source, mask, DecodingSettings(), lists)
    found = beam_search(Ensemble(on_gpu), source.to(GPU), mask.to(GPU), DecodingSettings(), lists)
    assert all(expected)
    for mine, other in zip(found, expected, strict=True):
        assert [h.ids for h in mine] == [h.ids for h in other]
        assert [h.cost for h in mine] == pytest.approx([h.cost for h in other], rel=1e-9)


def test_translations_of_members_from_their_folders(tmp_path):
    source, target = (Vocabulary({f"{side}{k}": 1 for k in range(size - 2)}) for side, size in [("s", 40), ("t", 1500)])
    folders = [tmp_path / str(seed) for seed in SEEDS]
    for folder, seed in zip(folders, SEEDS, strict=True):
        save_model(folder, SavedModel(model(seed, torch.float64), SIZE, source, target, {}))
    text = [source.decode(ids) for ids in sentences(9, 40)]
    cpu, gpu = (Translator.load(folders, device) for device in ("cpu", GPU))
    assert gpu.device.type == GPU
    expected = cpu.translate(text)
    assert len({tuple(units) for units in expected}) > 10
    assert gpu.translate(text) == expected
    for mine, other in zip(gpu.attention(text, expected), cpu.attention(text, expected), strict=True):
        np.testing.assert_allclose(mine, other, atol=1e-9)
