"""`rarewords export`: a system in one folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from rarewords.cli.replace_unknown import HEURISTICS
from rarewords.cli.settings_options import optional_of
from rarewords.errors import plural
from rarewords.schema import default

if TYPE_CHECKING:
    from rarewords.bundle.contents import Settings
    from rarewords.bundle.export import Sources

# What is needed without --experiment, and must not be given with it.
BY_HAND = (
    "members", "source_segmenter", "target_segmenter", "truecaser", "source_language", "target_language",
    "lexicon", "unknown_words", "scores", "label", "no_normalise", "aggressive", "fallback", "beam",
    "raw", "no_escape", "no_truecase",
)  # fmt: skip
REQUIRED = BY_HAND[:6]


@click.command(name="export", short_help="Put a system into one folder, a bundle.")
@click.option("--output", required=True, type=click.Path(), help="Folder to write; an earlier bundle is replaced.")
@click.option("--experiment", help="Name of an experiment that has been run in this folder.")
@click.option("--pair", help="Language pair of the experiment, say en-de; not needed if it has only one.")
@click.option("--system", help="System of the experiment, say bpe.")
@click.option("--member", "members", multiple=True, type=click.Path(), help="Model folder; several: an ensemble.")
@click.option("--source-language", help="Source language (en, …).")
@click.option("--target-language", help="Target language (de, …).")
@click.option("--source-segmenter", type=click.Path(), help="Segmenter of the source side (JSON).")
@click.option("--target-segmenter", type=click.Path(), help="Segmenter of the target side (JSON).")
@click.option("--truecaser", type=click.Path(), help="Truecasing model of the source side.")
@click.option("--lexicon", type=click.Path(), help="Lexical table, for --unknown-words dictionary.")
@click.option("--unknown-words", type=click.Choice(HEURISTICS), help="Replace unknown words; see replace-unknown.")
@click.option("--scores", multiple=True, metavar="NAME=FILE", help="A file of `rarewords score --json`; repeatable.")
@click.option("--label", help="Name of the system.")
@click.option("--no-normalise", is_flag=True, help="The training text's punctuation was not normalised.")
@click.option("--aggressive", is_flag=True, help="Hyphens of the training text were split.")
@click.option("--raw", is_flag=True, help="The system reads and writes raw text, split at single spaces only.")
@click.option("--no-escape", is_flag=True, help="The special characters of the training text were not escaped.")
@click.option("--no-truecase", is_flag=True, help="The training text was not truecased.")
@click.option("--fallback", is_flag=True, help="Units outside the source vocabulary are taken apart again.")
@optional_of("beam", "decoding.beam")
def command(output: str, experiment: str | None, pair: str | None, system: str | None, **by_hand: Any) -> None:
    """Put everything that translates raw text into one folder.

    The system is one of an experiment that has been run here:

    \b
    rarewords export --experiment demo --system bpe --output bpe-bundle

    or one that was trained by hand; then name its files (--member, --source-segmenter, --target-segmenter, --truecaser,
    --source-language, --target-language). `rarewords translate` uses the folder; it needs nothing else.
    """
    from rarewords.bundle.experiment import from_experiment
    from rarewords.bundle.export import write_bundle
    from rarewords.saved_model import has_checksum

    given = [name for name in BY_HAND if by_hand[name]]
    if experiment is None:
        _require(by_hand, pair, system)
        sources, settings = _by_hand(by_hand)
    else:
        if given:
            raise click.UsageError(f"{_option(given[0])} is known from the experiment; leave it out.")
        if system is None:
            raise click.UsageError("Give --system, one of the experiment's systems.")
        sources, settings = from_experiment(experiment, pair, system)
    size = write_bundle(output, sources, settings)
    for member in sources.members:
        if not has_checksum(member):
            click.echo(
                f"warning: {member}: model.json has no checksum of the weights (an earlier version wrote it), so "
                "nobody can know whether they have been damaged or replaced since; the bundle has them as they are.",
                err=True,
            )
    click.echo(
        f"{output}: {settings.label}, {settings.source_language} to {settings.target_language}, "
        f"{plural(len(sources.members), 'member')}, {size / 1e6:,.1f} MB",
        err=True,
    )


def _require(by_hand: dict[str, Any], pair: str | None, system: str | None) -> None:
    if pair is not None or system is not None:
        raise click.UsageError("--pair and --system choose from an experiment; give --experiment, too.")
    keeps_case = by_hand["raw"] or by_hand["no_truecase"]
    for name in REQUIRED:
        if not by_hand[name] and not (name == "truecaser" and keeps_case):
            raise click.UsageError(f"Give {_option(name)}, or an --experiment that has been run here.")


def _by_hand(options: dict[str, Any]) -> tuple[Sources, Settings]:
    from rarewords.bundle.contents import Settings
    from rarewords.bundle.export import Sources
    from rarewords.cli.options import named_files

    languages = options["source_language"], options["target_language"]
    sources = Sources(
        options["members"],
        options["source_segmenter"],
        options["target_segmenter"],
        options["truecaser"],
        options["lexicon"],
        scores=named_files(options["scores"], "--scores"),
    )
    return sources, Settings(
        options["label"] or "unnamed",
        *languages,
        normalise=not (options["no_normalise"] or options["raw"]),
        aggressive=options["aggressive"],
        tokenise=not options["raw"],
        escape=not options["no_escape"],
        truecase=not (options["no_truecase"] or options["raw"]),
        fallback=options["fallback"],
        beam=options["beam"] or default("decoding.beam"),
        unknown_words=options["unknown_words"],
    )


def _option(name: str) -> str:
    return {"members": "--member"}.get(name, "--" + name.replace("_", "-"))
