"""How fast training is, beside what this machine's matrix products allow, and beside JoeyNMT.

    python bench/train.py [--embedding 256 --hidden 512] [--joey /path/to/a/python/that/has/joeynmt]

All tools train on the same text (LibreOffice help in joint BPE units) with batches of the same number of pairs and
Adadelta, in turns. CPU seconds are user and system time of the training loop: updates with the reading of batches, not
the start; on a GPU all is wall time. The share of the limit is the network's floating-point operations per second (real
positions only: padding is waste) by the best exact rate of a 1024-cube matrix product (8192-cube on a GPU), measured
before each turn. Last come the hours that the trainings of an experiment take at the same operations per second.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from measure import machine, run_peer, table
from projection import CONFIG, projection_table, read_experiment

from data import BenchData, prepare
from rarewords.experiment.projection import at_flops_per_second, at_tokens_per_second
from rarewords.machine.device import PRECISIONS, choose_device, prepare_cpu, set_precision
from rarewords.machine.product_rate import device_product_rate, rates_of_ways, wait_for
from rarewords.model.flops import training_flops
from rarewords.model.rnnsearch import loss
from rarewords.model.size import NetworkSize
from rarewords.settings import TrainingSettings
from rarewords.training.adadelta import Adadelta
from rarewords.training.batches import batch_stream
from rarewords.training.encoded import load_pairs
from rarewords.training.progress import peak_memory_mib
from rarewords.training.trainer import initial_state

MAX_LENGTH = 50
JOEY_WARMUP = 3  # it compiles nothing for new lengths


def rarewords_updates(
    data: BenchData, arguments: argparse.Namespace, precision: str = "float32"
) -> list[dict[str, float]]:
    """Train; for each update after the warm-up CPU seconds, wall seconds, real and padded positions of both sides."""
    set_precision(precision)
    device = choose_device(arguments.device)
    settings = TrainingSettings(
        embedding=arguments.embedding, hidden=arguments.hidden, clip_norm=1.0, batch_size=arguments.batch_size,
        max_length=MAX_LENGTH, seed=1,
    )  # fmt: skip
    corpus = load_pairs(data.training(), MAX_LENGTH)
    state = initial_state(settings, network_size(data, arguments), device)
    for value in state.parameters.values():
        value.requires_grad_()
    optimiser = Adadelta(state.parameters, settings.clip_norm)
    updates = []
    batches = batch_stream(corpus, settings.batch_size, settings.seed, 0, 0)
    for _ in range(arguments.warmup + arguments.updates):
        wall, cpu = time.perf_counter(), time.process_time()
        batch = next(batches)[0].to(device)
        loss(state.parameters, batch.source, batch.source_mask, batch.target, batch.target_mask).backward()
        optimiser.step()
        wait_for(device)
        updates.append(
            {
                "cpu": time.process_time() - cpu,
                "wall": time.perf_counter() - wall,
                "source": int(batch.source_mask.sum()),
                "target": int(batch.target_mask.sum()),
                "padded": batch.source.numel() + batch.target.numel(),
            }
        )
    return updates[arguments.warmup :]


def network_size(data: BenchData, arguments: argparse.Namespace) -> NetworkSize:
    return NetworkSize(len(data.vocabulary), len(data.vocabulary), arguments.embedding, arguments.hidden)


def joey_updates(data: BenchData, arguments: argparse.Namespace) -> list[dict[str, float]]:
    """The same of JoeyNMT, without the padded positions."""
    found = run_peer(
        arguments.joey, Path(__file__).with_name("joey_train.py"), data.folder, arguments.embedding, arguments.hidden,
        arguments.batch_size, JOEY_WARMUP + arguments.updates, arguments.threads, threads=arguments.threads,
    )  # fmt: skip
    return found["updates"][JOEY_WARMUP:]


def row(tool: str, updates: list[dict[str, float]], size: NetworkSize, rate: float, gpu: bool) -> list[object]:
    time_of = "wall" if gpu else "cpu"
    seconds = sum(update[time_of] for update in updates)
    source, target = (sum(update[side] for update in updates) for side in ("source", "target"))
    operations = training_flops(size, source, target)
    padded = sum(update.get("padded", 0) for update in updates)
    return [
        tool,
        f"{statistics.median(update[time_of] for update in updates):.3f}",
        f"{target / seconds:,.0f}",
        f"{operations / target / 1e6:.1f}",
        f"{operations / seconds / rate:.0%}",
        f"{1 - (source + target) / padded:.1%}" if padded else "",
    ]


def operations_per_second(updates: list[dict[str, float]], size: NetworkSize) -> float:
    """Of the network's products in whole updates, by wall time."""
    source, target = (sum(update[side] for update in updates) for side in ("source", "target"))
    return training_flops(size, source, target) / sum(update["wall"] for update in updates)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--embedding", type=int, default=256)
    parser.add_argument("--hidden", type=int, default=512)
    parser.add_argument("--merges", type=int, default=10_000, help="of joint BPE; about the size of the vocabulary")
    parser.add_argument("--batch-size", type=int, default=80)
    parser.add_argument("--updates", type=int, default=20, help="measured updates a turn")
    parser.add_argument(
        "--warmup", type=int, default=3, help="updates before the measured ones; bfloat16 compiles for new lengths: 60"
    )
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--device", default="cpu", help="cpu or cuda; on cuda seconds are wall time")
    parser.add_argument(
        "--precision", action="append", choices=PRECISIONS, help="of matrix products (rarewords); may be repeated"
    )
    parser.add_argument("--joey", help="a Python interpreter that has JoeyNMT; left out without one")
    parser.add_argument("--config", type=Path, default=CONFIG / "wmt15.yaml", help="experiment of the projected hours")
    parser.add_argument(
        "--tokens-per-second", type=float, help="print the projected hours at this speed, measure nothing"
    )
    arguments = parser.parse_args()
    experiment = read_experiment(arguments.config)
    if arguments.tokens_per_second:
        print(projection_table(experiment, at_tokens_per_second(arguments.tokens_per_second)))
        return
    prepare_cpu(arguments.threads)
    device = choose_device(arguments.device)
    gpu = device.type == "cuda"
    precisions = arguments.precision or ["float32"]
    tools: dict[str, Callable[[BenchData, argparse.Namespace], list[dict[str, float]]]]
    tools = {f"rarewords {one}": partial(rarewords_updates, precision=one) for one in precisions}
    if arguments.joey:
        tools["JoeyNMT"] = joey_updates
    with tempfile.TemporaryDirectory() as folder:
        data = prepare(Path(folder), arguments.merges)
        size = network_size(data, arguments)
        print(machine(arguments.threads))
        print(
            f"embedding {size.embedding}, hidden {size.hidden}, {size.target_vocabulary:,} units, "
            f"{size.count():,} parameters"
        )
        updates: dict[str, list[dict[str, float]]] = {tool: [] for tool in tools}
        rates = []
        for _ in range(arguments.turns):
            set_precision(precisions[0])
            rates.append({precisions[0]: device_product_rate(device)} if gpu else rates_of_ways())
            for tool, measure in tools.items():
                updates[tool] += measure(data, arguments)
    by_way = {name: statistics.median(found[name] for found in rates) for name in rates[0]}
    rate = max(found for name, found in by_way.items() if gpu or (name.startswith("float32") and "rounds" not in name))
    unit, side = ("s", 8192) if gpu else ("CPU s", 1024)
    headings = ["tool", f"{unit}/update", f"target tokens/{unit}", "MFLOP/token", "share of limit", "padding"]
    listed = ", ".join(f"{found / 1e9:,.0f} ({name})" for name, found in by_way.items())
    print(f"{side}-cube product, GFLOP/{unit}: {listed}; peak memory {peak_memory_mib():,} MiB (rarewords)\n")
    print(table(headings, [row(tool, found, size, rate, gpu) for tool, found in updates.items()]))
    print(f"\nProjected hours of training, {arguments.config.name}, one device at the same operations per second:\n")
    speed = operations_per_second(updates[f"rarewords {precisions[0]}"], size)
    print(projection_table(experiment, at_flops_per_second(speed)))


if __name__ == "__main__":
    main()
