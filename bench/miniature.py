"""How init_std and the clip norm change what a miniature learns: loss per token over the last 50 of N updates.

    python bench/miniature.py [--updates 600] [--data data/libreoffice-short/en-de/seg/bpe]

Needs the demo's segmented text (`snakemake data/libreoffice-short/en-de/seg/bpe/train.{en,de}` and the vocabularies
beside it, all made by `make demo`). Every row is a training of its own from the same seed.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from pathlib import Path

import torch

from rarewords.model.size import NetworkSize
from rarewords.settings import TrainingSettings
from rarewords.training.checkpoint import CheckpointFolder
from rarewords.training.encoded import load_pairs, load_vocabularies
from rarewords.training.progress import Progress
from rarewords.training.schedule import Schedule
from rarewords.training.trainer import initial_state, run

GRID = [(0.01, 1.0), (0.05, 50.0), (0.10, 50.0), (0.10, 150.0), (0.15, 150.0), (0.20, 150.0), (0.30, 150.0)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--updates", type=int, default=600)
    parser.add_argument("--data", type=Path, default=Path("data/libreoffice-short/en-de/seg/bpe/pairs"))
    parser.add_argument("--embedding", type=int, default=96)
    parser.add_argument("--hidden", type=int, default=128)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    source, target = load_vocabularies(arguments.data)
    corpus = load_pairs(arguments.data, 24)
    size = NetworkSize(len(source), len(target), arguments.embedding, arguments.hidden)
    print(f"| init_std | clip norm | loss per token after {arguments.updates} updates | CPU s |")
    print("| ---: | ---: | ---: | ---: |")
    for init_std, clip_norm in GRID:
        settings = TrainingSettings(
            embedding=arguments.embedding, hidden=arguments.hidden, init_std=init_std, clip_norm=clip_norm,
            batch_size=40, max_length=24, seed=1,
        )  # fmt: skip
        state = initial_state(settings, size, torch.device("cpu"))
        began = time.process_time()
        with tempfile.TemporaryDirectory() as folder, open(os.devnull, "w", encoding="utf-8") as nowhere:
            metrics = Path(folder) / "metrics.jsonl"
            progress = Progress("", 0, arguments.updates, metrics, nowhere)
            run(state, corpus, settings, Schedule(arguments.updates, frozenset()), CheckpointFolder(folder), progress)
            loss = json.loads(metrics.read_text(encoding="utf-8").splitlines()[-1])["loss_per_token"]
        seconds = time.process_time() - began
        print(f"| {init_std} | {clip_norm:g} | {loss:.3f} | {seconds:.0f} |", flush=True)


if __name__ == "__main__":
    main()
