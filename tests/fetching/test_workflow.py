"""The workflow fetches what is missing, keeps what is there, and says what it cannot get."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from ..workflow.conftest import ROOT, TINY, Snakemake, job_counts, snakemake
from .archives import ENGLISH, GERMAN
from .server import Server
from .test_commands import ARCHIVES, corpus, place_by_hand

__all__ = ["snakemake"]  # the fixture

pytestmark = pytest.mark.slow
TRAIN = ["data/small/en-de/raw/train.en", "data/small/en-ru/raw/train.ru"]
TEST = ["data/small/en-de/raw/newstest2015.de", "data/small/en-ru/raw/newstest2015.ru"]


@pytest.fixture
def config(server: Server, tmp_path: Path) -> Path:
    experiment = {"corpus": "small", "pairs": ["en-de", "en-ru"], "dev": "newstest2015", "test": ["newstest2015"]}
    systems = {"wunk": {"vocabulary": {"source": 200, "target": 200}}}
    overlay = {
        "experiment": experiment | {"systems": ["wunk"], "table1": ["words"]},
        "corpora": {"small": corpus(server)},
        "systems": systems,
    }
    path = tmp_path / "overlay.yaml"
    path.write_text(yaml.safe_dump(overlay), encoding="utf-8")
    server.files |= {path: content for path, content in ARCHIVES.items() if path != "1mcorpus.zip"}
    return path


def test_from_nothing_to_the_raw_text(snakemake: Snakemake, server: Server, config: Path, tmp_path: Path) -> None:
    place_by_hand(tmp_path)
    server.cuts["wmt13/training-parallel-europarl-v7.tgz"] = [100]
    mine = tmp_path / "data/small/given/en-de/europarl-v7.en"
    mine.parent.mkdir(parents=True)
    mine.write_text("My one.\n\nMy three.\n", encoding="utf-8")

    finished = snakemake(tmp_path, *TRAIN, *TEST, configs=(TINY, config))
    assert finished.returncode == 0, finished.stdout
    assert job_counts(finished.stdout) == {"fetch_archive": 4, "extract_text": 13, "import_text": 4, "total": 21}
    raw = tmp_path / "data/small/en-de/raw"
    assert (raw / "train.en").read_text() == "My one.\n\nMy three.\n" + ENGLISH
    assert (raw / "train.de").read_text() == GERMAN * 2
    assert (raw / "newstest2015.en").read_text() == "Q&A <...>\n\nThree.\n"
    wiki = (tmp_path / "data/small/en-ru/raw/train.ru").read_text().splitlines()
    assert wiki[-2:] == ["Берлин", "Москва"]
    assert mine.read_text() == "My one.\n\nMy three.\n"

    # Nothing is fetched or made again, not even if everything is forced: what was fetched is the user's own now.
    asked = len(server.requests)
    again = snakemake(tmp_path, *TRAIN, *TEST, "--forceall", configs=(TINY, config))
    assert again.returncode == 0, again.stdout
    assert job_counts(again.stdout) == {"import_text": 4, "total": 4}
    assert len(server.requests) == asked

    # A text that was removed is made again from its archive, as soon as it is needed.
    for name in ("given/en-ru/wiki-headlines.ru", "en-ru/raw/train.ru"):
        (tmp_path / "data/small" / name).unlink()
    assert snakemake(tmp_path, *TRAIN, *TEST, configs=(TINY, config)).returncode == 0
    assert (tmp_path / "data/small/given/en-ru/wiki-headlines.ru").read_text() == "Берлин\nМосква\n"
    assert len(server.requests) == asked


def test_what_is_got_by_hand_is_asked_for_and_the_rest_is_kept(
    snakemake: Snakemake, config: Path, tmp_path: Path
) -> None:
    stopped = snakemake(tmp_path, *TRAIN, "--keep-going", configs=(TINY, config))
    assert stopped.returncode != 0
    assert "rarewords: data/small/archives/1mcorpus.zip must be put there by hand: fill in the form." in stopped.stdout
    assert (tmp_path / "data/small/en-de/raw/train.en").is_file()
    place_by_hand(tmp_path)
    finished = snakemake(tmp_path, *TRAIN, configs=(TINY, config))
    assert finished.returncode == 0, finished.stdout
    assert job_counts(finished.stdout) == {"extract_text": 2, "import_text": 1, "total": 3}


def test_a_wrong_archive_stops_the_run_with_both_sums(
    snakemake: Snakemake, server: Server, config: Path, tmp_path: Path
) -> None:
    server.files["wmt15/test.tgz"] = ARCHIVES["wmt15/wiki-titles.tgz"]
    stopped = snakemake(tmp_path, TEST[0], configs=(TINY, config))
    assert stopped.returncode != 0
    (line,) = {line.strip() for line in stopped.stdout.splitlines() if line.strip().startswith("rarewords: ")}
    assert "wmt15/test.tgz: its MD5 is " in line
    assert " is expected" in line
    assert not (tmp_path / "data/small/archives/test.tgz").exists()


def wmt15_files() -> list[str]:
    pairs = yaml.safe_load((ROOT / "config/corpora.yaml").read_text(encoding="utf-8"))["corpora"]["wmt15"]["pairs"]
    return [
        pattern.replace("{lang}", language)
        for pair, files in pairs.items()
        for pattern in [*files["train"], *(name for names in files["sets"].values() for name in names)]
        for language in pair.split("-")
    ]


def test_the_papers_experiment_with_nothing_and_with_everything_there(snakemake: Snakemake, tmp_path: Path) -> None:
    target, config = "data/wmt15/en-ru/raw/train.en", ROOT / "config/wmt15.yaml"
    planned = snakemake(tmp_path, "--dry-run", target, configs=(config,))
    # Common Crawl, News Commentary, Yandex, headlines: an archive and two sides each
    assert job_counts(planned.stdout) == {"fetch_archive": 4, "extract_text": 8, "import_text": 1, "total": 13}
    examples = yaml.safe_load(config.read_text(encoding="utf-8"))["report"]["examples"]
    text = "".join(phrase + "\n" for phrases in examples.values() for phrase in phrases)
    for name in wmt15_files():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    there = snakemake(tmp_path, "--dry-run", configs=(config,))
    assert there.returncode == 0, there.stdout
    counts = job_counts(there.stdout)
    assert counts["import_text"] == 8
    assert {"fetch_archive", "extract_text", "require_files"} & set(counts) == set()
