"""Messages about the configuration name the file that sets the key."""

from __future__ import annotations

from pathlib import Path

import pytest

from rarewords.experiment.provenance import with_file

CONFIG = {
    "training": {"updates": 9, "save_every": 3},
    "systems": {"bpe": {"mergs": 5, "label": "x"}},
    "corpora": {"c": {"archives": {"a.tar.gz": {"md5": "no"}}}},
    "experiment": {"test": ["a", "b/c"]},
}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "base.yaml": "systems: {bpe: {mergs: 5, label: x}}\ntraining: {updates: 7, save_every: 3}\n",
        "mine.yaml": "training: {updates: 9}\ncorpora: {c: {archives: {a.tar.gz: {md5: 'no'}}}}\n"
        "systems: {bpe: {label: x}}\n",
        "last.yaml": "experiment: {test: [a, b/c]}\n",
        "broken.yaml": "training: [\n",
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return [tmp_path / name for name in ("base.yaml", "mine.yaml", "last.yaml", "broken.yaml", "missing.yaml")]


@pytest.mark.parametrize(
    ("sentence", "file"),
    [
        ("systems.bpe.mergs: there is no such key in the configuration; did you mean 'merges'?", "base.yaml"),
        ("systems.bpe: the key 'vocabulary' is missing; config/README.md explains it.", "base.yaml"),
        ("systems.bpe: unknown setting 'mergs'; did you mean 'merges'?", "base.yaml"),  # mine.yaml has another one
        ("training.updates: 9 updates cannot hold 4 saved models", "mine.yaml"),  # that of base.yaml is another
        ("training.save_every: '3' cannot be used here.", "base.yaml"),
        ("corpora.c.archives.a.tar.gz.md5: 'no' cannot be used here.", "mine.yaml"),
        ("experiment.test.1: 'b/c' cannot be used here.", "last.yaml"),
        ("experiment.pairs: corpus 'x' has no pair 'de-en'", None),  # in none of the files
        ("there is no training text", None),
    ],
)
def test_the_file_stands_in_front(files: list[Path], sentence: str, file: str | None) -> None:
    assert with_file(sentence, CONFIG, files) == (f"{file}: {sentence}" if file else sentence)
