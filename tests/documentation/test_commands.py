"""Every command of the documentation: run in a prepared folder, listed by a dry run, or said to be impossible here."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from .classification import NOT_RUN, SMALLER, SMALLER_BENCHMARKS, TESTED_ELSEWHERE
from .commands import DOCUMENTS, HELP, ROOT, Command, check_words, commands, inline, of_markdown, program
from .conftest import shell

FOUND = {document: commands(document) for document in DOCUMENTS}
TRIED = [document for document, found in FOUND.items() if found and document not in TESTED_ELSEWHERE]


def as_tried(command: Command) -> str:
    """What is given to the shell for a command."""
    text = command.as_shell()
    if program(text) == "snakemake":
        return f"{text} -n --quiet all"
    if program(text) == "make":
        return text.replace("make", "make -n", 1)
    for much, little in SMALLER.items():
        text = text.replace(much, little)
    return " ".join(filter(None, [text, SMALLER_BENCHMARKS.get(text)]))


@pytest.fixture(scope="module")
def listed() -> set[str]:
    """Dry runs that have been tried; many documents name the same ones, and each takes seconds."""
    return set()


@pytest.mark.slow
@pytest.mark.parametrize("document", TRIED)
def test_every_command_runs(document: str, prepared: Path, tmp_path: Path, listed: set[str], warm: Path) -> None:
    folder = tmp_path / "rarewords"
    shutil.copytree(prepared, folder, symlinks=True)
    for command in FOUND[document]:
        tried = as_tried(command)
        if command.text not in NOT_RUN and tried not in listed:
            shell(tried, folder, warm)
        if program(command.text) == "snakemake":
            listed.add(tried)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_programs_and_options_exist(document: str) -> None:
    for line in [*(command.text for command in FOUND[document] if not command.python), *inline(document)]:
        check_words(line)


def test_commands_are_found() -> None:
    expected = {
        "README.md": "rarewords translate bundle < text.en > text.de",
        "docs/hpc.md": "cp -r profiles/slurm profiles/mine",
        "docs/data.md": "RAREWORDS_MIRROR=/shared/corpora rarewords corpus fetch wmt15",
        "config/README.md": "snakemake --cores 2 --configfile config/small.yaml my.yaml",
        "config/wmt15.yaml": "snakemake -n --cores 8 --configfile config/wmt15.yaml",
        "profiles/slurm/config.yaml": "snakemake --workflow-profile profiles/slurm --configfile config/wmt15.yaml",
        HELP: "rarewords bpe learn-joint -i train.en train.de -s 3000 -o codes --write-vocabulary "
        "vocabulary.en vocabulary.de",
    }
    for document, text in expected.items():
        assert Command(text) in FOUND[document]
    assert [command.python for command in FOUND["README.md"]].count(True) == 1
    assert {"make demo CORES=1", "rarewords translate-units"} <= set(inline("docs/faq.md"))


def test_no_entry_is_left_over() -> None:
    texts = {command.text for found in FOUND.values() for command in found}
    assert {*NOT_RUN, *SMALLER_BENCHMARKS} - texts == set()
    assert [part for part in SMALLER if not any(part in text for text in texts)] == []
    for document, test in TESTED_ELSEWHERE.items():
        assert document in (ROOT / test).read_text(encoding="utf-8")


def test_a_block_holds_commands_or_none() -> None:
    block = "\nText:\n\n    rarewords score \\\n        --json x    # a remark\n\n    make demo\n\nand\n\n    x = 1\n"
    assert list(of_markdown(block)) == [Command("rarewords score --json x"), Command("make demo")]
    with pytest.raises(AssertionError, match=r"neither a command.*'wget x'"):
        list(of_markdown("\n\n    make demo\n    wget x\n"))
    with pytest.raises(AssertionError, match="do blocks in 'perl' hold commands"):
        list(of_markdown("```perl\nx\n```\n"))


@pytest.mark.parametrize(
    "line",
    [
        "rarewords translat bundle",
        "rarewords corpus fetsch wmt15",
        "rarewords translate bundle --nbset 5",
        "gzip -dc x | rarewords score --hypotheses=x",
        "make demmo",
        "python bench/decode.py --paper-sise",
    ],
)
def test_what_does_not_exist_is_noticed(line: str) -> None:
    with pytest.raises(AssertionError):
        check_words(line)
