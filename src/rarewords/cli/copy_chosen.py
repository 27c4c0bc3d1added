"""`rarewords copy-chosen`: the translation of the best single model, without translating again."""

from __future__ import annotations

import click

from rarewords.errors import InputError

SUFFIXES = (".sub", ".tc", ".txt")


@click.command(name="copy-chosen", short_help="Copy the outputs of the chosen single model.")
@click.option("--choice", required=True, type=click.Path(), help="The file of `rarewords choose`.")
@click.option(
    "--candidate", "candidates", required=True, multiple=True, metavar="MEMBER=OUTPUT",
    help="A model folder and the outputs of its translation, named without .sub, .tc and .txt; repeatable.",
)  # fmt: skip
@click.option("--output", required=True, type=click.Path(), help="Outputs to write, named without .sub, .tc and .txt.")
def command(choice: str, candidates: tuple[str, ...], output: str) -> None:
    """Copy units (.sub), words (.tc) and text (.txt) of the member that `rarewords choose` chose."""
    from rarewords.evaluation.files import chosen_member
    from rarewords.text.files import read_lines, write_lines
    from rarewords.text.outputs import check_outputs

    outputs: dict[str, str] = {}
    for candidate in candidates:
        member, equals, stem = candidate.partition("=")
        if not equals:
            raise click.BadParameter(f"{candidate!r} is not MEMBER=OUTPUT", param_hint="--candidate")
        outputs[member] = stem
    inputs = [choice, *(stem + suffix for stem in outputs.values() for suffix in SUFFIXES)]
    check_outputs([output + suffix for suffix in SUFFIXES], inputs)
    member = chosen_member(choice)
    if member not in outputs:
        raise InputError(f"{choice}: chooses {member}, which is not among the candidates ({', '.join(outputs)}).")
    for suffix in SUFFIXES:
        write_lines(output + suffix, read_lines(outputs[member] + suffix))
