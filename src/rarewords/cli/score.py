"""`rarewords score`: score a translation against its reference."""

from __future__ import annotations

from typing import Any

import click

CLASS_LABELS = {"all": "all", "rare": "rare", "rare_inclusive": "rare or OOV", "oov": "OOV"}


@click.command(name="score")
@click.option("--hypothesis", required=True, help="Translation, raw (detokenised) text.")
@click.option("--reference", required=True, help="Official reference, raw text.")
@click.option("--language", help="Target language, to tokenise the raw texts for unigram F1.")
@click.option("--train-text", help="Target training text, tokenised and truecased: its words are counted.")
@click.option("--train-counts", help="The same as counts, a file of `word count` lines.")
@click.option("--tokenised-hypothesis", help="Hypothesis tokenised and truecased like the training text.")
@click.option("--tokenised-reference", help="Reference tokenised and truecased like the training text.")
@click.option("--truecase-model", help="Truecase the tokenised raw texts with this model.")
@click.option(
    "--rare-rank",
    type=click.IntRange(min=1),
    default=50_000,
    show_default=True,
    help="Words of greater rank in the training text are rare.",
)
@click.option("--by-frequency", is_flag=True, help="Print unigram F1 by training frequency, too.")
@click.option("--json", "json_file", help="Write all scores to this file.")
def command(hypothesis: str, reference: str, by_frequency: bool, json_file: str | None, **unigram_options: Any) -> None:
    """Score a translation: BLEU, chrF3 and unigram F1 of all, rare and unseen (OOV) words.

    Unigram F1 is computed if the training words are given with --train-text or --train-counts. For it the punctuation
    of the raw texts is normalised, and they are tokenised by the Moses rules without splitting at hyphens. If the
    training text was made in another way, give both texts made like it with --tokenised-hypothesis and
    --tokenised-reference.
    """
    from rarewords.evaluation.scoring import UnigramInputs, score_files
    from rarewords.textio import check_distinct, write_json

    wanted = any(value for name, value in unigram_options.items() if name not in ("language", "rare_rank"))
    if by_frequency and not wanted:
        raise click.UsageError("--by-frequency needs the training words: give --train-text or --train-counts.")
    unigram = UnigramInputs(**unigram_options)
    check_distinct([json_file], [hypothesis, reference, *unigram.files().values()])
    result = score_files(hypothesis, reference, unigram if wanted else None)
    for warning in result["warnings"]:
        click.echo(f"warning: {warning}", err=True)
    if json_file:
        write_json(json_file, result)
    click.echo("\n".join(_summary(result)))
    if by_frequency:
        click.echo("\n".join(_frequency_summary(result["unigram_f1"]["by_frequency"])))


def _summary(result: dict[str, Any]) -> list[str]:
    bleu, chrf3 = result["bleu"], result["chrf3"]
    precisions = "/".join(f"{value:.1f}" for value in bleu["precisions"])
    lines = [
        f"sentences  {result['sentences']}",
        f"BLEU       {bleu['score']:5.1f}  {bleu['signature']}",
        f"           brevity penalty {bleu['brevity_penalty']:.3f}, length ratio {bleu['length_ratio']:.3f}, "
        f"precisions {precisions}",
        f"chrF3      {chrf3['score']:5.1f}  {chrf3['signature']}",
    ]
    return lines + (_unigram_summary(result["unigram_f1"]) if result["unigram_f1"] else [])


def _unigram_summary(unigram: dict[str, Any]) -> list[str]:
    lines = [f"{'unigram F1':12}{'F1':>7}{'precision':>11}{'recall':>8}{'n':>9}"]
    for name, label in CLASS_LABELS.items():
        scores = unigram["classes"][name]
        values = ["-" if scores[key] is None else f"{scores[key]:.1f}" for key in ("f1", "precision", "recall")]
        lines.append(f"  {label:11}{values[0]:>6}{values[1]:>11}{values[2]:>8}{scores['n']:>9}")
    cut = unigram["cut_frequency"]
    frequency = "" if cut is None else f", where words occur {cut} times"
    lines.append(
        f"rare: rank above {unigram['rare_rank']} of {unigram['training_types']} training types{frequency}; "
        "OOV: not in the training text"
    )
    return lines


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
