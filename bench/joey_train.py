"""Train with JoeyNMT and print time and positions of every update; see bench/train.py.

python joey_train.py FOLDER EMBEDDING HIDDEN BATCH_SIZE UPDATES THREADS
"""

from __future__ import annotations

import itertools
import json
import sys
import time
from pathlib import Path
from typing import Any

import joey
import joeynmt.training
from joeynmt.config import load_config

folder = Path(sys.argv[1])
embedding, hidden, batch_size, count, threads = map(int, sys.argv[2:])
path = joey.write_config(folder, embedding, hidden, {"batch_size": batch_size, "updates": count + 1}, {}, threads)
starts: list[dict[str, float]] = []
original = joeynmt.training.TrainManager._train_step


def noted(self: Any, batch: Any) -> Any:
    positions = {"source": int(batch.src_length.sum()), "target": int(batch.ntokens)}
    starts.append({"wall": time.perf_counter(), "cpu": time.process_time(), **positions})
    return original(self, batch)


joeynmt.training.TrainManager._train_step = noted
joeynmt.training.train(rank=0, world_size=None, cfg=load_config(path), skip_test=True)
# an update lasts until the next one starts: reading its batch is part of it
updates = [
    {**start, "wall": after["wall"] - start["wall"], "cpu": after["cpu"] - start["cpu"]}
    for start, after in itertools.pairwise(starts)
]
print("\nBENCH " + json.dumps({"updates": updates}))
