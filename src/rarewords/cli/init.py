"""`rarewords init`: from two files of a new language pair to a configuration."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path

import click

from rarewords.errors import InputError, plural

Files = tuple[str, str]
LEAST_PAIRS = 500
# Endings of file names that look like language codes but are not.
NO_LANGUAGES = {"txt", "tok", "bpe", "raw", "csv", "tsv", "xml", "sgm", "tmx", "dat", "doc", "out", "src", "tgt", "ref"}


@click.command(name="init", short_help="Check the text of a new language pair and write a configuration.")
@click.argument("source", type=click.Path())
@click.argument("target", type=click.Path())
@click.option("--languages", metavar="PAIR", help="Language pair, such as ru-en. [default: the file name extensions]")
@click.option(
    "--name", default="mine", show_default=True, help="Name of the experiment and its corpus; also a folder name."
)
@click.option("--dev", nargs=2, type=click.Path(), metavar="SOURCE TARGET", help="Development set, if you have one.")
@click.option("--test", nargs=2, type=click.Path(), metavar="SOURCE TARGET", help="Test set, if you have one.")
@click.option(
    "--set-size", type=click.IntRange(10), metavar="N",
    help="Pairs in each set that is split off. [default: a twentieth of the text, at most 1000]",
)  # fmt: skip
@click.option("--text", "folder", type=click.Path(), help="Folder for the texts. [default: NAME-text]")
@click.option("--output", type=click.Path(), help="Configuration to write. [default: NAME.yaml]")
@click.option("--any-script", is_flag=True, help="Accept text in a script that the language does not normally use.")
def command(
    source: str,
    target: str,
    languages: str | None,
    name: str,
    dev: Files | None,
    test: Files | None,
    set_size: int | None,
    folder: str | None,
    output: str | None,
    any_script: bool,
) -> None:
    """Check the two files of a parallel text, split off what is missing, and write a commented configuration.

    \b
    rarewords init text.ru text.en --name mine
    snakemake --cores 2 --configfile mine.yaml

    Both files hold one sentence a line, and line N of one translates line N of the other. They are UTF-8, plain
    or .gz, and not tokenised. Without --dev and --test the sets are split off the text, the same pairs every time, and
    training sentences that also occur in a set are dropped. Sets from documents outside the training text tell you
    more, so give them if you have them. Existing files are never overwritten.
    """
    from rarewords.corpus.inspection import inspect
    from rarewords.text.outputs import check_outputs

    pair = _languages(languages, source, target)
    folder, output = folder or f"{name}-text", output or f"{name}.yaml"
    splits = {split: tuple(f"{folder}/{split}.{language}" for language in pair) for split in ("train", "dev", "test")}
    if not re.fullmatch("[A-Za-z0-9][A-Za-z0-9_-]*", name):
        raise InputError(f"--name {name!r}: use letters, digits, - and _ only; it becomes a folder.")
    if set("{}") & set(folder):
        raise InputError(f"--text {folder}: a configuration cannot name a folder with {{ or }} in its name; rename it.")
    _check_rereadable([source, target])
    _check_free(name)
    outputs = [output, *(path for paths in splits.values() for path in paths)]
    _check_absent(outputs)
    check_outputs(outputs, [source, target])
    found = inspect(source, target, pair, any_script)
    if not any_script:
        _check_guess((source, target), pair)
    click.echo(found.describe(), err=True)
    if found.pairs < LEAST_PAIRS:
        raise InputError(f"{source}: {found.pairs} pairs are too few to learn from; give at least {LEAST_PAIRS}.")
    for warning in found.warnings():
        click.echo(f"warning: {warning}", err=True)
    size = set_size or min(1000, found.pairs // 20)
    with _removed_on_failure([path for paths in splits.values() for path in paths]):
        sizes = _write_texts((source, target), {"dev": dev, "test": test}, splits, size)
        if sizes["train"] < LEAST_PAIRS:
            raise InputError(
                f"{source}: {sizes['train']:,} of {found.pairs:,} pairs are in neither the development nor the test "
                f"set, but a training text needs {LEAST_PAIRS} at least; give sets that are not the text itself."
            )
        _write_configuration(name, pair, output, folder, splits["train"])
    _tell_left_out(found.pairs, sizes, {"dev": dev, "test": test})
    click.echo(
        ", ".join(f"{split}: {plural(size, 'pair')}" for split, size in sizes.items()) + f"; in {folder}/", err=True
    )
    click.echo(f"{output} is ready: snakemake --cores 2 --configfile {output}", err=True)


def _languages(languages: str | None, source: str, target: str) -> list[str]:
    """The two language codes, as given or from names like text.ru and text.en.gz."""
    ends = [Path(path.removesuffix(".gz")).suffix.removeprefix(".") for path in (source, target)]
    if languages is None:
        for path, end in zip((source, target), ends, strict=True):
            if end in NO_LANGUAGES:
                raise InputError(f"{path}: '{end}' is not a language code; {_advice(source, target)}")
    pair = languages.split("-") if languages is not None else ends
    if len(pair) != 2 or not all(re.fullmatch("[a-z]{2,3}", code) for code in pair) or pair[0] == pair[1]:
        shown = languages if languages is not None else f"{source} and {target}"
        raise InputError(f"{shown}: two different language codes are needed; name them, for example --languages ru-en.")
    return pair


def _advice(source: str, target: str) -> str:
    """Advice on --languages, as far as the texts tell."""
    found = [_guess(path) for path in (source, target)]
    if None in found or found[0] == found[1]:
        return "name both languages, for example --languages ru-en."
    return f"the texts look like {found[0]} and {found[1]}: give --languages {found[0]}-{found[1]} if they are."


def _guess(path: str) -> str | None:
    from rarewords.corpus.language_guess import guess
    from rarewords.text.files import read_lines

    return guess(read_lines(path)) if Path(path).is_file() else None


def _check_guess(texts: Files, pair: list[str]) -> None:
    """Raise InputError for a text that is clearly not in the language given for it."""
    from rarewords.corpus.language_guess import WORDS

    found = [_guess(path) for path in texts]
    if found == pair[::-1]:
        raise InputError(
            f"{texts[0]} looks like {found[0]} and {texts[1]} like {found[1]}: the two files look swapped; "
            "give them in the other order, or correct --languages."
        )
    for path, language, said in zip(texts, found, pair, strict=True):
        if said in WORDS and language not in (None, said):
            raise InputError(
                f"{path} is given as {said}, but its words look like {language}; name the right file or language."
            )


def _tell_left_out(pairs: int, sizes: dict[str, int], given: dict[str, Files | None]) -> None:
    """Say how many pairs of the text are in none of the written files, and why."""
    of_others = sum(size for name, size in sizes.items() if given.get(name))
    left_out = pairs - sum(size for name, size in sizes.items() if not given.get(name))
    if left_out:
        click.echo(
            f"{plural(left_out, 'pair')} left out of the training text: the source or the target is also in the "
            "development or test set.",
            err=True,
        )
    if of_others and left_out > of_others / 2:
        click.echo(
            f"warning: your sets have {plural(of_others, 'pair')}, and {plural(left_out, 'pair')} of the text share a "
            "side with them; sets from other documents than the text tell you more.",
            err=True,
        )


def _check_free(name: str) -> None:
    """Raise InputError if an experiment or a corpus of this name exists: results would be mixed."""
    from rarewords.experiment.files import DEFINITIONS, read_config

    for folder in ("results", "models", "data"):
        if (Path(folder) / name).exists():
            raise InputError(f"--name {name}: {folder}/{name} belongs to an earlier experiment; choose another name.")
    known = [path for path in (Path("config") / file for file in DEFINITIONS) if path.is_file()]
    if name in read_config(known).get("corpora", {}):
        raise InputError(f"--name {name}: config/corpora.yaml defines a corpus of this name; choose another name.")


def _check_rereadable(paths: list[str]) -> None:
    """Raise InputError for a pipe: the texts are read several times."""
    from rarewords.text.files import is_stream

    for path in paths:
        if is_stream(path):
            raise InputError(f"{path}: the text is read several times; give a file.")


@contextlib.contextmanager
def _removed_on_failure(paths: list[str]) -> Iterator[None]:
    """Remove what was written within the block if the block fails."""
    try:
        yield
    except BaseException:
        for path in paths:
            Path(path).unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            Path(paths[0]).parent.rmdir()
        raise


def _check_absent(paths: list[str]) -> None:
    for path in paths:
        if Path(path).exists():
            raise InputError(f"{path} already exists; remove it, or choose another --name, --text or --output.")


def _write_texts(
    texts: Files, given: dict[str, Files | None], splits: dict[str, tuple[str, ...]], size: int
) -> dict[str, int]:
    """Write the training text and both sets; returns how many pairs each has."""
    from rarewords.corpus.importing import write_parallel
    from rarewords.corpus.splitting import choose, without
    from rarewords.text.files import read_parallel

    sets = {name: list(read_parallel(*files)) for name, files in given.items() if files}
    missing = {name: size for name, files in given.items() if not files}
    held_out = [pair for pairs in sets.values() for pair in pairs]
    sets |= choose(without(read_parallel(*texts), held_out), missing)
    held_out = [pair for pairs in sets.values() for pair in pairs]
    parts = {"train": without(read_parallel(*texts), held_out), "dev": sets["dev"], "test": sets["test"]}
    Path(splits["train"][0]).parent.mkdir(parents=True, exist_ok=True)
    return {name: write_parallel(splits[name][0], splits[name][1], pairs) for name, pairs in parts.items()}


def _write_configuration(name: str, pair: list[str], output: str, folder: str, train: tuple[str, ...]) -> None:
    import yaml

    from rarewords.experiment.own_text import configuration, measure
    from rarewords.experiment.plan import Experiment
    from rarewords.text.files import atomic_writer

    text = configuration(name, pair, output, folder, measure(train[0], train[1], pair))
    Experiment(yaml.safe_load(text)).missing_files()
    with atomic_writer(output) as out:
        out.write(text)
