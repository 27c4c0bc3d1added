"""The machine and the checkout that a program runs in."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from pathlib import Path
from typing import Any

from rarewords.text.files import PathLike


def describe() -> dict[str, Any]:
    """Processor, cores that may be used, memory in MiB, names of the GPUs, operating system."""
    return {
        "processor": processor(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "memory_mib": _memory_mib(),
        "gpus": _gpus(),
        "system": f"{platform.system()} {platform.machine()}",
    }


def commit(repository: PathLike) -> dict[str, Any] | None:
    """The checked-out commit and whether tracked files differ from it; None outside a git checkout."""
    if not (Path(repository) / ".git").exists():
        return None
    name = _output(["git", "-C", str(repository), "rev-parse", "HEAD"])
    changes = _output(["git", "-C", str(repository), "status", "--porcelain", "--untracked-files=no"])
    return None if name is None or changes is None else {"id": name, "changed": bool(changes)}


def processor() -> str:
    """The processor's name."""
    with_name = [line for line in _lines("/proc/cpuinfo") if line.startswith("model name")]
    return with_name[0].partition(":")[2].strip() if with_name else platform.processor() or platform.machine()


def _memory_mib() -> int | None:
    total = [line for line in _lines("/proc/meminfo") if line.startswith("MemTotal")]
    return int(total[0].split()[1]) // 1024 if total else None


def _gpus() -> list[str]:
    names = _output(["nvidia-smi", "--query-gpu=name,memory.total", "--format=csv,noheader"])
    return names.split("\n") if names else []


def _lines(path: str) -> list[str]:
    """The lines of a system file; none if it does not exist."""
    return Path(path).read_text(encoding="utf-8").split("\n") if Path(path).exists() else []


def _output(command: list[str]) -> str | None:
    """The output of a program; None if it does not exist or fails."""
    if shutil.which(command[0]) is None:
        return None
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None
