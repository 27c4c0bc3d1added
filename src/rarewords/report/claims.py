"""The paper's claims tested on a finished experiment: its translations, scores and segmenters; pattern.py judges."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, cached_property
from typing import Any

from rarewords.corpus.importing import read_counts
from rarewords.corpus.scripts import usual_scripts
from rarewords.evaluation.files import read_choice, read_scores
from rarewords.evaluation.registry import METRICS, TextMetric
from rarewords.evaluation.significance import compare_two
from rarewords.evaluation.unigram_f1 import classifier
from rarewords.experiment.layout import Layout
from rarewords.experiment.plan import Experiment
from rarewords.report.consistency import common_names, consistency_statement
from rarewords.report.cutoffs import cutoff_statement
from rarewords.report.paper import paper_table
from rarewords.report.parts import role
from rarewords.report.pattern import ENSEMBLE, SINGLE, Statement, System, statements
from rarewords.segmentation.registry import load
from rarewords.segmentation.statistics import cut_alike
from rarewords.text.files import read_lines, split_words

# Whether merges are learned from both sides, by method.
JOINT = {"bpe": False, "bpe-joint": True, "bpe-joint-iso9": True}


class Claims:
    """The claims for one language pair and test set of an experiment whose files are below the working folder."""

    def __init__(self, experiment: Experiment, pair: str, test_set: str) -> None:
        self.experiment, self.pair, self.test_set = experiment, pair, test_set
        self.source, self.target = pair.split("-")
        self.layout = Layout.of(experiment)
        self.significance = experiment.config["experiment"]["significance"]
        self._lines = cache(lambda path: list(read_lines(path)))

    def statements(self) -> list[Statement]:
        """All claims, with our numbers, their tests and the paper's numbers."""
        scripts = [usual_scripts(language) for language in (self.source, self.target)]
        systems = [self._system(name) for name in self.experiment.systems_in(self.pair)]
        one_alphabet, members = bool(scripts[0] & scripts[1]), len(self.experiment.members)
        found = statements(systems, paper_table(self.pair), one_alphabet, self._p, members)
        return [*found, *self._consistency(systems), *self._cutoffs()]

    def _system(self, name: str) -> System:
        definition = self.experiment.system(name, self.pair)
        return System(
            name,
            role(definition),
            definition["label"],
            definition["paper"],
            JOINT.get(self.experiment.segmentation(name, self.pair)[0]),
            read_scores(self._output(name, ENSEMBLE, "json")),
            read_scores(self._output(name, SINGLE, "json")),
        )

    def _p(self, measure: str, first: tuple[str, str], second: tuple[str, str]) -> float:
        """p of the difference between two outputs in a measure; 1 for identical translations."""
        metric = METRICS[measure]
        kind = "txt" if isinstance(metric, TextMetric) else "tc"
        texts = [self._lines(self._output(system, output, kind)) for system, output in (second, first)]
        if texts[0] == texts[1]:
            return 1.0
        reference = self._lines(self._text("raw" if kind == "txt" else "tc", self.target))
        method, samples, seed = (self.significance[key] for key in ("method", "samples", "seed"))
        counter = metric.counter() if isinstance(metric, TextMetric) else metric.counter(self._classes_of)
        found = compare_two(counter, texts[0], texts[1], reference, method, samples, seed)
        return float(found["p"])

    @cached_property
    def _classes_of(self) -> Callable[[str], tuple[str, ...]]:
        return classifier(read_counts(self._counts()), self.experiment.config["experiment"]["rare_rank"])

    def _consistency(self, systems: Sequence[System]) -> list[Statement]:
        """The claim about names, if there are separate and joint merges."""
        kinds = [next((one for one in systems if one.joint is joint), None) for joint in (False, True)]
        if None in kinds:
            return []
        source, target = (self._lines(self._text("tc", language)) for language in (self.source, self.target))
        names, words = common_names(source, target), [word for line in target for word in split_words(line)]
        alike = [self._alike(one.system, names, words) for one in kinds if one is not None]
        labels = [one.label for one in kinds if one is not None]
        return [consistency_statement(alike[0], alike[1], (labels[0], labels[1]))]

    def _alike(self, system: str, names: list[str], target_words: list[str]) -> dict[str, bool]:
        source, target = (load(self._segmenter(system, side)) for side in (self.source, self.target))
        return cut_alike(source, names, target, target_words)

    def _cutoffs(self) -> list[Statement]:
        """The claim about cut-offs, if there are two runs: pairs of members of one system with equally many updates."""
        experiment, k = self.experiment, self.experiment.saved_models
        cutoffs = experiment.config["training"]["clip_norms"]
        differences = []
        # a system may have cut-offs of its own
        systems = [one for one in experiment.trained_in(self.pair) if experiment.training(one, "clip_norms") == cutoffs]
        for system in systems if len(cutoffs) == 2 else ():
            bleu = list(read_choice(self._choice(system)).values())
            differences += [first - second for first, second in zip(bleu[:k], bleu[k:], strict=True)]
        found = cutoff_statement(differences, cutoffs, self.significance["seed"])
        return [] if found is None else [found]

    def _output(self, system: str, output: str, kind: str) -> str:
        return self.layout.translation(self.pair, system, self.test_set, output, kind)

    def _choice(self, system: str) -> str:
        return self.layout.choice(self.pair, system, self.experiment.dev)

    def _text(self, stage: str, language: str) -> str:
        return self.layout.text(stage, self.pair, self.test_set, language)

    def _counts(self) -> str:
        return self.layout.counts(self.pair, self.target)

    def _segmenter(self, system: str, language: str) -> str:
        return self.layout.segmenter(self.pair, self.experiment.text_of(system), language)


def as_json(found: Sequence[Statement]) -> dict[str, Any]:
    """The statements for the page."""
    return {"claims": [one.__dict__ for one in found]}
