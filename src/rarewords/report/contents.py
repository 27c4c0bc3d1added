"""The contents of an experiment's page: a list of items in the order of the page, which html.py lays out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rarewords.experiment.layout import (
    Layout,
    ablation_name,
    table1_name,
    training_name,
)
from rarewords.experiment.plan import Experiment
from rarewords.report.parts import Parts

Item = dict[str, Any]


class Contents:
    """The items of an experiment's page."""

    def __init__(self, experiment: Experiment) -> None:
        self.experiment = experiment
        self.layout = Layout.of(experiment)
        self.tested = [(pair, test) for pair in experiment.pairs for test in experiment.tests]
        # Table 1 lists all segmentations by default; it is shown for pairs whose languages they know.
        self.segmented = [pair for pair in experiment.pairs if experiment.table1_suits(pair)]

    def items(self) -> list[Item]:
        """All of the page."""
        return [
            self._setup(),
            *self._scores(),
            *self._ablations(),
            *self._rare_words(),
            *self._segmentations(),
            *self._trainings(),
            *self._examples(),
            {"kind": "manifest", "path": self.layout.manifest},
            {"kind": "files", "places": self._places()},
        ]

    def _scores(self) -> Iterator[Item]:
        parts = Parts(self.experiment)
        for pair, test in self.tested:
            yield {
                "kind": "scores",
                "pair": pair,
                "test_set": test,
                "path": self.layout.table(self.layout.table_name(pair), test, "json"),
                "claims": self.layout.claims(pair, test, "json"),
                "systems": [{"label": row.label, "path": row.scores} for row in parts.ensembles(pair, test)],
            }
            yield _figure(
                "results",
                f"Scores, {pair}, {test}",
                self.layout.figure(self.layout.table_name(pair), test, "svg"),
                "Large marks: ensembles, filled if they differ significantly from the baseline (dashed line). "
                "Small marks: the best single models.",
            )

    def _ablations(self) -> Iterator[Item]:
        for pair, test in self.tested if self.experiment.grid else ():
            title = f"Ablation, {pair}, {test}"
            yield _table("results", title, self.layout.table(ablation_name(pair), test, "json"))
            yield _figure(
                "results",
                title,
                self.layout.figure(ablation_name(pair), test, "svg"),
                "Marks: ensembles, filled if they differ significantly from the baseline; bars: range of the members. "
                "With several seeds: the mean of their ensembles, their range, and a test over the seeds.",
            )

    def _rare_words(self) -> Iterator[Item]:
        for pair, test in self.tested:
            yield _figure(
                "rare-words",
                f"Unigram F1 by training frequency, {pair}, {test}",
                self.layout.figure(self.layout.figure_name(pair), test, "svg"),
                "The paper's figures 2 and 3: frequent words on the left, rare ones right, unseen ones last.",
            )
            path = self.layout.table(self.layout.oov_name(pair), test, "json")
            yield _table("rare-words", f"Unseen words, {pair}, {test}", path)

    def _segmentations(self) -> Iterator[Item]:
        first = self.experiment.tests[0]
        for pair in self.segmented:
            name = table1_name(pair)
            yield _table("segmentation", f"Segmentations, {pair}", self.layout.table(name, first, "json"))
            yield _figure(
                "segmentation",
                f"Types against tokens, {pair}",
                self.layout.figure(name, first, "svg"),
                "How much longer each segmentation makes the text, and how much smaller the vocabulary.",
            )

    def _trainings(self) -> Iterator[Item]:
        first = self.experiment.tests[0]
        for pair in self.experiment.pairs:
            yield {
                "kind": "training",
                "section": "training",
                "title": f"What was trained, {pair}",
                "pair": pair,
                "path": self.layout.table(training_name(pair), first, "json"),
            }
        yield _figure(
            "training",
            "Learning curves",
            self.layout.learning_curves("svg"),
            "Loss per token of the training text and gradient norm before clipping, with one colour for each system "
            "and one line for each run. Thick lines: running mean; points: the development text. Losses of "
            "different segmentations cannot be compared, because their tokens differ.",
        )

    def _examples(self) -> Iterator[Item]:
        for pair in self.experiment.pairs:
            yield {
                "kind": "examples",
                "pair": pair,
                "path": self.layout.table(self.layout.examples_name(pair), self.experiment.tests[0], "json"),
                "attention": {system: self.layout.attention(pair, system) for system in self._attentive(pair)},
            }

    def _attentive(self, pair: str) -> list[str]:
        """Systems with models of their own; attention of shared models is shown at the system that has them."""
        return [system for system in self.experiment.systems_in(pair) if system in self.experiment.trained]

    def _setup(self) -> Item:
        """What was trained, for the top of the page; only in a module is the configuration the output of a rule."""
        return {
            "kind": "setup",
            "config": self.layout.config,
            "trainings": Parts(self.experiment).training_json(),
        }

    def _places(self) -> list[tuple[str, str, str]]:
        layout = self.layout
        return [
            ("Tables", f"{layout.results}/tables", "(.tsv, .md, .tex, .json)"),
            ("Figures", f"{layout.results}/figures", "(.svg, .png)"),
            (
                "Translations and scores",
                layout.results,
                "/{pair}/{system}/{test set}/ (.sub units, .tc words, .txt text, .json)",
            ),
            ("Configuration of the run", layout.config, ""),
            ("Models", layout.models, "/{pair}/{system}/member{number}/"),
            ("Reports of the training runs", layout.models, "/{pair}/{system}/run{number}/checkpoints/metrics.jsonl"),
            ("Prepared text", layout.data, ""),
            ("Logs of the steps", "logs", ""),
            ("Time and memory of the steps", "benchmarks", ""),
        ]


def files(items: Sequence[Item]) -> list[str]:
    """The files and folders that the items show."""
    found = []
    for item in items:
        found += [item[key] for key in ("path", "claims") if key in item]
        found += [system["path"] for system in item.get("systems", ())]
        found += [*item.get("attention", {}).values(), *item.get("trainings", {}).values()]
    return found


def _table(section: str, title: str, path: str) -> Item:
    return {"kind": "table", "section": section, "title": title, "path": path}


def _figure(section: str, title: str, path: str, description: str) -> Item:
    return {"kind": "figure", "section": section, "title": title, "path": path, "description": description}
