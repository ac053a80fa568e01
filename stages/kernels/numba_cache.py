"""Numba for the kernels: loaded without the parts that no kernel needs, with our own cache.

Loading Numba imports SciPy for its version, and its array functions import SciPy's BLAS; Numba
looks for a cache folder for every kernel, whether or not Python calls it; and it fills the
compiler's tables before it reads a compiled form from disk.  Without these steps a command that
has to load Numba takes three quarters of the time.  Compiling itself is unchanged.

This uses parts of Numba that are not public.  With a version of Numba that lacks them, kernels are
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
    """Keep Numba from importing SciPy, which no kernel uses; later imports elsewhere work."""
    if "scipy" in sys.modules:
        yield
        return
    # Python raises ImportError for a module that is None here, and Numba does without
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
    """Return numba's FunctionCache of a kernel in our folder, whatever Numba's settings are."""
    assert PARTS is not None
    # __new__ alone: both constructors would choose a folder by Numba's settings
    keeper = PARTS["CompileResultCacheImpl"]
    maker = keeper.__new__(keeper)
    maker._locator = place
    maker._lineno = kernel.__code__.co_firstlineno
    forms = PARTS["FunctionCache"].__new__(PARTS["FunctionCache"])
    forms._name = repr(kernel)
    forms._py_func = kernel
    forms._impl = maker
    forms._cache_path = place.folder
    forms._cache_file = PARTS["IndexDataCacheFile"](place.folder, place.file, place.stamp)
    forms.enable()
    return forms


class KernelCache:
    """Compiled forms of a kernel on disk, with the methods of numba's FunctionCache.

    A form that is read from disk needs Numba's runtime, but not the tables of its compiler.
    """

    def __init__(self, kernel: Callable[..., Any]) -> None:
        self._kernel = kernel

    @property
    def cache_path(self) -> str | None:
        """Folder of all kernels' forms; None if it cannot be trusted."""
        return kernel_cache.folder()

    @cached_property
    def _place(self) -> Place | None:
        return place_of(self._kernel)

    @cached_property
    def _forms(self) -> Any:
        return None if self._place is None else _forms(self._kernel, self._place)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled form for a signature; None if there is none yet.

        One thread at a time may call this.
        """
        form = None
        place = self._place
        if place is not None and PARTS is not None:
            with _without_scipy():
                # a form that is loaded links against the runtime, so the runtime comes first
                PARTS["rtsys"].initialize(target_context)
                try:
                    form = self._read(place, sig, target_context)
                except Exception as error:  # whatever a damaged file makes Numba raise
                    self._forget(place, error)
        if form is None and place is not None:
            kernel_cache.announce()
        return form

    def _read(self, place: Place, sig: Any, target_context: Any) -> Any:
        """Return the form on disk, None if there is none; raise any error of Numba's reading it."""
        with kernel_cache.locked(place.around, shared=True):
            if not kernel_cache.whole(place.folder, place.file):
                raise ValueError("the checksum does not fit")
            return self._forms._load_overload(sig, target_context)

    def _forget(self, place: Place, error: Exception) -> None:
        """Remove the kernel's forms, one of which cannot be loaded; they are compiled again."""
        kernel_cache.say(f"{place.folder}: a damaged kernel is made again ({error})")
        with suppress(OSError), kernel_cache.locked(place.around):
            kernel_cache.remove(place.folder, place.file)

    def save_overload(self, sig: Any, form: Any) -> None:
        """Write the compiled form for a signature to disk; an error of the disk is ignored."""
        place = self._place
        if place is None:
            return
        with suppress(OSError, EOFError), kernel_cache.locked(place.around):
            if not kernel_cache.whole(place.folder, place.file):
                kernel_cache.remove(place.folder, place.file)
            self._forms.save_overload(sig, form)
            kernel_cache.seal(place.folder, place.file)

    def payload(self, sig: Any, target_context: Any) -> Any:
        """Return Numba's file entry of the compiled form for a signature; None if there is none."""
        place = self._place
        if place is None:
            return None
        with kernel_cache.locked(place.around, shared=True):
            key = self._forms._index_key(sig, target_context.codegen())
            return self._forms._cache_file.load(key)


def dispatcher(kernel: Callable[..., Any], cache: bool, options: dict[str, Any]) -> Any:
    """Return Numba's dispatcher of a kernel, which compiles the kernel when it is called."""
    if PARTS is None:
        # `_nrt` and the like may not exist in a version of Numba that lacks the other parts
        options = {name: option for name, option in options.items() if not name.startswith("_")}
    jitted: Any = numba.njit(**options)(kernel)
    if PARTS is not None and cache and hasattr(jitted, "_cache"):
        jitted._cache = KernelCache(kernel)
    return jitted


# Errors that mean that this Numba keeps its forms in another way, or that a form needs Numba.
NOT_KEPT = (
    AttributeError,
    LookupError,
    OSError,
    RuntimeError,
    StopIteration,
    TypeError,
    ValueError,
)


def keep(jitted: Any, place: Place, kinds: tuple[Kind, ...]) -> bool:
    """Write a dispatcher's form for some kinds of arguments to disk; return whether it worked."""
    if not isinstance(jitted._cache, KernelCache):
        return False
    try:
        signature = next(types for types in jitted.overloads if kinds_of_types(types) == kinds)
        payload = jitted._cache.payload(signature, jitted.targetctx)
        place.save(form_of(payload, kinds, place.stamp))
    except NOT_KEPT:
        return False
    return True
