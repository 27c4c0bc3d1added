"""How the commands of the documentation are tested: each runs as it stands, if it is not named here.

`snakemake` lists its jobs instead of running them (`-n`), `make` prints what it would do.
"""

from __future__ import annotations

# First words of the lines that are commands. A block with one of them holds nothing but commands.
PROGRAMS = {
    "apptainer", "docker",
    "conda", "cp", "echo", "mkdir", "git", "gzip", "joey/bin/pip", "ls", "make", "pip", "pytest", "python", "python3",
    "rarewords", "sacct", "sed", "snakemake", "squeue", "tail", "tensorboard",
}  # fmt: skip

# Documents whose commands are run by a test of their own.
TESTED_ELSEWHERE = {
    "docs/tutorial.md": "tests/bundle/test_tutorial.py",
    "docs/adding-a-segmentation.md": "tests/unit/test_adding_a_segmentation.py",
}

# Less work of the same kind: what a command says, and what is run.
SMALLER = {
    "--updates 4000 --save-every 500": "--updates 4 --save-every 2",
    "--updates 200": "--updates 2",
}

# Benchmarks that run with less work, so that a change of the package that breaks them is noticed.
SMALLER_BENCHMARKS = {
    "python bench/train.py": "--embedding 8 --hidden 8 --merges 100 --updates 1 --warmup 0 --turns 1",
    "python bench/train.py --precision float32 --precision bfloat16 --warmup 60": (
        "--embedding 8 --hidden 8 --merges 100 --updates 1 --warmup 0 --turns 1"
    ),
    "python bench/decode.py": "--embedding 8 --hidden 8 --merges 100 --sentences 2 --batch-size 2 --turns 1",
    "python bench/volume.py": "--lines 300 --merges 100",
    "python bench/raw_round_trip.py": "--lines 1000",
}

NETWORK = "needs the network"
CLUSTER = "needs a cluster"
FETCHING = "needs the network or the whole WMT15 text; tests/fetching runs it with a server of its own"
BENCHMARK = "takes minutes to hours"

# What cannot run in a test, and why. Programs and options of `rarewords`, of bench/ and of make are still checked.
NOT_RUN = {
    "python3 -m venv .venv && . .venv/bin/activate": "the tests run in such an environment",
    "pip install torch==2.13.0 && pip install -c requirements.lock -e '.[dev]'": NETWORK,
    "pip install .": NETWORK,
    "apptainer build rarewords.sif workflow/envs/rarewords.def": NETWORK,
    "docker build -f workflow/envs/Dockerfile -t rarewords .": NETWORK,
    "snakemake --cores 2 --sdm apptainer": "needs apptainer, even to list the jobs",
    "pip install '.[train]'": NETWORK,
    "pip install '.[all]'": NETWORK,
    "pytest": "is running",
    "make setup && . .venv/bin/activate": NETWORK,
    "git clone … && cd rarewords": NETWORK,
    "squeue --me --format=\"%i %T %M %l %R %k\"": CLUSTER,
    "tail -f logs/train/wmt15/en-de/bpe/run1.log": "does not end",
    "ls .snakemake/slurm_logs/": CLUSTER,
    "tensorboard --logdir events": "does not end",
    "rarewords corpus fetch wmt15": FETCHING,
    "rarewords corpus verify wmt15": FETCHING,
    "RAREWORDS_MIRROR=/shared/corpora rarewords corpus fetch wmt15": FETCHING,
    "python bench/decode.py --paper-size --sentences 8 --batch-size 8 --turns 1": BENCHMARK,
    "python bench/decode.py --batch-size 1 --batch-size 16 --batch-size 32 --turns 1 --sentences 48": BENCHMARK,
    "python bench/train.py --embedding 620 --hidden 1000 --updates 5 --turns 1": BENCHMARK,
    "python bench/vocabulary.py": BENCHMARK,
    "python bench/train.py --device cuda --embedding 620 --hidden 1000": "needs a GPU",
    "python bench/gpu_check.py": "needs a GPU",
    "python bench/bpe.py --big": BENCHMARK,
    "python bench/align.py": BENCHMARK,
    "python bench/miniature.py": BENCHMARK,
    "python bench/paragraphs.py bundle test.en test.de": "needs a bundle",
    "python bench/translate.py bpe-bundle data/demo/libreoffice-help/en-de/train.en.gz": BENCHMARK,
    "snakemake --cores 2 --configfile config/config.yaml config/ablations/beam.yaml": (
        "needs the finished demo; tests/workflow/test_grid.py runs a grid of beams"
    ),
    "pip install snakemake-executor-plugin-kubernetes snakemake-storage-plugin-fs": NETWORK,
    "snakemake -n --executor kubernetes --jobs 4 --container-image registry.example/rarewords "
    "--default-storage-provider fs --default-storage-prefix /tmp/bucket": "needs two plugins that nothing else needs",
    "mkdir -p /tmp/bucket/data && cp -r data/demo /tmp/bucket/data/": "writes outside the folder",
    "python -m venv joey": NETWORK,
    "joey/bin/pip install torch==2.13.0": NETWORK,
    "joey/bin/pip install joeynmt==2.3.0 importlib_metadata": NETWORK,
    "python bench/train.py --joey joey/bin/python": NETWORK,
}  # fmt: skip
