"""Where every file of a run lies, below the folder in which Snakemake works; nobody else spells a path.

Nothing is looked up here: a name may as well be a wildcard of Snakemake, say `{system}`. A system is the one that owns
the file, see `Experiment.text_of` (segmented text) and `Experiment.models_of` (models). The section Paths of
docs/architecture.md shows the tree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rarewords.corpus.sources import LOCK_FILE, TEXTS

if TYPE_CHECKING:
    from rarewords.experiment.plan import Experiment

PAIR = "{src}-{tgt}"  # the wildcards of a rule for both sides of a language pair
SIDES = ("source", "target")
TABLE = ("tsv", "md", "tex")  # what a table is written as
FIGURE = ("svg", "png")
TRANSLATION = ("sub", "tc", "txt")  # units, truecased words, plain text


def language(pair: str, side: str) -> str:
    """The language of a pair's source or target side."""
    source, target = pair.split("-")
    return {"source": source, "target": target}[side]


def corpus_folder(corpus: str) -> str:
    """The folder of a corpus."""
    return f"data/{corpus}"


def config_file(name: str) -> str:
    """The configuration that the last run of an experiment has left, by the experiment's name."""
    return f"results/{name}/config.yaml"


@dataclass(frozen=True)
class Layout:
    """The paths of one experiment: its name, that of the experiment whose models it uses, its corpus, the test set
    whose tables and figures lie on top, and whether these have the numbers that they have in the paper."""

    name: str
    models_name: str
    corpus: str
    first_test: str
    in_paper: bool = True

    @classmethod
    def of(cls, experiment: Experiment) -> Layout:
        """The layout of a checked experiment."""
        return cls(
            experiment.name, experiment.models_from, experiment.corpus, experiment.tests[0], experiment.names_paper()
        )

    # The corpus, shared by all experiments on it

    @property
    def data(self) -> str:
        """The corpus' folder."""
        return corpus_folder(self.corpus)

    @property
    def lock(self) -> str:
        """The checksums of what was fetched."""
        return f"{self.data}/{LOCK_FILE}"

    def archive(self, name: str) -> str:
        """A fetched archive."""
        return f"{self.data}/archives/{name}"

    def given(self, file: str) -> str:
        """A text taken out of an archive."""
        return f"{self.data}/{TEXTS}/{file}"

    def text(self, stage: str, pair: str, split: str, lang: str) -> str:
        """A side of a text after a stage: raw, tok, clean or tc; `split` may be a shard's (`shards/{k}/train`)."""
        return f"{self.data}/{pair}/{stage}/{split}.{lang}"

    @staticmethod
    def stage(stage: str, form: str | None) -> str:
        """A stage (tok, clean or tc) of the text in another form than that of the corpus (None), for `text`."""
        return stage if form is None else f"forms/{form}/{stage}"

    def truecaser(self, pair: str, lang: str, form: str | None = None) -> str:
        """The truecasing model of a side, in a form of the text."""
        return f"{self.data}/{pair}/{self.stage('tc', form)}/truecaser.{lang}"

    def counts(self, pair: str, lang: str, form: str | None = None) -> str:
        """The words of a side of the training text with their counts, in a form of the text."""
        return f"{self.data}/{pair}/{self.stage('tc', form)}/counts.{lang}"

    def segmented(self, pair: str, system: str) -> str:
        """The folder of a system's segmented text."""
        return f"{self.data}/{pair}/{self.segmented_stage(system)}"

    @staticmethod
    def segmented_stage(system: str) -> str:
        """The stage in which a text is segmented for a system, for `text`."""
        return f"seg/{system}"

    def segmenter(self, pair: str, system: str, lang: str) -> str:
        """The segmenter of a side."""
        return f"{self.segmented(pair, system)}/segmenter.{lang}.json"

    def vocabulary(self, pair: str, system: str, lang: str) -> str:
        """The network's vocabulary of a side."""
        return f"{self.segmented(pair, system)}/vocabulary.{lang}"

    def vocabularies(self, pair: str, system: str) -> tuple[str, str]:
        """The vocabularies of source and target side."""
        source, target = pair.split("-")
        return self.vocabulary(pair, system, source), self.vocabulary(pair, system, target)

    def units(self, pair: str, system: str, split: str, lang: str) -> str:
        """A side of a text in a system's units."""
        return self.text(self.segmented_stage(system), pair, split, lang)

    def sampled(self, pair: str, system: str, lang: str) -> str:
        """The training text in randomly drawn segmentations."""
        return self.units(pair, system, "sampled/train", lang)

    def pairs(self, pair: str, system: str) -> str:
        """The description of the training text as integers; the arrays lie beside it."""
        return f"{self.segmented(pair, system)}/pairs/pairs.json"

    def arrays(self, pair: str, system: str) -> list[str]:
        """The training text as integers."""
        folder = f"{self.segmented(pair, system)}/pairs"
        return [f"{folder}/{side}.{kind}" for side in SIDES for kind in ("ids", "offsets", "vocabulary")]

    def alignment(self, pair: str, system: str, direction: str) -> str:
        """Word alignment of the training text: forward, reverse or symmetrised."""
        return f"{self.segmented(pair, system)}/align/{direction}.txt"

    def lexicon(self, pair: str, system: str) -> str:
        """The translations of a system's source units."""
        return f"{self.segmented(pair, system)}/lexicon.tsv"

    def table1_segmenter(self, pair: str, row: str, lang: str) -> str:
        """The segmenter of a row of table 1."""
        return f"{self.data}/{pair}/table1/{row}/segmenter.{lang}.json"

    def table1_statistics(self, pair: str, row: str) -> str:
        """What a segmentation of table 1 makes of the text."""
        return f"{self.data}/{pair}/table1/{row}/statistics.json"

    # Models

    @property
    def models(self) -> str:
        """The folder of the models."""
        return f"models/{self.models_name}"

    def run(self, pair: str, system: str, run: int | str) -> str:
        """The folder of a training run."""
        return f"{self.models}/{pair}/{system}/run{run}"

    def saved(self, pair: str, system: str, run: int | str, number: int | str) -> str:
        """A saved model of a run; 1 is the oldest."""
        return f"{self.run(pair, system, run)}/saved{number}.safetensors"

    @staticmethod
    def checkpoints(folder: str) -> str:
        """The checkpoints of a run or of a member, in its folder; no rule declares them as its output."""
        return f"{folder}/checkpoints"

    def metrics(self, pair: str, system: str, run: int | str) -> str:
        """The reports of a run, beside its checkpoints."""
        return f"{self.checkpoints(self.run(pair, system, run))}/metrics.jsonl"

    def member(self, pair: str, system: str, member: int | str) -> str:
        """The folder of a member of the ensemble."""
        return f"{self.models}/{pair}/{system}/member{member}"

    def description(self, pair: str, system: str, member: int | str) -> str:
        """Sizes, vocabularies and origin of a member."""
        return f"{self.member(pair, system, member)}/model.json"

    def weights(self, pair: str, system: str, member: int | str) -> str:
        """The tensors of a member."""
        return f"{self.member(pair, system, member)}/model.safetensors"

    def member_files(self, pair: str, system: str, member: int | str) -> list[str]:
        """Description and weights of a member."""
        return [self.description(pair, system, member), self.weights(pair, system, member)]

    # Translations and scores

    @property
    def results(self) -> str:
        """The folder of the results."""
        return f"results/{self.name}"

    @property
    def config(self) -> str:
        """The configuration of the last run, defaults filled in."""
        return config_file(self.name)

    def output(self, pair: str, system: str, test: str, output: str) -> str:
        """A translation without the suffix of a form; `output` is single-{k}, best or ensemble, or given (external)."""
        return f"{self.results}/{pair}/{system}/{test}/{output}"

    def translation(self, pair: str, system: str, test: str, output: str, suffix: str) -> str:
        """A translation as units (sub), truecased words (tc) or plain text (txt)."""
        return f"{self.output(pair, system, test, output)}.{suffix}"

    def scores(self, pair: str, system: str, test: str, output: str) -> str:
        """The scores of a translation."""
        return f"{self.output(pair, system, test, output)}.json"

    def choice(self, pair: str, system: str, dev: str) -> str:
        """Which member is the best on the development set."""
        return f"{self.results}/{pair}/{system}/{dev}/choice.json"

    def significance(self, pair: str, test: str) -> str:
        """The comparison of all systems with the baseline."""
        return f"{self.results}/significance/{pair}/{test}.json"

    def claims(self, pair: str, test: str, suffix: str) -> str:
        """The paper's claims with their tests; json for the page, else a table."""
        return f"{self.results}/claims/{pair}/{test}.{suffix}"

    # Tables, figures and the report

    def table_name(self, pair: str) -> str:
        """File name of a pair's table of scores."""
        return table_name(pair, self.in_paper)

    def oov_name(self, pair: str) -> str:
        """File name of a pair's table of unseen words."""
        return oov_name(pair, self.in_paper)

    def figure_name(self, pair: str) -> str:
        """File name of a pair's figure of unigram F1 by frequency."""
        return figure_name(pair, self.in_paper)

    def examples_name(self, pair: str) -> str:
        """File name of a pair's table of examples."""
        return examples_name(pair, self.in_paper)

    def place(self, test: str) -> str:
        """Where the tables and figures of a test set lie: those of the first on top, the others' in a folder each."""
        return "" if test == self.first_test else f"{test}/"

    def table(self, name: str, test: str, suffix: str) -> str:
        """A table about a test set."""
        return self.table_at(self.place(test), name, suffix)

    def figure(self, name: str, test: str, suffix: str) -> str:
        """A figure about a test set."""
        return self.figure_at(self.place(test), name, suffix)

    def table_at(self, place: str, name: str, suffix: str) -> str:
        """A table in the place of a test set."""
        return f"{self.results}/tables/{place}{name}.{suffix}"

    def figure_at(self, place: str, name: str, suffix: str) -> str:
        """A figure in the place of a test set."""
        return f"{self.results}/figures/{place}{name}.{suffix}"

    def attention(self, pair: str, system: str) -> str:
        """The folder of a system's heat maps."""
        return f"{self.results}/figures/attention/{pair}/{system}"

    def learning_curves(self, suffix: str) -> str:
        """The figure of all training runs."""
        return f"{self.results}/figures/learning-curves.{suffix}"

    @property
    def manifest(self) -> str:
        """What the run was made of."""
        return f"{self.results}/manifest.json"

    @property
    def report(self) -> str:
        """The page that shows everything."""
        return f"{self.results}/report.html"

    # Output, time and memory of the steps

    def log(self, step: str, name: str, *, of_text: bool = False) -> str:
        """The output of a job: of a step on the corpus, which experiments share (`of_text`), or of this experiment."""
        return f"logs/{step}/{self.corpus if of_text else self.name}/{name}.log"

    def benchmark(self, step: str, name: str, *, of_text: bool = False) -> str:
        """Time and memory of a job, as `log`."""
        return f"benchmarks/{step}/{self.corpus if of_text else self.name}/{name}.tsv"


def table_name(pair: str, in_paper: bool = True) -> str:
    """File name of a pair's result table: the number of the paper's table where it has one
    and a system of the experiment names a row of the paper."""
    own = f"scores-{pair}"
    return {"en-de": "table2", "en-ru": "table3"}.get(pair, own) if in_paper else own


def oov_name(pair: str, in_paper: bool = True) -> str:
    """File name of a pair's table of unseen words, beside the result table."""
    return f"{table_name(pair, in_paper)}-oov"


def training_name(pair: str) -> str:
    """File name of a pair's table of what the systems were trained on."""
    return f"training-{pair}"


def ablation_name(pair: str) -> str:
    """File name of a pair's table and figure of a grid."""
    return f"ablation-{pair}"


def examples_name(pair: str, in_paper: bool = True) -> str:
    """File name of a pair's table of examples: the number of the paper's table where it has one
    and a system of the experiment names a row of the paper."""
    own = f"examples-{pair}"
    return {"en-de": "table4", "en-ru": "table5"}.get(pair, own) if in_paper else own


def figure_name(pair: str, in_paper: bool = True) -> str:
    """File name of a pair's figure of unigram F1 by frequency: the number of the paper's figure where it has
    one, as `table_name`."""
    own = f"figure-frequency-{pair}"
    return {"en-de": "figure2", "en-ru": "figure3"}.get(pair, own) if in_paper else own


def table1_name(pair: str) -> str:
    """File name of a pair's table of segmentations; the paper's is about English-German."""
    return "table1" if pair == "en-de" else f"table1-{pair}"
