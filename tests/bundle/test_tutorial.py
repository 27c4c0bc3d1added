"""docs/tutorial.md as a new user follows it: every command runs, the training only dry."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from rarewords.bundle.export import Sources
from rarewords.experiment.config import checked

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"(?:^    .*\n)+", re.MULTILINE)
PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def text() -> str:
    return (ROOT / "docs/tutorial.md").read_text(encoding="utf-8")


def commands() -> list[str]:
    """The commands of the indented blocks, each on one line."""
    return [line.strip() for block in BLOCK.findall(text()) for line in re.sub(r"\\\n\s*", "", block).splitlines()]


def run(folder: Path, command: list[str] | str) -> str:
    """Run a shell command or a program; returns its output."""
    binaries = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": os.pathsep.join([binaries, os.environ["PATH"]])}
    done = subprocess.run(
        ["bash", "-ec", command] if isinstance(command, str) else command,
        cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8", check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def pretend_the_training(folder: Path, sources: Sources) -> None:
    """What `snakemake` would leave behind, with the models of another system."""
    config = checked(yaml.safe_load((folder / "help.yaml").read_text(encoding="utf-8")))
    text, results = folder / "data/help/ru-en", folder / "results/help"
    for path in (text / "seg/subwords", text / "tc", results / "ru-en/words/test", results / "ru-en/subwords/test"):
        path.mkdir(parents=True)
    (results / "config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    for system in ("words", "subwords"):
        shutil.copy(folder / "help-text/test.en", results / f"ru-en/{system}/test/ensemble.txt")
    shutil.copy(sources.source_segmenter, text / "seg/subwords/segmenter.ru.json")
    shutil.copy(sources.target_segmenter, text / "seg/subwords/segmenter.en.json")
    for language in ("ru", "en"):
        shutil.copy(sources.truecaser, text / f"tc/truecaser.{language}")
    (text / "tc/counts.en").write_text("the 9\nbutton 2\n", encoding="utf-8")
    for number in (1, 2, 3, 4):
        member = sources.members[(number - 1) % len(sources.members)]
        shutil.copytree(member, folder / f"models/help/ru-en/subwords/member{number}")


@pytest.mark.slow
def test_every_command_of_the_tutorial_runs(tmp_path: Path, sources: Sources) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data/demo").symlink_to(ROOT / "data/demo")
    programs = []
    trained = False
    for command in commands():
        programs.append(command.split()[0])
        if command.startswith("snakemake"):
            dry = command if " -n" in command else f"{command} -n"
            run(tmp_path, dry.replace("snakemake", f"snakemake --snakefile {ROOT}/Snakefile", 1))
            continue
        if not trained and "results/" in command:
            pretend_the_training(tmp_path, sources)
            trained = True
            for split in ("test", "dev"):  # two lines are enough
                lines = (tmp_path / f"help-text/{split}.ru").read_text(encoding="utf-8").splitlines()[:2]
                (tmp_path / f"help-text/{split}.ru").write_text("\n".join(lines) + "\n", encoding="utf-8")
        output = run(tmp_path, command)
        if command.startswith("rarewords score"):
            assert "100.0" in output
    assert programs.count("snakemake") == 2
    assert {"gzip", "rarewords", "echo"} <= set(programs)
    assert len((tmp_path / "test.out.en").read_text(encoding="utf-8").splitlines()) == 2
    assert len((tmp_path / "test.links").read_text(encoding="utf-8").splitlines()) == 2
    assert "0 ||| " in (tmp_path / "dev.nbest").read_text(encoding="utf-8")
    (example,) = PYTHON.findall(text())
    assert run(tmp_path, [sys.executable, "-c", example]).startswith("[")
