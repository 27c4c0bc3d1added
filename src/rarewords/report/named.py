"""The tables and figures of an experiment by the names of their files, as the rules know them."""

from __future__ import annotations

from rarewords.experiment.layout import Layout, ablation_name, table1_name
from rarewords.experiment.plan import Experiment
from rarewords.report.inputs import Ablation, Examples, ScoreTable, SegmentationTable, TranslationScores
from rarewords.report.parts import Parts


class Named:
    """Parts of the report by file name and by the place of the test set; `tables` and the like map names to pairs."""

    def __init__(self, experiment: Experiment) -> None:
        layout = Layout.of(experiment)
        self.parts = Parts(experiment)
        self.tests = {layout.place(test): test for test in experiment.tests}
        self.tables = {layout.table_name(pair): pair for pair in experiment.pairs}
        self.oov_tables = {layout.oov_name(pair): pair for pair in experiment.pairs}
        self.figures = {layout.figure_name(pair): pair for pair in experiment.pairs}
        self.ablations = {ablation_name(pair): pair for pair in experiment.pairs}
        self.tables1 = {table1_name(pair): pair for pair in experiment.pairs}
        self.examples_tables = {layout.examples_name(pair): pair for pair in experiment.pairs}

    def score_table(self, place: str, name: str) -> ScoreTable:
        """A table of scores."""
        return self.parts.score_table(self.tables[name], self.tests[place])

    def oov_table(self, place: str, name: str) -> TranslationScores:
        """A table of unseen words."""
        return self.parts.oov_table(self.oov_tables[name], self.tests[place])

    def frequency_figure(self, place: str, name: str) -> TranslationScores:
        """A figure of unigram F1 by training frequency."""
        return self.parts.frequency_figure(self.figures[name], self.tests[place])

    def ablation(self, place: str, name: str) -> Ablation:
        """Table and figure of a grid."""
        return self.parts.ablation(self.ablations[name], self.tests[place])

    def table1(self, name: str) -> SegmentationTable:
        """A table of segmentations."""
        return self.parts.table1(self.tables1[name])

    def examples(self, name: str) -> Examples:
        """A table of examples."""
        return self.parts.examples(self.examples_tables[name])
