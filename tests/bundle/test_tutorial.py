"""docs/tutorial.md as a new user follows it: every command runs, the training only dry."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml

from rarewords.bundle.export import Sources
from rarewords.experiment.config import checked
from tests.documentation.commands import ROOT, commands, program
from tests.documentation.conftest import shell


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
def test_every_command_of_the_tutorial_runs(tmp_path: Path, sources: Sources, warm: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data/demo").symlink_to(ROOT / "data/demo")
    programs = []
    trained = False
    for command in commands("docs/tutorial.md"):
        text = command.as_shell()
        programs.append(program(text))
        if programs[-1] == "snakemake":
            dry = text if " -n" in text else f"{text} -n"
            shell(dry.replace("snakemake", f"snakemake --snakefile {ROOT}/Snakefile", 1), tmp_path, warm)
            continue
        if not trained and "results/" in text:
            pretend_the_training(tmp_path, sources)
            trained = True
            for split in ("test", "dev"):  # two lines are enough
                lines = (tmp_path / f"help-text/{split}.ru").read_text(encoding="utf-8").splitlines()[:2]
                (tmp_path / f"help-text/{split}.ru").write_text("\n".join(lines) + "\n", encoding="utf-8")
        output = shell(text, tmp_path, warm)
        if text.startswith("rarewords score"):
            assert "100.0" in output
    assert programs.count("snakemake") == 2
    assert {"gzip", "rarewords", "echo"} <= set(programs)
    assert len((tmp_path / "test.out.en").read_text(encoding="utf-8").splitlines()) == 2
    assert len((tmp_path / "test.links").read_text(encoding="utf-8").splitlines()) == 2
    assert "0 ||| " in (tmp_path / "dev.nbest").read_text(encoding="utf-8")
    assert output.startswith("[")  # of the program in Python, the last one
