"""Check a configuration: what its schema asks for, and what parts of it must be to each other."""

from __future__ import annotations

import math
from typing import Any

from rarewords.corpus.sources import archive_of, is_compressed_file
from rarewords.durations import seconds_of
from rarewords.errors import InputError, nearest
from rarewords.experiment.grid import expand
from rarewords.experiment.schema import valid
from rarewords.schema import SECTIONS, schema
from rarewords.segmentation.method import Method
from rarewords.segmentation.registry import find
from rarewords.vocabulary import FIRST_UNIT

Config = dict[str, Any]

OF_MODELS = ("segmentation", "vocabulary")  # keys that a system with models of its own must have


def checked(config: Config) -> Config:
    """A copy of the merged configuration with the schema's defaults; raises InputError that names the wrong key."""
    filled = valid(config, schema())
    if filled["grid"] is not None:
        filled = valid(expand(filled), schema())
    try:
        _check_names(filled)
    except InputError as error:
        if filled["grid"] is None or f"systems.{filled['grid']['system']}-" not in str(error):
            raise
        raise InputError(f"grid: one of its systems is not possible; {error}") from error
    return filled


def checked_corpora(config: Config) -> Config:
    """A copy of the section `corpora` with its defaults; the rest of the configuration is not looked at."""
    rules = schema()
    only = {"properties": {"corpora": rules["properties"]["corpora"]}, "required": ["corpora"]}
    corpora: Config = valid({"corpora": config.get("corpora")}, rules | only)["corpora"]
    for name, corpus in corpora.items():
        _check_sources(name, corpus)
    return corpora


def for_pair(definition: Config, pair: str) -> Config:
    """A system's (or table 1 row's) definition for a pair; its entry in `pairs` takes precedence."""
    own = {key: value for key, value in definition.items() if key != "pairs"}
    return own | definition.get("pairs", {}).get(pair, {})


def is_for(systems: Config, system: str, pair: str) -> bool:
    """Whether a system is for a language pair: neither it nor the one whose models it shares excludes the pair."""
    of = (system, systems[system].get("same_models", system))
    return all(pair in (systems[name].get("only_pairs") or [pair]) for name in of)


def _check_names(config: Config) -> None:
    """Names that refer to other parts of the configuration must exist there, and numbers must fit together."""
    _check_corpus(config)
    for name in config["systems"]:
        _check_models(name, config["systems"])
    experiment = config["experiment"]
    for key, names, restorable in (("systems", experiment["systems"], True), ("table1", experiment["table1"], False)):
        for name in names:
            if name not in config[key]:
                raise InputError(f"experiment.{key}: {key} defines no '{name}'; {nearest(name, config[key])}")
            owner = config[key][name].get("same_models", name)
            for pair in experiment["pairs"]:
                if restorable and not is_for(config["systems"], name, pair):
                    continue
                definition = for_pair(config[key][owner], pair)
                _check_segmentation(f"{key}.{owner}", definition, pair, restorable)
                if restorable:
                    _check_blocks(owner, definition, config["network"])
    sets = [experiment["dev"], *experiment["test"]]
    example_set = config["report"]["example_set"]
    if example_set is not None and example_set not in sets:
        raise InputError(
            f"report.example_set: '{example_set}' is not a development or test set of the experiment; "
            f"{nearest(example_set, sets)}"
        )
    known = config["corpora"][experiment["corpus"]]["pairs"]
    for pair in config["report"]["examples"]:  # an overlay may select fewer pairs than the experiment's file
        if pair not in known:
            raise InputError(f"report.examples: the corpus has no pair '{pair}'; {nearest(pair, known)}")
    _check_pairs(config)
    _check_external(config)
    _check_numbers(config)


def _check_pairs(config: Config) -> None:
    """Every pair has a system, and the baseline is for all pairs."""
    experiment, systems = config["experiment"], config["systems"]
    for pair in experiment["pairs"]:
        if not any(is_for(systems, name, pair) for name in experiment["systems"]):
            raise InputError(f"experiment.systems: no system is for {pair}; add one, or leave out the pair.")
        baseline = experiment["baseline"]
        if baseline in experiment["systems"] and not is_for(systems, baseline, pair):
            raise InputError(f"experiment.baseline: '{baseline}' is not for {pair} (only_pairs); choose another one.")


def _check_models(name: str, systems: Config) -> None:
    """A system has a segmentation and a vocabulary, or else the models of another system that has."""
    definition, where = systems[name], f"systems.{name}"
    if "same_models" in definition:
        _check_same_models(name, definition["same_models"], systems)
        return
    for key in OF_MODELS:
        if key not in definition:
            raise InputError(f"{where}: the key '{key}' is missing; config/README.md explains it.")
    if "unknown_words" in definition:
        raise InputError(f"{where}.unknown_words: name the system whose translations are used in same_models.")


def _check_same_models(name: str, owner: str, systems: Config) -> None:
    definition, where = systems[name], f"systems.{name}"
    if owner not in systems:
        raise InputError(f"{where}.same_models: systems defines no '{owner}'; {nearest(owner, systems)}")
    if "same_models" in systems[owner]:
        raise InputError(f"{where}.same_models: '{owner}' has no models of its own; name a system that has.")
    if ("unknown_words" in definition) == bool(definition.get("decoding")):
        raise InputError(
            f"{where}: with same_models, give either unknown_words or decoding; config/README.md explains."
        )
    parts = {where: definition} | {f"{where}.pairs.{pair}": part for pair, part in definition.get("pairs", {}).items()}
    for place, part in parts.items():
        for key in (*OF_MODELS, "fallback", "sampling", "preprocess", "network", "training", "seed"):
            if part.get(key) not in (None, False, {}):
                raise InputError(f"{place}.{key}: same_models takes it from '{owner}'; remove the key.")


def _check_external(config: Config) -> None:
    """Translations made elsewhere are for the experiment's test sets; the baseline exists for all of them."""
    experiment = config["experiment"]
    for name in experiment["external"]:
        if name not in config["external"]:
            known = nearest(name, config["external"]) if config["external"] else "define it there."
            raise InputError(f"experiment.external: external defines no '{name}'; {known}")
        if name in experiment["systems"]:
            raise InputError(f"experiment.external: '{name}' is also the id of a system; give it another id.")
        if not any(_external_sets(config, name)):
            raise InputError(
                f"external.{name}.hypotheses: it has no file for any pair and test set of the experiment "
                f"({', '.join(experiment['pairs'])}; {', '.join(experiment['test'])}); name a file for one of them."
            )
    baseline = experiment["baseline"]
    if baseline is None or baseline in experiment["systems"]:
        return
    if baseline not in experiment["external"]:
        known = nearest(baseline, [*experiment["systems"], *experiment["external"]])
        raise InputError(f"experiment.baseline: the experiment has no system '{baseline}'; {known}")
    if not all(_external_sets(config, baseline)):
        raise InputError(
            f"experiment.baseline: '{baseline}' has no hypotheses for some pair and test set; "
            f"complete external.{baseline}.hypotheses, or choose another baseline."
        )


def _external_sets(config: Config, name: str) -> list[bool]:
    """For every pair and test set of the experiment, whether an external translation exists."""
    experiment, hypotheses = config["experiment"], config["external"][name]["hypotheses"]
    return [test in hypotheses.get(pair, {}) for pair in experiment["pairs"] for test in experiment["test"]]


def _check_numbers(config: Config) -> None:
    """Combinations of keys that are not allowed, and numbers that are not finite."""
    for name in (None, *config["systems"]):
        _check_own_numbers(config, name)
    name = config["experiment"]["corpus"]
    preprocess = config["corpora"][name]["preprocess"]
    if preprocess["minimum"] > preprocess["maximum"]:
        raise InputError(
            f"corpora.{name}.preprocess.minimum: at least {preprocess['minimum']} tokens, but at most "
            f"{preprocess['maximum']}: no sentence is left; lower minimum or raise maximum."
        )


def _check_own_numbers(config: Config, system: str | None) -> None:
    """The numbers that all systems have (None), or those of a system that has some of its own."""
    own: Config = {} if system is None else config["systems"][system]
    where = "" if system is None else f"systems.{system}."
    network, training, decoding = (config[section] | own.get(section, {}) for section in SECTIONS)
    numbers = {"training.clip_norms": training["clip_norms"], "network.init_std": [network["init_std"]]}
    for key, values in numbers.items():
        if not all(math.isfinite(value) for value in values):
            raise InputError(f"{where}{key}: {values} is not finite; give ordinary numbers.")
    runs = len(config["training"]["clip_norms"])
    if len(training["clip_norms"]) != runs:
        raise InputError(
            f"{where}training.clip_norms: there are {len(training['clip_norms'])}, but training.clip_norms has {runs}; "
            "give one for each run."
        )
    _check_saved_models(where, training)
    if network["hidden"] % 2:
        raise InputError(f"{where}network.hidden must be even, because the maxout reads pairs.")
    if training["patience"] is not None and training["validate"] == "none":
        raise InputError(
            f"{where}training.patience needs the loss on the development text; set {where}training.validate to loss, "
            "or leave it out."
        )
    lists, kept = decoding["candidates"], config["alignment"]["candidates"]
    if lists and lists["per_word"] > kept:
        raise InputError(
            f"{where}decoding.candidates.per_word: {lists['per_word']} translations of each unit are requested, but "
            f"alignment.candidates keeps {kept}; raise that, or lower {where}decoding.candidates.per_word."
        )


def _check_saved_models(where: str, training: Config) -> None:
    """As many models as are wanted are saved before the updates are done, or before the time is up."""
    every, models, hours = training["save_every"], training["saved_models"], training["hours"]
    interval = seconds_of(every) if isinstance(every, str) else None
    if interval is None and training["updates"] <= every * (models - 1):
        raise InputError(
            f"{where}training.updates: {training['updates']} updates cannot hold {models} saved models {every} updates "
            f"apart; raise {where}training.updates or lower {where}training.save_every."
        )
    if interval is not None and hours is not None and interval * models > 3600 * hours:
        raise InputError(
            f"{where}training.hours: {hours:g} hours cannot hold {models} saved models {every} apart; raise "
            f"{where}training.hours or lower {where}training.save_every."
        )


def _check_corpus(config: Config) -> None:
    experiment = config["experiment"]
    name, corpora = experiment["corpus"], config["corpora"]
    if name not in corpora:
        raise InputError(f"experiment.corpus: corpora defines no '{name}'; {nearest(name, corpora)}")
    _check_sources(name, corpora[name])
    pairs = corpora[name]["pairs"]
    tests = experiment["test"]
    for number, test in enumerate(tests):
        same = [other for other in tests[:number] if other.replace("-", "_") == test.replace("-", "_")]
        if same:
            raise InputError(
                f"experiment.test: '{same[0]}' and '{test}' differ only in - and _, so their targets would have the "
                "same name; give one of the sets another name."
            )
    for pair in experiment["pairs"]:
        if len(set(pair.split("-"))) < 2:
            raise InputError(f"experiment.pairs: '{pair}' has the same language twice; source and target must differ.")
        if pair not in pairs:
            raise InputError(f"experiment.pairs: corpus '{name}' has no pair '{pair}'; {nearest(pair, pairs)}")
        for key, wanted in (("dev", [experiment["dev"]]), ("test", experiment["test"])):
            for split in wanted:
                if split not in pairs[pair]["sets"]:
                    raise InputError(
                        f"experiment.{key}: corpus '{name}' has no set '{split}' for {pair}; "
                        f"{nearest(split, pairs[pair]['sets'])}"
                    )


def _check_sources(name: str, corpus: Config) -> None:
    """Fetched texts come from an archive that is defined, for both languages of their pair."""
    for pair, definition in corpus["pairs"].items():
        languages = sorted(pair.split("-"))
        for text, fetched in definition["fetch"].items():
            where = f"corpora.{name}.pairs.{pair}.fetch.{text}"
            for archive in (archive_of(fetched, language) for language in languages):
                if archive not in corpus["archives"]:
                    raise InputError(
                        f"{where}.archive: the corpus has no archive '{archive}'; "
                        f"{nearest(archive, corpus['archives'])}"
                    )
                if not fetched["members"] and not is_compressed_file(archive):
                    raise InputError(f"{where}.members: say which file of {archive} is in which language.")
            for key in ("members", "columns"):
                if fetched[key] and sorted(fetched[key]) != languages:
                    raise InputError(f"{where}.{key}: give {' and '.join(languages)}, each once.")


def _check_segmentation(where: str, definition: Config, pair: str, is_system: bool) -> None:
    settings = dict(definition["segmentation"])
    try:
        method = find(settings.pop("method"))
        complete = method.complete(settings)
        if is_system:  # table 1 lists all segmentations by default, and is not part of every run
            method.check_languages(pair.split("-"))
    except InputError as error:
        raise InputError(f"{where}.segmentation: {error}") from error
    able = method.capabilities(complete)
    if is_system and not able.restorable:
        of_these = " with these settings" if method.offers.restorable else ""
        raise InputError(
            f"{where}.segmentation: {method.method} cannot be undone{of_these} and can only be used for table 1; "
            "choose another one."
        )
    if is_system:
        for number, side in enumerate(("source", "target")):
            smallest = FIRST_UNIT + method.smallest_vocabulary(complete, number)
            _check_room(f"{where}.vocabulary.{side}", definition["vocabulary"][side], smallest)
    if definition.get("fallback") and not able.has_merges:
        raise InputError(f"{where}.fallback: only byte pair encoding has merges to undo; remove the key.")
    if definition.get("sampling") is not None:
        _check_sampling(where, definition, method, able.sampling)


def _check_blocks(name: str, definition: Config, network: Config) -> None:
    """Bytes must be read in blocks: otherwise a translation could not be shorter than half of the source's units."""
    method = definition["segmentation"]["method"]
    if find(method).offers.needs_blocks and not (network | definition.get("network", {}))["source_blocks"]:
        raise InputError(
            f"systems.{name}.segmentation: {method} needs a network that reads blocks of bytes; set "
            f"systems.{name}.network.source_blocks, for example to 4."
        )


def _check_room(where: str, size: int, smallest: int) -> None:
    if size < smallest:
        raise InputError(
            f"{where}: {size} leaves no room besides EOS, UNK and the units that the segmentation reserves; "
            f"give {smallest} or more."
        )


def _check_sampling(where: str, definition: Config, method: type[Method], wanted: str | None) -> None:
    given = [key for key in ("dropout", "alpha") if key in definition["sampling"]]
    if wanted is None:
        of_these = " with these settings" if method.offers.sampling else ""
        raise InputError(
            f"{where}.sampling: {method.method} cannot cut a word in several ways{of_these}; remove the key."
        )
    if given != [wanted]:
        raise InputError(f"{where}.sampling: {method.method} needs '{wanted}' and nothing else.")
    if definition.get("fallback"):
        raise InputError(f"{where}.fallback: random segmentations need the vocabulary of all units; remove the key.")
