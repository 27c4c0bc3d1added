"""`rarewords corpus fetch`, `verify`, `list` and the single steps, on a small corpus like WMT15."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from rarewords.cli import cli
from rarewords.corpus.sources import texts
from rarewords.errors import InputError
from rarewords.experiment.config import checked_corpora

from .archives import ENGLISH, GERMAN, RUSSIAN, wmt15
from .server import Server

ARCHIVES = wmt15()


def run(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(cli, ["corpus", *map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result


def corpus(server: Server) -> dict[str, object]:
    """A corpus like that of config/corpora.yaml, whose archives are on the local server."""

    def fetched(archive: str, pair: str, pattern: str, **more: object) -> dict[str, object]:
        members = {language: [pattern.replace("*", language)] for language in pair.split("-")}
        return {"archive": archive, "members": members, **more}

    def source(path: str) -> dict[str, object]:
        return {"urls": [server.url(path)], "md5": _md5(ARCHIVES[path])}

    parts = {
        "en-de": ["europarl-v7", "news-commentary-v10"],
        "en-ru": ["news-commentary-v10", "yandex-1m", "wiki-headlines"],
    }
    sgm = {"en": "src.en", "de": "ref.de", "ru": "ref.ru"}
    fetch = {
        "en-de": {
            "europarl-v7": fetched("europarl.tgz", "en-de", "training/europarl-v7.de-en.*", lines=3),
            "news-commentary-v10": fetched("nc.tgz", "en-de", "news-commentary-v10.de-en.*", approximate_lines=4),
        },
        "en-ru": {
            "news-commentary-v10": fetched("nc.tgz", "en-ru", "news-commentary-v10.ru-en.*"),
            "yandex-1m": fetched("1mcorpus.zip", "en-ru", "corpus.en_ru.1m.*"),
            "wiki-headlines": fetched("wiki.tgz", "en-ru", "wiki.ru-en", columns=["ru", "en"]),
        },
    }
    for pair, of_pair in fetch.items():
        members = {one: [f"newstest2015-{pair.replace('-', '')}-{sgm[one]}.sgm"] for one in pair.split("-")}
        of_pair["newstest2015"] = {"archive": "test.tgz", "members": members}
    return {
        "description": "A few lines of everything.",
        "archives": {
            "europarl.tgz": source("wmt13/training-parallel-europarl-v7.tgz"),
            "nc.tgz": {"urls": [server.url("wmt15/training-parallel-nc-v10.tgz")]},
            "wiki.tgz": source("wmt15/wiki-titles.tgz"),
            "1mcorpus.zip": {"by_hand": "fill in the form.", "licence": "Its own."},
            "test.tgz": source("wmt15/test.tgz"),
        },
        "pairs": {
            pair: {
                "train": [f"data/small/given/{pair}/{name}.{{lang}}" for name in names],
                "sets": {"newstest2015": [f"data/small/given/{pair}/newstest2015.{{lang}}"]},
                "fetch": fetch[pair],
            }
            for pair, names in parts.items()
        },
    }


def write_config(folder: Path, server: Server, **changes: object) -> Path:
    path = folder / "corpora.yaml"
    path.write_text(yaml.safe_dump({"corpora": {"small": corpus(server) | changes}}), encoding="utf-8")
    return path


@pytest.fixture
def folder(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a configuration, in which the commands run; the server has all but what is got by hand."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config").mkdir()
    write_config(tmp_path / "config", server)
    server.files |= {path: content for path, content in ARCHIVES.items() if path != "1mcorpus.zip"}
    return tmp_path


def place_by_hand(folder: Path) -> None:
    (folder / "data/small/archives").mkdir(parents=True, exist_ok=True)
    (folder / "data/small/archives/1mcorpus.zip").write_bytes(ARCHIVES["1mcorpus.zip"])


def test_fetch_makes_all_texts(folder: Path, server: Server) -> None:
    place_by_hand(folder)
    result = run("fetch", "small")
    given = folder / "data/small/given"
    assert {str(path.relative_to(given)): path.read_text() for path in given.rglob("*.*") if path.is_file()} == {
        "en-de/europarl-v7.en": ENGLISH,
        "en-de/europarl-v7.de": GERMAN,
        "en-de/news-commentary-v10.en": ENGLISH,
        "en-de/news-commentary-v10.de": GERMAN,
        "en-de/newstest2015.en": "Q&A <...>\n\nThree.\n",
        "en-de/newstest2015.de": "F&A\n\nDrei.\n",
        "en-ru/news-commentary-v10.en": ENGLISH,
        "en-ru/news-commentary-v10.ru": RUSSIAN,
        "en-ru/yandex-1m.en": "Yes.\nNo.\n",
        "en-ru/yandex-1m.ru": "Да.\nНет.\n",
        "en-ru/wiki-headlines.en": "Berlin\nMoscow\n",
        "en-ru/wiki-headlines.ru": "Берлин\nМосква\n",
        "en-ru/newstest2015.en": "One.\nTwo.\n",
        "en-ru/newstest2015.ru": "Один.\nДва.\n",
    }
    assert "small: all 14 texts are in data/small/given\n" in result.stderr
    assert "news-commentary-v10.de: 3 lines; from memory it should be 4" in result.stderr
    assert set(json.loads((folder / "data/small/corpora.lock.json").read_text())["archives"]) == {
        "europarl.tgz", "nc.tgz", "wiki.tgz", "test.tgz", "1mcorpus.zip",
    }  # fmt: skip
    asked = len(server.requests)
    assert run("fetch", "small").stderr == "small: all 14 texts are in data/small/given\n"
    assert len(server.requests) == asked == 4


def test_one_compressed_file_a_language(tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    files = {f"raw/train.{one}.gz": gzip.compress(text.encode()) for one, text in (("en", ENGLISH), ("de", GERMAN))}
    server.files |= files
    archives = {Path(path).name: {"urls": [server.url(path)], "md5": _md5(content)} for path, content in files.items()}
    definition = {
        "train": ["data/small/given/en-de/train.{lang}"],
        "sets": {"dev": ["data/small/given/en-de/train.{lang}"]},
        "fetch": {"train": {"archive": "train.{lang}.gz", "lines": 3}},
    }
    path = write_config(tmp_path, server, archives=archives, pairs={"en-de": definition})
    run("fetch", "small", "--config", path)
    assert (tmp_path / "data/small/given/en-de/train.en").read_text() == ENGLISH
    assert (tmp_path / "data/small/given/en-de/train.de").read_text() == GERMAN
    run("verify", "small", "--config", path)

    # A page that stands where the file was is no gzip file.
    (tmp_path / "data/small/archives/train.en.gz").unlink()
    (tmp_path / "data/small/given/en-de/train.en").unlink()
    server.files["raw/train.en.gz"] = b"<html>moved</html>"
    archives["train.en.gz"].pop("md5")
    path = write_config(tmp_path, server, archives=archives, pairs={"en-de": definition})
    (tmp_path / "data/small/corpora.lock.json").unlink()
    result = CliRunner().invoke(cli, ["corpus", "fetch", "small", "--config", str(path)])
    assert result.exit_code != 0
    assert "it is not a gzip file (18 bytes)" in result.output


def _md5(content: bytes) -> str:
    return hashlib.md5(content, usedforsecurity=False).hexdigest()


def test_fetch_goes_on_without_what_is_got_by_hand(folder: Path) -> None:
    with pytest.raises(InputError) as caught:
        run("fetch", "small")
    assert str(caught.value) == (
        "1 of 5 archives of small failed; the first: data/small/archives/1mcorpus.zip must be put there by "
        "hand: fill in the form."
    )
    assert (folder / "data/small/given/en-ru/wiki-headlines.ru").is_file()


def test_one_pair_elsewhere_with_what_is_there(folder: Path, server: Server) -> None:
    mine = folder / "scratch/given/en-de/europarl-v7.en"
    mine.parent.mkdir(parents=True)
    mine.write_text("My own.\n")
    run("fetch", "small", "--pair", "en-de", "--into", "scratch")
    assert mine.read_text() == "My own.\n"
    assert (folder / "scratch/given/en-de/europarl-v7.de").read_text() == GERMAN
    assert not (folder / "scratch/given/en-ru").exists()
    assert {path for path, _ in server.requests} == {
        "wmt13/training-parallel-europarl-v7.tgz", "wmt15/training-parallel-nc-v10.tgz", "wmt15/test.tgz",
    }  # fmt: skip


def test_a_folder_of_archives_instead_of_the_network(
    folder: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path, content in ARCHIVES.items():
        (folder / "mirror" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "mirror" / path).write_bytes(content)
    monkeypatch.setenv("RAREWORDS_MIRROR", "mirror")
    run("fetch", "small")
    assert server.requests == []
    monkeypatch.delenv("RAREWORDS_MIRROR")
    write_config(folder / "config", server, mirror="mirror")
    run("fetch", "small", "--into", "again")
    assert server.requests == []
    run("verify", "small", "--into", "again")


def test_verify_finds_what_is_wrong(folder: Path) -> None:
    place_by_hand(folder)
    run("fetch", "small")
    lines = run("verify", "small").stdout.splitlines()
    assert "right    data/small/archives/nc.tgz" in lines
    assert "warning  data/small/given/en-de/news-commentary-v10.en: 3 lines; from memory it should be 4" in lines
    assert sum(line.startswith("right") for line in lines) == 5 + 12

    (folder / "data/small/archives/wiki.tgz").unlink()
    run("verify", "small")  # the texts are what counts
    (folder / "data/small/archives/nc.tgz").write_bytes(ARCHIVES["wmt15/test.tgz"])
    (folder / "data/small/given/en-de/europarl-v7.de").write_text(GERMAN + "Noch eine.\n")
    (folder / "data/small/given/en-ru/yandex-1m.ru").unlink()
    (folder / "data/small/given/en-ru/newstest2015.ru").write_text("Одна.\n")
    result = CliRunner().invoke(cli, ["corpus", "verify", "small"])
    assert (
        str(result.exception) == "small: 4 of its files are wrong or missing (see above); docs/data.md says what to do."
    )
    assert "missing  data/small/archives/wiki.tgz\n" in result.stdout
    sums = [
        hashlib.sha256(ARCHIVES[name]).hexdigest() for name in ("wmt15/test.tgz", "wmt15/training-parallel-nc-v10.tgz")
    ]
    assert (
        f"wrong    data/small/archives/nc.tgz: its SHA-256 is {sums[0]}, but data/small/corpora.lock.json has {sums[1]}"
        in (result.stdout)
    )
    assert "wrong    data/small/given/en-de/europarl-v7.de: 4 lines, but 3 are expected\n" in result.stdout
    assert "missing  data/small/given/en-ru/yandex-1m.ru\n" in result.stdout
    assert "wrong    data/small/given/en-ru/newstest2015.en: it has more lines than its other side\n" in result.stdout


def test_list(folder: Path) -> None:
    assert run("list").stdout == "small: A few lines of everything. (en-de, en-ru)\n"
    place_by_hand(folder)
    (folder / "data/small/archives/wiki.tgz.part").write_bytes(b"x")
    printed = run("list", "small", "--pair", "en-ru").stdout
    assert "there    data/small/archives/1mcorpus.zip\n         from: by hand: fill in the form.\n" in printed
    assert "         licence: Its own.\n" in printed
    assert "begun    data/small/archives/wiki.tgz\n" in printed
    assert "missing  data/small/given/en-ru/wiki-headlines.ru (wiki.tgz)\n" in printed
    assert "europarl" not in printed
    assert "europarl-v7.en (3 lines, europarl.tgz)" in run("list", "small").stdout
    assert "news-commentary-v10.en (about 4 lines, nc.tgz)" in run("list", "small").stdout


def test_mistakes_name_what_is_wrong(folder: Path, server: Server, tmp_path: Path) -> None:
    for arguments, sentence in (
        (["fetch", "smal"], "no corpus is called 'smal'; did you mean 'small'?"),
        (["fetch", "small", "--pair", "en-dee"], "--pair: corpus 'small' has no pair 'en-dee'; did you mean 'en-de'?"),
        (["list", "small", "--config", "absent.yaml"], "absent.yaml: cannot be read"),
    ):
        with pytest.raises(InputError, match=sentence.replace("?", r"\?")):
            run(*arguments)
    (folder / "config/corpora.yaml").write_text("corpora: {a: [", encoding="utf-8")
    with pytest.raises(InputError, match=r"config/corpora\.yaml: not a YAML file"):
        run("list")
    write_config(folder / "config", server, archives={})
    with pytest.raises(
        InputError, match=r"corpora\.small\.pairs\.en-de\.fetch\.europarl-v7\.archive: the corpus has no archive"
    ):
        run("fetch", "small")


def test_the_repository_s_own_configuration_is_readable() -> None:
    root = Path(__file__).parents[2]
    printed = run("list", "wmt15", "--config", root / "config/corpora.yaml").stdout
    assert "data/wmt15/given/en-de/europarl-v7.de (1,920,209 lines, training-parallel-europarl-v7.tgz)" in printed
    with pytest.raises(InputError, match="corpus 'embedded' has nothing to fetch"):
        run("fetch", "embedded", "--config", root / "config/corpora.yaml")


def test_the_documentation_s_example_is_valid() -> None:
    page = (Path(__file__).parents[2] / "docs/data.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```yaml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    corpora = checked_corpora(yaml.safe_load(example))
    files = {f"data/mine/given/{text.file}" for text in texts(corpora["mine"], "en-fr")}
    named = [*corpora["mine"]["pairs"]["en-fr"]["train"], *corpora["mine"]["pairs"]["en-fr"]["sets"]["dev"]]
    assert files == {pattern.replace("{lang}", language) for pattern in named for language in ("en", "fr")}


def test_the_single_steps(folder: Path, server: Server) -> None:
    url = server.url("wmt15/test.tgz")
    archive, lock = folder / "a/test.tgz", folder / "lock.json"
    run("download", "--url", url, "--output", archive, "--lock", lock)
    out = folder / "x.de"
    arguments = ["--archive", archive, "--member", "newstest2015-ende-ref.de.sgm", "--language", "de", "--lock", lock]
    assert run("extract", *arguments, "--lines", "3", "--output", out).stderr == f"{out}: 3 lines\n"
    assert out.read_text() == "F&A\n\nDrei.\n"
    archive.write_bytes(ARCHIVES["wmt15/wiki-titles.tgz"])
    with pytest.raises(InputError, match=r"a/test\.tgz: its SHA-256 is .* from when it was first seen"):
        run("extract", *arguments, "--output", folder / "y.de")
    assert not (folder / "y.de").exists()


def test_sgm_to_text(folder: Path) -> None:
    (folder / "x.sgm").write_text('<seg id="1">a &amp; b</seg>\n<seg id="2"></seg>\n', encoding="utf-8")
    run("sgm-to-text", "--input", "x.sgm", "--output", "x.txt")
    assert (folder / "x.txt").read_text() == "a & b\n\n"
    with pytest.raises(InputError, match="is also an input"):
        run("sgm-to-text", "--input", "x.sgm", "--output", "x.sgm")


def test_a_terminal_sees_a_bar(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from rarewords.cli.progress import download_progress

    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with download_progress("x.tgz") as show:
        show(10, 2_000_000)
        show(2_000_000, 2_000_000)
    assert "x.tgz" in (printed := capsys.readouterr().err)
    assert "2.0/2.0 MB" in printed
