"""`rarewords report`: the paper's tables and figures, and the report that holds them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rarewords.cli import options
from rarewords.text.documents import parse_yaml, write_json
from rarewords.text.files import atomic_writer, check_distinct, read_lines

if TYPE_CHECKING:
    from rarewords.report.formats import Table


def _table_files(function: Callable[..., None]) -> Callable[..., None]:
    """The three files in which a table is written."""
    for option in (
        click.option("--latex", required=True, help="Write the table as LaTeX (booktabs)."),
        click.option("--markdown", required=True, help="Write the table as Markdown."),
        click.option("--tsv", required=True, help="Write the table as tab-separated values."),
    ):
        function = option(function)
    return function


def _write_table(table: Table, files: dict[str, Any]) -> None:
    from rarewords.report import formats

    for name, write in (("tsv", formats.tsv), ("markdown", formats.markdown), ("latex", formats.latex)):
        with atomic_writer(files[name]) as out:
            out.write(write(table))


@click.group(name="report")
def command() -> None:
    """Write the paper's tables and figures and the report that holds them."""


@command.command()
@click.option("--row", "rows", required=True, multiple=True, help="A system as a JSON map, see below; repeatable.")
@click.option("--external", multiple=True, help="A translation from elsewhere as a JSON map, see below; repeatable.")
@click.option("--significance", "significance_file", help="The JSON of `rarewords significance`: marks differences.")
@click.option("--pair", required=True, help="Language pair, say en-de.")
@click.option("--test-set", required=True, help="Name of the test set, for the caption.")
@_table_files
def table(
    rows: tuple[str, ...],
    external: tuple[str, ...],
    significance_file: str | None,
    pair: str,
    test_set: str,
    **table_files: str,
) -> None:
    """Write table 2 (en-de), table 3 (en-ru) or the same for another pair, with the paper's numbers below ours.

    A row has the keys system, label, paper (row of the paper's table, or null), segmentation, shortlist (or null),
    vocabulary (files of source and target side), best and ensemble (score files, or null), singles (score files of all
    single models, or none), choice (the file of `rarewords choose`, or null), members and updates. A translation from
    elsewhere has the keys system, label, paper, from (external) and scores (a score file).
    """
    from rarewords.report import scores, tables

    check_distinct(table_files.values(), [*options.files_in_maps([*rows, *external]), significance_file])
    outside = scores.parse_score_rows(external, "external row")
    tests = scores.read_significance(significance_file)
    _write_table(tables.score_table(tables.parse_rows(rows), pair, test_set, outside, tests), table_files)


@command.command()
@click.option("--row", "rows", required=True, multiple=True, help="A system as a JSON map, see below; repeatable.")
@click.option("--significance", "significance_file", help="The JSON of `rarewords significance`: marks differences.")
@click.option("--pair", required=True, help="Language pair, say en-de.")
@click.option("--test-set", required=True, help="Name of the test set, for the caption.")
@_table_files
@click.option("--svg", "svg_file", required=True, help="Draw the scores against the value that varies.")
@click.option("--png", "png_file", required=True, help="The same drawing as PNG.")
def ablation(
    rows: tuple[str, ...],
    significance_file: str | None,
    pair: str,
    test_set: str,
    svg_file: str,
    png_file: str,
    **table_files: str,
) -> None:
    """Write the table of a grid and draw it: BLEU, chrF3, rare and unseen F1 against the values that vary.

    A row has the keys system, label, values (a map, say {"merges": 1000, "dropout": 0.1}; the first is the horizontal
    axis), ensemble (a score file), singles (score files of the members, or none) and vocabulary (files of source and
    target side).
    """
    from rarewords.report import ablation, ablation_figure, figures, scores

    inputs = [*options.files_in_maps(rows), significance_file]
    check_distinct([*table_files.values(), svg_file, png_file], inputs)
    tests = scores.read_significance(significance_file)
    variants = ablation.parse_variants(rows)
    _write_table(ablation.ablation_table(variants, pair, test_set, tests), table_files)
    figures.write_figure(ablation_figure.draw(variants, f"{pair}, {test_set}", tests), svg_file, png_file)


@command.command(name="oov-table")
@click.option("--row", "rows", required=True, multiple=True, help="A system as a JSON map, see below; repeatable.")
@click.option("--pair", required=True, help="Language pair, say en-de.")
@click.option("--test-set", required=True, help="Name of the test set, for the caption.")
@_table_files
def oov_table(rows: tuple[str, ...], pair: str, test_set: str, **table_files: str) -> None:
    """Write precision, recall and F1 of words that the training text does not have, beside the paper's.

    A row has the keys system, label, paper (row of the paper's table, or null), from (ours or external) and scores (a
    score file).
    """
    from rarewords.report.oov_table import oov_table as made
    from rarewords.report.scores import parse_score_rows

    check_distinct(table_files.values(), options.files_in_maps(rows))
    _write_table(made(parse_score_rows(rows), pair, test_set), table_files)


@command.command(name="frequency-figure")
@click.option("--row", "rows", required=True, multiple=True, help="A system as a JSON map, see below; repeatable.")
@click.option("--pair", required=True, help="Language pair, say en-de.")
@click.option("--test-set", required=True, help="Name of the test set, for the title.")
@click.option("--svg", "svg_file", required=True, help="Write the figure as SVG.")
@click.option("--png", "png_file", required=True, help="The same as PNG.")
@click.option("--tsv", "tsv_file", required=True, help="Write the points of the figure as tab-separated values.")
def frequency_figure(
    rows: tuple[str, ...], pair: str, test_set: str, svg_file: str, png_file: str, tsv_file: str
) -> None:
    """Draw figure 2 (en-de), figure 3 (en-ru) or the same for another pair: unigram F1 by training frequency.

    Words of the same frequency are one point; a curve smooths the points of a system; unseen words (OOV) come last. A
    row has the keys system, label, paper (unused), from (ours or external) and scores (a score file).
    """
    from rarewords.report import figures, formats
    from rarewords.report.frequency import bins_table
    from rarewords.report.frequency_figure import f1_by_frequency
    from rarewords.report.scores import parse_score_rows

    check_distinct([svg_file, png_file, tsv_file], options.files_in_maps(rows))
    parsed = parse_score_rows(rows)
    figure = f1_by_frequency(parsed, f"{pair}, {test_set}")
    with atomic_writer(tsv_file) as out:
        out.write(formats.tsv(bins_table(parsed)))
    figures.write_figure(figure, svg_file, png_file)


@command.command()
@click.option(
    "--row", "rows", required=True, multiple=True, help="A segmentation as a JSON map, see below; repeatable."
)
@click.option("--pair", required=True, help="Language pair, say en-de.")
@_table_files
@click.option("--svg", "svg_file", required=True, help="Draw types against tokens.")
@click.option("--png", "png_file", required=True, help="The same drawing as PNG.")
def table1(rows: tuple[str, ...], pair: str, svg_file: str, png_file: str, **table_files: str) -> None:
    """Write table 1, what segmentations make of a text, and draw types against tokens.

    A row has the keys label, paper (row of the paper's table 1, or null) and statistics (a file that `rarewords segment
    statistics` wrote).
    """
    from rarewords.report import figures
    from rarewords.report.table1 import figure_points, parse_rows, statistics_table

    check_distinct([*table_files.values(), svg_file, png_file], options.files_in_maps(rows))
    parsed = parse_rows(rows)
    _write_table(statistics_table(parsed, pair), table_files)
    figures.write_figure(figures.types_against_tokens(figure_points(parsed, pair)), svg_file, png_file)


@command.command()
@click.option(
    "--system", "systems", required=True, multiple=True, help="A system as a JSON map, see below; repeatable."
)
@click.option("--pair", required=True, help="Language pair, say en-de.")
@click.option("--test-set", required=True, help="Name of the test set, for the caption.")
@click.option("--source", required=True, help="Tokenised, truecased source text of the test set.")
@click.option("--reference", required=True, help="Tokenised, truecased reference of the test set.")
@click.option("--source-counts", required=True, help="Words of the source training text with their counts.")
@click.option("--target-counts", required=True, help="Words of the target training text with their counts.")
@click.option("--rare-rank", default=50_000, show_default=True, type=click.IntRange(1), help="Rarer words are rare.")
@click.option("--number", default=5, show_default=True, type=click.IntRange(1), help="How many sentences to choose.")
@click.option("--line", "lines", multiple=True, type=int, help="Show this line instead; repeatable.")
@click.option("--phrase", "phrases", multiple=True, help="Show the first line with these source words; repeatable.")
@click.option("--json", "json_file", required=True, help="Write everything as JSON.")
@click.option("--tsv", "tsv_file", required=True, help="Write the table as tab-separated values.")
@click.option("--markdown", "markdown_file", required=True, help="Write the table as Markdown.")
@click.option("--latex", "latex_file", required=True, help="Write the table as LaTeX (booktabs, tabularx).")
def examples(
    systems: tuple[str, ...],
    pair: str,
    test_set: str,
    source: str,
    reference: str,
    source_counts: str,
    target_counts: str,
    rare_rank: int,
    number: int,
    lines: tuple[int, ...],
    phrases: tuple[str, ...],
    json_file: str,
    tsv_file: str,
    markdown_file: str,
    latex_file: str,
) -> None:
    """Write table 4 (en-de), table 5 (en-ru) or the same for another pair: translations of rare and unseen words.

    A system has the keys system, label, source and output (units that it reads and writes, one line a sentence) and
    vocabulary (of its source side). Without --line and --phrase, sentences are chosen in which the systems differ on
    such a word.
    """
    from rarewords.report import example_formats
    from rarewords.report.examples import ExampleTexts, example_table, parse_systems

    outputs = (tsv_file, markdown_file, latex_file)
    texts = ExampleTexts(source, reference, source_counts, target_counts)
    inputs = [source, reference, source_counts, target_counts, *options.files_in_maps(systems)]
    check_distinct([json_file, *outputs], inputs)
    content = example_table(texts, parse_systems(systems), (pair, test_set), rare_rank, number, lines, phrases)
    write_json(json_file, content)
    for path, write in zip(
        outputs, (example_formats.tsv, example_formats.markdown, example_formats.latex), strict=True
    ):
        with atomic_writer(path) as out:
            out.write(write(content))


@command.command()
@click.option("--examples", "examples_file", required=True, help="JSON that `report examples` wrote.")
@click.option("--member", "members", required=True, multiple=True, help="Folder of a member; several are an ensemble.")
@click.option("--source", required=True, help="Units that the system reads, one line a sentence.")
@click.option("--output", required=True, help="Units of its translations.")
@click.option("--label", required=True, help="Name of the system.")
@click.option("--folder", required=True, help="Write line{n}.svg, line{n}.png and attention.json here.")
@options.device
@options.threads
def attention(
    examples_file: str,
    members: tuple[str, ...],
    source: str,
    output: str,
    label: str,
    folder: str,
    device: str,
    threads: int,
) -> None:
    """Draw what the members attend to in their translations of the example sentences."""
    from rarewords.machine.device import prepare_cpu
    from rarewords.report.attention import attention_maps, write_maps
    from rarewords.report.scores import read_examples

    prepare_cpu(threads)
    lines = [example["line"] for example in read_examples(examples_file)["examples"]]
    write_maps(attention_maps(members, lines, (source, output), device), label, folder)


@command.command()
@click.option("--config", "config_file", required=True, help="The configuration of the run, as the workflow wrote it.")
@click.option("--pair", required=True, help="Language pair, say en-de.")
@_table_files
@click.option("--json", "json_file", required=True, help="The same as JSON, for the manifest.")
def training(config_file: str, pair: str, json_file: str, **table_files: str) -> None:
    """Write what each system was trained on: pairs, units a sentence, passes over the text, time."""
    from rarewords.experiment.plan import Experiment
    from rarewords.report.training import as_json, read_training, training_table

    check_distinct([*table_files.values(), json_file], [config_file])
    experiment = Experiment(parse_yaml("\n".join(read_lines(config_file)), config_file))
    trainings = [
        read_training(system, experiment.system(system, pair)["label"], *experiment.training_folders(system, pair))
        for system in experiment.trained_in(pair)
    ]
    _write_table(training_table(trainings, pair), table_files)
    write_json(json_file, as_json(trainings))


@command.command()
@click.option("--config", "config_file", required=True, help="The configuration of the run, as the workflow wrote it.")
@click.option("--pair", required=True, help="Language pair, say en-de.")
@click.option("--test-set", required=True, help="Name of the test set.")
@_table_files
@click.option("--json", "json_file", required=True, help="The same as JSON, for the page.")
def claims(config_file: str, pair: str, test_set: str, json_file: str, **table_files: str) -> None:
    """Test the paper's claims on a finished experiment: who is above whom, by paired tests, beside its numbers.

    It reads translations, scores and segmenters where the workflow leaves them, below the working folder.
    """
    from rarewords.experiment.plan import Experiment
    from rarewords.experiment.steps import Steps
    from rarewords.report.claims import Claims, as_json
    from rarewords.report.pattern import pattern_table

    experiment = Experiment(parse_yaml("\n".join(read_lines(config_file)), config_file))
    check_distinct([*table_files.values(), json_file], [config_file, *Steps(experiment).claim_files(pair, test_set)])
    found = Claims(experiment, pair, test_set).statements()
    settings = experiment.config["experiment"]["significance"]
    test = f"paired {settings['method']}, {settings['samples']} samples, seed {settings['seed']}"
    _write_table(pattern_table(found, pair, test_set, test), table_files)
    write_json(json_file, as_json(found))


@command.command(name="learning-curves")
@click.option("--run", "runs", required=True, multiple=True, help="A training as a JSON map, see below; repeatable.")
@click.option("--svg", "svg_file", required=True, help="Draw loss and gradient norm against updates.")
@click.option("--png", "png_file", required=True, help="The same drawing as PNG.")
def learning_curves(runs: tuple[str, ...], svg_file: str, png_file: str) -> None:
    """Draw the learning curves of trainings.

    A run has the keys pair, label (of the system), run (its number) and metrics (the file metrics.jsonl in the folder
    of its checkpoints). A training without that file is named in the figure.
    """
    from rarewords.report import learning_curves
    from rarewords.report.figures import write_figure

    check_distinct([svg_file, png_file], options.files_in_maps(runs))
    write_figure(learning_curves.draw(learning_curves.parse_runs(runs)), svg_file, png_file)


@command.command()
@click.option("--config", "config_file", required=True, help="The configuration of the run, as the workflow wrote it.")
@click.option("--repository", required=True, help="Folder of the workflow; its commit is stated if it is a checkout.")
@click.option("--benchmarks", required=True, help="Folder of Snakemake's benchmark files.")
@click.option("--score", "scores", multiple=True, help="A score file, for the metrics' signatures; repeatable.")
@click.option("--text", "texts", multiple=True, help="An input text, for its checksum; repeatable.")
@click.option("--training", "trainings", multiple=True, metavar="PAIR=FILE", help="JSON of `report training`.")
@click.option("--output", required=True, help="Write the manifest as JSON.")
def manifest(
    config_file: str,
    repository: str,
    benchmarks: str,
    scores: tuple[str, ...],
    texts: tuple[str, ...],
    trainings: tuple[str, ...],
    output: str,
) -> None:
    """Write down versions, commit, seeds, machine, time of the steps, signatures and checksums of a run."""
    from rarewords.experiment.plan import Experiment
    from rarewords.report.manifest import manifest as describe

    of_pairs = options.named_files(trainings, "--training")
    check_distinct([output], [config_file, *scores, *texts, *of_pairs.values()])
    experiment = Experiment(parse_yaml("\n".join(read_lines(config_file)), config_file))
    write_json(output, describe(experiment, repository, benchmarks, scores, texts, of_pairs))


@command.command()
@click.option("--item", "items", required=True, multiple=True, help="A part of the report as a JSON map; repeatable.")
@click.option("--title", required=True, help="Name of the experiment.")
@click.option("--output", required=True, help="Write one self-contained HTML file.")
def html(items: tuple[str, ...], title: str, output: str) -> None:
    """Put tables, figures, examples and the manifest into one page that needs no network.

    The workflow makes the items; `snakemake --cores 1 --forcerun report -p` shows them. An item is a map of its kind
    and the keys of that kind:

    \b
    scores    a table of scores: pair, test_set, path, systems, claims
    table     a table: section, title, path
    figure    a figure (SVG): section, title, path, description
    examples  translations with their units: pair, path, attention
    setup     what was trained: config, trainings
    manifest  versions, machine, time: path
    files     where files lie: places, a list of [what, path, more]
    """
    from rarewords.report.html import page, parse_items

    check_distinct([output], options.files_in_maps(items))
    text = page(title, parse_items(items), Path(output).parent)
    with atomic_writer(output) as out:
        out.write(text)


@command.command()
@click.option("--tsv", "tsv_files", required=True, multiple=True, help="A table written by `report table`; repeatable.")
def show(tsv_files: tuple[str, ...]) -> None:
    """Show tables in the terminal, each with the paths of its files."""
    from rarewords.report import formats, terminal

    for path in tsv_files:
        terminal.show(formats.read_tsv(path))
        siblings = [Path(path).with_suffix(suffix) for suffix in (".md", ".tex")]
        click.echo("files: " + "  ".join([path, *(str(sibling) for sibling in siblings if sibling.is_file())]))
        click.echo()
