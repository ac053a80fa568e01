"""`njit` of Numba for the kernels, with as little of Numba as running a compiled kernel needs.

Numba asks SciPy for its version as it loads, and for its BLAS where its array functions load; it
looks for a place to keep the compiled form of every kernel, whether or not Python calls it; and it
fills the compiler's tables before it reads a compiled form from disk.  Without these a short
command takes three quarters of the time.  Where a kernel is compiled, the compiler does as ever.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any, TypeVar

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


@contextmanager
def _without_scipy() -> Iterator[None]:
    """Keep Numba from loading SciPy, which no kernel uses; others load it as ever."""
    if "scipy" in sys.modules:
        yield
        return
    sys.modules["scipy"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules["scipy"]


with _without_scipy():
    importlib.import_module("numba")

import numba  # noqa: E402
from numba.core.caching import FunctionCache  # noqa: E402
from numba.core.runtime.nrt import rtsys  # noqa: E402

# Options of kernels that allocate nothing, so that no array need be counted: counting references
# at every call of a small function took four fifths of the time.
LEAN: Any = {"cache": True, "nogil": True, "_nrt": False}


class KernelCache:
    """Compiled forms of a kernel on disk, as numba's FunctionCache, for those that are asked for.

    A form that is read from disk needs Numba's runtime, but not the tables of its compiler.
    """

    def __init__(self, kernel: Callable[..., Any]) -> None:
        self._kernel = kernel

    @cached_property
    def _forms(self) -> Any:
        return FunctionCache(self._kernel)  # type: ignore[no-untyped-call]

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled form for a signature; None if there is none yet.  One thread at a time."""
        with _without_scipy():
            rtsys.initialize(target_context)
            return self._forms._load_overload(sig, target_context)

    def save_overload(self, sig: Any, form: Any) -> None:
        """Keep the compiled form for a signature."""
        self._forms.save_overload(sig, form)


def njit(*, cache: bool, **options: Any) -> Callable[[Kernel], Kernel]:
    """Decorator that compiles a kernel at its first call, with the options of numba.njit."""

    def compiled(kernel: Kernel) -> Kernel:
        dispatcher: Any = numba.njit(**options)(kernel)
        if cache and dispatcher is not kernel:  # they are the same where the JIT is disabled
            dispatcher._cache = KernelCache(kernel)
        return dispatcher  # type: ignore[no-any-return]

    return compiled
