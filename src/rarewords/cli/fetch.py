"""The commands of `rarewords corpus` that get texts from archives on the network."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rarewords.cli.progress import download_progress
from rarewords.errors import InputError, plural, printable

if TYPE_CHECKING:
    from rarewords.corpus.sources import Text

_PATH: dict[str, Any] = {"type": click.Path(path_type=Path)}
_corpus = click.argument("corpus")
_pairs = click.option(
    "--pair", "pairs", multiple=True, metavar="PAIR", help="Only this pair, such as en-de; repeatable."
)
_into = click.option("--into", metavar="FOLDER", help="Folder of the corpus.  [default: data/CORPUS]", **_PATH)
_configs = click.option(
    "--config",
    "configs",
    multiple=True,
    default=["config/corpora.yaml"],
    show_default=True,
    metavar="FILE",
    help="Configuration with corpora; repeatable, later ones win.",
    **_PATH,
)
_mirrors = click.option(
    "--mirror",
    "mirrors",
    multiple=True,
    metavar="PLACE",
    help="Folder with archives, or beginning of an address, to try first; repeatable. That of the environment variable "
    "RAREWORDS_MIRROR comes before them.",
)
_checksums = [
    click.option("--md5", metavar="SUM", help="MD5 that the archive must have."),
    click.option("--sha256", metavar="SUM", help="SHA-256 that the archive must have."),
    click.option("--lock", required=True, metavar="FILE", help="JSON file with the SHA-256 of archives.", **_PATH),
]


def _with_checksums(function: Any) -> Any:
    for option in reversed(_checksums):
        function = option(function)
    return function


def _say(sentence: str) -> None:
    click.echo(printable(sentence), err=True)


@click.command("fetch", short_help="Download a corpus and take its texts out of the archives.")
@_corpus
@_pairs
@_into
@_configs
@_mirrors
def fetch_command(
    corpus: str, pairs: tuple[str, ...], into: Path | None, configs: tuple[Path, ...], mirrors: tuple[str, ...]
) -> None:
    """Download what CORPUS still lacks, check it, and extract its texts.

    Archives go to FOLDER/archives, texts to FOLDER/given/PAIR. An interrupted download resumes where it stopped.
    Existing files are neither fetched again nor changed. The workflow does the same; use this command to fetch on a
    machine with a network before the workflow runs on one without.
    """
    from rarewords.corpus.checksums import LockFile
    from rarewords.corpus.fetching import Fetcher, all_mirrors
    from rarewords.corpus.sources import LOCK_FILE, archive_path, archives, text_path
    from rarewords.text.outputs import check_folder

    definition, wanted, folder = _chosen(corpus, pairs, into, configs)
    check_folder(folder)
    missing = [text for text in wanted if not text_path(folder, text).exists()]
    known, lock = archives(definition), LockFile(folder / LOCK_FILE)
    places = all_mirrors([*mirrors, *([definition["mirror"]] if definition["mirror"] else [])])
    failures = []
    needed = list(dict.fromkeys(text.archive for text in missing))
    for name in needed:
        try:
            with download_progress(name) as show:
                Fetcher(places, lock, show, _say).fetch(known[name], archive_path(folder, name))
            for text in missing:
                if text.archive == name:
                    _extract(text, archive_path(folder, name), text_path(folder, text))
        except InputError as error:  # the others can still be fetched
            _say(f"failed: {error}")
            failures.append(error)
    if failures:
        raise InputError(f"{len(failures)} of {len(needed)} archives of {corpus} failed; the first: {failures[0]}")
    _say(f"{corpus}: all {len(wanted)} texts are in {folder}/given")


@click.command("verify", short_help="Check the archives and texts of a corpus that are there.")
@_corpus
@_pairs
@_into
@_configs
def verify_command(corpus: str, pairs: tuple[str, ...], into: Path | None, configs: tuple[Path, ...]) -> None:
    """Check the files of CORPUS that are there, without a network: checksums of archives, lines of texts.

    Fails if a text is missing or any file is wrong. A missing archive is not an error, since it is only needed to
    extract its texts.
    """
    from rarewords.corpus.checksums import LockFile
    from rarewords.corpus.sources import LOCK_FILE
    from rarewords.corpus.verification import verify

    definition, wanted, folder = _chosen(corpus, pairs, into, configs)
    wrong = 0
    for finding in verify(definition, wanted, folder, LockFile(folder / LOCK_FILE)):
        click.echo(printable(f"{finding.state:8} {finding.path}{': ' if finding.detail else ''}{finding.detail}"))
        wrong += finding.failed
    if wrong:
        raise InputError(
            f"{corpus}: {wrong} of its files are wrong or missing (see above); docs/data.md says what to do."
        )


@click.command("list", short_help="List the corpora, or the archives and texts of one.")
@click.argument("corpus", required=False)
@_pairs
@_into
@_configs
def list_command(corpus: str | None, pairs: tuple[str, ...], into: Path | None, configs: tuple[Path, ...]) -> None:
    """List the corpora of the configuration, or the archives and texts of CORPUS and which of them are there."""
    from rarewords.corpus.sources import archive_path, archives, text_path
    from rarewords.experiment.corpora import load_corpora

    if corpus is None:
        for name, definition in load_corpora(configs).items():
            click.echo(f"{name}: {definition.get('description', '')} ({', '.join(definition['pairs'])})")
        return
    definition, wanted, folder = _chosen(corpus, pairs, into, configs)
    needed = {text.archive for text in wanted}
    for archive in archives(definition).values():
        if archive.name not in needed:
            continue
        path = archive_path(folder, archive.name)
        partial = path.with_name(path.name + ".part").exists()
        state = "there" if path.exists() else "begun" if partial else "missing"
        click.echo(f"{state:8} {path}")
        click.echo(f"         from: {', '.join(archive.urls) or f'by hand: {archive.by_hand}'}")
        click.echo(f"         licence: {archive.licence or 'not known'}")
    for text in wanted:
        state = "there" if text_path(folder, text).exists() else "missing"
        click.echo(f"{state:8} {text_path(folder, text)} ({_expected_lines(text)}{text.archive})")


@click.command("download", short_help="Download one archive.")
@click.option("--url", "urls", multiple=True, help="Address; repeatable, tried in order.")
@_with_checksums
@_mirrors
@click.option("--sacrebleu", metavar="NAME", help="Test set of sacrebleu whose cache may hold the archive.")
@click.option("--by-hand", metavar="TEXT", help="Instructions for an archive that has no address.")
@click.option("--output", required=True, metavar="FILE", help="Where to put the archive, under its name.", **_PATH)
def download_command(
    urls: tuple[str, ...],
    md5: str | None,
    sha256: str | None,
    lock: Path,
    mirrors: tuple[str, ...],
    sacrebleu: str | None,
    by_hand: str | None,
    output: Path,
) -> None:
    """Download an archive unless it is already there, and check it.

    An interrupted download resumes where it stopped (FILE.part). The SHA-256 of a checked archive goes into the lock
    file, and later downloads must match it.
    """
    from rarewords.corpus.checksums import LockFile
    from rarewords.corpus.fetching import Fetcher, all_mirrors
    from rarewords.corpus.sources import Archive
    from rarewords.text.outputs import check_outputs

    check_outputs([output, lock])
    archive = Archive(output.name, urls, md5, sha256, sacrebleu, by_hand)
    with download_progress(output.name) as show:
        Fetcher(all_mirrors(mirrors), LockFile(lock), show, _say).fetch(archive, output)


@click.command("extract", short_help="Make a text from a member of an archive.")
@click.option("--archive", "path", required=True, metavar="FILE", help="A tar or zip archive.", **_PATH)
@click.option(
    "--member", "members", multiple=True, required=True, help="Member; repeatable: the first that exists is taken."
)
@click.option("--language", required=True, metavar="CODE", help="Language of the text.")
@click.option(
    "--column", "columns", multiple=True, metavar="CODE", help="Language of each column of a member with bars (|||)."
)
@click.option("--lines", type=click.IntRange(1), help="Lines that the text must have.")
@click.option(
    "--approximate-lines", type=click.IntRange(1), help="Lines that it should have; any other number is a warning."
)
@_with_checksums
@click.option("--output", required=True, metavar="FILE", help="Text to write.", **_PATH)
def extract_command(
    path: Path,
    members: tuple[str, ...],
    language: str,
    columns: tuple[str, ...],
    lines: int | None,
    approximate_lines: int | None,
    md5: str | None,
    sha256: str | None,
    lock: Path,
    output: Path,
) -> None:
    """Check an archive and extract one member as text: UTF-8, one segment a line.

    A member whose name ends in .sgm is read as SGM; one with columns is split at its bars. Nothing else is extracted,
    and an existing text is not replaced.
    """
    from rarewords.corpus.checksums import LockFile, require_archive
    from rarewords.corpus.extraction import Extraction
    from rarewords.corpus.sources import Archive
    from rarewords.text.outputs import check_outputs

    check_outputs([output, lock], [path])
    require_archive(Archive(path.name, md5=md5, sha256=sha256), path, LockFile(lock))
    extraction = Extraction(members, language, columns, lines, approximate_lines)
    _report(extraction.run(path, output), output, extraction.warnings)


@click.command("sgm-to-text", short_help="Turn an SGM file of a test set into plain text.")
@click.option("--input", "input_path", default="-", show_default=True, metavar="FILE", help="SGM file.")
@click.option("--output", "output_path", default="-", show_default=True, metavar="FILE", help="Text to write.")
def sgm_command(input_path: str, output_path: str) -> None:
    """Write the segments of an SGM file, one a line; empty segments stay, entities are decoded."""
    from rarewords.corpus.sgm import read_segments
    from rarewords.text.files import read_lines, write_lines
    from rarewords.text.outputs import check_outputs

    check_outputs([output_path], [input_path])
    write_lines(output_path, read_segments(read_lines(input_path), input_path))


COMMANDS = [fetch_command, verify_command, list_command, download_command, extract_command, sgm_command]


def _chosen(
    corpus: str, pairs: tuple[str, ...], into: Path | None, configs: tuple[Path, ...]
) -> tuple[dict[str, Any], list[Text], Path]:
    """The corpus' configuration, its texts that come from archives, and its folder."""
    from rarewords.corpus.sources import texts
    from rarewords.errors import nearest
    from rarewords.experiment.corpora import find_corpus, load_corpora
    from rarewords.experiment.layout import corpus_folder

    definition = find_corpus(load_corpora(configs), corpus)
    for pair in pairs:
        if pair not in definition["pairs"]:
            raise InputError(f"--pair: corpus '{corpus}' has no pair '{pair}'; {nearest(pair, definition['pairs'])}")
    wanted = [text for pair in pairs or definition["pairs"] for text in texts(definition, pair)]
    if not wanted:
        raise InputError(f"corpus '{corpus}' has nothing to fetch: none of its texts comes from an archive.")
    return definition, wanted, into or Path(corpus_folder(corpus))


def _extract(text: Text, archive: Path, output: Path) -> None:
    from rarewords.corpus.extraction import Extraction

    extraction = Extraction(text.members, text.language, text.columns, text.lines, text.approximate_lines)
    _report(extraction.run(archive, output), output, extraction.warnings)


def _expected_lines(text: Text) -> str:
    if text.lines:
        return f"{text.lines:,} lines, "
    return f"about {text.approximate_lines:,} lines, " if text.approximate_lines else ""


def _report(lines: int, output: Path, warnings: list[str]) -> None:
    _say(f"{output}: {plural(lines, 'line')}")
    for warning in warnings:
        _say(f"warning: {warning}")
