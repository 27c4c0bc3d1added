"""The checked experiment, wildcards, and small helpers; what they mean is in the package `rarewords.experiment`.

A rule for both sides of a pair names the languages {src} and {tgt}; a rule for one text uses {pair} and {lang}.
"""

import json
import os
import re
import shutil
import sys
import time
from functools import partial
from pathlib import Path

import yaml

try:
    import rarewords
except ImportError:
    sys.exit("The package rarewords is not installed here: run `make setup`, or `pip install '.[all]'`.")

from rarewords.corpus.sources import archives
from rarewords.errors import InputError
from rarewords.text import seals
from rarewords.experiment.borrowed import check_borrowed_models
from rarewords.experiment.layout import (
    PAIR,
    Layout,
    ablation_name,
    examples_name,
    figure_name,
    language,
    oov_name,
    table1_name,
    table_name,
    training_name,
)
from rarewords.experiment.plan import Experiment
from rarewords.experiment.steps import Steps, checksum_options, line_options

try:
    EXPERIMENT = Experiment(config)
    check_borrowed_models(EXPERIMENT)
    EXPERIMENT.check_external_files()
    EXPERIMENT.check_examples()
    MISSING = EXPERIMENT.missing_files()  # those that the user has to put there by hand
    TEXTS_TO_FETCH = EXPERIMENT.texts_to_fetch()
    ARCHIVES = archives(EXPERIMENT.config["corpora"][EXPERIMENT.corpus])
    ARCHIVES_TO_FETCH = EXPERIMENT.archives_to_fetch()
except InputError as error:
    print(f"rarewords: {error}", file=sys.stderr)
    sys.exit(2)

layout = Layout.of(EXPERIMENT)
steps = Steps(EXPERIMENT)
BEGAN = time.time()
PAPERS_NAMES = (table_name, figure_name, examples_name)
# The paper's numbers of tables and figures are names only where a system names its row in the paper.
table_name, oov_name, figure_name, examples_name = (
    partial(name_of, in_paper=EXPERIMENT.names_paper())
    for name_of in (table_name, oov_name, figure_name, examples_name)
)
os.environ[seals.SWITCH] = "1"  # every text that a job writes gets a checksum, which the next job compares

NAME = EXPERIMENT.name
DATA, MODELS, RESULTS = layout.data, layout.models, layout.results
NETWORK = EXPERIMENT.config["network"]
TRAINING = EXPERIMENT.config["training"]
DECODING = EXPERIMENT.config["decoding"]
ALIGNMENT = EXPERIMENT.config["alignment"]
SIGNIFICANCE = EXPERIMENT.config["experiment"]["significance"]
# Systems with a search of their own; the others replace unknown words in the translations of one of these.
SEARCHING = [system for system in [*EXPERIMENT.systems, *EXPERIMENT.trained] if EXPERIMENT.searches(system)]
REPLACING = [system for system in EXPERIMENT.systems if not EXPERIMENT.searches(system)]
SETS = list(dict.fromkeys([EXPERIMENT.dev, *EXPERIMENT.tests]))
SHARDS = steps.shards
# What the steps from tokenisation to segmentation make of the training text, see rules/shards.smk.
TRAINING_TEXT = "train" if SHARDS == 1 else r"shards/\d+/train"


def one_of(names):
    return "|".join(re.escape(name) for name in sorted(set(names))) or "(?!)"  # which nothing matches


wildcard_constraints:
    pair=one_of(EXPERIMENT.pairs),
    src=one_of(language(pair, "source") for pair in EXPERIMENT.pairs),
    tgt=one_of(language(pair, "target") for pair in EXPERIMENT.pairs),
    lang=r"[a-z]{2,3}",
    split=f"{one_of(SETS)}|{TRAINING_TEXT}",
    testset=one_of(SETS),
    system=one_of([*EXPERIMENT.systems, *EXPERIMENT.trained, *map(EXPERIMENT.text_of, EXPERIMENT.trained)]),
    row=one_of(EXPERIMENT.table1_rows),
    form=one_of(EXPERIMENT.forms()),
    run=r"\d+",
    member=r"\d+",
    output=rf"single-\d+|best(-for-({one_of(REPLACING)}))?|ensemble",
