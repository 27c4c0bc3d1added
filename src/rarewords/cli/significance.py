"""`rarewords significance`: are the differences of systems from a baseline more than chance?"""

from __future__ import annotations

from typing import Any

import click

from rarewords.cli.options import named_files
from rarewords.schema import default

_NAMED = "NAME=FILE"


@click.command(name="significance", short_help="Test the differences between systems and a baseline.")
@click.option("--reference", required=True, help="Official reference, raw text.")
@click.option("--baseline", required=True, metavar=_NAMED, help="Translation of the baseline, raw text.")
@click.option(
    "--system",
    "systems",
    required=True,
    multiple=True,
    metavar=_NAMED,
    help="Translation of another system; repeatable.",
)
@click.option(
    "--words", "words", multiple=True, metavar=_NAMED,
    help="For unigram F1: a translation tokenised and truecased, one for each system, in the same order.",
)  # fmt: skip
@click.option("--words-reference", help="The reference tokenised and truecased like them.")
@click.option("--train-counts", help="Words of the target training text, a file of `word count` lines.")
@click.option(
    "--rare-rank",
    type=click.IntRange(1),
    default=default("experiment.rare_rank"),
    show_default=True,
    help="Words beyond this rank are rare.",
)
@click.option(
    "--method", type=click.Choice(["bootstrap", "randomisation"]), default=default("experiment.significance.method"),
    show_default=True,
    help="Paired bootstrap resampling, or paired approximate randomisation.",
)  # fmt: skip
@click.option(
    "--samples",
    type=click.IntRange(1),
    default=default("experiment.significance.samples"),
    show_default=True,
    help="Number of resampled test sets or trials.",
)
@click.option(
    "--seed",
    type=click.IntRange(1),
    default=default("experiment.significance.seed"),
    show_default=True,
    help="Seed of the resampling.",
)
@click.option("--json", "json_file", help="Write the results to this file.")
def command(
    reference: str,
    baseline: str,
    systems: tuple[str, ...],
    words: tuple[str, ...],
    words_reference: str | None,
    train_counts: str | None,
    rare_rank: int,
    method: str,
    samples: int,
    seed: int,
    json_file: str | None,
) -> None:
    """Test whether systems differ from a baseline in BLEU, chrF3 and, with --words, unigram F1.

    p is the probability of a difference at least this large if both systems were equally good (two-sided). The tests
    cover chance in the choice of test sentences, not in training.
    """
    from rarewords.evaluation.comparison import Words, compare_files
    from rarewords.text.documents import write_json
    from rarewords.text.outputs import check_outputs

    hypotheses = named_files([baseline, *systems], "--system")
    of_words = None
    if words or words_reference or train_counts:
        if not (words and words_reference and train_counts):
            raise click.UsageError("Unigram F1 needs --words, --words-reference and --train-counts together.")
        of_words = Words(named_files(words, "--words"), words_reference, train_counts, rare_rank)
        check_outputs([json_file], [*of_words.hypotheses.values(), words_reference, train_counts])
    check_outputs([json_file], [reference, *hypotheses.values()])
    result = compare_files(hypotheses, reference, of_words, method, samples, seed)
    if json_file:
        write_json(json_file, result, levels=3)  # from `significance` on
    click.echo("\n".join(summary(result)))
    warn_of_few_sentences(result)


def warn_of_few_sentences(result: dict[str, Any]) -> None:
    """Warn on standard error if a test set is too small for significant differences."""
    from rarewords.evaluation.significance import too_few_sentences

    if few := too_few_sentences(result["sentences"]):
        click.echo(f"warning: {few}", err=True)


def summary(result: dict[str, Any]) -> list[str]:
    """The lines of a comparison, for people."""
    from rarewords.evaluation.registry import METRICS
    from rarewords.evaluation.significance import p_number

    test = f"{result['method']}, {result['samples']} samples, seed {result['seed']}"
    lines = [f"{result['sentences']} sentences, paired {test}; baseline: {result['baseline']}"]
    lines.append(f"{'metric':10}{'score':>8}{'difference':>12}{'p':>8}  system")
    for metric, systems in ((METRICS[name], found) for name, found in result["metrics"].items()):
        for name, found in systems.items():
            p = "-" if found["p"] is None else p_number(found["p"])
            difference = "-" if found["p"] is None else f"{found['difference']:+.{metric.digits}f}"
            lines.append(f"{metric.label:10}{found['score']:>8.{metric.digits}f}{difference:>12}{p:>8}  {name}")
    return lines
