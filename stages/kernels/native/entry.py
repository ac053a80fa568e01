"""Machine code between Python and a kernel: it calls the kernel if the arguments fit its kinds.

    entry(next, arguments, keywords):
        arguments are of the kinds, and keywords none:   kernel(next, arguments, keywords)
        otherwise:                                       next(*arguments, **keywords)

Numba tests arguments in the same way, but its tables of types need the whole of Numba.  The layout
of Python's and NumPy's objects is that of their stable interfaces.
"""

from __future__ import annotations

import sysconfig
from typing import Any

import numpy as np

from campanula.stages.kernels.native import Unsupported
from campanula.stages.kernels.native.code import Code
from campanula.stages.kernels.native.form import ENTRY
from campanula.stages.kernels.native.kinds import Array, Kind, Number

# Bytes from the start of a PyObject, a PyTupleObject, a PyArrayObject, a PyArray_Descr.
TYPE = 8
TUPLE_SIZE, TUPLE_ITEMS = 16, 24
ARRAY_NDIM, ARRAY_DESCR, ARRAY_FLAGS = 24, 56, 64
DESCR_BYTEORDER, DESCR_NUMBER = 26, 28

C_ORDER, FORTRAN_ORDER, ALIGNED, WRITABLE = 0x1, 0x2, 0x100, 0x400
LAYOUTS = {
    "C": (C_ORDER, C_ORDER),
    "F": (C_ORDER | FORTRAN_ORDER, FORTRAN_ORDER),
    "A": (C_ORDER | FORTRAN_ORDER, 0),
}
"""By layout: the flags of an array that decide it, and which of these are set.

An array of one dimension may have both flags, and is C, as in Numba.
"""

PYTHON = {"int64": "builtins:int", "float64": "builtins:float", "bool": "builtins:bool"}
CODES = "?bBhHiIlLqQfd"  # of all NumPy types that a kernel may take


class EntryCode(Code):
    """The code of an entry: tests of the arguments, which may jump to the next callable."""

    def __init__(self, kernel: str, kinds: tuple[Kind, ...]) -> None:
        super().__init__(ENTRY)
        following, arguments, keywords = self.function(ENTRY, [self.word] * 3)
        self.other = self.block()
        # Python passes a null pointer where a call has no keywords
        self.require_equal(keywords, 0, self.other)
        self._require_items(arguments, kinds)
        self.builder.ret(self.call(kernel, [following, arguments, keywords]))
        self.builder.position_at_end(self.other)
        self.builder.ret(self.call("PyObject_Call", [following, arguments, keywords]))

    def _require_items(self, value: Any, kinds: tuple[Kind, ...]) -> None:
        """Leave the call to the next callable unless a tuple's items are of these kinds."""
        self.require_equal(self.load(value, TUPLE_SIZE), len(kinds), self.other)
        for place, kind in enumerate(kinds):
            self._require_kind(self.load(value, TUPLE_ITEMS + 8 * place), kind)

    def _require_kind(self, value: Any, kind: Kind) -> None:
        if isinstance(kind, Array):
            self._require_array(value, kind)
        elif isinstance(kind, Number):
            places = [f"numpy:{np.dtype(kind.dtype).type.__name__}"]
            if kind.dtype in PYTHON:
                places.append(PYTHON[kind.dtype])
            self._require_type(value, *places)
        else:
            self._require_type(value, kind.place or "builtins:tuple")
            self._require_items(value, kind.items)

    def _require_type(self, value: Any, *places: str) -> None:
        """Leave the call to the next callable unless an object's type is one of these."""
        types = [self.object_at(place) for place in places]
        self.require_one_of(self.load(value, TYPE), types, self.other)

    def _require_array(self, value: Any, kind: Array) -> None:
        # a memory map has an array's layout; other subclasses may mean something else
        self._require_type(value, "numpy:ndarray", "numpy:memmap")
        self.require_equal(self.load(value, ARRAY_NDIM, 32), kind.ndim, self.other)
        mask, flags = LAYOUTS[kind.layout]
        flags |= ALIGNED | (WRITABLE if kind.writable else 0)
        all_flags = self.load(value, ARRAY_FLAGS, 32)
        tested = self.builder.and_(all_flags, all_flags.type(mask | ALIGNED | WRITABLE))
        self.require_equal(tested, flags, self.other)
        self._require_dtype(self.load(value, ARRAY_DESCR), np.dtype(kind.dtype))

    def _require_dtype(self, value: Any, dtype: np.dtype[Any]) -> None:
        """Leave the call to the next callable unless a dtype is this one, in native byte order."""
        number = self.load(value, DESCR_NUMBER, 32)
        # two of NumPy's types, l and q, are integers of 64 bits with numbers of their own
        same = [np.dtype(code).num for code in CODES if np.dtype(code) == dtype]
        self.require_one_of(number, [number.type(one) for one in same], self.other)
        order = self.load(value, DESCR_BYTEORDER, 8)
        native = [order.type(ord("=")), order.type(ord("|"))]
        self.require_one_of(order, native, self.other)


def entry_code(kernel: str, kinds: tuple[Kind, ...]) -> bytes:
    """Object file of the entry to `kernel`, the name of Numba's wrapper of a kernel.

    Raise Unsupported for a Python without a global lock, whose objects have another layout.
    """
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        raise Unsupported("objects of a Python without a global lock")
    return EntryCode(kernel, kinds).compiled()
