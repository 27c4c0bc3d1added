"""Answers to the workflow's questions about a configuration: systems, seeds, members, files."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import fields
from pathlib import Path
from typing import Any

from rarewords.corpus.sources import Archive, Text, archive_path, archives, text_path, texts
from rarewords.errors import InputError
from rarewords.experiment.config import Config, checked, for_pair, is_for
from rarewords.experiment.forms import Form, form_name, system_form
from rarewords.experiment.grid import combinations, text_owners
from rarewords.experiment.layout import corpus_folder, language
from rarewords.experiment.renamed import with_new_names
from rarewords.segmentation.registry import find
from rarewords.settings import (
    CandidateSettings,
    DecodingSettings,
    NetworkSettings,
    TrainingLength,
    TrainingSettings,
)
from rarewords.text.files import read_lines


class Experiment:
    """A checked configuration. Pairs are `source-target`, runs and members count from 1."""

    def __init__(self, config: Config) -> None:
        """Raises InputError that names the key for a configuration that is wrong.

        `warnings` has a sentence for each key that the configuration has under an old name.
        """
        renamed, self.warnings = with_new_names(config)
        try:
            self.config = checked(renamed)
        except InputError as error:  # which names keys as they are called now
            if not self.warnings:
                raise
            raise InputError(" ".join([str(error).removesuffix(".") + ".", *self.warnings])) from error
        section = self.config["experiment"]
        self.name: str = section["name"]
        self.models_from: str = section["models_from"] or self.name
        self.corpus: str = section["corpus"]
        self.pairs: list[str] = section["pairs"]
        self.systems: list[str] = section["systems"]
        has_grid = self.config["grid"] is not None
        self.grid: dict[str, dict[str, Any]] = combinations(self.config) if has_grid else {}
        self._texts: dict[str, str] = text_owners(self.config) if has_grid else {}
        self.trained: list[str] = list(dict.fromkeys(map(self.models_of, self.systems)))
        self.table1_rows: list[str] = section["table1"]
        self.external: list[str] = section["external"]
        self.baseline: str = section["baseline"] or self._with_dictionary() or self._of_all_pairs()[0]
        self.dev: str = section["dev"]
        self.tests: list[str] = section["test"]
        self.example_set: str = self.config["report"]["example_set"] or self.tests[0]
        self.runs = list(range(1, len(self.config["training"]["clip_norms"]) + 1))
        self.saved_models: int = self.config["training"]["saved_models"]
        self.members = list(range(1, len(self.runs) * self.saved_models + 1))

    def _with_dictionary(self) -> str | None:
        """The first system whose unknown words become dictionary entries: the paper's baseline for subwords."""
        for system in self._of_all_pairs():
            if self.config["systems"][system].get("unknown_words") in ("dictionary", "dictionary-lowercase"):
                return system
        return None

    def _of_all_pairs(self) -> list[str]:
        """The systems that exist for every pair, or all if there are none."""
        everywhere = [one for one in self.systems if all(self._is_for(one, pair) for pair in self.pairs)]
        return everywhere or self.systems

    def systems_in(self, pair: str) -> list[str]:
        """The systems of a language pair; a system may name the only pairs that it is for."""
        return [system for system in self.systems if self._is_for(system, pair)]

    def trained_in(self, pair: str) -> list[str]:
        """The systems of a language pair that have models of their own."""
        return list(dict.fromkeys(map(self.models_of, self.systems_in(pair))))

    def _is_for(self, system: str, pair: str) -> bool:
        return is_for(self.config["systems"], system, pair)

    def models_of(self, system: str) -> str:
        """The system whose models, segmentation and vocabulary a system uses: its own, or those of `same_models`."""
        return str(self.config["systems"][system].get("same_models", system))

    def text_of(self, system: str) -> str:
        """The system whose segmented text, vocabularies and alignment a system uses; a grid's systems may share it."""
        owner = self.models_of(system)
        return self._texts.get(owner, owner)

    def unknown_words(self, system: str) -> str:
        """What replaces unknown words in the translations of a system with `same_models` and `unknown_words`."""
        return str(self.config["systems"][system]["unknown_words"])

    def searches(self, system: str) -> bool:
        """Whether a system's translations come from a search of its own; else from another's, with words replaced."""
        return "unknown_words" not in self.config["systems"][system]

    def network(self, system: str, key: str) -> Any:
        """A setting of the network that a system uses: its own, or that of all."""
        return self._setting(self.models_of(system), "network", key)

    def training(self, system: str, key: str) -> Any:
        """A setting of the training runs of a system's models: its own, or that of all."""
        return self._setting(self.models_of(system), "training", key)

    def training_settings(self, pair: str, system: str, run: int) -> TrainingSettings:
        """What decides the models of a run."""
        values = {one.name: self.network(system, one.name) for one in fields(NetworkSettings)}
        keys = [one.name for one in fields(TrainingSettings) if one.name not in (*values, "clip_norm", "seed")]
        values |= {key: self.training(system, key) for key in keys}
        return TrainingSettings(**values, clip_norm=self.clip_norm(system, run), seed=self.seed(pair, system, run))

    def training_length(self, system: str) -> TrainingLength:
        """When the runs of a system end."""
        return TrainingLength(**{one.name: self.training(system, one.name) for one in fields(TrainingLength)})

    def decoding(self, system: str, key: str) -> Any:
        """A setting of the search that makes a system's translations: its own, or that of all."""
        return self._setting(system if self.searches(system) else self.models_of(system), "decoding", key)

    def decoding_settings(self, system: str) -> DecodingSettings:
        """What decides the search that makes a system's translations."""
        values = {one.name: self.decoding(system, one.name) for one in fields(DecodingSettings)}
        lists = values["candidates"]
        return DecodingSettings(**values | {"candidates": None if lists is None else CandidateSettings(**lists)})

    def _setting(self, system: str, section: str, key: str) -> Any:
        return self.config["systems"][system].get(section, {}).get(key, self.config[section][key])

    def system(self, system: str, pair: str) -> dict[str, Any]:
        """A system's definition for a pair; the entry in `pairs` takes precedence."""
        definition = for_pair(self.config["systems"][system], pair)
        owner = for_pair(self.config["systems"][self.models_of(system)], pair)
        return definition | {
            key: owner[key] for key in ("segmentation", "vocabulary", "fallback", "sampling", "preprocess")
        }

    def form_of(self, system: str) -> Form:
        """What is done to the text of a system, by step."""
        return system_form(self._preprocess(), self._own_form(system))

    def form(self, system: str) -> str | None:
        """The name of the form of a system's text; None for that of the corpus."""
        return form_name(self._preprocess(), self._own_form(system))

    def forms(self) -> dict[str, Form]:
        """The forms of text besides that of the corpus, by name."""
        systems = [*self.systems, *self.trained]
        return {name: self.form_of(system) for system in systems if (name := self.form(system)) is not None}

    def _own_form(self, system: str) -> Any:
        return self.config["systems"][self.models_of(system)]["preprocess"]

    def _preprocess(self) -> dict[str, Any]:
        preprocess: dict[str, Any] = self.config["corpora"][self.corpus]["preprocess"]
        return preprocess

    def segmentation(self, system: str, pair: str) -> tuple[str, str]:
        """Method and settings (canonical JSON) of a system's segmentation."""
        return _method_and_settings(self.system(system, pair))

    def sampling(self, system: str, pair: str) -> tuple[str, float, int] | None:
        """Random segmentation of the training text: which number (dropout or alpha), its value, and the copies."""
        sampling = self.system(system, pair)["sampling"]
        if sampling is None:
            return None
        name = "dropout" if "dropout" in sampling else "alpha"
        return name, sampling[name], sampling["copies"]

    def table1_segmentation(self, row: str, pair: str) -> tuple[str, str]:
        """Method and settings (canonical JSON) of a segmentation of table 1."""
        return _method_and_settings(for_pair(self.config["table1"][row], pair))

    def names_paper(self) -> bool:
        """Whether a system or an external translation names its row in the paper, whose numbers then belong here."""
        config = self.config
        named = [config["systems"][name] for name in self.systems]
        named += [config["external"][name] for name in config["experiment"]["external"]]
        return any(one.get("paper") for one in named)

    def table1_suits(self, pair: str) -> bool:
        """Whether all segmentations of table 1 suit the languages of a pair; hyphenation, say, knows only some."""
        try:
            for row in self.table1_rows:
                find(self.table1_segmentation(row, pair)[0]).check_languages(pair.split("-"))
        except InputError:
            return False
        return True

    def checksum(self) -> str:
        """SHA-256 of the configuration with its defaults, as canonical JSON."""
        text = json.dumps(self.config, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()

    def external_hypothesis(self, name: str, pair: str, test: str) -> str:
        """The file of a translation made elsewhere."""
        return str(self.config["external"][name]["hypotheses"][pair][test])

    def external_of(self, pair: str, test: str) -> list[str]:
        """The external translations that exist of a test set."""
        hypotheses = {name: self.config["external"][name]["hypotheses"] for name in self.external}
        return [name for name, files in hypotheses.items() if test in files.get(pair, {})]

    def compared(self, pair: str, test: str) -> list[str]:
        """The systems and external translations of a test set, the baseline first."""
        everything = [*self.external_of(pair, test), *self.systems_in(pair)]
        return [self.baseline, *(name for name in everything if name != self.baseline)]

    def parts(self, pair: str, split: str, side: str) -> list[str]:
        """The files of which a split of the corpus is made; side is source or target."""
        files = self.config["corpora"][self.corpus]["pairs"][pair]
        patterns = files["train"] if split == "train" else files["sets"][split]
        return [pattern.replace("{lang}", language(pair, side)) for pattern in patterns]

    def missing_files(self) -> list[str]:
        """Missing files of a corpus that must be put there by hand (`by_hand: true`).

        Raises InputError with the configuration key if a file of any other corpus is missing. Files that can be made
        from archives are not in the list; see texts_to_fetch.
        """
        fetched = self.texts_to_fetch()
        missing = [entry for entry in self.files() if not os.path.isfile(entry[-1]) and entry[-1] not in fetched]
        if missing and not self.config["corpora"][self.corpus]["by_hand"]:
            pair, split, side, path = missing[0]
            key = split if split == "train" else f"sets.{split}"
            raise InputError(
                f"corpora.{self.corpus}.pairs.{pair}.{key}: there is no file {path} (the {side} side) "
                f"below {os.getcwd()}; correct the path or put the file there."
            )
        return list(dict.fromkeys(path for *_, path in missing))

    @property
    def folder(self) -> Path:
        """The corpus' folder."""
        return Path(corpus_folder(self.corpus))

    def texts_to_fetch(self) -> dict[str, Text]:
        """Missing files of the experiment that are made from archives, by path."""
        corpus = self.config["corpora"][self.corpus]
        fetched = {str(text_path(self.folder, text)): text for pair in self.pairs for text in texts(corpus, pair)}
        needed = {path for *_, path in self.files() if path in fetched and not os.path.isfile(path)}
        return {path: text for path, text in fetched.items() if path in needed}

    def archives_to_fetch(self) -> dict[str, Archive]:
        """Missing archives of those files, by name."""
        needed = {text.archive for text in self.texts_to_fetch().values()}
        known = archives(self.config["corpora"][self.corpus])
        return {
            name: archive
            for name, archive in known.items()
            if name in needed and not archive_path(self.folder, name).is_file()
        }

    def check_external_files(self) -> None:
        """Raises InputError with the configuration key if a translation made elsewhere is missing."""
        for pair in self.pairs:
            for test in self.tests:
                for name in self.external_of(pair, test):
                    path = self.external_hypothesis(name, pair, test)
                    if not os.path.isfile(path):
                        raise InputError(
                            f"external.{name}.hypotheses.{pair}.{test}: there is no file {path} below "
                            f"{os.getcwd()}; correct the path or put the file there."
                        )

    def check_examples(self) -> None:
        """Raises InputError if `report.examples` has a line or phrase that the set, if its text exists, does not have.

        A text that is still to be fetched is checked when the examples are written.
        """
        name = self.example_set
        for pair in self.pairs:
            given = self.config["report"]["examples"].get(pair, [])
            paths = self.parts(pair, name, "source")
            if not given or not all(map(os.path.isfile, paths)):
                continue
            text = [line.lower() for path in paths for line in read_lines(path)]
            for one in given:
                if isinstance(one, str) and not any(one.lower() in line for line in text):
                    raise InputError(
                        f"report.examples.{pair}: the source side of '{name}' has no words {one!r}; choose others."
                    )
                if not isinstance(one, str) and one > len(text):
                    raise InputError(
                        f"report.examples.{pair}: there is no line {one}, as '{name}' has lines 1 to {len(text)}; "
                        "choose one of these."
                    )

    def files(self) -> list[tuple[str, str, str, str]]:
        """All files of the experiment's text as (pair, split, side, path)."""
        return [
            (pair, split, side, path)
            for pair in self.pairs
            for split in ("train", self.dev, *self.tests)
            for side in ("source", "target")
            for path in self.parts(pair, split, side)
        ]

    def preprocess(self, key: str) -> Any:
        """A setting of the corpus' preprocessing."""
        return self._preprocess()[key]

    def may_end_early(self, system: str) -> bool:
        """Whether runs may end before their last update, or save models by the clock: then the updates of their saved
        models are known only afterwards."""
        by_time = isinstance(self.training(system, "save_every"), str)
        return by_time or any(self.training(system, key) is not None for key in ("patience", "hours"))

    def origin(self, member: int) -> tuple[int, int]:
        """The run and the saved model (1 is the oldest) that a member continues."""
        return (member - 1) // self.saved_models + 1, (member - 1) % self.saved_models + 1

    def clip_norm(self, system: str, run: int) -> float:
        """The norm to which gradients are clipped in a run of a system."""
        return float(self.training(system, "clip_norms")[run - 1])

    def seed(self, pair: str, system: str, run: int) -> int:
        """Seed of one training, derived from the seed of its system, or of the experiment, and the training's name."""
        own = self.config["systems"][system].get("seed")
        seed = self.config["experiment"]["seed"] if own is None else own
        text = f"{seed}/{pair}/{system}/{run}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") >> 1


def _method_and_settings(definition: dict[str, Any]) -> tuple[str, str]:
    settings = dict(definition["segmentation"])
    method = settings.pop("method")
    return method, json.dumps(settings, sort_keys=True, ensure_ascii=False)
