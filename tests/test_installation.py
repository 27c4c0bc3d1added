"""The package as users install it: in a fresh environment, without extras."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LARGEST = 400  # MB


def size_in_mb(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


@pytest.mark.slow
def test_the_core_is_small_and_works(tmp_path: Path) -> None:
    environment = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
    (python,) = environment.glob("*/python")
    source = tmp_path / "source"
    shutil.copytree(ROOT / "src", source / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    install = [str(python), "-m", "pip", "install", "--quiet", "-c", str(ROOT / "requirements.lock"), str(source)]
    done = subprocess.run(install, capture_output=True, text=True, check=False, timeout=900)
    if done.returncode and "Failed to build" not in done.stderr:
        pytest.skip(f"no package index: {done.stderr.strip().splitlines()[-1:]}")
    assert done.returncode == 0, done.stderr
    (packages,) = environment.glob("lib/python*/site-packages")
    brought = {path.name for path in packages.iterdir()}
    assert not brought & {"torch", "snakemake", "matplotlib", "pandas"}
    assert size_in_mb(environment) < LARGEST

    command = environment / python.parent.name / "rarewords"

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        return subprocess.run(
            [str(command), *arguments], cwd=tmp_path, env=clean, capture_output=True, text=True, check=False
        )

    (tmp_path / "text.de").write_text("das Haus\ndie Häuser\ndas Dach\n", encoding="utf-8")
    assert run("bpe", "learn", "-i", "text.de", "-o", "codes", "-s", "3").returncode == 0
    assert run("bpe", "apply", "-c", "codes", "-i", "text.de", "-o", "text.bpe.de").returncode == 0
    assert (tmp_path / "text.bpe.de").read_text(encoding="utf-8").startswith("das H@@")
    assert "chrF3      100.0" in run("score", "--hypothesis", "text.de", "--reference", "text.de").stdout
    missing = run("translate", "bundle")
    assert missing.returncode == 2
    assert missing.stderr.endswith("install it with: pip install 'rarewords[train]'.\n")
