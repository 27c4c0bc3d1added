"""The checked experiment and its wildcards; what they mean is in the package `rarewords.experiment`.

A rule for both sides of a pair names the languages {src} and {tgt}; a rule for one text uses {pair} and {lang}.
"""

from rarewords.corpus.sources import archives
from rarewords.errors import InputError
from rarewords.experiment.borrowed import check_borrowed_models
from rarewords.experiment.job_options import development_options, lexicon_options, member_options, unigram_options
from rarewords.experiment.layout import PAIR, Layout, table1_name
from rarewords.experiment.plan import Experiment
from rarewords.experiment.provenance import with_file
from rarewords.experiment.steps import Steps, checksum_options, line_options
from rarewords.experiment.unusual import unusual
from rarewords.experiment.wildcards import constraints, one_of, replacing, searching
from rarewords.report.contents import Contents
from rarewords.report.contents import files as files_shown
from rarewords.report.failures import Logs
from rarewords.report.inputs import checksum
from rarewords.report.named import Named
from rarewords.report.parts import Parts
from rarewords.report.targets import Targets
from rarewords.text import seals
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
    print(f"rarewords: {with_file(str(error), config, CONFIG_FILES)}", file=sys.stderr)
    sys.exit(2)

layout = Layout.of(EXPERIMENT)
steps = Steps(EXPERIMENT)
# Every text that a job writes gets a checksum, which the next job compares; none in a storage, to which only declared
# files are copied: those on this machine may be out of date.
os.environ[seals.SWITCH] = seals.JSON_ONLY if workflow.storage_settings.default_storage_provider else seals.ALL
parts = Parts(EXPERIMENT)
named = Named(EXPERIMENT)
contents = Contents(EXPERIMENT)
targets = Targets(EXPERIMENT)
NAME = EXPERIMENT.name
TRAINING = EXPERIMENT.config["training"]
DECODING = EXPERIMENT.config["decoding"]
ALIGNMENT = EXPERIMENT.config["alignment"]
SIGNIFICANCE = EXPERIMENT.config["experiment"]["significance"]
SETS = list(dict.fromkeys([EXPERIMENT.dev, *EXPERIMENT.tests]))
SHARDS = steps.shards
# What the steps from tokenisation to segmentation make of the training text, see rules/shards.smk.
TRAINING_TEXT = "train" if SHARDS == 1 else r"shards/\d+/train"
LOGS = Logs()


wildcard_constraints:
    **constraints(
        EXPERIMENT,
        TRAINING_TEXT,
        {
            "place": named.tests,
            "table": named.tables,
            "oov": named.oov_tables,
            "figure": named.figures,
            "ablation": named.ablations,
            "table1": named.tables1,
            "examples": named.examples_tables,
        },
    ),
