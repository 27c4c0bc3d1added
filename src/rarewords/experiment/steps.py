"""The inputs and options of the workflow's jobs, as far as they depend on the experiment.

Snakemake compares the *set of values* of a rule's params with that of the last run, without their names, and leaves out
params that are functions of `input`, `output`, `threads` or `resources`. So every setting is written as the whole
option (`--hidden=128` and not 128) and comes from names alone, never from a job's files.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from dataclasses import Field, fields
from typing import Any

from rarewords.corpus.sources import Archive, Text
from rarewords.experiment.layout import TRANSLATION, Layout, language
from rarewords.experiment.plan import Experiment
from rarewords.schema import default
from rarewords.settings import DecodingSettings, TrainingLength, TrainingSettings, as_options, option

# How Snakemake has recorded the settings of training runs since the first version, unless by their names.
FIRST_NAMES = {"init_std": "deviation", "clip_norm": "cutoff", "partition_vocabulary": "loaded_vocabulary"}
FIRST_SETTINGS = (
    "embedding", "hidden", "init_std", "clip_norm", "batch_size", "max_length", "seed", "precision", "updates",
    "save_every", "patience", "hours",
)  # fmt: skip
BEST_FOR = "best-for-"  # the output that a system with another one's models starts from


class Steps:
    """The workflow's steps in one experiment. Systems, pairs, test sets and outputs are given by their names."""

    def __init__(self, experiment: Experiment) -> None:
        self.experiment = experiment
        self.layout = Layout.of(experiment)
        self.shards: int = experiment.preprocess("shards")

    # Text

    def source_options(self, archive: Archive) -> list[str]:
        """Other sources of an archive besides its addresses."""
        mirror = self.experiment.config["corpora"][self.experiment.corpus]["mirror"]
        return _options_with_values({"mirror": mirror, "sacrebleu": archive.sacrebleu, "by-hand": archive.by_hand})

    def parts(self, pair: str, split: str, side: str) -> list[str]:
        """The files from which a side of a text is put together."""
        return [f"--{side}-part={path}" for path in self.experiment.parts(pair, split, side)]

    def preprocessing_flag(self, key: str) -> list[str]:
        """A choice of the corpus' preprocessing: normalise or aggressive."""
        return [f"--{key}"] if self.experiment.preprocess(key) else []

    def tokenised(self, pair: str, split: str, lang: str, form: str | None = None) -> str:
        """The text to truecase: training text is cleaned first, development and test sets are not."""
        sets = (self.experiment.dev, *self.experiment.tests)
        stage = "tok" if split in sets else "clean"
        return self.layout.text(self.layout.stage(stage, form), pair, split, lang)

    def form_options(self, pair: str, form: str, lang: str) -> list[str]:
        """Options that bring a side of a text into a form other than the corpus's; only the source is cleaned up."""
        wanted = self.experiment.forms()[form]
        is_source = lang == language(pair, "source")
        options = [f"--clean={step}" for step in wanted["clean"] if is_source]
        options += ["--normalise"] if wanted["normalise"] else []
        if not wanted["tokenise"]:
            return [*options, "--raw"]
        options += self.preprocessing_flag("aggressive")
        return options if wanted["escape"] else [*options, "--no-escape"]

    def form_text(self, form: str | None, pair: str, split: str, lang: str) -> str:
        """The words of a text in a form; None is that of the corpus."""
        if form is None or self.experiment.forms()[form]["truecase"]:
            return self.layout.text(self.layout.stage("tc", form), pair, split, lang)
        return self.tokenised(pair, split, lang, form)

    def words(self, pair: str, system: str, split: str, lang: str) -> str:
        """The text to which the segmentation of a system is applied."""
        return self.form_text(self.experiment.form(system), pair, split, lang)

    def word_counts(self, pair: str, system: str, lang: str) -> str:
        """The words of the training text of a system with their counts."""
        return self.layout.counts(pair, lang, self.experiment.form(system))

    def in_shards(self, path: str) -> list[str]:
        """The shards of a training text as files; `path` has {shard} in it, and its other wildcards stay."""
        return [path.replace("{shard}", str(shard)) for shard in range(1, self.shards + 1)]

    # Segmentation

    def is_sampled(self, system: str, pair: str) -> bool:
        """Whether networks are trained on randomly drawn segmentations."""
        return self.experiment.sampling(system, pair) is not None

    def sampling_strength(self, system: str, pair: str) -> str:
        """How random they are."""
        sampling = self.experiment.sampling(system, pair)
        assert sampling is not None, f"the segmentation of {system} is not random"
        return f"--{sampling[0]}={sampling[1]}"

    def copies(self, system: str, pair: str) -> list[str]:
        """How many segmentations of the training text there are, if they are random."""
        sampling = self.experiment.sampling(system, pair)
        return [] if sampling is None else [f"--copies={sampling[2]}"]

    def counted_units(self, pair: str, system: str, lang: str) -> str:
        """The text in which a vocabulary's units are counted: the words, or the randomly segmented training text."""
        if self.is_sampled(system, pair):
            return self.layout.sampled(pair, system, lang)
        return self.word_counts(pair, system, lang)

    def vocabulary_size(self, pair: str, system: str, lang: str) -> int:
        """Units of a vocabulary."""
        side = "source" if lang == language(pair, "source") else "target"
        return int(self.experiment.system(system, pair)["vocabulary"][side])

    def limiting_vocabulary(self, pair: str, system: str, lang: str) -> list[str]:
        """The vocabulary that limits the segmentation, for systems that undo merges outside it."""
        limited = self.experiment.system(system, pair)["fallback"]
        return [self.layout.vocabulary(pair, system, lang)] if limited else []

    def encoded_text(self, pair: str, system: str, side: str) -> str:
        """The segmented text of a side on which networks are trained."""
        lang = language(pair, side)
        if self.is_sampled(system, pair):
            return self.layout.sampled(pair, system, lang)
        return self.layout.units(pair, system, "train", lang)

    # Models

    def gpus(self) -> int:
        """The number of GPUs that one training run or translation asks for: one if it will use one."""
        device = str(self.experiment.config["training"]["device"])
        return int(device.startswith("cuda") or (device == "auto" and shutil.which("nvidia-smi") is not None))

    def training_pairs(self, pair: str, system: str) -> str:
        """The encoded training text of a system."""
        return self.layout.pairs(pair, self.experiment.text_of(system))

    def development_text(self, pair: str, system: str) -> list[str]:
        """The development text of a training run: both sides in units, and for BLEU the target segmenter."""
        validate = self.experiment.training(system, "validate")
        if validate == "none":
            return []
        text, dev = self.experiment.text_of(system), self.experiment.dev
        files = [self.layout.units(pair, text, dev, lang) for lang in pair.split("-")]
        return [*files, self.target_segmenter(pair, system)] if validate == "bleu" else files

    def saved_model(self, pair: str, system: str, member: int) -> str:
        """The saved model that a member continues."""
        run, number = self.experiment.origin(member)
        return self.layout.saved(pair, system, run, number)

    def saved_updates(self, system: str, member: int) -> list[str]:
        """The update of that model, which its file must name, unless a run may end early."""
        if self.experiment.may_end_early(system):
            return []
        updates, apart = (self.experiment.training(system, key) for key in ("updates", "save_every"))
        _, number = self.experiment.origin(member)
        return [f"--saved-updates={updates - apart * (self.experiment.saved_models - number)}"]

    def saved_seed(self, pair: str, system: str, member: int) -> int:
        """The seed of that model, which its file must name."""
        run, _ = self.experiment.origin(member)
        return self.experiment.seed(pair, system, run)

    def training_options(self, pair: str, system: str, run: int) -> list[str]:
        """The settings of a training run."""
        return [*as_options(self.experiment.training_settings(pair, system, run)), *as_options(self._length(system))]

    def recorded_training_options(self) -> dict[str, Callable[[Any], str | list[str]]]:
        """The same one by one, as params that Snakemake compares with those of the last run.

        They are spelled as when they were first recorded, so that a new name starts no finished run again; nor does a
        new setting with its default, which is an empty list.
        """
        return {one.name: self._recorded(one) for one in (*fields(TrainingSettings), *fields(TrainingLength))}

    def _recorded(self, setting: Field[Any]) -> Callable[[Any], str | list[str]]:
        name = setting.name

        def record(wildcards: Any) -> str | list[str]:
            pair, system = f"{wildcards.src}-{wildcards.tgt}", wildcards.system
            settings = self.experiment.training_settings(pair, system, int(wildcards.run))
            value = getattr(settings if hasattr(settings, name) else self._length(system), name)
            text = option(FIRST_NAMES.get(name, name), value)
            if name in FIRST_SETTINGS:
                return [] if value is None else text
            return [] if value == default(setting.metadata["key"]) else [text]

        return record

    def _length(self, system: str) -> TrainingLength:
        return self.experiment.training_length(system)

    # Translation

    def translating(self, output: str) -> list[int]:
        """The members that make an output: one, all, or (for the best) all of which the choice names one."""
        if output.startswith("single-"):
            return [int(output.removeprefix("single-"))]
        return self.experiment.members

    def member_files(self, pair: str, system: str, members: Iterable[int]) -> list[str]:
        """The files of some members that a system translates with."""
        owner = self.experiment.models_of(system)
        return [path for member in members for path in self.layout.member_files(pair, owner, member)]

    def choice(self, pair: str, system: str, output: str) -> list[str]:
        """Which member is the best, for an output that needs it."""
        return [self.choice_of_member(pair, system, output)] if output.startswith("best") else []

    def choice_of_member(self, pair: str, system: str, output: str = "best") -> str:
        """Which member is the best on the development set, by the translations of the system that the output is for."""
        chooser = output.removeprefix(BEST_FOR) if output.startswith(BEST_FOR) else system
        return self.layout.choice(pair, chooser, self.experiment.dev)

    def units_of(self, pair: str, system: str, split: str) -> str:
        """The source side of a text in the units that a system reads."""
        return self.layout.units(pair, self.experiment.text_of(system), split, language(pair, "source"))

    def target_segmenter(self, pair: str, system: str) -> str:
        """The segmenter that turns a system's translations into words."""
        return self.layout.segmenter(pair, self.experiment.text_of(system), language(pair, "target"))

    def written_form(self, system: str) -> list[str]:
        """In which form a system writes text, and how the words that are counted are made from its plain text."""
        options = [f"--words-{key}" for key in ("normalise", "aggressive") if self.experiment.preprocess(key)]
        if self.experiment.form(system) is None:
            return options
        form = self.experiment.form_of(system)
        options += ["--no-escape"] if form["tokenise"] and not form["escape"] else []
        options += [] if form["tokenise"] else ["--raw"]
        return options + ([] if form["truecase"] else ["--no-truecase"])

    def words_truecaser(self, pair: str) -> str:
        """The truecaser of the words that are counted: like references and translations made elsewhere, all systems'
        words come from plain text, so that a user who scores that gets the same unigram F1."""
        return self.layout.truecaser(pair, language(pair, "target"))

    def candidate_lexicon(self, pair: str, system: str) -> list[str]:
        """The lexicon of the candidate lists, if there are any."""
        if self.experiment.decoding(system, "candidates") is None:
            return []
        return [self.layout.lexicon(pair, self.experiment.text_of(system))]

    def search_options(self, system: str) -> list[str]:
        """Options that depart from the paper's search, if any, besides the beam and candidate lists."""
        settings, usual = self.experiment.decoding_settings(system), DecodingSettings()
        names = [one.name for one in fields(usual) if one.name not in ("beam", "candidates")]
        return [option(name, value) for name in names if (value := getattr(settings, name)) != getattr(usual, name)]

    def candidate_options(self, system: str) -> list[str]:
        """Lengths of candidate lists, if there are any."""
        lists = self.experiment.decoding_settings(system).candidates
        return [] if lists is None else as_options(lists)

    def dictionary(self, pair: str, system: str) -> list[str]:
        """The lexicon in which unknown words are looked up; copying needs none."""
        if self.experiment.unknown_words(system) == "copy":
            return []
        return [self.layout.lexicon(pair, self.experiment.text_of(system))]

    def untouched_translation(self, pair: str, system: str, test: str, output: str) -> str:
        """The translation whose unknown words are replaced: that of the system whose models are shared.

        The best member is another one with and without replacement, so its translation is made for this system.
        """
        made = f"{BEST_FOR}{system}" if output == "best" else output
        return self.layout.translation(pair, self.experiment.models_of(system), test, made, "sub")

    def member_outputs(self, pair: str, system: str, test: str) -> list[str]:
        """The translations of every member."""
        return [
            self.layout.translation(pair, system, test, f"single-{member}", suffix)
            for member in self.experiment.members
            for suffix in TRANSLATION
        ]

    def candidates_to_copy(self, pair: str, system: str, test: str) -> list[str]:
        """Every member with its output."""
        owner = self.experiment.models_of(system)
        return [
            f"--candidate={self.layout.member(pair, owner, member)}="
            f"{self.layout.output(pair, system, test, f'single-{member}')}"
            for member in self.experiment.members
        ]

    def member_scores(self, pair: str, system: str, dev: str) -> list[str]:
        """The scores of every member."""
        return [self.layout.scores(pair, system, dev, f"single-{member}") for member in self.experiment.members]

    def candidates_to_choose(self, pair: str, system: str, scores: Iterable[str]) -> list[str]:
        """Every member with its scores."""
        owner = self.experiment.models_of(system)
        files = zip(self.experiment.members, scores, strict=True)
        return [f"--candidate={self.layout.member(pair, owner, member)}={path}" for member, path in files]

    # Scores

    def rare_rank(self, test: str) -> list[str]:
        """The rank above which words are rare, for test sets; the choice on the development set needs only BLEU."""
        if test not in self.experiment.tests:
            return []
        return [f"--rare-rank={self.experiment.config['experiment']['rare_rank']}"]

    def compared(self, pair: str, test: str, suffix: str) -> list[tuple[str, str]]:
        """The compared translations as plain text (txt) or words (tc), by name, the baseline's first."""
        names = self.experiment.compared(pair, test)
        return [(name, self._compared_file(name, pair, test, suffix)) for name in names]

    def compared_options(self, option: str, pair: str, test: str, suffix: str) -> list[str]:
        """The same as options of `rarewords significance`."""
        return [f"--{option}={name}={path}" for name, path in self.compared(pair, test, suffix)]

    def significance(self, pair: str, test: str) -> list[str]:
        """The comparison with the baseline; one system alone cannot be compared."""
        return [self.layout.significance(pair, test)] if len(self.experiment.compared(pair, test)) > 1 else []

    def claim_files(self, pair: str, test: str) -> list[str]:
        """The inputs of the tests of the paper's claims: translations, scores, reference, words and segmenters."""
        experiment, layout, languages = self.experiment, self.layout, pair.split("-")
        files = [layout.text("raw", pair, test, languages[1]), layout.counts(pair, languages[1])]
        files += [layout.text("tc", pair, test, lang) for lang in languages]
        for system in experiment.systems_in(pair):
            for output in ("best", "ensemble"):
                files += [layout.translation(pair, system, test, output, suffix) for suffix in ("txt", "tc")]
                files.append(layout.scores(pair, system, test, output))
        for system in experiment.trained_in(pair):
            files.append(layout.choice(pair, system, experiment.dev))
            files += [layout.segmenter(pair, experiment.text_of(system), lang) for lang in languages]
        return list(dict.fromkeys(files))

    def _compared_file(self, name: str, pair: str, test: str, suffix: str) -> str:
        if name not in self.experiment.external:
            return self.layout.translation(pair, name, test, "ensemble", suffix)
        if suffix == "txt":
            return self.experiment.external_hypothesis(name, pair, test)
        return self.layout.translation(pair, name, test, "given", suffix)


def line_options(text: Text) -> list[str]:
    """How many lines a text of an archive must have."""
    return _options_with_values({"lines": text.lines, "approximate-lines": text.approximate_lines})


def checksum_options(archive: Archive) -> list[str]:
    """The checksums of an archive."""
    return _options_with_values({"md5": archive.md5, "sha256": archive.sha256})


def _options_with_values(options: dict[str, str | float | None]) -> list[str]:
    """Options with a value; 0 is one."""
    return [f"--{name}={value}" for name, value in options.items() if value not in (None, "")]
