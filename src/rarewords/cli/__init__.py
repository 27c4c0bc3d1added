"""The command `rarewords`: one subcommand for every step of the workflow.

Commands parse, call the package and print. Each group is imported on use, so that light commands do not wait for torch.
"""

from __future__ import annotations

import importlib
import sys

import click

from rarewords import __version__
from rarewords.cli.ending import end_on_signals
from rarewords.cli.standard_streams import prepare_standard_streams
from rarewords.errors import InputError, printable
from rarewords.extras import missing_extra
from rarewords.text.streams import forget_pipes

# command name -> (module below rarewords.cli, one-line help)
COMMANDS = {
    "plan": ("plan", "What an experiment will need: jobs, hours, memory, disk."),
    "init": ("init", "Check the text of a new language pair and write a configuration."),
    "corpus": ("corpus", "Fetch, import, tokenise, clean, truecase and count parallel text."),
    "segment": ("segment", "Fit a segmentation, apply it, undo it."),
    "vocabulary": ("vocabulary", "Build a network vocabulary."),
    "bpe": ("bpe", "Learn and apply byte pair encoding on plain text."),
    "encode": ("encode", "Turn segmented text into integers for training."),
    "align": ("align", "Align the units of parallel text; make the dictionary."),
    "train": ("train", "Train a network, or continue one with fixed embeddings."),
    "export": ("export", "Put a system into one folder, a bundle."),
    "translate": ("translate_text", "Translate raw text with a bundle."),
    "translate-units": ("translate_units", "Translate segmented text with one model or an ensemble."),
    "replace-unknown": ("replace_unknown", "Replace the unknown words of a translation."),
    "choose": ("choose", "Choose the best single model by its score."),
    "copy-chosen": ("copy_chosen", "Copy the outputs of the chosen single model."),
    "score": ("score", "Score translations: BLEU, chrF3, chrF2, unigram F1."),
    "significance": ("significance", "Test the differences between systems and a baseline."),
    "report": ("report", "Write the paper's tables and figures, and a report."),
}


class LazyGroup(click.Group):
    """A group whose commands live in modules that are imported on use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"rarewords.cli.{COMMANDS[cmd_name][0]}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="rarewords")
def cli() -> None:
    """Neural machine translation of rare words with subword units.

    Every step of the workflow is a command here; `snakemake` prints the ones it runs. Text files are UTF-8 with one
    segment a line, plain or .gz; `-` is standard input or output.
    """
    forget_pipes()


def main(arguments: list[str] | None = None) -> None:
    """Run the command line, by default that of the process.

    A mistake in the input is one sentence on standard error and exit code 2.
    SIGTERM, and SIGHUP unless it is ignored, end a command with the exit code that shells give it and leave nothing
    half-written. During training SIGTERM has a meaning of its own, see rarewords.training.trainer.
    """
    prepare_standard_streams()
    end_on_signals()
    try:
        cli(arguments, prog_name="rarewords")
    except InputError as error:
        click.echo(printable(f"rarewords: {error}"), err=True)
        sys.exit(2)
    except ModuleNotFoundError as error:
        if (sentence := missing_extra(error)) is None:
            raise
        click.echo(f"rarewords: {sentence}", err=True)
        sys.exit(2)
    except BrokenPipeError:
        sys.exit(141)
    except UnicodeEncodeError as error:
        name = printable(ascii(error.object))
        click.echo(f"rarewords: {name} cannot be written in {error.encoding}; set a UTF-8 locale (LC_ALL).", err=True)
        sys.exit(2)
    except OSError as error:
        click.echo(printable(f"rarewords: {error.filename or 'output'}: {error.strerror or error}."), err=True)
        sys.exit(2)
    except MemoryError:
        click.echo("rarewords: out of memory; free some, or use a machine with more.", err=True)
        sys.exit(2)
