"""The checked experiment, wildcards, and small helpers; what they mean is in the package `rarewords.experiment`.

A rule for both sides of a pair names the languages {src} and {tgt}; a rule for one text uses {pair} and {lang}.
"""

import os
import re
import shutil
import sys

import yaml

try:
    import rarewords
except ImportError:
    sys.exit("The package rarewords is not installed here: run `make setup`, or `pip install .`.")

from rarewords.errors import InputError
from rarewords.experiment.plan import Experiment, language, table_name

try:
    EXPERIMENT = Experiment(config)
except InputError as error:
    print(f"rarewords: {error}", file=sys.stderr)
    sys.exit(2)

NAME = EXPERIMENT.name
CORPUS = EXPERIMENT.corpus
DATA = f"data/{CORPUS}"
MODELS = f"models/{NAME}"
RESULTS = f"results/{NAME}"
NETWORK = EXPERIMENT.config["network"]
TRAINING = EXPERIMENT.config["training"]
DECODING = EXPERIMENT.config["decoding"]
SETS = list(dict.fromkeys([EXPERIMENT.dev, *EXPERIMENT.tests]))


def one_of(names):
    return "|".join(re.escape(name) for name in sorted(set(names)))


wildcard_constraints:
    pair=one_of(EXPERIMENT.pairs),
    src=one_of(language(pair, "source") for pair in EXPERIMENT.pairs),
    tgt=one_of(language(pair, "target") for pair in EXPERIMENT.pairs),
    lang=r"[a-z]{2,3}",
    split=one_of(["train", *SETS]),
    testset=one_of(SETS),
    system=one_of(EXPERIMENT.systems),
    run=r"\d+",
    member=r"\d+",
    output=r"single-\d+|best|ensemble",


def pair_of(wildcards):
    return f"{wildcards.src}-{wildcards.tgt}"


def gpus(wildcards):
    """GPUs that one training or translation asks for: one if it is going to use one."""
    device = TRAINING["device"]
    return int(device.startswith("cuda") or (device == "auto" and shutil.which("nvidia-smi") is not None))


def table_file(pair, testset, suffix):
    """The first test set's tables lie in tables/, the others' in a folder of their own below."""
    folder = "" if testset == EXPERIMENT.tests[0] else f"{testset}/"
    return f"{RESULTS}/tables/{folder}{table_name(pair)}.{suffix}"


def all_tables(pairs=EXPERIMENT.pairs):
    return [
        table_file(pair, testset, suffix)
        for pair in pairs
        for testset in EXPERIMENT.tests
        for suffix in ("tsv", "md", "tex")
    ]


def write_config():
    """Keep the configuration of the run, defaults filled in, beside its results."""
    os.makedirs(RESULTS, exist_ok=True)
    with open(f"{RESULTS}/config.yaml", "w", encoding="utf-8") as out:
        yaml.safe_dump(EXPERIMENT.config, out, sort_keys=False, allow_unicode=True)


def show_results():
    """Print the finished tables and where everything lies."""
    from rarewords.report import formats, terminal

    tables = [path for path in all_tables() if path.endswith(".tsv") and os.path.exists(path)]
    for path in tables:
        terminal.show(formats.read_tsv(path))
        print(f"  {path}  (also .md and .tex)")
    if tables:
        print(f"  scores and translations: {RESULTS}/   models: {MODELS}/   logs: logs/")
