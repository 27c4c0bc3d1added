"""Compilation of number-crunching functions with numba, kept on disk where that is possible.

What is kept is renewed when the file of the function changes, but not when another one does that it uses. After a
change of compiled code, and above all after renaming one of its named tuples, delete the `__pycache__` folders.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function at its first call.

    The machine code is kept beside the source, or in the user's cache folder, for later runs. Where neither can be
    written, numba refuses to keep it; then every run compiles anew, which takes some seconds.
    """
    try:
        return numba.njit(cache=True)(function)  # type: ignore[no-any-return]
    except RuntimeError:
        return numba.njit(function)  # type: ignore[no-any-return]
