"""The inputs of every part of an experiment's report, found by the layout of its run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rarewords.experiment.config import for_pair
from rarewords.experiment.layout import (
    Layout,
    language,
    training_name,
)
from rarewords.experiment.plan import Experiment
from rarewords.experiment.steps import Steps
from rarewords.report.inputs import (
    Ablation,
    Attention,
    Examples,
    ExampleTexts,
    Run,
    ScoreFile,
    ScoreTable,
    SegmentationTable,
    StatisticsFile,
    SystemFiles,
    TrainingFolders,
    TranslationScores,
    UnitFiles,
    VariantFiles,
)
from rarewords.report.table import EXTERNAL, OURS


class Parts:
    """The parts of an experiment's report. Pairs, test sets and systems are given by their names."""

    def __init__(self, experiment: Experiment) -> None:
        self.experiment = experiment
        self.layout = Layout.of(experiment)
        self.steps = Steps(experiment)

    def score_table(self, pair: str, test: str) -> ScoreTable:
        """The table of scores: tables 2 and 3 of the paper."""
        systems = [self._system(system, pair, test) for system in self.experiment.systems_in(pair)]
        return ScoreTable(pair, test, systems, self._external(pair, test), self._significance(pair, test))

    def oov_table(self, pair: str, test: str) -> TranslationScores:
        """Precision and recall of unseen words."""
        return TranslationScores(pair, test, [*self._external(pair, test), *self.ensembles(pair, test)])

    def frequency_figure(self, pair: str, test: str) -> TranslationScores:
        """Unigram F1 by training frequency: figures 2 and 3 of the paper."""
        return TranslationScores(pair, test, self.ensembles(pair, test))

    def ablation(self, pair: str, test: str) -> Ablation:
        """The table and the figure of the grid."""
        return Ablation(pair, test, self._variants(pair, test), self._significance(pair, test))

    def table1(self, pair: str) -> SegmentationTable:
        """Statistics of segmentations of the training text: table 1 and figure 1 of the paper."""
        rows = ((row, for_pair(self.experiment.config["table1"][row], pair)) for row in self.experiment.table1_rows)
        return SegmentationTable(
            pair,
            [
                StatisticsFile(definition["label"], definition["paper"], self.layout.table1_statistics(pair, row))
                for row, definition in rows
            ],
        )

    def _significance(self, pair: str, test: str) -> str | None:
        return next(iter(self.steps.significance(pair, test)), None)

    def _system(self, system: str, pair: str, test: str) -> SystemFiles:
        definition = self.experiment.system(system, pair)
        return SystemFiles(
            system=system,
            label=definition["label"],
            paper=definition["paper"],
            segmentation=displayed(definition["segmentation"])
            + (", raw text" if self.experiment.form(system) == "raw" else "")
            + _replacement(definition.get("unknown_words")),
            shortlist=_target_shortlist(definition["segmentation"]),
            vocabulary=self.layout.vocabularies(pair, self.experiment.text_of(system)),
            best=self.layout.scores(pair, system, test, "best"),
            ensemble=self.layout.scores(pair, system, test, "ensemble"),
            singles=self._singles(system, pair, test),
            choice=self.layout.choice(pair, system, self.experiment.dev),
            members=len(self.experiment.members),
            updates=None if self.experiment.may_end_early(system) else self.experiment.training(system, "updates"),
        )

    def _singles(self, system: str, pair: str, test: str) -> tuple[str, ...]:
        """Scores of every member; on the test sets they exist only with `decoding.all_members`."""
        if not self.experiment.config["decoding"]["all_members"]:
            return ()
        return tuple(self.steps.member_scores(pair, system, test))

    def _external(self, pair: str, test: str) -> list[ScoreFile]:
        """The translations made elsewhere."""
        names = self.experiment.external_of(pair, test)
        definitions = ((name, self.experiment.config["external"][name]) for name in names)
        return [
            ScoreFile(
                name, external["label"], external["paper"], EXTERNAL, self.layout.scores(pair, name, test, "given")
            )
            for name, external in definitions
        ]

    def ensembles(self, pair: str, test: str) -> list[ScoreFile]:
        """The systems' ensembles."""
        definitions = ((system, self.experiment.system(system, pair)) for system in self.experiment.systems_in(pair))
        return [
            ScoreFile(
                system,
                definition["label"],
                definition["paper"],
                OURS,
                self.layout.scores(pair, system, test, "ensemble"),
            )
            for system, definition in definitions
        ]

    def all_ensembles(self) -> list[str]:
        """The score files of all ensembles."""
        pairs, tests = self.experiment.pairs, self.experiment.tests
        return [row.scores for pair in pairs for test in tests for row in self.ensembles(pair, test)]

    def _variants(self, pair: str, test: str) -> list[VariantFiles]:
        """The systems of the grid; empty without a grid."""
        return [
            VariantFiles(
                system=system,
                label=self.experiment.config["systems"][system]["label"],
                values=values,
                ensemble=self.layout.scores(pair, system, test, "ensemble"),
                singles=self._singles(system, pair, test),
                vocabulary=self.layout.vocabularies(pair, self.experiment.text_of(system)),
            )
            for system, values in self.experiment.grid.items()
            if system in self.experiment.systems_in(pair)
        ]

    def examples(self, pair: str) -> Examples:
        """The texts from which examples are taken."""
        test, report = self.experiment.example_set, self.experiment.config["report"]
        given = report["examples"].get(pair, [])
        source, target = pair.split("-")
        texts = ExampleTexts(
            self.layout.text("tc", pair, test, source),
            self.layout.text("tc", pair, test, target),
            self.layout.counts(pair, source),
            self.layout.counts(pair, target),
        )
        return Examples(
            pair=pair,
            test=test,
            texts=texts,
            systems=[self.unit_files(pair, system, test) for system in self.experiment.systems_in(pair)],
            rare_rank=self.experiment.config["experiment"]["rare_rank"],
            number=report["number_of_examples"],
            lines=tuple(one for one in given if not isinstance(one, str)),
            phrases=tuple(one for one in given if isinstance(one, str)),
        )

    def unit_files(self, pair: str, system: str, test: str) -> UnitFiles:
        """What a system read and wrote."""
        return UnitFiles(
            system=system,
            label=self.experiment.system(system, pair)["label"],
            source=self.steps.units_of(pair, system, test),
            output=self.layout.translation(pair, system, test, "ensemble", "sub"),
            vocabulary=self.layout.vocabulary(pair, self.experiment.text_of(system), language(pair, "source")),
        )

    def claims(self, pair: str) -> list[Any]:
        """What the paper's claims depend on besides their files: names, parts and merges of systems, and the tests."""
        definitions = ((system, self.experiment.system(system, pair)) for system in self.experiment.systems_in(pair))
        systems = [
            [system, definition["label"], definition["paper"], role(definition), definition["segmentation"]["method"]]
            for system, definition in definitions
        ]
        settings, cutoffs = self.experiment.config["experiment"], self.experiment.config["training"]["clip_norms"]
        return [*systems, settings["significance"], settings["rare_rank"], cutoffs]

    def attention(self, pair: str, system: str) -> Attention:
        """What a system's members attend to in the examples."""
        test, owner = self.experiment.example_set, self.experiment.models_of(system)
        return Attention(
            self.layout.table(self.layout.examples_name(pair), self.experiment.tests[0], "json"),
            self.unit_files(pair, system, test),
            [self.layout.member(pair, owner, member) for member in self.experiment.members],
        )

    def trainings(self, pair: str) -> list[TrainingFolders]:
        """Text, runs and members of every system with models of its own."""
        return [
            TrainingFolders(
                system=system,
                label=self.experiment.system(system, pair)["label"],
                pairs=self.steps.training_pairs(pair, system),
                runs=[self.layout.run(pair, system, run) for run in self.experiment.runs],
                members=[self.layout.member(pair, system, member) for member in self.experiment.members],
            )
            for system in self.experiment.trained_in(pair)
        ]

    def training_json(self) -> dict[str, str]:
        """The numbers of what was trained, for every pair."""
        first = self.experiment.tests[0]
        return {pair: self.layout.table(training_name(pair), first, "json") for pair in self.experiment.pairs}

    def runs(self) -> list[Run]:
        """All training runs."""
        all_systems = [*self.experiment.systems, *self.experiment.trained]
        return [
            Run(
                pair,
                self.experiment.system(system, pair)["label"],
                run,
                self.layout.metrics(pair, system, run),
                all_systems.index(system),
            )
            for pair in self.experiment.pairs
            for system in self.experiment.trained_in(pair)
            for run in self.experiment.runs
        ]

    def last_saved_models(self) -> list[str]:
        """The last model of every run, which exists once the run is finished."""
        return [
            self.layout.saved(pair, system, run, self.experiment.saved_models)
            for pair in self.experiment.pairs
            for system in self.experiment.trained_in(pair)
            for run in self.experiment.runs
        ]

    def raw_texts(self) -> list[str]:
        """The files from which all text comes."""
        return list(dict.fromkeys(entry[-1] for entry in self.experiment.files()))


DISPLAYED = {
    "words": "word",
    "bpe": "BPE",
    "bpe-joint": "BPE (joint)",
    "bpe-joint-iso9": "BPE (joint)",
    "bpe-bytes": "BPE (bytes)",
    "bpe-rules": "BPE (rules)",
    "source-bytes": "bytes to BPE",
    "raw-bytes": "bytes",
    "sentencepiece": "SentencePiece",
    "wordpiece": "WordPiece",
}


def displayed(segmentation: Mapping[str, Any]) -> str:
    """The name of a segmentation in a table."""
    method = str(segmentation["method"])
    if method == "char-ngrams":
        size = segmentation.get("n", 2)
        return {1: "characters", 2: "char-bigram", 3: "char-trigram"}.get(size, f"char-{size}-gram")
    return DISPLAYED.get(method, method)


def _replacement(unknown_words: str | None) -> str:
    if unknown_words is None:
        return ""
    return "+copy" if unknown_words == "copy" else "+dictionary"


def _target_shortlist(segmentation: Mapping[str, Any]) -> int | None:
    shortlist = segmentation.get("shortlist")
    return shortlist[-1] if isinstance(shortlist, list) else shortlist


def role(definition: Mapping[str, Any]) -> str:
    """The part of a system in the paper's comparison, as rarewords.report.pattern names it."""
    replacement = definition.get("unknown_words")
    if replacement is not None:
        # Copies alone are neither WUnk, which has no unseen words, nor WDict, which has a dictionary.
        return "copy" if replacement == "copy" else "WDict"
    return "WUnk" if definition["segmentation"]["method"] == "words" else "subword"
