"""`njit` of Numba for the kernels, with as little of Numba as running a compiled kernel needs.

Numba asks SciPy for its version as it loads, and for its BLAS where its array functions load; it
looks for a place to keep the compiled form of every kernel, whether or not Python calls it; and it
fills the compiler's tables before it reads a compiled form from disk.  Without these a short
command takes three quarters of the time.  Where a kernel is compiled, the compiler does as ever.

This takes parts of Numba that are not public.  Where a version of it has them no more, kernels are
those of plain `numba.njit`, compiled in every process.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from types import ModuleType
from typing import Any, TypeVar

from campanula.stages.kernels import kernel_cache

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

# Options of kernels that allocate nothing, so that no array need be counted: counting references
# at every call of a small function took four fifths of the time.
LEAN: Any = {"cache": True, "nogil": True, "_nrt": False}


def _have_come(typing: Any, array: Any, place: Any) -> Any:
    """LLVM's prefetch of an array's entry, for reading, into all caches."""
    from llvmlite import ir

    core: Any = importlib.import_module("numba.core")
    cgutils, types = core.cgutils, core.types

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = signature.args[0]
        entries = context.make_array(kind)(context, builder, arguments[0])
        at = cgutils.get_item_pointer(context, builder, kind, entries, [arguments[1]])
        whole, byte = ir.IntType(32), ir.IntType(8).as_pointer()
        form = ir.FunctionType(ir.VoidType(), [byte, whole, whole, whole])
        prefetch = cgutils.get_or_insert_function(builder.module, form, "llvm.prefetch.p0i8")
        reading, everywhere, data = whole(0), whole(3), whole(1)
        builder.call(prefetch, [builder.bitcast(at, byte), reading, everywhere, data])
        return context.get_dummy_value()

    return types.void(array, place), code


def intrinsic(typed: Callable[..., Any], plain: Kernel) -> Kernel:
    """A function of kernels in LLVM's own terms, `typed` as Numba's `intrinsic` takes it.

    Where Python runs the kernels it is `plain`, which does the same.
    """
    config: Any = numba.config
    if config.DISABLE_JIT:
        return plain
    extending: Any = importlib.import_module("numba.core.extending")
    return extending.intrinsic(typed)  # type: ignore[no-any-return]


def _no_prefetch(array: Any, place: Any) -> None:
    """Python has no caches to fill."""


prefetch = intrinsic(_have_come, _no_prefetch)
"""prefetch(array, place) in a kernel: the entry, which need not exist, is soon in the cache."""


class _Place:
    """Where the forms of one kernel are, as numba's caches ask for it."""

    def __init__(self, kernel: Callable[..., Any], folder: str) -> None:
        code = kernel.__code__
        self.around = folder
        self.folder = os.path.join(folder, kernel.__module__.replace(os.sep, "_"))
        self.file = f"{kernel.__qualname__}-{code.co_firstlineno}".replace(os.sep, "_")
        self.stamp = b""
        self._py_file = code.co_filename  # named so by Numba, which warns of what it cannot keep
        if not kernel.__module__.startswith("campanula."):  # a kernel of the user's own
            status = os.stat(code.co_filename)
            self.stamp = f"{code.co_filename} {status.st_mtime_ns} {status.st_size}".encode()

    def ensure_cache_path(self) -> None:
        """Make the folder."""
        os.makedirs(self.folder, kernel_cache.PRIVATE, exist_ok=True)


def _forms(kernel: Callable[..., Any], place: _Place) -> Any:
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
    def _place(self) -> _Place | None:
        folder = kernel_cache.folder()
        if folder is None:
            return None
        try:
            return _Place(self._kernel, folder)
        except OSError:  # a kernel of a notebook has no file that would tell when it is another
            return None

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

    def _read(self, place: _Place, sig: Any, target_context: Any) -> Any:
        """The form on disk, if there is one; raises whatever Numba does where it cannot be read."""
        with kernel_cache.locked(place.around, shared=True):
            if not kernel_cache.whole(place.folder, place.file):
                raise ValueError("the checksum does not fit")
            return self._forms._load_overload(sig, target_context)

    def _forget(self, place: _Place, error: Exception) -> None:
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


def njit(*, cache: bool, **options: Any) -> Callable[[Kernel], Kernel]:
    """Decorator that compiles a kernel at its first call, with the options of numba.njit."""
    if PARTS is None:
        options = {name: option for name, option in options.items() if not name.startswith("_")}

    def compiled(kernel: Kernel) -> Kernel:
        dispatcher: Any = numba.njit(**options)(kernel)
        if PARTS is not None and cache and hasattr(dispatcher, "_cache"):
            dispatcher._cache = KernelCache(kernel)
        return dispatcher  # type: ignore[no-any-return]

    return compiled
