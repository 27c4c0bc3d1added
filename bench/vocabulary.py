"""Memory and time of updates with large vocabularies, with a part of them loaded and whole.

    python bench/vocabulary.py [--updates 2]

The network has the paper's size, the text is random words by Zipf's law, 26 in a sentence on average; seconds are for
80 such sentences. Each row is measured in a process of its own; one that does not fit into the free memory is left out.
Memory is the peak of the process, accumulators in use as after a long training. A border is the way from one partition
to the next: rows written back, others loaded. The dry run finds the partitions of one pass.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path

import numpy as np
from measure import machine, run_peer, table
from numpy.typing import NDArray

from rarewords.machine.device import choose_device, prepare_cpu
from rarewords.model.rnnsearch import loss
from rarewords.model.size import NetworkSize
from rarewords.settings import TrainingSettings
from rarewords.training.adadelta import Adadelta
from rarewords.training.batches import Corpus, batch_stream, epoch_batches
from rarewords.training.partition_vocabulary import PartitionVocabulary
from rarewords.training.partitions import find_partitions
from rarewords.training.progress import peak_memory_mib
from rarewords.training.trainer import initial_state

# source vocabulary, target vocabulary, loaded units (0: all)
CASES = [(90_000, 90_000, 0), (90_000, 90_000, 30_000), (300_000, 500_000, 30_000), (300_000, 500_000, 0)]
SETTINGS = TrainingSettings(embedding=620, hidden=1000, clip_norm=1.0, seed=1)
MARGIN = 3 << 30  # bytes of free memory that a row leaves to others


def zipf_corpus(source: int, target: int, pairs: int) -> Corpus:
    rng = np.random.default_rng(1)

    def side(vocabulary: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        lengths = rng.normal(25, 10, pairs).clip(1, 50).astype(int) + 1
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        cumulated = np.cumsum(1 / (np.arange(vocabulary - 1) + 2.7))
        ids = 1 + np.searchsorted(cumulated, rng.random(offsets[-1]) * cumulated[-1])
        ids[offsets[1:] - 1] = 0
        return ids.astype(np.int32), offsets

    return Corpus(*side(source), *side(target), np.arange(pairs))


def measure(source: int, target: int, loaded: int, updates: int, device: str, threads: int) -> dict[str, float]:
    """One row, in a process of its own."""
    prepare_cpu(threads)
    corpus = zipf_corpus(source, target, 4000)
    state = initial_state(SETTINGS, NetworkSize(source, target, 620, 1000), choose_device(device))
    for accumulators in (state.squares, state.deltas):
        for value in accumulators.values():
            value.fill_(1e-9)  # memory that was never written to is not there yet
    rows = PartitionVocabulary(state, corpus, loaded or None, lambda epoch: epoch_batches(corpus, 80, 1, epoch), print)
    for value in rows.parameters.values():
        value.requires_grad_()
    optimiser = Adadelta(rows.parameters, SETTINGS.clip_norm, squares=rows.squares, deltas=rows.deltas)
    batches = batch_stream(corpus, 80, 1, 0, 10)  # of middling length
    seconds, border = [], 0.0
    for number in range(updates):
        batch = rows.slots_of(next(batches)[0], 0, 10 + number).to(choose_device(device))
        wall, cpu = time.perf_counter(), time.process_time()
        loss(rows.parameters, batch.source, batch.source_mask, batch.target, batch.target_mask).backward()
        optimiser.step()
        took = time.process_time() - cpu if device == "cpu" else time.perf_counter() - wall
        seconds.append(took / int(batch.target_mask.sum()) * 80 * 26)
    if loaded:
        began = time.process_time()
        rows.write_back()
        rows._load(0)
        border = time.process_time() - began
    return {"memory": peak_memory_mib(), "update": statistics.median(seconds), "border": border}


def dry_run_seconds(pairs: int) -> tuple[float, int]:
    """CPU seconds of the dry run, and its partitions, for text with 300k and 500k words and 30,000 loaded."""
    corpus = zipf_corpus(300_000, 500_000, pairs)
    batches, sizes = epoch_batches(corpus, 80, 1, 0), {"source": 300_000, "target": 500_000}
    find_partitions(corpus, batches[:1], sizes, 30_000)  # compiles
    began = time.process_time()
    partitions = find_partitions(corpus, batches, sizes, 30_000)
    return time.process_time() - began, len(partitions)


def needed_bytes(source: int, target: int, loaded: int) -> int:
    """Parameters and accumulators, and the gradients and copies of what is loaded."""
    complete = NetworkSize(source, target, 620, 1000).count()
    working = NetworkSize(min(source, loaded), min(target, loaded), 620, 1000).count() * 4 if loaded else complete
    return 4 * (3 * complete + working)


def free_bytes() -> int:
    lines = Path("/proc/meminfo").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable"))


def row(case: tuple[int, int, int], arguments: argparse.Namespace) -> list[object]:
    source, target, loaded = case
    size = NetworkSize(source, target, 620, 1000)
    cells: list[object] = [
        f"{source:,} / {target:,}",
        f"{loaded:,}" if loaded else "all",
        f"{size.count() / 1e6:,.0f} M",
        f"{12 * size.count() >> 20:,}",
    ]
    if arguments.device == "cpu" and needed_bytes(*case) + MARGIN > free_bytes():
        return [*cells, "does not fit", "", ""]
    found = run_peer(
        arguments.python, Path(__file__), "--case", json.dumps(case), "--updates", arguments.updates,
        "--device", arguments.device, "--threads", arguments.threads, threads=arguments.threads,
    )  # fmt: skip
    return [*cells, f"{found['memory']:,}", f"{found['update']:.1f}", f"{found['border']:.1f}" if loaded else ""]


def main() -> None:
    import sys

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--updates", type=int, default=2, help="measured updates of a row")
    parser.add_argument("--pairs", type=int, default=1_000_000, help="of the dry run")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--device", default="cpu", help="cpu or cuda; on cuda seconds are wall time")
    parser.add_argument("--case", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    arguments.python = sys.executable
    if arguments.case:
        source, target, loaded = json.loads(arguments.case)
        found = measure(source, target, loaded, arguments.updates, arguments.device, arguments.threads)
        print(f"BENCH {json.dumps(found)}")
        return
    print(machine(arguments.threads))
    unit = "CPU s" if arguments.device == "cpu" else "s"
    headings = ["vocabularies", "loaded", "parameters", "with accumulators, MiB", "peak memory, MiB"]
    rows = [row(case, arguments) for case in CASES]
    print(table([*headings, f"{unit}/update", "CPU s/border"], rows))
    seconds, partitions = dry_run_seconds(arguments.pairs)
    print(f"\ndry run over {arguments.pairs:,} pairs: {seconds:.1f} CPU s, {partitions:,} partitions")


if __name__ == "__main__":
    main()
