"""A tiny training in a process of its own: copying words of three letters."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import signal
import time
from pathlib import Path

import processes
import pytest
import safetensors.torch
import torch

from rarewords.training.checkpoint import load_state
from rarewords.training.encoded import encode_pairs


class Training:
    """The files of a training, and its commands as a user gives them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.variables: dict[str, str] = {}  # of the environment, for the processes that are started from now on
        rng = random.Random(3)
        words = [" ".join(rng.choice("abcdefgh") for _ in range(rng.randint(1, 6))) for _ in range(150)]
        for name, text in {
            "train.en": "".join(word + "\n" for word in words),
            "train.de": "".join(word.upper() + "\n" for word in words),
            "vocabulary.en": "".join(f"{letter} 9\n" for letter in "abcdefgh"),
            "vocabulary.de": "".join(f"{letter} 9\n" for letter in "ABCDEFGH"),
        }.items():
            (folder / name).write_text(text, encoding="utf-8")
        self.encode()

    def encode(self) -> None:
        """Encode the files as they are now."""
        names = ("train.en", "train.de", "vocabulary.en", "vocabulary.de")
        encode_pairs(*(self.folder / name for name in names), self.folder / "pairs")

    def command(self, *arguments: str) -> list[str]:
        return [
            "train", *arguments, "--data=pairs", "--device=cpu",
        ]  # fmt: skip

    def run_command(self, where: str, updates: int = 40, *more: str) -> list[str]:
        """Train in the folder `where`: two saved models, 10 updates apart. 150 pairs make 38 batches an epoch."""
        return self.command(
            "run", "--embedding=12", "--hidden=16", "--init-std=0.1", "--clip-norm=5", "--batch-size=4", "--seed=1",
            f"--updates={updates}", "--save-every=10", f"--saved={where}/saved1", f"--saved={where}/saved2",
            f"--checkpoints={where}/checkpoints", *more,
        )  # fmt: skip

    def finetune_command(self, saved: str, where: str, updates: int = 20, *more: str) -> list[str]:
        return self.command(
            "finetune", f"--saved={saved}", f"--updates={updates}", f"--member={where}",
            f"--checkpoints={where}/checkpoints", *more,
        )  # fmt: skip

    def start(
        self, command: list[str], checkpoint_seconds: float = 0.0, killed_after: float | None = None
    ) -> multiprocessing.Process:
        errors = self.folder / "errors"
        return processes.start(self.folder, errors, command, checkpoint_seconds, self.variables, killed_after)

    def end(self, process: multiprocessing.Process) -> tuple[int, str]:
        """Wait for the process; exit code and standard error."""
        process.join(timeout=600)
        assert process.exitcode is not None, "the training goes on for ever"
        return process.exitcode, (self.folder / "errors").read_text(encoding="utf-8")

    def finish(self, command: list[str], checkpoint_seconds: float = 600.0) -> tuple[int, str]:
        """Exit code and standard error of the whole command."""
        return self.end(self.start(command, checkpoint_seconds))

    def wait_for_update(self, process: multiprocessing.Process, command: list[str], updates: int) -> None:
        """Until the training has reported more than so many updates (or has ended)."""
        where = next(argument for argument in command if argument.startswith("--checkpoints=")).split("=")[1]
        while process.is_alive() and self.reported(where) <= updates:
            time.sleep(0.001)

    def interrupt(self, command: list[str], number: signal.Signals, after_updates: int = 0) -> tuple[int, str]:
        """Send a signal when more than so many updates are reported; exit code and standard error."""
        process = self.start(command, checkpoint_seconds=600.0)  # none but the one that the signal asks for
        self.wait_for_update(process, command, after_updates)
        os.kill(process.pid, number)
        return self.end(process)

    def killed_again_and_again(self, command: list[str], kills: int, seed: int) -> str:
        """Kill the command so many times while it gets on, then let it finish; its standard error of the last time."""
        rng = random.Random(seed)
        for _ in range(kills):
            code, errors = self.end(self.start(command, killed_after=rng.uniform(0, 0.05)))
            assert code == -signal.SIGKILL, errors
            assert "Traceback" not in errors
        code, errors = self.finish(command)
        assert code == 0, errors
        return errors

    def member_weights(self, where: str) -> dict[str, torch.Tensor]:
        return safetensors.torch.load_file(self.folder / where / "model.safetensors")

    def reports(self, checkpoints: str) -> list[dict[str, object]]:
        path = self.folder / checkpoints / "metrics.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def reported(self, checkpoints: str) -> int:
        path = self.folder / checkpoints / "metrics.jsonl"
        lines = path.read_text().split("\n")[:-1] if path.exists() else []
        return json.loads(lines[-1])["updates"] if lines else 0

    def same_state(self, left: str, right: str) -> bool:
        """Whether two checkpoints are equal bit for bit, but for the time they took."""
        mine, other = load_state(self.folder / left), load_state(self.folder / right)
        mine.seconds = other.seconds = 0
        return mine.counters() == other.counters() and all(
            torch.equal(a[name], b[name])
            for a, b in [
                (mine.parameters, other.parameters),
                (mine.squares, other.squares),
                (mine.deltas, other.deltas),
            ]
            for name in a
        )


@pytest.fixture(scope="session")
def training(tmp_path_factory: pytest.TempPathFactory) -> Training:
    """The training, done once without interruption in `whole` (40 updates) and continued in `member` (20 more)."""
    training = Training(tmp_path_factory.mktemp("resume"))
    assert training.finish(training.run_command("whole"))[0] == 0
    assert training.finish(training.finetune_command("whole/saved2", "member"))[0] == 0
    return training
