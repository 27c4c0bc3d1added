"""Where a network computes."""

from __future__ import annotations

import ctypes
import os

import torch

from rarewords.errors import InputError
from rarewords.machine.free_gpu import keep_one_gpu
from rarewords.machine.product_ways import use_fastest_exact_way
from rarewords.model.products import use_bfloat16

PRECISIONS = ("float32", "tf32", "bfloat16")


def choose_device(name: str) -> torch.device:
    """The device for `auto` (a GPU if available), `cpu`, `cuda` or `cuda:N`.

    Of several GPUs, `auto` and `cuda` mean the freest one. Raises InputError for any other name and for a missing GPU.
    """
    if name in ("auto", "cuda") and not torch.cuda.is_initialized():
        keep_one_gpu()
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    kind, _, number = name.partition(":")
    if name != "cpu" and (kind != "cuda" or not (number.isdecimal() or name == "cuda")):
        raise InputError(f"device: {name!r} is not a known device; give auto, cpu, cuda or cuda:N.")
    if kind == "cuda" and int(number or 0) >= torch.cuda.device_count():
        raise InputError(f"device: {name} was requested, but torch sees no such GPU; use device: auto or cpu.")
    return torch.device(name)


def set_precision(name: str) -> None:
    """How precisely this process multiplies float32 matrices (docs/reproduction/training.md, section Precision).

    `float32`; `tf32`, which a GPU may use for all products; `bfloat16`, which besides rounds the factors of the large
    products. Sums, parameters and all else stay float32. Raises InputError for another name.
    """
    if name not in PRECISIONS:
        raise InputError(f"precision: {name!r} is not a known precision; give {', '.join(PRECISIONS)}.")
    torch.backends.cuda.matmul.fp32_precision = "ieee" if name == "float32" else "tf32"
    use_bfloat16(name == "bfloat16")


def prepare_cpu(threads: int) -> None:
    """Set the CPU threads of this process and its way to multiply, and let it keep the memory that it frees.

    Raises InputError for more threads than the machine has cores.
    """
    cores = os.cpu_count() or 1
    if threads > cores:
        raise InputError(
            f"threads: {threads} were requested, but this machine has {cores} cores; give {cores} or fewer."
        )
    torch.set_num_threads(threads)
    # oneDNN compiles each shape of a product; minibatches have more shapes than the 1,024 that it keeps by itself
    os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "8192")
    use_fastest_exact_way()
    _keep_freed_memory()


def _keep_freed_memory() -> None:
    """Let glibc keep large freed blocks instead of returning them: every update and every step of a search frees and
    takes the same sizes.

    Page faults of fresh memory cost about a tenth of the time on a CPU. Does nothing without glibc.
    """
    m_trim_threshold, m_mmap_threshold = -1, -3
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError):
        return
    mallopt(m_mmap_threshold, 1 << 30)
    mallopt(m_trim_threshold, (1 << 31) - 1)
