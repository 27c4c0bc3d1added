"""Choose one of several GPUs, so that training runs that start at the same time do not all use the first one."""

from __future__ import annotations

import fcntl
import itertools
import os
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

QUERY = ["nvidia-smi", "--query-gpu=index,uuid,memory.used,mig.mode.current", "--format=csv,noheader,nounits"]


class Gpu(NamedTuple):
    """A GPU: what to call it in CUDA_VISIBLE_DEVICES, its own number for life, and its memory in use in MiB."""

    name: str
    uuid: str
    used: int


def keep_one_gpu() -> None:
    """Leave this process one of the GPUs that it may use, by CUDA_VISIBLE_DEVICES; has to come before CUDA starts.

    It is the one with the fewest processes of rarewords (of this user), and among those the one with the least memory
    in use. Does nothing if there is no choice or it cannot be made: without nvidia-smi, or with partitioned GPUs (MIG).
    """
    # numbers then mean the same to CUDA as to nvidia-smi; by default CUDA counts the fastest GPU first
    os.environ.setdefault("CUDA_DEVICE_ORDER", "PCI_BUS_ID")
    gpus = visible_gpus(os.environ.get("CUDA_VISIBLE_DEVICES"))
    if len(gpus) > 1:
        os.environ["CUDA_VISIBLE_DEVICES"] = _take(gpus).name


def visible_gpus(visible: str | None) -> list[Gpu]:
    """The GPUs that nvidia-smi lists and `visible` (as in CUDA_VISIBLE_DEVICES) allows; empty if that is not clear."""
    gpus = _list_gpus()
    if visible is None:
        return [Gpu(uuid, uuid, used) for _, uuid, used in gpus]
    chosen = []
    for name in filter(None, map(str.strip, visible.split(","))):
        same = [gpu for gpu in gpus if name == gpu.name or (name.startswith("GPU-") and gpu.uuid.startswith(name))]
        if len(same) != 1:
            return []
        chosen.append(same[0]._replace(name=name))
    return chosen


def _list_gpus() -> list[Gpu]:
    """All GPUs by their index; empty if nvidia-smi is not there or fails, or one of them is divided."""
    try:
        asked = subprocess.run(QUERY, capture_output=True, text=True, timeout=60, check=True)
        rows = [[cell.strip() for cell in line.split(",")] for line in asked.stdout.splitlines()]
        divided = any(mode == "Enabled" for *_, mode in rows)
        return [] if divided else [Gpu(index, uuid, int(used)) for index, uuid, used, _ in rows]
    except (OSError, subprocess.SubprocessError, ValueError):
        return []


def _take(gpus: list[Gpu]) -> Gpu:
    """Take the first free place: the first on every GPU, then the second on every GPU, and so on.

    A place is a locked file in the temporary folder; the operating system frees it when the process ends.
    """
    freest_first = sorted(gpus, key=lambda gpu: gpu.used)
    folder = Path(tempfile.gettempdir()) / f"rarewords-gpus-{os.getuid()}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        for place in itertools.count(1):
            for gpu in freest_first:
                if _lock(folder / f"{gpu.uuid}-{place}"):
                    return gpu
    except OSError:
        pass  # nowhere to keep locks: decide by the memory in use
    return freest_first[0]


def _lock(path: Path) -> bool:
    """Lock a file for the life of this process, if no other has."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return False
    return True
