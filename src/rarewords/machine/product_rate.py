"""How fast a device computes large matrix products: the limit with which training is compared."""

from __future__ import annotations

import time
from collections.abc import Callable

import torch

from rarewords.machine.product_ways import WAYS, is_exact, use_way, way_in_use


def product_rate(seconds: float = 1.0, side: int = 1024) -> float:
    """Floating-point operations per CPU second of float32 products of two side×side matrices."""
    return _rate(torch.device("cpu"), side, seconds, time.process_time)


def rates_of_ways(seconds: float = 0.5) -> dict[str, float]:
    """The same of every way to multiply on a CPU, by what it is called in a table."""
    before, rates = way_in_use(), {}
    for way in WAYS:
        use_way(way)
        name = f"float32 by {way}" if is_exact(way) else f"float32 by {way}, which rounds here"
        rates[name] = product_rate(seconds)
    use_way(before)
    rates["bfloat16"] = _rate(torch.device("cpu"), 1024, seconds, time.process_time, torch.bfloat16)
    return rates


def device_product_rate(device: torch.device, seconds: float = 1.0, side: int = 8192) -> float:
    """The same per second on a GPU, at the precision that torch is set to; it is warm after the first products."""
    _rate(device, side, seconds / 4, time.perf_counter)
    return _rate(device, side, seconds, time.perf_counter)


def _rate(
    device: torch.device, side: int, seconds: float, clock: Callable[[], float], dtype: torch.dtype = torch.float32
) -> float:
    left, right, out = (torch.randn(side, side, device=device).to(dtype) for _ in range(3))
    torch.mm(left, right, out=out)
    wait_for(device)
    began, products = clock(), 0
    while clock() - began < seconds:
        torch.mm(left, right, out=out)
        wait_for(device)
        products += 1
    return products * 2 * side**3 / (clock() - began)


def wait_for(device: torch.device) -> None:
    """Until a GPU has done all that it was given; the CPU computes at once."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)
