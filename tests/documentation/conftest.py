"""A folder like that of the repository, in which the demo has been run, in small, and some texts lie."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
import yaml

from tests.workflow.conftest import ROOT, head

# Over config/config.yaml: one system, a network that learns nothing.
TINY = {
    "experiment": {"pairs": ["en-de"], "systems": ["bpe"], "table1": ["words"], "rare_rank": 100},
    "corpora": {"libreoffice-short": {"pairs": {"en-de": {
        "train": ["train.{lang}"], "sets": {"dev": ["test.{lang}"], "test": ["test.{lang}"]},
    }}}},
    "network": {"embedding": 8, "hidden": 10},
    "training": {
        "device": "cpu", "clip_norms": [50], "batch_size": 10, "updates": 12, "save_every": 4, "saved_models": 2,
        "fixed_embedding_updates": 3,
    },
    "decoding": {"beam": 3},
    "systems": {"bpe": {"segmentation": {"merges": 100}}},
}  # fmt: skip


def shell(command: str, folder: Path, first: Path) -> str:
    """Run a command as a user would type it; returns its output, and fails with it if the command does.

    The programs in `first` are found before those of this environment.
    """
    path = os.pathsep.join([str(first), str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-ec", command], cwd=folder, env={**os.environ, "PATH": path},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, encoding="utf-8", check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def write_texts(folder: Path) -> None:
    """The files that the documentation speaks of and no command before them has written."""
    for name, text in {
        "en.txt": head("libreoffice-help/en-de/train.en.gz", 200),
        "de.txt": head("libreoffice-help/en-de/train.de.gz", 200),
        "train.en": head("libreoffice-help/en-de/train.en.gz", 200),
        "train.de": head("libreoffice-help/en-de/train.de.gz", 200),
        "text.ru": head("gnome-help/en-ru/train.ru.gz", 700),
        "text.en": head("gnome-help/en-ru/train.en.gz", 700),
        "test.ru": head("gnome-help/en-ru/test.ru.gz", 5),
        "test.en": head("libreoffice-help/en-de/test.en.gz", 5),
        "test.de": head("libreoffice-help/en-de/test.de.gz", 5),
    }.items():
        (folder / name).write_bytes(text)
    for source, copies in {
        "test.de": ["test.out.de", "other.out.de", "words.de", "bpe.de"],
        "train.en": ["all.en"],
        "train.de": ["all.de", "newstest2014.de"],
    }.items():
        for copy in copies:
            shutil.copy(folder / source, folder / copy)
    for language in ("en", "de"):
        counts = Counter((folder / f"train.{language}").read_text(encoding="utf-8").split())
        lines = [f"{word} {count}\n" for word, count in counts.items()]
        (folder / f"train.{language}.counts").write_text("".join(lines), encoding="utf-8")
    (folder / "test.de-en.align").write_text("0-0\n" * 100, encoding="utf-8")
    (folder / "newstest2015-ende-src.en.sgm").write_text("<DOC><seg id=1>One.</seg></DOC>\n", encoding="utf-8")
    (folder / "my.yaml").write_text("training: {updates: 900, save_every: 200}\n", encoding="utf-8")


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory, warm: Path) -> Path:
    folder = tmp_path_factory.mktemp("documentation") / "rarewords"
    folder.mkdir()
    for name in ("config", "profiles", "workflow"):
        shutil.copytree(ROOT / name, folder / name)
    for name in ("Makefile", "Snakefile", "bench", "pyproject.toml", "requirements.lock", "src"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "data").mkdir()
    (folder / "data/demo").symlink_to(ROOT / "data/demo")
    write_texts(folder)
    (folder / "tiny.yaml").write_text(yaml.safe_dump(TINY), encoding="utf-8")
    shell("snakemake --cores 2 table2 --configfile config/config.yaml tiny.yaml", folder, warm)
    shutil.copytree(folder / "models/demo", folder / "models/wmt15")
    # The names of docs/reproduction/decoding.md
    prepared = folder / "data/libreoffice-short/en-de/seg/bpe"
    shutil.copytree(folder / "models/demo/en-de/bpe/member1", folder / "M")
    shutil.copy(prepared / "segmenter.de.json", folder / "segmenter.ru.json")
    (folder / "lexicon.tsv").write_text("the\tdie\t0.5\n", encoding="utf-8")
    return folder
