"""A bundle's README, and bundles in archives."""

from __future__ import annotations

import shutil
import tarfile
from pathlib import Path

import pytest

from rarewords.bundle.card import card
from rarewords.bundle.contents import Settings
from rarewords.bundle.export import Sources, write_bundle
from rarewords.bundle.translator import Translator
from rarewords.errors import InputError

SETTINGS = Settings("toy", "en", "de", beam=3)
LINES = ["The old house is green.", "I see a house."]


@pytest.fixture
def bundle(tmp_path: Path, sources: Sources) -> Path:
    write_bundle(tmp_path / "toy", sources, SETTINGS)
    return tmp_path / "toy"


@pytest.mark.parametrize("kind", ["gztar", "tar", "zip"])
def test_an_archive_translates_as_its_folder_does(bundle: Path, tmp_path: Path, kind: str) -> None:
    packed = shutil.make_archive(str(tmp_path / "packed"), kind, tmp_path, "toy")
    assert Translator.load(packed).translate(LINES) == Translator.load(bundle).translate(LINES)


def test_archives_that_are_none_are_one_sentence(bundle: Path, tmp_path: Path) -> None:
    other = tmp_path / "text.tar"
    other.write_text("no archive", encoding="utf-8")
    with pytest.raises(InputError, match="neither a folder nor a tar or zip archive"):
        Translator.load(other)
    whole = Path(shutil.make_archive(str(tmp_path / "whole"), "gztar", tmp_path, "toy"))
    (tmp_path / "cut.tar.gz").write_bytes(whole.read_bytes()[:5000])
    with pytest.raises(InputError, match=r"cut\.tar\.gz: cannot be unpacked"):
        Translator.load(tmp_path / "cut.tar.gz")
    with tarfile.open(tmp_path / "empty.tar", "w"):
        pass
    with pytest.raises(InputError, match="0 bundles in this archive"):
        Translator.load(tmp_path / "empty.tar")


def test_an_archive_writes_nothing_outside_its_folder(bundle: Path, tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "evil.tar", "w") as archive:
        archive.add(bundle, "toy")
        archive.add(bundle / "bundle.json", "../../outside.json")
    with pytest.raises(InputError, match="cannot be unpacked"):
        Translator.load(tmp_path / "evil.tar")


def test_the_readme_says_what_a_stranger_needs(bundle: Path) -> None:
    assert (bundle / "README.md").read_text(encoding="utf-8").startswith("# toy: en to de\n")
    found = {
        "sentences": 904,
        "bleu": {"name": "BLEU", "score": 17.44, "signature": "nrefs:1"},
        "chrf3": {"name": "chrF3", "score": 41.6, "signature": "nc:6"},
    }
    corpora = {"help": {"description": "Text of the help.", "licence": "MPL-2.0"}}
    config = {"experiment": {"corpus": "help"}, "corpora": corpora}
    text = card(SETTINGS, 4, {"test ensemble": found}, config, "2026-11-30")
    for part in (
        "exported on 2026-11-30", "4 networks that translate together", "beam of 3",
        "Text of the help. Licence: MPL-2.0.",
        "| test ensemble | 904 | 17.4 | 41.6 |", "BLEU `nrefs:1`; chrF3 `nc:6`", "rarewords translate . < text",
    ):  # fmt: skip
        assert part in text
    assert "None are known." in card(SETTINGS, 1, {}, None, "2026-11-30")
