"""The files of an experiment's tables and figures, and their names as targets."""

from __future__ import annotations

from rarewords.experiment.layout import (
    FIGURE,
    TABLE,
    Layout,
    ablation_name,
    examples_name,
    figure_name,
    table1_name,
    table_name,
    training_name,
)
from rarewords.experiment.plan import Experiment


class Targets:
    """The files that an experiment writes for people."""

    def __init__(self, experiment: Experiment) -> None:
        self.experiment = experiment
        self.layout = Layout.of(experiment)

    def scores(self, pair: str) -> list[str]:
        """The tables of scores and of unseen words, and the scores as a figure, on all test sets."""
        table, oov_table = self.layout.table_name(pair), self.layout.oov_name(pair)
        return [
            path
            for test in self.experiment.tests
            for path in (
                *(self.layout.table(name, test, suffix) for name in (table, oov_table) for suffix in TABLE),
                *(self.layout.figure(table, test, suffix) for suffix in FIGURE),
            )
        ]

    def training(self, pair: str) -> list[str]:
        """The table of what the systems were trained on."""
        return [self.layout.table(training_name(pair), self.experiment.tests[0], suffix) for suffix in TABLE]

    def frequencies(self, pair: str) -> list[str]:
        """The figures of unigram F1 by training frequency, on all test sets."""
        suffixes = (*FIGURE, "tsv")
        return [
            self.layout.figure(self.layout.figure_name(pair), test, s)
            for test in self.experiment.tests
            for s in suffixes
        ]

    def ablations(self) -> list[str]:
        """Tables and figures of the grid; none without one."""
        if not self.experiment.grid:
            return []
        return [
            path
            for pair in self.experiment.pairs
            for test in self.experiment.tests
            for path in (
                *(self.layout.table(ablation_name(pair), test, suffix) for suffix in TABLE),
                *(self.layout.figure(ablation_name(pair), test, suffix) for suffix in FIGURE),
            )
        ]

    def table1(self, pair: str) -> list[str]:
        """Table 1."""
        return [self.layout.table(table1_name(pair), self.experiment.tests[0], suffix) for suffix in TABLE]

    def examples(self, pair: str) -> list[str]:
        """The table of examples."""
        return [
            self.layout.table(self.layout.examples_name(pair), self.experiment.tests[0], s) for s in ("json", *TABLE)
        ]

    def everything(self) -> list[str]:
        """All tables and figures but table 1, and the report."""
        pairs = self.experiment.pairs
        return [
            *(path for pair in pairs for path in (*self.scores(pair), *self.training(pair))),
            self.layout.report,
            *(path for pair in pairs for path in self.frequencies(pair)),
            *self.ablations(),
        ]

    def named(self) -> dict[str, list[str]]:
        """The files of each target, by the name of a table or figure."""
        named: dict[str, list[str]] = {}
        for pair in self.experiment.pairs:
            named[self.layout.table_name(pair)] = [*self.scores(pair), *self.training(pair)]
            named[self.layout.figure_name(pair)] = self.frequencies(pair)
            named[self.layout.examples_name(pair)] = self.examples(pair)
        return {name.replace("-", "_"): files for name, files in named.items()}

    def named_of_the_paper(self) -> dict[str, str]:
        """The paper's tables and figures that the experiment does not have, with their pair."""
        names_paper = self.experiment.names_paper()
        pairs = [pair for pair in ("en-de", "en-ru") if pair not in self.experiment.pairs or not names_paper]
        return {name_of(pair): pair for pair in pairs for name_of in (table_name, figure_name, examples_name)}

    def refusal(self, target: str, pair: str) -> str:
        """Why the experiment does not have a table or figure of the paper, as a sentence."""
        known = ", ".join(["table1", *self.named()])
        if pair in self.experiment.pairs:
            return (
                f"{target} is the paper's, and no system of experiment '{self.experiment.name}' names its row in the "
                f"paper; ask for one of {known} or report, or give a system the key `paper`."
            )
        return (
            f"{target} is about {pair}, and experiment '{self.experiment.name}' has only "
            f"{', '.join(self.experiment.pairs)}; ask for one of {known} or report, or add the pair to "
            "experiment.pairs."
        )

    def refusal_of_ablation(self) -> str:
        """The same of the table and figure of a grid."""
        return (
            f"ablation is about a grid, and experiment '{self.experiment.name}' has none; config/README.md explains "
            "the key `grid`."
        )
