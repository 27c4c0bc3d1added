"""`rarewords report`: the paper's tables and figures, and the report that holds them.

Each command reads the configuration that the last run of an experiment left in the current folder, and finds all files
by the experiment's layout (rarewords.report.parts).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rarewords.cli import options
from rarewords.cli.groups import Group
from rarewords.errors import InputError, nearest
from rarewords.text.documents import write_json
from rarewords.text.files import atomic_writer
from rarewords.text.outputs import check_folder, check_outputs

if TYPE_CHECKING:
    from rarewords.experiment.plan import Experiment
    from rarewords.report.table import Table

Decorator = Callable[[Callable[..., None]], Callable[..., None]]

_experiment = click.option(
    "--experiment",
    "run",
    required=True,
    metavar="CONFIG",
    help="Configuration of a run, results/NAME/config.yaml, or the NAME of an experiment that has been run here.",
)
_pair = click.option("--pair", required=True, help="Language pair of the experiment, such as en-de.")
_test_set = click.option("--test-set", "test", required=True, help="Test set of the experiment.")


def _outputs(**files: str) -> Decorator:
    """Options that name the files to write, as `svg="The figure as SVG."`."""

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        for name, text in reversed(files.items()):
            function = click.option(f"--{name}", required=True, help=text)(function)
        return function

    return decorate


_table_outputs = _outputs(
    tsv="Write the table as tab-separated values.",
    markdown="Write the table as Markdown.",
    latex="Write the table as LaTeX (booktabs).",
)
_table_json = click.option("--json", help="The same as JSON: numbers as numbers, with metrics and marks.")
_figure_outputs = _outputs(svg="Draw the figure as SVG.", png="Draw the figure as PNG.")


@click.group(cls=Group, name="report")
def command() -> None:
    """Write the paper's tables and figures and the report that holds them."""


@command.command()
@_experiment
@_pair
@_test_set
@_table_outputs
@_table_json
@click.option("--svg", help="Draw the scores as SVG.")
@click.option("--png", help="Draw the scores as PNG.")
def table(run: str, pair: str, test: str, svg: str | None, png: str | None, **outputs: str) -> None:
    """Write table 2 (en-de), table 3 (en-ru) or the same for another pair, with the paper's numbers.

    \b
    rarewords report table --experiment demo --pair en-de --test-set test --tsv t.tsv --markdown t.md --latex t.tex
    """
    from rarewords.evaluation.files import read_significance
    from rarewords.report import figures, scores, scores_figure, tables
    from rarewords.report.parts import Parts

    part = Parts(_of_run(run, pair, test)).score_table(pair, test)
    check_outputs([*outputs.values(), svg, png], part.files())
    external = scores.read_score_rows(part.external)
    tests = read_significance(part.significance)
    systems = [tables.read_system(system) for system in part.systems]
    made = tables.score_table(systems, pair, test, external, tests)
    _write_table(made, outputs)
    figures.write_figure(scores_figure.draw(made, f"{pair}, {test}"), svg, png)


@command.command()
@_experiment
@_pair
@_test_set
@_table_outputs
@_table_json
@_figure_outputs
def ablation(run: str, pair: str, test: str, svg: str, png: str, **outputs: str) -> None:
    """Write the table of a grid and draw it: BLEU, chrF3, rare and unseen F1 against the values that vary."""
    from rarewords.evaluation.files import read_significance
    from rarewords.report import ablation, ablation_figure, figures, variants
    from rarewords.report.parts import Parts

    experiment = _of_run(run, pair, test)
    if not experiment.grid:
        raise InputError(f"experiment {experiment.name!r} has no grid; config/README.md explains the key `grid`.")
    part = Parts(experiment).ablation(pair, test)
    check_outputs([*outputs.values(), svg, png], part.files())
    tests = read_significance(part.significance)
    found = variants.read_variants(part.variants)
    _write_table(ablation.ablation_table(found, pair, test, tests), outputs)
    figures.write_figure(ablation_figure.draw(found, f"{pair}, {test}", tests), svg, png)


@command.command(name="oov-table")
@_experiment
@_pair
@_test_set
@_table_outputs
@_table_json
def oov_table(run: str, pair: str, test: str, **outputs: str) -> None:
    """Write precision, recall and F1 of words that the training text does not have, beside the paper's."""
    from rarewords.report.oov_table import oov_table as made
    from rarewords.report.parts import Parts
    from rarewords.report.scores import read_score_rows

    part = Parts(_of_run(run, pair, test)).oov_table(pair, test)
    check_outputs(outputs.values(), part.files())
    _write_table(made(read_score_rows(part.rows), pair, test), outputs)


@command.command(name="frequency-figure")
@_experiment
@_pair
@_test_set
@_figure_outputs
@_outputs(tsv="Write the points of the figure as tab-separated values.")
def frequency_figure(run: str, pair: str, test: str, svg: str, png: str, tsv: str) -> None:
    """Draw figure 2 (en-de), figure 3 (en-ru) or the same for another pair: unigram F1 by training frequency.

    Words of the same frequency are one point; a curve smooths the points of a system; unseen words (OOV) come last.
    """
    from rarewords.report import figures
    from rarewords.report.frequency import bins_table
    from rarewords.report.frequency_figure import f1_by_frequency
    from rarewords.report.parts import Parts
    from rarewords.report.scores import read_score_rows

    part = Parts(_of_run(run, pair, test)).frequency_figure(pair, test)
    check_outputs([svg, png, tsv], part.files())
    rows = read_score_rows(part.rows)
    figure = f1_by_frequency(rows, f"{pair}, {test}")
    _write_table(bins_table(rows), {"tsv": tsv})
    figures.write_figure(figure, svg, png)


@command.command()
@_experiment
@_pair
@_table_outputs
@_table_json
@_figure_outputs
def table1(run: str, pair: str, svg: str, png: str, **outputs: str) -> None:
    """Write table 1, the statistics of segmentations of a text, and draw types against tokens."""
    from rarewords.report import figures
    from rarewords.report.parts import Parts
    from rarewords.report.table1 import figure_points, read_rows, statistics_table

    part = Parts(_of_run(run, pair)).table1(pair)
    check_outputs([*outputs.values(), svg, png], part.files())
    rows = read_rows(part.rows)
    _write_table(statistics_table(rows, pair), outputs)
    figures.write_figure(figures.types_against_tokens(figure_points(rows, pair)), svg, png)


@command.command()
@_experiment
@_pair
@_outputs(json="Write everything as JSON.")
@_table_outputs
def examples(run: str, pair: str, json: str, **outputs: str) -> None:
    """Write table 4 (en-de), table 5 (en-ru) or the same for another pair: translations of rare and unseen words.

    The key `report` of the configuration says which lines or phrases to show; without it, sentences are chosen in which
    the systems differ on such a word.
    """
    from rarewords.report import example_formats
    from rarewords.report.examples import example_table
    from rarewords.report.parts import Parts

    part = Parts(_of_run(run, pair)).examples(pair)
    check_outputs([json, *outputs.values()], part.files())
    content = example_table(
        part.texts, part.systems, (pair, part.test), part.rare_rank, part.number, part.lines, part.phrases
    )
    write_json(json, content)
    for name, write in (
        ("tsv", example_formats.tsv),
        ("markdown", example_formats.markdown),
        ("latex", example_formats.latex),
    ):
        with atomic_writer(outputs[name]) as out:
            out.write(write(content))


@command.command()
@_experiment
@_pair
@click.option("--system", required=True, help="System of the experiment, such as bpe.")
@click.option("--folder", required=True, help="Write line{n}.svg, line{n}.png and attention.json here.")
@options.device
@options.threads
def attention(run: str, pair: str, system: str, folder: str, device: str, threads: int) -> None:
    """Draw the attention of the members in their translations of the example sentences."""
    from rarewords.machine.device import prepare_cpu
    from rarewords.report.attention import attention_maps, write_maps
    from rarewords.report.parts import Parts
    from rarewords.report.scores import read_examples

    check_folder(folder)
    experiment = _of_run(run, pair)
    _check("--system", system, experiment.systems)
    part = Parts(experiment).attention(pair, system)
    prepare_cpu(threads)
    lines = [example["line"] for example in read_examples(part.examples)["examples"]]
    units = (part.system.source, part.system.output)
    write_maps(attention_maps(part.members, lines, units, device), part.system.label, folder)


@command.command()
@_experiment
@_pair
@_table_outputs
@_outputs(json="Write the table as JSON, for the manifest.")
def training(run: str, pair: str, json: str, **outputs: str) -> None:
    """Write what each system was trained on: pairs, units per sentence, passes over the text, time."""
    from rarewords.report.parts import Parts
    from rarewords.report.training import as_json, read_training, training_table

    parts = Parts(_of_run(run, pair)).trainings(pair)
    check_outputs([*outputs.values(), json], [path for part in parts for path in part.files()])
    trainings = list(map(read_training, parts))
    _write_table(training_table(trainings, pair), outputs)
    write_json(json, as_json(trainings))


@command.command()
@_experiment
@_pair
@_test_set
@_table_outputs
@_outputs(json="Write the claims as JSON, for the page.")
def claims(run: str, pair: str, test: str, json: str, **outputs: str) -> None:
    """Test the paper's claims on a finished experiment with paired tests, beside the paper's numbers."""
    from rarewords.experiment.steps import Steps
    from rarewords.report.claims import Claims, as_json
    from rarewords.report.pattern import pattern_table

    experiment = _of_run(run, pair, test)
    check_outputs([*outputs.values(), json], Steps(experiment).claim_files(pair, test))
    found = Claims(experiment, pair, test).statements()
    settings = experiment.config["experiment"]["significance"]
    how = f"paired {settings['method']}, {settings['samples']} samples, seed {settings['seed']}"
    _write_table(pattern_table(found, pair, test, how), outputs)
    write_json(json, as_json(found))


@command.command(name="learning-curves")
@_experiment
@_figure_outputs
def learning_curves(run: str, svg: str, png: str) -> None:
    """Draw the learning curves of all training runs; one without reports is named in the figure."""
    from rarewords.report import learning_curves
    from rarewords.report.figures import write_figure
    from rarewords.report.parts import Parts

    runs = Parts(_of_run(run)).runs()
    check_outputs([svg, png], [one.metrics for one in runs])
    write_figure(learning_curves.draw(runs), svg, png)


@command.command()
@_experiment
@click.option("--repository", required=True, help="Folder of the workflow, whose commit is recorded if it has one.")
@click.option("--benchmarks", required=True, help="Folder of Snakemake's benchmark files.")
@click.option("--output", required=True, help="Write the manifest as JSON.")
def manifest(run: str, repository: str, benchmarks: str, output: str) -> None:
    """Record versions, commit, seeds, machine, time of the steps, signatures and checksums of a run."""
    from rarewords.report.manifest import manifest as describe
    from rarewords.report.parts import Parts

    experiment = _of_run(run)
    parts = Parts(experiment)
    scores, texts, trainings = parts.all_ensembles(), parts.raw_texts(), parts.training_json()
    check_outputs([output], [parts.layout.config, *scores, *texts, *trainings.values()])
    write_json(output, describe(experiment, repository, benchmarks, scores, texts, trainings))


@command.command()
@_experiment
@click.option("--output", required=True, help="Write one self-contained HTML file.")
def html(run: str, output: str) -> None:
    """Put tables, figures, examples and the manifest into one page that needs no network."""
    from rarewords.report.contents import Contents, files
    from rarewords.report.html import page

    experiment = _of_run(run)
    items = Contents(experiment).items()
    check_outputs([output], files(items))
    text = page(experiment.name, items, Path(output).parent)
    with atomic_writer(output) as out:
        out.write(text)


@command.command()
@click.option("--tsv", "tsv_files", required=True, multiple=True, help="A table written by `report table`; repeatable.")
def show(tsv_files: tuple[str, ...]) -> None:
    """Show tables in the terminal, each with the paths of its files."""
    from rarewords.report import terminal

    for path in tsv_files:
        terminal.show(terminal.table_of(path))
        siblings = [Path(path).with_suffix(suffix) for suffix in (".md", ".tex", ".json")]
        click.echo("files: " + "  ".join([path, *(str(sibling) for sibling in siblings if sibling.is_file())]))
        click.echo()


def _of_run(run: str, pair: str | None = None, test: str | None = None) -> Experiment:
    """The experiment of a run; raises InputError that lists its pairs or test sets if these are not among them."""
    from rarewords.experiment.files import experiment_of_run

    experiment = experiment_of_run(run)
    _check("--pair", pair, experiment.pairs)
    _check("--test-set", test, experiment.tests)
    return experiment


def _check(option: str, name: str | None, known: Iterable[str]) -> None:
    if name is not None and name not in known:
        raise InputError(f"{option}: the experiment has no {name!r}; {nearest(name, known)}")


def _write_table(table: Table, outputs: dict[str, Any]) -> None:
    from rarewords.report import formats
    from rarewords.report.table import write_table

    if outputs.get("json"):
        write_table(outputs["json"], table)
    for name, write in (("tsv", formats.tsv), ("markdown", formats.markdown), ("latex", formats.latex)):
        if name in outputs:
            with atomic_writer(outputs[name]) as out:
                out.write(write(table))
