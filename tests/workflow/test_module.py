"""The workflow in the hands of others: as a module, from a tag, in another folder, in a container."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]

TINY = {
    "experiment": {"systems": ["bpe"], "table1": ["words"], "rare_rank": 100, "name": "mine"},
    "network": {"embedding": 8, "hidden": 10},
    "training": {
        "device": "cpu", "clip_norms": [50], "batch_size": 10, "updates": 4, "save_every": 2, "saved_models": 1,
        "fixed_embedding_updates": 1,
    },
    "decoding": {"beam": 2},
    "systems": {"bpe": {"segmentation": {"merges": 50}}},
}  # fmt: skip

IMPORTING = """
configfile: "config/config.yaml"


module rarewords:
    snakefile:
        {snakefile}
    config:
        config


use rule * from rarewords as rarewords_*


rule everything:
    default_target: True
    input:
        rules.rarewords_all.input,


onstart:
    rarewords.onstart()


onsuccess:
    rarewords.onsuccess()


onerror:
    rarewords.onerror()
"""


def snakemake(folder: Path, *arguments: str) -> str:
    """Run Snakemake as a user would, with the interpreter's own programs first; returns what it printed."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "--cores", "1", *arguments], cwd=folder, env={**os.environ, "PATH": path},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def importing(folder: Path, snakefile: str) -> Path:
    """A workflow of a user, as snakedeploy makes one: a configuration, and a Snakefile that imports ours."""
    (folder / "config").mkdir(parents=True)
    (folder / "workflow").mkdir()
    config = yaml.safe_load((ROOT / "config/config.yaml").read_text(encoding="utf-8"))
    for key, values in TINY.items():
        config[key] = {**config.get(key, {}), **values}
    (folder / "config/config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    (folder / "workflow/Snakefile").write_text(IMPORTING.format(snakefile=snakefile), encoding="utf-8")
    return folder


@pytest.mark.slow
def test_a_workflow_that_imports_ours_writes_its_report(tmp_path: Path) -> None:
    folder = importing(tmp_path / "mine", repr(str(ROOT / "workflow/Snakefile")))
    said = snakemake(folder, "--quiet", "all")
    assert (folder / "results/mine/report.html").exists()
    assert "the report, everything on one page: results/mine/report.html" in said
    kept = yaml.safe_load((folder / "results/mine/config.yaml").read_text(encoding="utf-8"))
    assert kept["systems"]["bpe"]["segmentation"]["merges"] == 50
    assert sorted(path.name for path in folder.iterdir() if not path.name.startswith(".")) == [
        "benchmarks", "config", "data", "logs", "models", "results", "workflow",
    ]  # fmt: skip


def test_a_workflow_that_imports_ours_warns_of_unusual_settings(tmp_path: Path) -> None:
    folder = importing(tmp_path / "mine", repr(str(ROOT / "workflow/Snakefile")))
    (folder / "overlay.yaml").write_text("systems: {bpe: {segmentation: {merges: 0}}}\n", encoding="utf-8")
    said = snakemake(folder, "--quiet", "all", "--configfile", "overlay.yaml", "--", "rarewords_keep_configuration")
    assert "warning: systems.bpe.segmentation.merges is 0: words are cut into single characters." in said


def test_a_workflow_that_imports_a_tag_finds_corpora_and_systems(tmp_path: Path) -> None:
    repository = tmp_path / "published"
    repository.mkdir()
    for name in ("config", "workflow"):
        shutil.copytree(ROOT / name, repository / name)
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-C", str(repository)]
    for command in (["init", "-q"], ["add", "-f", "."], ["commit", "-qm", "first"], ["tag", "v1"]):
        subprocess.run([*git, *command], check=True)
    snakefile = f'gitfile("{repository}", path="workflow/Snakefile", tag="v1")'
    folder = importing(tmp_path / "mine", snakefile)
    (folder / "data").mkdir()
    (folder / "data/demo").symlink_to(ROOT / "data/demo")  # the user's text
    listed = snakemake(folder, "-n", "--quiet", "host")
    assert "rarewords_train" in listed


def test_another_folder_is_no_obstacle(tmp_path: Path) -> None:
    listed = snakemake(ROOT, "-n", "-p", "--directory", str(tmp_path))
    assert "import_text" in listed
    assert f"{ROOT}/data/demo/libreoffice-help/en-de/train.en.gz" in listed


def test_a_failed_step_shows_its_words_even_if_all_is_quiet(tmp_path: Path) -> None:
    folder = importing(tmp_path / "mine", repr(str(ROOT / "workflow/Snakefile")))
    for language, text in (("en", b"one\n"), ("de", b"\xff\n")):
        (folder / f"train.{language}").write_bytes(text)
    config = yaml.safe_load((folder / "config/config.yaml").read_text(encoding="utf-8"))
    config["corpora"]["libreoffice-short"]["pairs"]["en-de"]["train"] = ["train.{lang}"]
    (folder / "mine.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    command = ["-s", str(ROOT / "Snakefile"), "table2", "--configfile", "mine.yaml", "--quiet", "all"]
    with pytest.raises(AssertionError, match=r"logs/import.*train\.log:\s+rarewords: train\.de, line 1: not UTF-8"):
        snakemake(folder, *command)


def test_lint_finds_nothing() -> None:
    assert "in a good condition" in snakemake(ROOT, "--lint")


def test_everything_that_a_container_installs_is_in_the_lock() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    locked = {canonicalize_name(name) for name in re.findall(r"^([\w.-]+)==", lock, re.MULTILINE)} | {"torch"}
    wanted, left = set(), [*project["dependencies"], *project["optional-dependencies"]["all"]]
    while left:
        one = Requirement(left.pop())
        if canonicalize_name(one.name) == "rarewords":  # an extra made of others
            left += [more for extra in one.extras for more in project["optional-dependencies"][extra]]
        else:
            wanted.add(canonicalize_name(one.name))
    assert len(wanted) > 10
    assert wanted <= locked


def test_both_containers_have_the_same_files_and_steps() -> None:
    docker = (ROOT / "workflow/envs/Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    steps = [line.split(maxsplit=1) for line in docker.splitlines() if line and not line.startswith("#")]
    assert [instruction for instruction, _ in steps] == ["FROM", "COPY", "COPY", "RUN"]
    copied = {
        source: to + Path(source).name if to.endswith("/") else to
        for instruction, rest in steps
        if instruction == "COPY"
        for *sources, to in [rest.split()]
        for source in sources
    }
    commands = [" ".join(command.split()) for command in steps[-1][1].split("&&")]
    apptainer = (ROOT / "workflow/envs/rarewords.def").read_text(encoding="utf-8")
    header, files, post = re.split(r"^%(?:files|post)\n", apptainer, flags=re.MULTILINE)
    assert f"Bootstrap: docker\nFrom: {steps[0][1]}\n" in header
    assert dict(line.split() for line in files.splitlines() if line.strip()) == copied
    assert [line.strip() for line in post.splitlines() if line.strip()] == commands
    assert all((ROOT / source).exists() for source in copied)


@pytest.mark.parametrize("name", ["Dockerfile", "rarewords.def"])
def test_a_container_is_made_of_the_lock_and_what_the_package_needs(name: str) -> None:
    text = (ROOT / "workflow/envs" / name).read_text(encoding="utf-8")
    assert "-c /opt/rarewords/requirements.lock '/opt/rarewords[all]'" in text
    (torch,) = re.findall(r"torch==[\w.]+", (ROOT / "Makefile").read_text(encoding="utf-8"))
    assert torch in text
    for copied in ("pyproject.toml", "requirements.lock", "README.md", "LICENSE", "src"):
        assert (ROOT / copied).exists()
        assert copied in text
    (command,) = re.findall(r"^#     (\w.*)$", text, re.MULTILINE)
    assert f"workflow/envs/{name}" in command
