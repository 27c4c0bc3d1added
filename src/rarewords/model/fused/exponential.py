"""2^x, tanh and the sigmoid in a form that compilers turn into instructions for 8 or 16 numbers at once.

Only in compiled functions. float32: a power of two is the polynomial of degree 6 that interpolates 2^f at the Chebyshev
points of [-1/2, 1/2] (within 2.6e-9 of it), times a power made from the exponent's bits. With float32 rounding the
relative error of `power_of_two` is below 3e-7, the absolute error of `tanh` and `sigmoid` below 3e-7. float64: the
functions of the C library.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.extending import overload

LOWEST, HIGHEST, HALF = np.float32(-126), np.float32(127), np.float32(0.5)
UPPER, LOWEST_BIT, ROUND = np.uint32(16), np.uint32(1), np.uint32(0x7FFF)  # bfloat16 is the upper half of float32
ONE, TWO, MINUS_LOG2_E, TWICE_LOG2_E = (np.float32(x) for x in (1, 2, -1 / math.log(2), 2 / math.log(2)))
BIAS, MANTISSA = np.int32(127), np.int32(23)
C1, C2, C3 = np.float32(0.6931472067028329), np.float32(0.24022650922289554), np.float32(0.05550327226669895)
C4, C5, C6 = np.float32(0.00961805667843204), np.float32(0.0013400428177711937), np.float32(0.00015461444724808513)


def power_of_two(x: Any) -> Any:
    """2^x; below 2^-126 float32 stays there, and above 2^127, too. NaN stays NaN."""
    raise NotImplementedError("only in compiled functions")


def tanh(x: Any) -> Any:
    """The hyperbolic tangent, 1 - 2 / (1 + e^2x)."""
    raise NotImplementedError("only in compiled functions")


def sigmoid(x: Any) -> Any:
    """1 / (1 + e^-x)."""
    raise NotImplementedError("only in compiled functions")


def widened(x: Any) -> Any:
    """The number as it is computed with: of bfloat16, given by its bits, float32; others as they are."""
    raise NotImplementedError("only in compiled functions")


def narrowed(x: Any, like: Any) -> Any:
    """The number as it is kept beside `like`: the bits of bfloat16, rounded to the nearest, or as it is."""
    raise NotImplementedError("only in compiled functions")


@overload(widened, strict=False)
def _widened(x: types.Type) -> Callable[[Any], Any]:
    if x == types.uint16:
        return lambda x: np.uint32(np.uint32(x) << UPPER).view(np.float32)
    return lambda x: x


@overload(narrowed, strict=False)
def _narrowed(x: types.Type, like: types.Type) -> Callable[[Any, Any], Any]:
    if like != types.uint16:
        return lambda x, like: x

    def rounded(x: Any, like: Any) -> Any:
        bits = np.float32(x).view(np.uint32)
        return np.uint16(np.uint32(bits + ROUND + ((bits >> UPPER) & LOWEST_BIT)) >> UPPER)

    return rounded


@overload(power_of_two, strict=False)
def _power_of_two(x: types.Type) -> Callable[[Any], Any]:
    if x == types.float64:
        return lambda x: 2.0**x

    def polynomial(x: Any) -> Any:
        x = LOWEST if x < LOWEST else x  # so, and not with max, NaN passes
        x = HIGHEST if x > HIGHEST else x
        whole = np.floor(x + HALF)
        f = x - whole
        power = np.int32((np.int32(whole) + BIAS) << MANTISSA).view(np.float32)
        return ((((((C6 * f + C5) * f + C4) * f + C3) * f + C2) * f + C1) * f + ONE) * power

    return polynomial


@overload(tanh, strict=False)
def _tanh(x: types.Type) -> Callable[[Any], Any]:
    if x == types.float64:
        return lambda x: math.tanh(x)
    # np.divide does not look for a zero at every division
    return lambda x: ONE - np.divide(TWO, power_of_two(x * TWICE_LOG2_E) + ONE)


@overload(sigmoid, strict=False)
def _sigmoid(x: types.Type) -> Callable[[Any], Any]:
    if x == types.float64:
        return lambda x: np.divide(1.0, 1.0 + math.exp(-x))
    return lambda x: np.divide(ONE, power_of_two(x * MINUS_LOG2_E) + ONE)
