"""One measurement of `gpu_check.py`, in a process of its own: it prints `ready`, waits for a line, works, prints JSON.

So several of them can begin at the same moment. The text is made up: sentences of 25 units a side on average.
"""

from __future__ import annotations

import argparse
import functools
import json
import sys
import time
from collections.abc import Callable

import numpy as np
import torch
from decode import FixedLength, make_translator

from rarewords.machine.device import PRECISIONS, choose_device, prepare_cpu, set_precision
from rarewords.machine.product_rate import device_product_rate, wait_for
from rarewords.model.flops import search_flops, training_flops
from rarewords.model.size import NetworkSize
from rarewords.settings import DecodingSettings, TrainingSettings
from rarewords.training.adadelta import Adadelta
from rarewords.training.batches import Batch, Corpus, epoch_batches, make_batch
from rarewords.training.buckets import ReplayedUpdates, Update, padded
from rarewords.training.progress import peak_memory_mib
from rarewords.training.trainer import REPORT_EVERY, initial_state, recorder, update
from rarewords.vocabulary import Vocabulary

MEAN, SPREAD, LONGEST = 25, 8, 50  # units of a sentence
BEAM, SENTENCES = 12, 64


def made_up_batches(units: int, batch_size: int) -> list[Batch]:
    """The minibatches of one pool, as a training reads them, sides of similar length."""
    rng = np.random.default_rng(1)
    source = np.clip(rng.normal(MEAN, SPREAD, 20 * batch_size).astype(int), 3, LONGEST) + 1
    target = np.clip(source + rng.integers(-2, 3, len(source)), 4, LONGEST + 1)
    sides = [
        (rng.integers(2, units, lengths.sum()).astype(np.int32), np.concatenate([[0], np.cumsum(lengths)]))
        for lengths in (source, target)
    ]
    for ids, offsets in sides:
        ids[offsets[1:] - 1] = 0
    corpus = Corpus(*sides[0], *sides[1], np.arange(len(source)))
    return [make_batch(corpus, indices) for indices in epoch_batches(corpus, batch_size, 1, 0)]


def training(arguments: argparse.Namespace, device: torch.device) -> Callable[[], dict[str, float]]:
    """Prepare updates as a training makes them; the function measures them."""
    settings = TrainingSettings(
        embedding=arguments.embedding, hidden=arguments.hidden, clip_norm=1.0, batch_size=arguments.batch_size,
        max_length=LONGEST, seed=1,
    )  # fmt: skip
    size = settings.size(arguments.units, arguments.units)
    state = initial_state(settings, size, device)
    for value in state.parameters.values():
        value.requires_grad_()
    optimiser = Adadelta(state.parameters, settings.clip_norm)
    update_of: Update = functools.partial(update, optimiser=optimiser)
    batches = made_up_batches(arguments.units, arguments.batch_size)
    if arguments.capture:
        plain = update_of
        replayed = ReplayedUpdates(plain, recorder(plain, optimiser), arguments.batch_size, complain)

        def update_of(batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
            return replayed(batch)

        batches = [padded(batch) for batch in batches]
    for _ in range(2):  # the first pass warms up, the second one records
        for batch in batches:
            update_of(batch.to(device))
    wait_for(device)

    def measure() -> dict[str, float]:
        began, done = time.perf_counter(), 0
        while time.perf_counter() - began < arguments.seconds:
            update_of(batches[done % len(batches)].to(device))
            done += 1
            if done % REPORT_EVERY == 0:
                wait_for(device)
        wait_for(device)
        seconds = time.perf_counter() - began
        used = [batches[number % len(batches)] for number in range(done)]
        source, target = sum(int(batch.source_mask.sum()) for batch in used), sum(batch.target_tokens for batch in used)
        return {"per_second": target / seconds, "operations": training_flops(size, source, target) / seconds}

    return measure


def complain(line: str) -> None:
    """A measurement that is not what it says is none."""
    raise SystemExit(line)


def search(arguments: argparse.Namespace, device: torch.device) -> Callable[[], dict[str, float]]:
    """Prepare a translator; the function measures sentences a second, all translations of the mean length."""
    vocabulary = Vocabulary({f"unit{number}": 1 for number in range(arguments.units - 2)})
    size = NetworkSize(len(vocabulary), len(vocabulary), arguments.embedding, arguments.hidden)
    translator = make_translator(size, (vocabulary, vocabulary), 1, device)
    rng = np.random.default_rng(1)
    text = [[f"unit{number}" for number in rng.integers(0, arguments.units - 2, MEAN)] for _ in range(SENTENCES)]

    def translate(sentences: list[list[str]]) -> None:
        translator.ensemble = FixedLength(translator.ensemble, MEAN + 1)
        translator.translate(sentences, DecodingSettings(beam=BEAM), arguments.batch_size)
        wait_for(device)

    translate(text[:2])

    def measure() -> dict[str, float]:
        began, done = time.perf_counter(), 0
        while time.perf_counter() - began < arguments.seconds:
            translate(text)
            done += len(text)
        seconds = time.perf_counter() - began
        per_source, per_target = search_flops(size)
        operations = done * ((MEAN + 1) * per_source + (MEAN * BEAM + 1) * per_target)
        return {"per_second": done / seconds, "operations": operations / seconds}

    return measure


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", choices=["training", "search"])
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--precision", default="float32", choices=PRECISIONS)
    parser.add_argument("--capture", action="store_true")
    parser.add_argument("--embedding", type=int, default=620)
    parser.add_argument("--hidden", type=int, default=1000)
    parser.add_argument("--units", type=int, default=30_000, help="of each vocabulary")
    parser.add_argument("--batch-size", type=int, default=80)
    parser.add_argument("--seconds", type=float, default=8.0)
    arguments = parser.parse_args()
    prepare_cpu(1)
    device = choose_device(arguments.device)
    set_precision(arguments.precision)
    rate = device_product_rate(device, 0.5, 8192 if device.type == "cuda" else 256)
    measure = {"training": training, "search": search}[arguments.work](arguments, device)
    print("ready", flush=True)
    sys.stdin.readline()
    print(json.dumps({**measure(), "rate": rate, "mebibytes": peak_memory_mib()}), flush=True)


if __name__ == "__main__":
    main()
