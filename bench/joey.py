"""JoeyNMT's configuration for the benchmarks; run by its own Python, so nothing of rarewords is imported here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SPECIAL = {"unk": "<unk>", "pad": "<pad>", "bos": "<s>", "eos": "</s>"}


def write_config(
    folder: Path, embedding: int, hidden: int, training: dict[str, Any], testing: dict[str, Any], threads: int
) -> Path:
    """A GRU network with additive attention on the segmented text in `folder`, one vocabulary for both sides."""
    import joeynmt.builders as builders
    import torch

    torch.set_num_threads(threads)
    plateau = builders.ReduceLROnPlateau  # torch has dropped the option `verbose`, which JoeyNMT 2.3.0 gives
    builders.ReduceLROnPlateau = lambda *args, verbose=None, **options: plateau(*args, **options)

    units = [line.rpartition(" ")[0] for line in (folder / "vocabulary").read_text(encoding="utf-8").split("\n")[:-1]]
    (folder / "joey.vocabulary").write_text("\n".join([*SPECIAL.values(), *units]) + "\n", encoding="utf-8")
    for language in ("en", "de"):
        lines = (folder / f"test.{language}").read_text(encoding="utf-8").split("\n")[:10]
        (folder / f"joey-dev.{language}").write_text("\n".join(lines) + "\n", encoding="utf-8")
    side = {
        "max_length": 50, "lowercase": False, "level": "word", "voc_file": str(folder / "joey.vocabulary"),
        "tokenizer_cfg": {"pretokenizer": "none"},
    }  # fmt: skip
    gru = {
        "type": "recurrent", "rnn_type": "gru", "num_layers": 1, "hidden_size": hidden, "dropout": 0.0,
        "embeddings": {"embedding_dim": embedding, "scale": False},
    }  # fmt: skip
    decoder = {"input_feeding": True, "init_hidden": "bridge", "attention": "bahdanau", "hidden_dropout": 0.0}
    config = {
        "name": "bench",
        "joeynmt_version": "2.3.0",
        "model_dir": str(folder / "joey"),
        "use_cuda": False,
        "fp16": False,
        "random_seed": 1,
        "data": {
            "train": str(folder / "train"),
            "dev": str(folder / "joey-dev"),
            "test": str(folder / "joey-dev"),
            "dataset_type": "plain",
            "src": {"lang": "en", **side},
            "trg": {"lang": "de", **side},
            "special_symbols": {f"{name}_token": symbol for name, symbol in SPECIAL.items()}
            | {f"{name}_id": number for number, name in enumerate(SPECIAL)},
        },
        "testing": {"n_best": 1, "eval_metrics": ["bleu"], "sacrebleu_cfg": {"tokenize": "none"}, **testing},
        "training": {
            "optimizer": "adadelta", "learning_rate": 1.0, "learning_rate_min": 0.0, "clip_grad_norm": 1.0,
            "weight_decay": 0.0, "batch_type": "sentence", "normalization": "batch", "scheduling": "plateau",
            "epochs": 100, "validation_freq": 10**9, "logging_freq": 10**9, "early_stopping_metric": "loss",
            "overwrite": True, "shuffle": True, "print_valid_sents": [0], "keep_best_ckpts": 1, **training,
        },
        "model": {
            "initializer": "xavier_uniform", "bias_initializer": "zeros", "embed_initializer": "normal",
            "embed_init_weight": 0.1, "tied_embeddings": False,
            "encoder": {**gru, "bidirectional": True},
            "decoder": {**gru, **decoder},
        },
    }  # fmt: skip
    path = folder / "joey.yaml"
    path.write_text(json.dumps(config), encoding="utf-8")  # JSON is YAML
    (folder / "joey").mkdir(exist_ok=True)
    return path
