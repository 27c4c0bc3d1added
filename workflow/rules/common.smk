"""The checked experiment, wildcards, and small helpers; what they mean is in the package `rarewords.experiment`.

A rule for both sides of a pair names the languages {src} and {tgt}; a rule for one text uses {pair} and {lang}.
"""

import json
import os
import re
import shutil
import sys
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
    language,
    table1_name,
)
from rarewords.experiment.plan import Experiment
from rarewords.experiment.provenance import with_file
from rarewords.experiment.unusual import unusual
from rarewords.experiment.steps import Steps, checksum_options, line_options
from rarewords.report.contents import Contents
from rarewords.report.contents import files as files_shown
from rarewords.report.inputs import checksum
from rarewords.report.parts import Parts
from rarewords.report.targets import Targets
from rarewords.text.files import atomic_file

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
    print(f"rarewords: {with_file(str(error), config, config_files())}", file=sys.stderr)
    sys.exit(2)

layout = Layout.of(EXPERIMENT)
steps = Steps(EXPERIMENT)
# Every text that a job writes gets a checksum, which the next job compares; none in a storage, to which only declared
# files are copied: those on this machine may be out of date.
os.environ[seals.SWITCH] = seals.JSON_ONLY if workflow.storage_settings.default_storage_provider else seals.ALL
parts = Parts(EXPERIMENT)
contents = Contents(EXPERIMENT)
targets = Targets(EXPERIMENT)
NAME = EXPERIMENT.name
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


# The names of tables and figures, each with its pair, and the places of test sets.
TABLES, OOV_TABLES, FIGURES, ABLATIONS, TABLES1, EXAMPLES = (
    {name_of(pair): pair for pair in EXPERIMENT.pairs}
    for name_of in (
        layout.table_name,
        layout.oov_name,
        layout.figure_name,
        ablation_name,
        table1_name,
        layout.examples_name,
    )
)
TEST_AT = {layout.place(test): test for test in EXPERIMENT.tests}


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
    place=f"(?:{'|'.join(map(re.escape, TEST_AT))})",
    table=one_of(TABLES),
    oov=one_of(OOV_TABLES),
    figure=one_of(FIGURES),
    ablation=one_of(ABLATIONS),
    table1=one_of(TABLES1),
    examples=one_of(EXAMPLES),
    output=rf"single-\d+|best(-for-({one_of(REPLACING)}))?|ensemble",
