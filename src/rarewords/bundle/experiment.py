"""The files and settings of a system of an experiment that has been run here, for a bundle."""

from __future__ import annotations

from pathlib import Path

from rarewords.bundle.contents import Settings
from rarewords.bundle.export import Sources
from rarewords.errors import InputError, nearest
from rarewords.experiment.files import config_of_run
from rarewords.experiment.layout import Layout
from rarewords.experiment.plan import Experiment
from rarewords.text.documents import check_place


def from_experiment(name: str, pair: str | None, system: str) -> tuple[Sources, Settings]:
    """What `write_bundle` needs, from `results/{name}/config.yaml` and the folders beside it.

    `pair` may be None if the experiment has only one. Raises InputError if there is no such experiment, pair or system.
    """
    config, content = config_of_run(name)
    experiment = Experiment(content)
    pair = _pair(experiment, pair)
    if system not in experiment.systems_in(pair):
        raise InputError(
            f"--system: experiment {name!r} has no system '{system}'; {nearest(system, experiment.systems_in(pair))}"
        )
    return _sources(experiment, pair, system, config), _settings(experiment, pair, system)


def _pair(experiment: Experiment, pair: str | None) -> str:
    if pair is None and len(experiment.pairs) == 1:
        return experiment.pairs[0]
    if pair not in experiment.pairs:
        raise InputError(
            f"--pair: experiment {experiment.name!r} has the pairs {', '.join(experiment.pairs)}; give one."
        )
    return pair


def _settings(experiment: Experiment, pair: str, system: str) -> Settings:
    source, target = pair.split("-")
    definition = experiment.system(system, pair)
    return Settings(
        label=definition["label"],
        source_language=source,
        target_language=target,
        **experiment.form_of(system),
        aggressive=experiment.preprocess("aggressive"),
        fallback=definition["fallback"],
        **vars(experiment.decoding_settings(system)),
        unknown_words=definition.get("unknown_words"),
    )


def _sources(experiment: Experiment, pair: str, system: str, config: Path) -> Sources:
    source, target = pair.split("-")
    layout, owner, text = Layout.of(experiment), experiment.models_of(system), experiment.text_of(system)
    scores = {
        f"{test} {output}": Path(layout.scores(pair, system, test, output))
        for test in experiment.tests
        for output in ("best", "ensemble")
    }
    needs_lexicon = _settings(experiment, pair, system).needs_lexicon()
    truecases = experiment.form_of(system)["truecase"]
    sources = Sources(
        members=[Path(layout.member(pair, owner, member)) for member in experiment.members],
        source_segmenter=Path(layout.segmenter(pair, text, source)),
        target_segmenter=Path(layout.segmenter(pair, text, target)),
        truecaser=Path(layout.truecaser(pair, source, experiment.form(system))) if truecases else None,
        lexicon=Path(layout.lexicon(pair, text)) if needs_lexicon else None,
        config=config,
        scores={name: path for name, path in scores.items() if path.is_file()},
    )
    models = [Path(member) / "model.json" for member in sources.members]
    for path in (*models, sources.source_segmenter, sources.target_segmenter, *sources.scores.values()):
        check_place(path)
    return sources
