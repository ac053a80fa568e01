"""`njit` of Numba for the kernels, loaded without the linear algebra that none of them uses.

Numba's array functions look for scipy.linalg's BLAS as they load; leaving it out saves a fifth of
a short command's time.  Others load scipy.linalg as ever.
"""

from __future__ import annotations

import importlib
import sys


def _load_numba() -> None:
    if "scipy.linalg" in sys.modules:
        return
    sys.modules["scipy.linalg"] = None  # type: ignore[assignment]
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        del sys.modules["scipy.linalg"]


_load_numba()

from numba import njit  # noqa: E402

__all__ = ["njit"]
