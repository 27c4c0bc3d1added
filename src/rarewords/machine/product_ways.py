"""Which of torch's ways to multiply float32 matrices is the fastest exact one on this CPU.

torch sends float32 products to its BLAS, which is MKL on x86-64, or, if it is allowed to lower their precision, to
oneDNN. On a CPU without instructions for narrower products oneDNN computes in float32 all the same, and on AMD's more
than twice as fast as MKL; with AMX it rounds the factors to bfloat16. So both are tried: one that rounds is refused,
and of the others the fastest is used. The choice is kept on disk, because it decides the last bit of every result.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rarewords.compiled import cache_folder
from rarewords.errors import InputError
from rarewords.machine.description import processor

if TYPE_CHECKING:
    from torch import Tensor

BLAS, ONEDNN = WAYS = ("blas", "onednn")
ALLOWED = {BLAS: "ieee", ONEDNN: "bf16"}  # what torch calls the lowest precision that oneDNN may use
SETTING = "RAREWORDS_PRODUCTS"  # environment variable: auto, blas or onednn
# of the largest number; float32 sums of some 500 terms are within 1e-6, rounded factors add 2e-3
LARGEST_ERROR = 1e-5
CLEARLY = 0.9  # share of the time that the faster one may take, so that chance does not choose
ROUNDS = 7
SHAPES = ((80, 512, 1024), (400, 256, 768), (40, 128, 384))  # (rows, summed over, columns)


def use_fastest_exact_way() -> str:
    """Choose the way of this process's float32 products and return its name; see `RAREWORDS_PRODUCTS`."""
    wanted = os.environ.get(SETTING) or "auto"
    if wanted not in ("auto", *WAYS):
        raise InputError(f"{SETTING}: {wanted!r} is unknown; give auto, {', '.join(WAYS)}.")
    if wanted == "auto":
        way = known_way() or _keep(_fastest_exact_way())
    elif is_exact(wanted):
        way = wanted
    else:
        raise InputError(f"{SETTING}: {wanted} does not multiply float32 exactly on this machine; give auto or {BLAS}.")
    use_way(way)
    return way


def use_way(way: str) -> None:
    """Multiply float32 matrices on the CPU in this way from now on."""
    from rarewords.model.products import compile_by_shape

    _onednn_products().fp32_precision = ALLOWED[way]
    compile_by_shape(way == ONEDNN)


def way_in_use() -> str:
    """The name of the way in which this process multiplies float32 matrices."""
    return ONEDNN if _onednn_products().fp32_precision == ALLOWED[ONEDNN] else BLAS


def _onednn_products() -> Any:
    """torch's settings of oneDNN's matrix products."""
    import torch

    return torch.backends.mkldnn.matmul  # type: ignore[attr-defined]


def is_exact(way: str) -> bool:
    """Whether the way multiplies float32 numbers and not rounded ones, by comparison with float64."""
    before = way_in_use()
    use_way(way)
    try:
        return all(_error(multiply, left, right) < LARGEST_ERROR for multiply, left, right in _products())
    finally:
        use_way(before)


def known_way() -> str | None:
    """The way chosen earlier on this machine with this version of torch; None if there is no record."""
    path = _record()
    try:
        way = path.read_text(encoding="utf-8").strip() if path else None
    except OSError:
        return None
    return way if way in WAYS else None


def way_times(way: str) -> float:
    """Seconds for one product of each shape and layout that the network has."""
    before = way_in_use()
    use_way(way)
    try:
        return sum(_least_time(multiply, left, right) for multiply, left, right in _products())
    finally:
        use_way(before)


def _fastest_exact_way() -> str:
    import torch

    if not torch.backends.mkldnn.is_available() or not is_exact(ONEDNN):
        return BLAS
    return ONEDNN if way_times(ONEDNN) < CLEARLY * way_times(BLAS) else BLAS


def _products() -> Iterator[tuple[Callable[[Tensor, Tensor], Tensor], Tensor, Tensor]]:
    """Products of each shape: plain, with either factor transposed, and added to a matrix."""
    import torch

    generator = torch.Generator().manual_seed(1)
    for rows, summed, columns in SHAPES:
        left = torch.randn(rows, summed, generator=generator)
        right = torch.randn(summed, columns, generator=generator)
        yield torch.mm, left, right
        yield torch.mm, left.t().contiguous().t(), right
        yield torch.mm, left, right.t().contiguous().t()
        yield _added, left, right


def _added(left: Tensor, right: Tensor) -> Tensor:
    return left.new_zeros(left.shape[0], right.shape[1]).addmm_(left, right)


def _error(multiply: Callable[[Tensor, Tensor], Tensor], left: Tensor, right: Tensor) -> float:
    exact = left.double() @ right.double()
    return float((multiply(left, right) - exact).abs().max() / exact.abs().max())


def _least_time(multiply: Callable[[Tensor, Tensor], Tensor], left: Tensor, right: Tensor) -> float:
    multiply(left, right)
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        multiply(left, right)
        times.append(time.perf_counter() - began)
    return min(times)


def _record() -> Path | None:
    """The file of the choice, beside the compiled functions of the network; None where nothing can be kept."""
    folder = cache_folder(Path(__file__).parent.parent / "model" / "fused")
    kind = "".join(letter if letter.isalnum() else "-" for letter in f"{processor()}-torch-{version('torch')}")
    return folder / f"products-{kind}" if folder else None


def _keep(way: str) -> str:
    """Write the choice down for later processes, unless another one did; returns what is written."""
    path = _record()
    if path is not None:
        temporary = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            temporary.write_text(way + "\n", encoding="utf-8")
            _create(path, temporary)  # the first one to measure decides
        except FileExistsError:
            if (known := known_way()) is None:  # a damaged record
                os.replace(temporary, path)
            way = known or way
        except OSError:
            way = known_way() or way
        finally:
            temporary.unlink(missing_ok=True)
    return way


def _create(path: Path, complete: Path) -> None:
    """Give a complete file the name `path`; raises FileExistsError if another file has it."""
    try:
        os.link(complete, path)
    except FileExistsError:
        raise
    except OSError:  # the file system has no hard links
        with open(path, "x", encoding="utf-8") as out:
            out.write(complete.read_text(encoding="utf-8"))
