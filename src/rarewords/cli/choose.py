"""`rarewords choose`: the best single model on the development set."""

from __future__ import annotations

import click


@click.command(name="choose", short_help="Choose the best single model by its score.")
@click.option(
    "--candidate", "candidates", required=True, multiple=True, metavar="MEMBER=SCORES",
    help="A model folder and the JSON of `rarewords score` for its translation of the development set; repeatable.",
)  # fmt: skip
@click.option("--output", required=True, type=click.Path(), help="JSON to write: the chosen member and all scores.")
def command(candidates: tuple[str, ...], output: str) -> None:
    """Choose the member with the highest BLEU; the first one if several are equal (paper, section 4: single best
    model)."""
    from rarewords.evaluation.files import read_scores
    from rarewords.evaluation.registry import SELECTION
    from rarewords.text.documents import write_json
    from rarewords.text.outputs import check_outputs

    check_outputs([output], [candidate.partition("=")[2] for candidate in candidates])
    scores: dict[str, float] = {}
    for candidate in candidates:
        member, equals, path = candidate.partition("=")
        if not equals:
            raise click.BadParameter(f"{candidate!r} is not MEMBER=SCORES", param_hint="--candidate")
        scores[member] = read_scores(path)[SELECTION.name]["score"]
    best = SELECTION.best(scores, key=scores.__getitem__)
    write_json(output, {"member": best, SELECTION.name: scores})
    all_scores = ", ".join(f"{score:.2f}" for score in scores.values())
    click.echo(f"{best}: {SELECTION.label} {scores[best]:.2f} (of {all_scores})")
