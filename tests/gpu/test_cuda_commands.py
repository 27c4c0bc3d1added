"""The commands of a training and its translations on a GPU, and updates that never wait (skipped without a GPU).

With RAREWORDS_TEST_DEVICE=cpu the commands run on the CPU, which tries the tests themselves.
"""

import json
import os
import random
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
import torch

from rarewords.model.padding import pad
from rarewords.model.parameters import initial_parameters
from rarewords.model.rnnsearch import loss
from rarewords.model.size import NetworkSize
from rarewords.saved_model import load_model
from rarewords.training.adadelta import Adadelta
from rarewords.training.batches import Batch
from rarewords.training.buckets import padded
from rarewords.training.trainer import recorder, update
from rarewords.vocabulary import EOS

DEVICE = os.environ.get("RAREWORDS_TEST_DEVICE", "cuda")
pytestmark = pytest.mark.skipif(DEVICE == "cuda" and not torch.cuda.is_available(), reason="no CUDA GPU here")
OF_MEMBER = ["--member", "member", "--segmenter", "de.json", "--language", "de"]
ON_A_GPU = pytest.mark.skipif(DEVICE != "cuda", reason="for a GPU only")
CAPTURE = [[], pytest.param(["--capture"], marks=ON_A_GPU)]


def rarewords(folder, *arguments, code=0, **options):
    """Run a command in a folder."""
    command = [sys.executable, "-c", "from rarewords.cli import main; main()", *map(str, arguments)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, **options)
    assert done.returncode == code, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Encoded pairs of a made-up language whose words are translated one by one, and their text."""
    folder = tmp_path_factory.mktemp("gpu")
    draw = random.Random(1)
    lines = [[draw.randrange(20) for _ in range(draw.randint(1, 9))] for _ in range(400)]
    for language, letter in (("en", "s"), ("de", "t")):
        text = "".join(" ".join(f"{letter}{word}" for word in line) + "\n" for line in lines)
        (folder / f"train.{language}").write_text(text, encoding="utf-8")
        counts = Counter(f"{letter}{word}" for line in lines for word in line)
        by_count = "".join(f"{word} {count}\n" for word, count in counts.most_common())
        (folder / f"vocabulary.{language}").write_text(by_count, encoding="utf-8")
    (folder / "lexicon.tsv").write_text("".join(f"s{n}\tt{n}\t1.0\n" for n in range(20)), encoding="utf-8")
    rarewords(
        folder, "segment", "fit", "--method", "words", "--source-language", "en", "--target-language", "de",
        "--source-counts", "vocabulary.en", "--target-counts", "vocabulary.de",
        "--source-segmenter", "en.json", "--target-segmenter", "de.json",
    )  # fmt: skip
    sides = [f"--{side}={name}.{language}" for side, name, language in [
        ("source", "train", "en"), ("target", "train", "de"),
        ("source-vocabulary", "vocabulary", "en"), ("target-vocabulary", "vocabulary", "de"),
    ]]  # fmt: skip
    rarewords(folder, "encode", *sides, "--output", "pairs")
    return folder


def train(folder, name, device=DEVICE, updates=120, more=(), **options):
    """A training; its last reports."""
    rarewords(
        folder, "train", "run", "--data", "pairs", "--embedding", 16, "--hidden", 24, "--init-std", 0.1,
        "--batch-size", 20, "--updates", updates, "--save-every", 1000, "--saved", f"{name}.safetensors",
        "--checkpoints", name, "--device", device, *more, **options,
    )  # fmt: skip
    return [json.loads(line) for line in Path(folder, name, "metrics.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("capture", CAPTURE, ids=["plain", "captured"])
@pytest.mark.parametrize(
    "more", [[], ["--source-blocks=3"], ["--partition-vocabulary=21"]], ids=["", "blocks", "partitions"]
)
def test_a_training_learns_what_it_learns_on_the_cpu(folder, more, capture):
    name = f"training{len(capture)}{''.join(more)}"
    found = train(folder, name, more=[*more, *capture])
    expected = train(folder, f"{name}-cpu", "cpu", more=more)
    assert [report["updates"] for report in found] == [report["updates"] for report in expected] == [50, 100, 120]
    for mine, other in zip(found, expected, strict=True):
        assert mine["loss_per_token"] == pytest.approx(other["loss_per_token"], rel=0.02)
        assert mine["gradient_norm"] == pytest.approx(other["gradient_norm"], rel=0.1)


@pytest.mark.parametrize("capture", CAPTURE, ids=["plain", "captured"])
def test_a_training_that_was_stopped_goes_on(folder, capture):
    name = f"stopped{len(capture)}"
    command = [
        sys.executable, "-c", "from rarewords.cli import main; main()", "train", "run", "--data", "pairs",
        "--embedding=16", "--hidden=24", "--init-std=0.1", "--batch-size=20", "--updates=1000000", "--save-every=1",
        f"--saved={name}-long", "--checkpoints", name, "--device", DEVICE, *capture,
    ]  # fmt: skip
    with subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if "update " in line:
                process.send_signal(signal.SIGTERM)
                break
        process.stderr.read()
    assert process.returncode == 75
    stopped = [json.loads(line)["updates"] for line in (folder / name / "metrics.jsonl").read_text().splitlines()]
    process = subprocess.run([*command, "--updates", str(stopped[-1] + 5)], cwd=folder, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr
    assert f"continuing from update {stopped[-1]:,} " in process.stderr


def test_continuation_translation_and_replacement_of_unknown_words(folder):
    train(folder, "whole", updates=600)
    rarewords(
        folder, "train", "finetune", "--data", "pairs", "--saved", "whole.safetensors", "--updates", 20,
        "--member", "member", "--checkpoints", "member-checkpoints", "--device", DEVICE,
    )  # fmt: skip
    before = load_model(folder / "member", "cpu")
    assert all(value.isfinite().all() for value in before.parameters.values())
    (folder / "source").write_text("s1 s2 s3\ns7 unheard s9\n", encoding="utf-8")
    translated = {
        device: rarewords(folder, "translate-units", *OF_MEMBER, "--input", "source", "--device", device)
        for device in {DEVICE, "cpu"}
    }
    assert translated[DEVICE] == translated["cpu"]
    (folder / "translation").write_text("t1 t2 t3\nt7 <unk> t9\n", encoding="utf-8")
    rarewords(
        folder, "replace-unknown", *OF_MEMBER, "--input", "source", "--translation", "translation",
        "--lexicon", "lexicon.tsv", "--units", "replaced", "--text", "text", "--device", DEVICE,
    )  # fmt: skip
    replaced = (folder / "replaced").read_text(encoding="utf-8")
    assert len(replaced.splitlines()) == 2
    assert "<unk>" not in replaced


def minibatch(vocabulary, sentences=80, words=25, seed=1):
    """A minibatch on the GPU, padded to a bucket."""
    draw = random.Random(seed)
    sides = [
        pad([[*(draw.randrange(1, vocabulary) for _ in range(draw.randint(words - 5, words))), EOS]
             for _ in range(sentences)], EOS)
        for _ in range(2)
    ]  # fmt: skip
    (source, source_mask), (target, target_mask) = sides
    batch = Batch(source, source_mask, target, target_mask, int(target_mask.sum()))
    return padded(batch).to(torch.device("cuda"))


def trainable(size, dtype=torch.float32):
    drawn = initial_parameters(size, 1)
    return {name: value.to("cuda", dtype).requires_grad_() for name, value in drawn.items()}


@ON_A_GPU
@pytest.mark.parametrize("blocks", [0, 4])
def test_no_update_of_the_papers_size_waits_for_the_host(blocks):
    optimiser = Adadelta(trainable(NetworkSize(30_000, 30_000, 620, 1000, blocks)), 1.0)
    update(minibatch(30_000), optimiser)  # the libraries prepare themselves
    batch = minibatch(30_000, seed=2)
    torch.cuda.synchronize()
    torch.cuda.set_sync_debug_mode("error")
    try:
        value, norm = update(batch, optimiser)
    finally:
        torch.cuda.set_sync_debug_mode("default")
    assert value.isfinite()
    assert norm.isfinite()


@ON_A_GPU
def test_captured_updates_are_the_plain_ones():
    size = NetworkSize(300, 300, 24, 32)
    optimisers = [Adadelta(trainable(size, torch.float64), 1.0) for _ in range(2)]
    plain, captured = ((lambda batch, o=optimiser: update(batch, o)) for optimiser in optimisers)
    for step in (plain, captured):
        step(minibatch(300))
    replay = recorder(captured, optimisers[1])(minibatch(300))
    for seed in range(2, 6):
        expected, found = plain(minibatch(300, seed=seed)), replay(minibatch(300, seed=seed))
        assert [float(x) for x in found] == pytest.approx([float(x) for x in expected], rel=1e-9)
    for name, value in optimisers[0].parameters.items():
        torch.testing.assert_close(optimisers[1].parameters[name], value, rtol=0, atol=1e-9, msg=name)


@ON_A_GPU
def test_the_loss_of_blocks():
    size = NetworkSize(300, 300, 24, 32, 4)
    gpu = trainable(size, torch.float64)
    cpu = {name: value.detach().cpu().requires_grad_() for name, value in gpu.items()}
    batch = minibatch(300)
    tensors = (batch.source, batch.source_mask, batch.target, batch.target_mask)
    values = [loss(gpu, *tensors), loss(cpu, *(tensor.cpu() for tensor in tensors))]
    for value in values:
        value.backward()
    assert values[0].item() == pytest.approx(values[1].item(), rel=1e-11)
    for name, value in cpu.items():
        torch.testing.assert_close(gpu[name].grad.cpu(), value.grad, rtol=0, atol=1e-9, msg=name)


@ON_A_GPU
def test_a_loaded_vocabulary_of_the_papers_size(tmp_path):
    import numpy as np

    from rarewords.settings import TrainingSettings
    from rarewords.training.batches import Corpus
    from rarewords.training.checkpoint import CheckpointFolder
    from rarewords.training.progress import Progress
    from rarewords.training.schedule import Schedule
    from rarewords.training.trainer import initial_state, run

    settings = TrainingSettings(embedding=620, hidden=1000, clip_norm=1.0, seed=1, partition_vocabulary=30_000)
    size = NetworkSize(90_000, 90_000, 620, 1000)
    state = initial_state(settings, size, torch.device("cuda"))
    rng = np.random.default_rng(1)
    sides = []
    for _ in range(2):
        ids = rng.integers(1, 90_000, 240 * 26).astype(np.int32)
        ids[25::26] = EOS
        sides += [ids, np.arange(0, len(ids) + 1, 26)]
    corpus = Corpus(*sides, np.arange(240))
    before = state.parameters["target.embedding"].clone()
    progress = Progress("paper", 0, 6, tmp_path / "metrics.jsonl")
    run(state, corpus, settings, Schedule(6, frozenset()), CheckpointFolder(tmp_path / "c"), progress)
    moved = (state.parameters["target.embedding"] != before).any(1).sum().item()
    assert 0 < moved <= 240 * 26
    assert all(value.isfinite().all() for value in state.parameters.values())
