"""`njit` for the kernels: machine code from disk, and from Numba where the disk has none yet.

A call with kinds of arguments that the disk has code for runs that code without Numba: loading
Numba takes three times as long as a short command.  Any other call goes to Numba, which compiles
the kernel or finds it in its own cache; its machine code is then written to disk for the next
process.  Both ways run the same machine code.  CAMPANULA_KERNELS=numba leaves all calls to Numba.
"""

from __future__ import annotations

import functools
import importlib
import os
import sys
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from campanula.stages.kernels.native.kinds import Kind, kinds_of
from campanula.stages.kernels.place import place_of

Function = TypeVar("Function", bound=Callable[..., Any])

# Options of kernels that allocate nothing, so that no array need be counted: counting references
# at every call of a small function took four fifths of the time.
LEAN: Any = {"cache": True, "nogil": True, "_nrt": False}

_lock = threading.RLock()


def refused(*arguments: Any, **options: Any) -> Any:
    """Return itself: the result of machine code that does not take its arguments."""
    return refused


class Kernel:
    """A kernel that Python and other kernels call.

    `__call__` is a slot that holds a function, so that a call reaches that function at once: first
    `_first`, later machine code.  Machine code that does not take the arguments of a call passes
    the call to the function that the slot held before.
    """

    __slots__ = ("__call__", "__dict__", "__weakref__")

    def __init__(self, function: Callable[..., Any], cache: bool, options: dict[str, Any]) -> None:
        functools.update_wrapper(self, function)
        self._function = function
        self._cache = cache
        self._options = options
        self._loaded: dict[tuple[Kind, ...], Callable[..., Any]] = {}
        self._dispatcher: Any = None
        self.__call__ = self._first

    def __reduce__(self) -> str:
        # by its name, as Python's own functions are sent to other processes
        return self._function.__qualname__

    @property
    def dispatcher(self) -> Any:
        """Numba's dispatcher of the kernel; the first use loads Numba."""
        if self._dispatcher is None:
            from campanula.stages.kernels.numba_cache import dispatcher

            with _lock:
                if self._dispatcher is None:
                    self._dispatcher = dispatcher(self._function, self._cache, self._options)
        return self._dispatcher

    @property
    def _numba_type_(self) -> Any:
        """Type of the kernel in others that call it, as Numba asks for it."""
        return self.dispatcher._numba_type_

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the dispatcher, such as `py_func` or `signatures`."""
        # copying and pickling ask for names that may not exist; these must not load Numba
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.dispatcher, name)

    def _first(self, *arguments: Any, **options: Any) -> Any:
        """Run a call that no loaded machine code takes: load the code, or let Numba run it."""
        kinds = None if options or not self._cache or by_numba() else kinds_of(arguments)
        if kinds is None:
            return self._with_numba(*arguments, **options)
        with _lock:
            # another thread may have loaded the form while this one waited for the lock
            if kinds not in self._loaded:
                self._load(kinds)
        form = self._loaded.get(kinds)
        result = refused if form is None else form(*arguments)
        if result is not refused:
            return result
        result = self.dispatcher(*arguments)
        # a form that refused one call is good for others of these kinds, and stays as it is
        if form is None:
            self._keep(kinds)
        return result

    def _with_numba(self, *arguments: Any, **options: Any) -> Any:
        """Leave this call and all later ones to Numba."""
        self.__call__ = self.dispatcher
        return self.dispatcher(*arguments, **options)

    def _load(self, kinds: tuple[Kind, ...]) -> None:
        """Load the form for some kinds of arguments if it is on disk; the caller has the lock."""
        place = place_of(self._function)
        form = None if place is None else place.load(kinds)
        if form is not None:
            self._loaded[kinds] = form.before(refused)
            # the newest form is asked first: calls of one kind mostly follow each other
            self.__call__ = form.before(self.__call__)

    def _keep(self, kinds: tuple[Kind, ...]) -> None:
        """Write Numba's machine code to disk and load it; if that fails, use Numba from now on."""
        from campanula.stages.kernels.numba_cache import keep

        place = place_of(self._function)
        kept = place is not None and keep(self.dispatcher, place, kinds)
        with _lock:
            if kept and kinds not in self._loaded:
                self._load(kinds)
            if kinds not in self._loaded:
                self.__call__ = self.dispatcher


@functools.cache
def by_numba() -> bool:
    """Whether CAMPANULA_KERNELS leaves all calls to Numba."""
    return os.environ.get("CAMPANULA_KERNELS") == "numba"


def interpreted() -> bool:
    """Whether Python runs the kernels uncompiled, as NUMBA_DISABLE_JIT asks."""
    # a program may have set Numba's own switch after Numba read the environment
    config: Any = getattr(sys.modules.get("numba"), "config", None)
    if hasattr(config, "DISABLE_JIT"):  # else another thread may be loading it just now
        return bool(config.DISABLE_JIT)
    try:
        return bool(int(os.environ.get("NUMBA_DISABLE_JIT") or 0))
    except ValueError:
        return False


def njit(*, cache: bool, **options: Any) -> Callable[[Function], Function]:
    """Return a decorator that compiles a kernel at its first call; options are numba.njit's."""

    def compiled(kernel: Function) -> Function:
        return kernel if interpreted() else Kernel(kernel, cache, options)  # type: ignore[return-value]

    return compiled


class Intrinsic:
    """A function that is LLVM code within kernels, and plain Python when Python calls it."""

    __slots__ = ("__call__", "_registered", "_typed")

    def __init__(self, typed: Callable[..., Any], plain: Callable[..., Any]) -> None:
        self.__call__ = plain
        self._typed = typed
        self._registered: Any = None

    @property
    def _numba_type_(self) -> Any:
        """Type of the function in kernels that call it, as Numba asks for it."""
        from numba.core.extending import intrinsic as numba_intrinsic
        from numba.core.registry import cpu_target

        context: Any = cpu_target.typing_context
        with _lock:
            if self._registered is None:
                self._registered = numba_intrinsic(self._typed)
                # the compiler that is asking read the registry before this intrinsic was in it
                context.refresh()
        return context.resolve_value_type(self._registered)


def intrinsic(typed: Callable[..., Any], plain: Function) -> Function:
    """Return a function that kernels may call: `typed`, which Numba's `intrinsic` takes, as code.

    Where Python runs the kernels, the function is `plain`, which computes the same.
    """
    return plain if interpreted() else Intrinsic(typed, plain)  # type: ignore[return-value]


def _prefetch(typing: Any, array: Any, place: Any) -> Any:
    """Type and code of LLVM's prefetch of an array's entry, for reading, into all caches."""
    from llvmlite import ir

    core: Any = importlib.import_module("numba.core")
    cgutils, types = core.cgutils, core.types

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = signature.args[0]
        entries = context.make_array(kind)(context, builder, arguments[0])
        at = cgutils.get_item_pointer(context, builder, kind, entries, [arguments[1]])
        whole = ir.IntType(32)
        byte = ir.IntType(8).as_pointer()
        form = ir.FunctionType(ir.VoidType(), [byte, whole, whole, whole])
        prefetch = cgutils.get_or_insert_function(builder.module, form, "llvm.prefetch.p0i8")
        reading, everywhere, data = whole(0), whole(3), whole(1)
        builder.call(prefetch, [builder.bitcast(at, byte), reading, everywhere, data])
        return context.get_dummy_value()

    return types.void(array, place), code


def _no_prefetch(array: Any, place: Any) -> None:
    """Do nothing: a prefetch changes no result, and interpreted code would not gain by it."""


prefetch = intrinsic(_prefetch, _no_prefetch)
"""prefetch(array, place) in a kernel: start loading the entry into the cache.

The place may be outside the array: a prefetch never faults.
"""
