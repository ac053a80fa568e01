"""`njit` for the kernels: machine code that is kept on disk, and Numba where there is none yet.

A call with arguments of kinds that were met before runs what is kept, without Numba: loading that
takes three times as long as a short command.  A call with others goes to Numba, which compiles the
kernel or finds it in its own cache, and what it runs is kept for the next process.  It is the same
machine code both ways.  CAMPANULA_KERNELS=numba leaves all to Numba.
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
    """What machine code calls that does not take its arguments."""
    return refused


class Kernel:
    """A kernel, as it is called from Python and from other kernels.

    `__call__` is a function itself, so that a call goes there at once: at first `_first`, then
    machine code, which leaves what it does not take to the one before it.
    """

    __slots__ = ("__call__", "__dict__", "__weakref__")

    def __init__(self, function: Callable[..., Any], cache: bool, options: dict[str, Any]) -> None:
        functools.update_wrapper(self, function)
        self._function = function
        self._cache = cache
        self._options = options
        self._taken: dict[tuple[Kind, ...], Callable[..., Any]] = {}
        self._dispatcher: Any = None
        self.__call__ = self._first

    def __reduce__(self) -> str:
        return self._function.__qualname__

    @property
    def dispatcher(self) -> Any:
        """The kernel as Numba has it, which is loaded for it."""
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
        """What else Numba knows about the kernel."""
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.dispatcher, name)

    def _first(self, *arguments: Any, **options: Any) -> Any:
        """Call with arguments that no machine code here has taken yet."""
        kinds = None if options or not self._cache or by_numba() else kinds_of(arguments)
        if kinds is None:
            return self._with_numba(*arguments, **options)
        with _lock:
            if kinds not in self._taken:
                self._take(kinds)
        form = self._taken.get(kinds)
        result = refused if form is None else form(*arguments)
        if result is not refused:
            return result
        result = self.dispatcher(*arguments)
        if form is None:
            self._keep(kinds)
        return result

    def _with_numba(self, *arguments: Any, **options: Any) -> Any:
        """Leave this call to Numba, and all that follow."""
        self.__call__ = self.dispatcher
        return self.dispatcher(*arguments, **options)

    def _take(self, kinds: tuple[Kind, ...]) -> None:
        """Load the form for some kinds, if it is kept; under the lock."""
        place = place_of(self._function)
        form = None if place is None else place.load(kinds)
        if form is not None:
            self._taken[kinds] = form.before(refused)
            self.__call__ = form.before(self.__call__)

    def _keep(self, kinds: tuple[Kind, ...]) -> None:
        """Keep what Numba has run, and run it from there; else leave the kernel to Numba."""
        from campanula.stages.kernels.numba_cache import keep

        place = place_of(self._function)
        kept = place is not None and keep(self.dispatcher, place, kinds)
        with _lock:
            if kept and kinds not in self._taken:
                self._take(kinds)
            if kinds not in self._taken:
                self.__call__ = self.dispatcher


@functools.cache
def by_numba() -> bool:
    """Whether all is left to Numba."""
    return os.environ.get("CAMPANULA_KERNELS") == "numba"


def interpreted() -> bool:
    """Whether Python runs the kernels, as Numba's own setting asks."""
    config: Any = getattr(sys.modules.get("numba"), "config", None)
    if hasattr(config, "DISABLE_JIT"):  # else another thread may be loading it just now
        return bool(config.DISABLE_JIT)
    try:
        return bool(int(os.environ.get("NUMBA_DISABLE_JIT") or 0))
    except ValueError:
        return False


def njit(*, cache: bool, **options: Any) -> Callable[[Function], Function]:
    """Decorator that compiles a kernel at its first call, with the options of numba.njit."""

    def compiled(kernel: Function) -> Function:
        return kernel if interpreted() else Kernel(kernel, cache, options)  # type: ignore[return-value]

    return compiled


class Intrinsic:
    """A function of kernels in LLVM's own terms; called from Python it is the plain one."""

    __slots__ = ("__call__", "_made", "_typed")

    def __init__(self, typed: Callable[..., Any], plain: Callable[..., Any]) -> None:
        self.__call__ = plain
        self._typed = typed
        self._made: Any = None

    @property
    def _numba_type_(self) -> Any:
        """Type of the function in kernels that call it, as Numba asks for it."""
        from numba.core.extending import intrinsic as made
        from numba.core.registry import cpu_target

        context: Any = cpu_target.typing_context
        with _lock:
            if self._made is None:
                self._made = made(self._typed)
                context.refresh()
        return context.resolve_value_type(self._made)


def intrinsic(typed: Callable[..., Any], plain: Function) -> Function:
    """A function of kernels in LLVM's own terms, `typed` as Numba's `intrinsic` takes it.

    Where Python runs the kernels it is `plain`, which does the same.
    """
    return plain if interpreted() else Intrinsic(typed, plain)  # type: ignore[return-value]


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


def _no_prefetch(array: Any, place: Any) -> None:
    """Python has no caches to fill."""


prefetch = intrinsic(_have_come, _no_prefetch)
"""prefetch(array, place) in a kernel: the entry, which need not exist, is soon in the cache."""
