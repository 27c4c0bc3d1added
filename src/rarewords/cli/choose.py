"""`rarewords choose`: the best single model on the development set."""

from __future__ import annotations

import click

from rarewords.errors import InputError


@click.command(name="choose", short_help="Choose the best single model by its score.")
@click.option(
    "--candidate", "candidates", required=True, multiple=True, metavar="MEMBER=SCORES",
    help="A model folder and the JSON of `rarewords score` for its translation of the development set; repeatable.",
)  # fmt: skip
@click.option("--output", required=True, type=click.Path(), help="JSON to write: the chosen member and all scores.")
def command(candidates: tuple[str, ...], output: str) -> None:
    """Choose the member with the highest BLEU; of equal ones the first (paper, section 4: single best model)."""
    from rarewords.text.files import check_distinct, write_json

    check_distinct([output], [candidate.partition("=")[2] for candidate in candidates])
    bleu: dict[str, float] = {}
    for candidate in candidates:
        member, equals, path = candidate.partition("=")
        if not equals:
            raise click.BadParameter(f"{candidate!r} is not MEMBER=SCORES", param_hint="--candidate")
        bleu[member] = _bleu(path)
    best = max(bleu, key=bleu.__getitem__)
    write_json(output, {"member": best, "bleu": bleu})
    click.echo(f"{best}: BLEU {bleu[best]:.2f} (of {', '.join(f'{value:.2f}' for value in bleu.values())})")


def chosen_member(path: str) -> str:
    """The member that `rarewords choose` wrote to a file; raises InputError if it is none of its files."""
    from rarewords.text.files import read_json

    choice = read_json(path)
    if not isinstance(choice, dict) or not isinstance(choice.get("member"), str):
        raise InputError(f"{path}: names no member; write it with `rarewords choose`.")
    return str(choice["member"])


def _bleu(path: str) -> float:
    """The BLEU in a file of `rarewords score --json`; raises InputError if it is none of its files."""
    from rarewords.text.files import read_json

    try:
        return float(read_json(path)["bleu"]["score"])
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{path}: not a score file; write one with `rarewords score --json`.") from error
