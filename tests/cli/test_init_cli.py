"""`rarewords init` as a user runs it."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from rarewords.cli import cli
from rarewords.errors import InputError
from rarewords.experiment.plan import Experiment

DEMO = Path(__file__).parents[2] / "data/demo/gnome-help/en-ru"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for language in ("ru", "en"):
        with gzip.open(DEMO / f"train.{language}.gz", "rb") as stream:
            (tmp_path / f"help.{language}").write_bytes(b"".join(stream.readlines()[:1200]))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def init(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["init", *arguments])


def lines(path: str) -> list[str]:
    return Path(path).read_text(encoding="utf-8").split("\n")[:-1]


def test_texts_and_configuration(folder: Path) -> None:
    done = init("help.ru", "help.en", "--name", "own")
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr.splitlines()[0].startswith("1,200 pairs: 0 repeated")
    assert done.stderr.splitlines()[-1] == "own.yaml is ready: snakemake --cores 2 --configfile own.yaml"
    text = Path("own.yaml").read_text(encoding="utf-8")
    experiment = Experiment(yaml.safe_load(text))
    assert experiment.missing_files() == []
    assert experiment.pairs == ["ru-en"]
    assert text.count("#") > 15
    parts = {
        split: list(zip(lines(f"own-text/{split}.ru"), lines(f"own-text/{split}.en"))) for split in ("dev", "test")
    }
    train = list(zip(lines("own-text/train.ru"), lines("own-text/train.en")))
    assert (len(parts["dev"]), len(parts["test"])) == (60, 60)
    original = list(zip(lines("help.ru"), lines("help.en")))
    assert [pair for pair in original if pair in train] == train
    assert len(train) <= 1080
    held_out = {side.lower() for pairs in parts.values() for pair in pairs for side in pair}
    assert not held_out & {side.lower() for pair in train for side in pair}


def test_nothing_is_overwritten_and_the_split_is_the_same_again(folder: Path) -> None:
    assert init("help.ru", "help.en").exit_code == 0
    before = Path("mine-text/test.ru").read_bytes()
    with pytest.raises(InputError, match=r"mine\.yaml already exists"):
        _raise(init("help.ru", "help.en"))
    Path("mine.yaml").unlink()
    with pytest.raises(InputError, match=r"mine-text/train\.ru already exists"):
        _raise(init("help.ru", "help.en"))
    assert init("help.ru", "help.en", "--text", "again", "--output", "again.yaml").exit_code == 0
    assert Path("again/test.ru").read_bytes() == before


def test_given_sets_are_used(folder: Path) -> None:
    for language in ("ru", "en"):
        text = lines(f"help.{language}")
        Path(f"d.{language}").write_text("".join(line + "\n" for line in text[10:30]), encoding="utf-8")
    done = init("help.ru", "help.en", "--dev", "d.ru", "d.en", "--set-size", "15")
    assert done.exit_code == 0, done.output
    assert lines("mine-text/dev.ru") == lines("d.ru")
    assert len(lines("mine-text/test.en")) == 15
    assert not set(lines("d.ru")) & set(lines("mine-text/train.ru"))
    assert not set(lines("d.ru")) & set(lines("mine-text/test.ru"))


def _raise(done: Result) -> None:
    assert done.exception is not None
    raise done.exception


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("help.en", "help.ru", "--languages", "ru-en"), "the two files look swapped"),
        (("help.ru", "help.en", "--languages", "ru"), "two different language codes are needed"),
        (("help.ru", "help.ru"), "two different language codes are needed"),
        (("help.ru", "help.en", "--name", "a b"), "use letters, digits"),
        (("help.ru", "help.en", "--set-size", "900"), "give more text, or smaller sets"),
        (("few.ru", "few.en"), "20 pairs are too few"),
        (("help.ru", "few.en"), "few.en ends after line 20"),
        (("help.ru", "help.en", "--text", "my-{lang}"), "a folder with { or } in its name"),
        (
            ("help.ru", "help.en", "--languages", "km-en"),
            "are in Cyrillic letters, which km is not written in",
        ),
    ],
)
def test_what_cannot_be_used_is_one_sentence(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    for language in ("ru", "en"):
        Path(f"few.{language}").write_text("".join(f"{line}\n" for line in lines(f"help.{language}")[:20]), "utf-8")
    before = sorted(folder.rglob("*"))
    with pytest.raises(InputError, match=message):
        _raise(init(*arguments))
    assert sorted(folder.rglob("*")) == before


def test_the_script_of_a_language_can_be_overruled(folder: Path) -> None:
    assert init("help.ru", "help.en", "--languages", "km-en", "--any-script").exit_code == 0


def test_nothing_stays_if_the_configuration_cannot_be_made(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object) -> str:
        raise InputError("no")

    monkeypatch.setattr("rarewords.experiment.own_text.configuration", fail)
    before = sorted(folder.rglob("*"))
    assert init("help.ru", "help.en").exit_code == 1
    assert sorted(folder.rglob("*")) == before


def german(name: str, number: int, language: str) -> None:
    with gzip.open(DEMO.parents[1] / f"libreoffice-help/en-de/train.{language}.gz", "rb") as stream:
        Path(name).write_bytes(b"".join(stream.readlines()[:number]))


def test_swapped_files_of_one_script_and_no_languages_are_noticed(folder: Path) -> None:
    german("t.en", 900, "de")
    german("t.de", 900, "en")
    with pytest.raises(
        InputError, match=r"t\.en looks like de and t\.de like en: the two files look swapped; give them"
    ):
        _raise(init("t.en", "t.de"))
    Path("t.txt").write_bytes(Path("t.de").read_bytes())
    with pytest.raises(
        InputError, match=r"t\.txt: 'txt' is not a language code; the texts look like en and de: give --lang.* en-de"
    ):
        _raise(init("t.txt", "t.en"))
    with pytest.raises(InputError, match=r"t\.txt is given as fr, but its words look like en"):
        _raise(init("t.txt", "t.en", "--languages", "fr-de"))


def test_pairs_that_are_left_out_are_counted(folder: Path) -> None:
    for language in ("ru", "en"):  # every sentence twice
        text = Path(f"help.{language}").read_text(encoding="utf-8")
        Path(f"help.{language}").write_text(2 * text, encoding="utf-8")
    done = init("help.ru", "help.en")
    sizes = [len(lines(f"mine-text/{split}.ru")) for split in ("train", "dev", "test")]
    assert f"{2400 - sum(sizes):,} pairs left out of the training text" in done.stderr


def test_a_shuffled_side_and_sets_from_the_text_itself_are_noticed(folder: Path) -> None:
    right = init("help.ru", "help.en", "--name", "right")
    assert right.exit_code == 0
    assert "long sentences" not in right.stderr
    text = lines("help.en")
    moved = text[:600] + sorted(text[600:])
    Path("moved.en").write_text("\n".join(moved) + "\n", encoding="utf-8")
    warned = init("help.ru", "moved.en", "--name", "moved").stderr
    assert "warning: moved.en: from about line 501 on, in 2 of 3 blocks of 500 pairs, long sentences do not" in warned
    for language in ("ru", "en"):
        Path(f"part.{language}").write_text("\n".join(lines(f"help.{language}")[:90]) + "\n", encoding="utf-8")
    part = init("help.ru", "help.en", "--name", "part", "--dev", "part.ru", "part.en")
    assert part.exit_code == 0
    assert "warning: your sets have 90 pairs, and " in part.stderr
    with pytest.raises(
        InputError, match=r"help\.ru: 0 of 1,200 pairs are in neither .*; give sets that are not the text"
    ):
        _raise(
            init("help.ru", "help.en", "--name", "all", "--dev", "help.ru", "help.en", "--test", "part.ru", "part.en")
        )
    assert not Path("all-text").exists()
