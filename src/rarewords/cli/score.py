"""`rarewords score`: score one translation against its reference, or several side by side."""

from __future__ import annotations

from typing import Any

import click

from rarewords.cli.options import named_files
from rarewords.errors import plural
from rarewords.evaluation.registry import TESTED_OF_WORDS, TEXT_METRICS
from rarewords.schema import default

CLASS_LABELS = {"all": "all", "rare": "rare", "rare_inclusive": "rare or OOV", "oov": "OOV"}
_LABELS = ", ".join(metric.label for metric in TEXT_METRICS.values())


@click.command(name="score", short_help=f"Score translations: {_LABELS}, unigram F1.")
@click.option(
    "--hypothesis", "hypotheses", required=True, multiple=True, metavar="FILE|NAME=FILE",
    help="Translation, raw (detokenised) text. Give several as NAME=FILE each.",
)  # fmt: skip
@click.option("--reference", required=True, help="Official reference, raw text.")
@click.option("--language", help="Target language, to tokenise the raw texts for unigram F1.")
@click.option("--train-text", help="Target training text, tokenised and truecased: its words are counted.")
@click.option("--train-counts", help="The same as counts, a file of `word count` lines.")
@click.option(
    "--tokenised-hypothesis", "tokenised_hypotheses", multiple=True, metavar="FILE|NAME=FILE",
    help="Hypothesis tokenised and truecased like the training text; one for each hypothesis.",
)  # fmt: skip
@click.option("--tokenised-reference", help="Reference tokenised and truecased like the training text.")
@click.option("--truecase-model", help="Truecase the tokenised raw texts with this model.")
@click.option(
    "--rare-rank",
    type=click.IntRange(min=1),
    default=default("experiment.rare_rank"),
    show_default=True,
    help="Words with a greater rank in the training text are rare.",
)
@click.option("--by-frequency", is_flag=True, help="Print unigram F1 by training frequency, too.")
@click.option("--json", "json_file", help="Write all scores to this file.")
def command(
    hypotheses: tuple[str, ...],
    reference: str,
    tokenised_hypotheses: tuple[str, ...],
    by_frequency: bool,
    json_file: str | None,
    **unigram_options: Any,
) -> None:
    """Score a translation: BLEU, chrF3, chrF2 and unigram F1 of all, rare and unseen (OOV) words.

    Unigram F1 is computed if the training words are given with --train-text or --train-counts. For it the punctuation
    of the raw texts is normalised, and they are tokenised by the Moses rules without splitting at hyphens. If your
    training text was prepared differently, give both texts prepared the same way with --tokenised-hypothesis and
    --tokenised-reference.

    Several translations of one test set are scored side by side, and their differences from the first one are tested by
    paired bootstrap resampling; `rarewords significance` has other tests.

    \b
    rarewords score --reference test.de --hypothesis words=words.de --hypothesis bpe=bpe.de
    """
    from rarewords.cli.significance import warn_of_few_sentences
    from rarewords.evaluation.scoring import UnigramInputs, score_files
    from rarewords.evaluation.side_by_side import score_systems
    from rarewords.text.documents import write_json
    from rarewords.text.outputs import check_outputs

    several = len(hypotheses) > 1
    wanted = bool(tokenised_hypotheses) or any(
        value for name, value in unigram_options.items() if name not in ("language", "rare_rank")
    )
    if by_frequency and not wanted:
        raise click.UsageError("--by-frequency needs the training words: give --train-text or --train-counts.")
    texts, tokenised = (
        _files(hypotheses, several, "--hypothesis"),
        _files(tokenised_hypotheses, several, "--tokenised-hypothesis"),
    )
    unigram = UnigramInputs(**unigram_options, tokenised_hypothesis=tokenised.get(""))
    check_outputs([json_file], [*texts.values(), *tokenised.values(), reference, *unigram.files().values()])
    if several:
        result = score_systems(texts, reference, unigram if wanted else None, tokenised)
        systems = result["systems"]
    else:
        result = score_files(texts[""], reference, unigram if wanted else None)
        systems = {"": result}
    for warning in dict.fromkeys(warning for found in systems.values() for warning in found["warnings"]):
        click.echo(f"warning: {warning}", err=True)
    if json_file:
        write_json(json_file, result)
    click.echo("\n".join(_side_by_side(result) if several else _summary(result)))
    if several:
        warn_of_few_sentences(result["comparison"])
    if by_frequency:
        for name, found in systems.items():
            click.echo(
                "\n".join([*([name] if several else []), *_frequency_summary(found["unigram_f1"]["by_frequency"])])
            )


def _files(texts: tuple[str, ...], several: bool, option: str) -> dict[str, str]:
    """The files by system; a single translation has no name and may be standard input."""
    if not several:
        if len(texts) > 1:
            raise click.UsageError(f"There is one --hypothesis, but {option} is given {len(texts)} times.")
        return {"": texts[0]} if texts else {}
    found = named_files(texts, option)
    if "-" in found.values():
        raise click.UsageError(f"{option}: several translations are read from files, not from standard input.")
    return found


def _side_by_side(result: dict[str, Any]) -> list[str]:
    """A line for each system, the signatures, and the comparison with the first one."""
    from rarewords.cli.significance import summary

    systems = result["systems"]
    first = next(iter(systems.values()))
    width = max(map(len, systems))
    metrics = [*TEXT_METRICS.values(), *(TESTED_OF_WORDS if first["unigram_f1"] else ())]
    lines = [" ".join([" " * width, *(f"{metric.label:>8}" for metric in metrics)])]
    for name, found in systems.items():
        values = ((metric.value(found), metric.digits) for metric in metrics)
        cells = ["-" if value is None else f"{value:.{digits}f}" for value, digits in values]
        lines.append(" ".join([f"{name:{width}}", *(f"{cell:>8}" for cell in cells)]))
    lines += [f"{metric.label:6} {first[name]['signature']}" for name, metric in TEXT_METRICS.items()]
    if first["unigram_f1"]:
        lines.append(_rare_words(first["unigram_f1"]))
    return [*lines, *summary(result["comparison"])]


def _summary(result: dict[str, Any]) -> list[str]:
    lines = [f"sentences  {result['sentences']}"]
    for name, metric in TEXT_METRICS.items():
        found = result[name]
        lines.append(f"{metric.label:10} {found['score']:5.{metric.digits}f}  {found['signature']}")
        if "brevity_penalty" in found:
            lines.append(_bleu_details(found))
    return lines + (_unigram_summary(result["unigram_f1"]) if result["unigram_f1"] else [])


def _bleu_details(bleu: dict[str, Any]) -> str:
    precisions = "/".join(f"{value:.1f}" for value in bleu["precisions"])
    return (
        f"           brevity penalty {bleu['brevity_penalty']:.3f}, length ratio {bleu['length_ratio']:.3f}, "
        f"precisions {precisions}"
    )


def _unigram_summary(unigram: dict[str, Any]) -> list[str]:
    lines = [f"{'unigram F1':12}{'F1':>7}{'precision':>11}{'recall':>8}{'n':>9}"]
    for name, label in CLASS_LABELS.items():
        scores = unigram["classes"][name]
        values = ["-" if scores[key] is None else f"{scores[key]:.1f}" for key in ("f1", "precision", "recall")]
        lines.append(f"  {label:11}{values[0]:>6}{values[1]:>11}{values[2]:>8}{scores['n']:>9}")
    return [*lines, _rare_words(unigram)]


def _rare_words(unigram: dict[str, Any]) -> str:
    cut = unigram["cut_frequency"]
    frequency = "" if cut is None else f", where words occur {plural(cut, 'time')}"
    return (
        f"rare: rank above {unigram['rare_rank']} of {unigram['training_types']} training types{frequency}; "
        "OOV: not in the training text"
    )


def _frequency_summary(bins: list[dict[str, Any]]) -> list[str]:
    """One line for each training frequency; ranks are those of the training words with this frequency."""
    heading = f"{'frequency':>9}{'ranks':>17}{'F1':>7}{'precision':>11}{'recall':>8}{'hypothesis':>12}{'reference':>11}"
    lines = ["unigram F1 by frequency in the training text; hypothesis and reference in tokens", heading]
    for found in bins:
        ranks = "OOV" if found["frequency"] == 0 else f"{found['first_rank']}-{found['last_rank']}"
        lines.append(
            f"{found['frequency']:>9}{ranks:>17}{found['f1']:>7.1f}{found['precision']:>11.1f}{found['recall']:>8.1f}"
            f"{found['hypothesis_tokens']:>12}{found['reference_tokens']:>11}"
        )
    return lines
