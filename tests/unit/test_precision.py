"""Products of lower precision: near to float32, and part of what identifies a training."""

import pytest
import torch

from rarewords.decoding.ensemble import Ensemble
from rarewords.errors import InputError
from rarewords.machine.device import set_precision
from rarewords.model import readout, recurrence, rnnsearch
from rarewords.model.fused import loops as fused_loops
from rarewords.model.padding import pad
from rarewords.model.parameters import initial_parameters
from rarewords.model.rnnsearch import loss
from rarewords.model.size import NetworkSize
from rarewords.settings import TrainingLength, TrainingSettings
from rarewords.training import checkpoint
from rarewords.training.encoded import encode_pairs
from rarewords.training.session import Machine, finetune, train

SIZE = NetworkSize(source_vocabulary=30, target_vocabulary=50, embedding=16, hidden=24)


@pytest.fixture(autouse=True)
def _float32_afterwards():
    yield
    set_precision("float32")


def loss_and_gradients(precision, dtype=torch.float32):
    set_precision(precision)
    drawn = initial_parameters(SIZE, seed=1, init_std=0.3)
    parameters = {name: value.to(dtype).requires_grad_() for name, value in drawn.items()}
    generator = torch.Generator().manual_seed(2)
    sides = (
        [[*torch.randint(1, words, (int(n),), generator=generator).tolist(), 0] for n in range(1, 26)]
        for words in (30, 50)
    )
    value = loss(parameters, *(tensor for side in sides for tensor in pad(side, 0)))
    value.backward()
    return value.item(), torch.cat([parameters[name].grad.flatten() for name in sorted(parameters)])


def test_bfloat16_is_near_float32():
    exact, exact_gradient = loss_and_gradients("float32")
    near, gradient = loss_and_gradients("bfloat16")
    assert near == pytest.approx(exact, rel=2e-3)
    assert not torch.equal(gradient, exact_gradient)
    assert torch.nn.functional.cosine_similarity(gradient, exact_gradient, dim=0) > 0.9995
    assert (gradient - exact_gradient).norm() < 0.02 * exact_gradient.norm()


def rounded(values):
    return values.to(torch.bfloat16).to(values.dtype)


def emulate_bfloat16(monkeypatch):
    """Products of float64 numbers whose factors and results are rounded to bfloat16."""
    emulated = {
        "factor": lambda values: rounded(values).contiguous(),
        "product": lambda left, right: RoundedProduct.apply(left, right),
        "add_product": lambda into, left, right: into.add_(rounded(rounded(left) @ rounded(right))),
        "set_product": lambda out, left, right: out.copy_(rounded(rounded(left) @ rounded(right))),
    }
    for module in (fused_loops, readout, recurrence, rnnsearch):
        for name, function in emulated.items():
            monkeypatch.setattr(module, name, function, raising=False)


class RoundedProduct(torch.autograd.Function):
    @staticmethod
    def forward(ctx, left, right):
        ctx.save_for_backward(rounded(left), rounded(right))
        return rounded(rounded(left) @ rounded(right))

    @staticmethod
    def backward(ctx, grad):
        left, right = ctx.saved_tensors
        grad = rounded(grad)
        grad_right = left.flatten(0, -2).t() @ grad.flatten(0, -2)
        return rounded(grad @ right.t()), rounded(grad_right)


def test_bfloat16_is_float64_with_rounded_factors_and_results(monkeypatch):
    """What is left is float32 rounding: an error of 1e-6 moves one factor in some 2,000 across the edge between two
    bfloat16 numbers, which is 2^-8 of one number and 1e-4 of a product. Some ten products follow each other in a step.
    """
    near, gradient = loss_and_gradients("bfloat16")
    emulate_bfloat16(monkeypatch)
    same, expected = loss_and_gradients("float32", torch.float64)
    assert near == pytest.approx(same, rel=1e-5)
    assert (gradient - expected).norm() < 2e-3 * expected.norm()


def test_float64_stays_float64():
    exact, exact_gradient = loss_and_gradients("float32", torch.float64)
    same, gradient = loss_and_gradients("bfloat16", torch.float64)
    assert same == exact
    assert torch.equal(gradient, exact_gradient)


@pytest.mark.parametrize(("name", "tf32"), [("float32", False), ("tf32", True), ("bfloat16", True)])
def test_tf32_is_off_unless_asked_for(name, tf32):
    set_precision(name)
    assert torch.backends.cuda.matmul.fp32_precision == ("tf32" if tf32 else "ieee")


def test_a_search_with_bfloat16_is_near_float32():
    parameters = initial_parameters(SIZE, seed=1, init_std=0.3)
    source, mask = pad([[*range(1, 9), 0], [5, 3, 0]], 0)
    found = []
    for name in ("float32", "bfloat16"):
        set_precision(name)
        ensemble = Ensemble([parameters])
        states = ensemble.start(source, mask)
        contexts = ensemble.look(states)
        states = ensemble.update(states, contexts, torch.tensor([0, 1]), torch.tensor([4, 7]), None)
        values, _ = ensemble.best(states, ensemble.look(states), 50, torch.tensor([False, False]))
        found.append(values)
    assert not torch.equal(*found)
    # scores are below 4 here, and products of some ten steps are rounded to within 2^-9 of themselves
    torch.testing.assert_close(*found, rtol=0, atol=4 * 10 * 2**-9)


def test_another_name_is_refused():
    with pytest.raises(InputError, match="precision: 'half' is not a known precision; give float32, tf32, bfloat16"):
        set_precision("half")


@pytest.fixture
def files(tmp_path):
    for name, text in {"text": "a b\nb c\na\n", "vocabulary": "a 2\nb 2\nc 1\n"}.items():
        (tmp_path / name).write_text(text)
    encode_pairs(*(tmp_path / name for name in ("text", "text", "vocabulary", "vocabulary")), tmp_path / "pairs")
    return tmp_path / "pairs"


def trained(files, folder, precision, updates=2):
    settings = TrainingSettings(
        embedding=4, hidden=4, init_std=0.1, clip_norm=1.0, batch_size=2, max_length=9, seed=1, precision=precision
    )
    length = TrainingLength(updates=updates, save_every=1)
    train(files, settings, length, [folder / "saved"], folder / "checkpoints", Machine("cpu"), "x")


def test_a_training_does_not_go_on_at_another_precision(files, tmp_path):
    trained(files, tmp_path, "tf32")
    with pytest.raises(InputError, match="precision was tf32, is float32"):
        trained(files, tmp_path, "float32", updates=3)


def test_a_model_from_before_the_setting_is_one_of_float32(files, tmp_path, monkeypatch):
    class OldState(checkpoint.State):
        def counters(self):
            counters = super().counters()
            fingerprint = {name: value for name, value in counters["fingerprint"].items() if name != "precision"}
            return {**counters, "fingerprint": fingerprint}

    monkeypatch.setattr("rarewords.training.trainer.State", OldState)
    trained(files, tmp_path, "float32")
    monkeypatch.undo()
    assert "precision" not in checkpoint.load_state(tmp_path / "saved").fingerprint
    trained(files, tmp_path, "float32", updates=3)
    finetune(files, tmp_path / "saved", 1, tmp_path / "member", tmp_path / "member-checkpoints", Machine("cpu"), "x")
    with pytest.raises(InputError, match="precision was float32, is bfloat16"):
        trained(files, tmp_path, "bfloat16", updates=4)
