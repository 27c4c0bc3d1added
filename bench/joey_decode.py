"""Translate standard input with an untrained network of JoeyNMT and print the CPU seconds; see bench/decode.py.

python joey_decode.py FOLDER EMBEDDING HIDDEN BEAM BATCH_SIZE LENGTH THREADS
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import joey
import joeynmt.prediction
import joeynmt.training
from joeynmt.config import load_config

folder = Path(sys.argv[1])
embedding, hidden, beam, batch_size, length, threads = map(int, sys.argv[2:])
testing = {
    "beam_size": beam, "beam_alpha": 1.0, "batch_size": batch_size, "batch_type": "sentence",
    "min_output_length": length, "max_output_length": length,
}  # fmt: skip
path = joey.write_config(folder, embedding, hidden, {"batch_size": 80, "updates": 1}, testing, threads)
if not list((folder / "joey").glob("*.ckpt")):
    joeynmt.training.train(rank=0, world_size=None, cfg=load_config(path), skip_test=True)
seconds: list[float] = []
original = joeynmt.prediction.predict


def noted(*arguments: Any, **options: Any) -> Any:
    began = time.process_time()
    result = original(*arguments, **options)
    seconds.append(time.process_time() - began)
    return result


joeynmt.prediction.predict = noted
joeynmt.prediction.translate(cfg=load_config(path))
print("\nBENCH " + json.dumps({"seconds": seconds[0]}))
