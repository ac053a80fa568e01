"""Numba for the kernels: loaded without what they do not need, with a cache of their forms.

Numba asks SciPy for its version as it loads, and for its BLAS where its array functions load; it
looks for a place to keep the compiled form of every kernel, whether or not Python calls it; and it
fills the compiler's tables before it reads a compiled form from disk.  Without these a command
that has to load it takes three quarters of the time.  Where a kernel is compiled, the compiler does
as ever.

This takes parts of Numba that are not public.  Where a version of it has them no more, kernels are
those of plain `numba.njit`, compiled in every process.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from types import ModuleType
from typing import Any

from campanula.stages.kernels import kernel_cache
from campanula.stages.kernels.native.kinds import Kind, kinds_of_types
from campanula.stages.kernels.native.making import form_of
from campanula.stages.kernels.place import Place, place_of


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

NEEDED = {
    "numba.core.caching": ("CompileResultCacheImpl", "FunctionCache", "IndexDataCacheFile"),
    "numba.core.runtime.nrt": ("rtsys",),
}
"""Parts of Numba that are not public, by module."""


def _parts() -> dict[str, Any] | None:
    """Return the parts of Numba that are not public; None when one is missing."""
    parts: dict[str, Any] = {}
    try:
        for name, attributes in NEEDED.items():
            module: ModuleType = importlib.import_module(name)
            parts |= {attribute: getattr(module, attribute) for attribute in attributes}
        for method in ("_load_overload", "_save_overload", "_index_key"):
            getattr(parts["FunctionCache"], method)
        getattr(parts["rtsys"], "initialize")  # noqa: B009
    except (ImportError, AttributeError):
        return None
    return parts


PARTS = _parts()


def _forms(kernel: Callable[..., Any], place: Place) -> Any:
    """Return numba's FunctionCache of a kernel, at a place of ours whatever Numba's settings."""
    assert PARTS is not None
    keeper = PARTS["CompileResultCacheImpl"]
    maker = keeper.__new__(keeper)
    maker._locator, maker._lineno = place, kernel.__code__.co_firstlineno
    forms = PARTS["FunctionCache"].__new__(PARTS["FunctionCache"])
    forms._name, forms._py_func, forms._impl = repr(kernel), kernel, maker
    forms._cache_path = place.folder
    forms._cache_file = PARTS["IndexDataCacheFile"](place.folder, place.file, place.stamp)
    forms.enable()
    return forms


class KernelCache:
    """Compiled forms of a kernel on disk, as numba's FunctionCache, for those that are asked for.

    A form that is read from disk needs Numba's runtime, but not the tables of its compiler.
    """

    def __init__(self, kernel: Callable[..., Any]) -> None:
        self._kernel = kernel

    @property
    def cache_path(self) -> str | None:
        """Folder of the forms."""
        return kernel_cache.folder()

    @cached_property
    def _place(self) -> Place | None:
        return place_of(self._kernel)

    @cached_property
    def _forms(self) -> Any:
        return None if self._place is None else _forms(self._kernel, self._place)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled form for a signature; None if there is none yet.  One thread at a time."""
        form = None
        place = self._place
        if place is not None and PARTS is not None:
            with _without_scipy():
                PARTS["rtsys"].initialize(target_context)
                try:
                    form = self._read(place, sig, target_context)
                except Exception as error:  # whatever a damaged file makes Numba raise
                    self._forget(place, error)
        if form is None and place is not None:
            kernel_cache.announce()
        return form

    def _read(self, place: Place, sig: Any, target_context: Any) -> Any:
        """The form on disk, if there is one; raises whatever Numba does where it cannot be read."""
        with kernel_cache.locked(place.around, shared=True):
            if not kernel_cache.whole(place.folder, place.file):
                raise ValueError("the checksum does not fit")
            return self._forms._load_overload(sig, target_context)

    def _forget(self, place: Place, error: Exception) -> None:
        """Remove the forms of the kernel, one of which cannot be loaded; they are made again."""
        kernel_cache.say(f"{place.folder}: a damaged kernel is made again ({error})")
        with suppress(OSError), kernel_cache.locked(place.around):
            kernel_cache.remove(place.folder, place.file)

    def save_overload(self, sig: Any, form: Any) -> None:
        """Keep the compiled form for a signature; a disk that is full keeps none."""
        place = self._place
        if place is None:
            return
        with suppress(OSError, EOFError), kernel_cache.locked(place.around):
            if not kernel_cache.whole(place.folder, place.file):
                kernel_cache.remove(place.folder, place.file)
            self._forms.save_overload(sig, form)
            kernel_cache.seal(place.folder, place.file)

    def payload(self, sig: Any, target_context: Any) -> Any:
        """What Numba keeps of the compiled form for a signature; None where it keeps none."""
        place = self._place
        if place is None:
            return None
        with kernel_cache.locked(place.around, shared=True):
            key = self._forms._index_key(sig, target_context.codegen())
            return self._forms._cache_file.load(key)


def dispatcher(kernel: Callable[..., Any], cache: bool, options: dict[str, Any]) -> Any:
    """The kernel as Numba's own, which compiles it when it is called."""
    if PARTS is None:
        options = {name: option for name, option in options.items() if not name.startswith("_")}
    made: Any = numba.njit(**options)(kernel)
    if PARTS is not None and cache and hasattr(made, "_cache"):
        made._cache = KernelCache(kernel)
    return made


# What says that this Numba keeps its forms in another way, or that one needs the whole of it.
OTHERWISE = (
    AttributeError,
    LookupError,
    OSError,
    RuntimeError,
    StopIteration,
    TypeError,
    ValueError,
)


def keep(made: Any, place: Place, kinds: tuple[Kind, ...]) -> bool:
    """Keep the form that a dispatcher has for some kinds of arguments; whether it is kept."""
    if not isinstance(made._cache, KernelCache):
        return False
    try:
        signature = next(one for one in made.overloads if kinds_of_types(one) == kinds)
        payload = made._cache.payload(signature, made.targetctx)
        place.save(form_of(payload, kinds, place.stamp))
    except OTHERWISE:
        return False
    return True
