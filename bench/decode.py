"""How fast beam search is for several batch sizes, beside what matrix products allow, and beside JoeyNMT.

    python bench/decode.py [--batch-size 1 --batch-size 16 ...] [--joey /path/to/a/python/that/has/joeynmt]

All tools translate the same sentences of the LibreOffice help with untrained networks of the same size, and every
translation is made to have the same number of units, so that all do the same number of steps on full beams. CPU seconds
are user and system time of the search, without loading. The share of the limit is the floating-point operations of the
matrix products per CPU second by the rate of a 1024-cube product, measured in the same run.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

import torch
from measure import machine, product_rate, run_peer, table
from torch import Tensor

from data import BenchData, prepare
from rarewords.decoding.ensemble import Ensemble, ModelState
from rarewords.decoding.translator import Translator
from rarewords.model.device import prepare_cpu
from rarewords.model.operations import forward_operations
from rarewords.model.parameters import NetworkSize, initial_parameters
from rarewords.saved_model import SavedModel
from rarewords.textio import read_lines
from rarewords.training.progress import peak_memory_mib
from rarewords.vocabulary import EOS


class FixedLength(Ensemble):
    """Members whose translations all have `length` units, EOS included."""

    def __init__(self, ensemble: Ensemble, length: int) -> None:
        super().__init__(ensemble.members)
        self.length = length

    def start(self, source: Tensor, mask: Tensor) -> list[ModelState]:
        self.step = 0
        return super().start(source, mask)

    def look(self, states: list[ModelState]) -> list[Tensor]:
        self.step += 1
        return super().look(states)

    def log_probabilities(self, features: list[Tensor]) -> Tensor:
        scores = super().log_probabilities(features)
        scores[:, EOS] = 0.0 if self.step == self.length else -torch.inf
        return scores


def rarewords_seconds(
    data: BenchData, sentences: list[list[str]], batch_size: int, arguments: argparse.Namespace
) -> float:
    size = network_size(data, arguments)
    members = [
        SavedModel(initial_parameters(size, seed), size, data.vocabulary, data.vocabulary, {})
        for seed in range(arguments.members)
    ]
    translator = Translator(members)
    translator.ensemble = FixedLength(translator.ensemble, arguments.length)
    translator.translate(sentences[:2], arguments.beam, batch_size)
    began = time.process_time()
    found = translator.translate(sentences, arguments.beam, batch_size)
    seconds = time.process_time() - began
    if any(len(units) != arguments.length - 1 for units in found):
        raise SystemExit("a translation has another length than was asked for")
    return seconds


def network_size(data: BenchData, arguments: argparse.Namespace) -> NetworkSize:
    return NetworkSize(len(data.vocabulary), len(data.vocabulary), arguments.embedding, arguments.hidden)


def joey_seconds(data: BenchData, sentences: list[list[str]], batch_size: int, arguments: argparse.Namespace) -> float:
    text = "".join(" ".join(sentence) + "\n" for sentence in sentences)
    found = run_peer(
        arguments.joey, Path(__file__).with_name("joey_decode.py"), data.folder, arguments.embedding, arguments.hidden,
        arguments.beam, batch_size, arguments.length, arguments.threads, threads=arguments.threads, text=text,
    )  # fmt: skip
    return found["seconds"]


def choose_sentences(data: BenchData, count: int, length: int) -> list[list[str]]:
    """Sentences spread over the test set for which a translation of that length is neither too short nor too long."""
    units = [line.split(" ") for line in read_lines(data.path("test", "en"))]
    fitting = [sentence for sentence in units if 3 * (len(sentence) + 1) > length > (len(sentence) + 1) // 2]
    return fitting[:: max(1, len(fitting) // count)][:count]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--embedding", type=int, default=256)
    parser.add_argument("--hidden", type=int, default=512)
    parser.add_argument("--merges", type=int, default=10_000, help="of joint BPE; about the size of the vocabulary")
    parser.add_argument("--sentences", type=int, default=64)
    parser.add_argument("--length", type=int, default=15, help="units of every translation, EOS included")
    parser.add_argument("--beam", type=int, default=12)
    parser.add_argument("--members", type=int, default=1, help="models in the ensemble (rarewords only)")
    parser.add_argument("--batch-size", type=int, action="append", help="may be repeated; default 1, 4, 16, 32, 64")
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--joey", help="a Python interpreter that has JoeyNMT; left out without one")
    arguments = parser.parse_args()
    prepare_cpu(arguments.threads)
    tools = {"rarewords": rarewords_seconds} | ({"JoeyNMT": joey_seconds} if arguments.joey else {})
    with tempfile.TemporaryDirectory() as folder:
        data = prepare(Path(folder), arguments.merges)
        sentences = choose_sentences(data, arguments.sentences, arguments.length)
        seconds: dict[tuple[str, int], list[float]] = {}
        rates = []
        for _ in range(arguments.turns):
            rates.append(product_rate())
            for batch_size in arguments.batch_size or [1, 4, 16, 32, 64]:
                for tool, measure in tools.items():
                    found = measure(data, sentences, batch_size, arguments)
                    seconds.setdefault((tool, batch_size), []).append(found)
        size = network_size(data, arguments)
    per_source, per_target = forward_operations(size)
    source = sum(len(sentence) + 1 for sentence in sentences)
    target = len(sentences) * ((arguments.length - 1) * arguments.beam + 1)  # the first step has one hypothesis
    operations = arguments.members * (source * per_source + target * per_target)
    rate = statistics.mean(rates)
    limit = len(sentences) / operations * rate
    print(machine(arguments.threads))
    print(
        f"embedding {size.embedding}, hidden {size.hidden}, {size.target_vocabulary:,} units, "
        f"{arguments.members} member(s)"
    )
    print(f"{len(sentences)} sentences, beam {arguments.beam}, translations of {arguments.length} units")
    print(f"1024-cube product: {rate / 1e9:.1f} GFLOP/CPU s, which allows {limit:.1f} sentences/CPU s")
    print(f"peak memory {peak_memory_mib():,} MiB (rarewords)\n")
    rows = [
        [
            tool,
            batch_size,
            f"{len(sentences) / statistics.mean(found):.1f}",
            f"{len(sentences) / statistics.mean(found) / limit:.0%}",
        ]
        for (tool, batch_size), found in seconds.items()
    ]
    print(table(["tool", "batch size", "sentences/CPU s", "share of limit"], rows))


if __name__ == "__main__":
    main()
