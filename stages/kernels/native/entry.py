"""Machine code between Python and a kernel: it takes the call when the arguments are of its kinds.

    entry(next, arguments, keywords):
        arguments are of the kinds, and keywords none:   kernel(next, arguments, keywords)
        otherwise:                                       next(*arguments, **keywords)

Numba looks at arguments in the same way; its tables of types need the whole of Numba, this none.
The layout of Python's and NumPy's objects is that of their stable interfaces.
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
"""Flags of an array that tell its layout, and which of them are set."""

PYTHON = {"int64": "builtins:int", "float64": "builtins:float", "bool": "builtins:bool"}
CODES = "?bBhHiIlLqQfd"  # of NumPy's types


class EntryCode(Code):
    """The code of an entry as it grows: each check goes on, or leaves to the next."""

    def __init__(self, kernel: str, kinds: tuple[Kind, ...]) -> None:
        super().__init__(ENTRY)
        following, arguments, keywords = self.function(ENTRY, [self.word] * 3)
        self.other = self.block()
        self.require_equal(keywords, 0, self.other)
        self._require_items(arguments, kinds)
        self.builder.ret(self.call(kernel, [following, arguments, keywords]))
        self.builder.position_at_end(self.other)
        self.builder.ret(self.call("PyObject_Call", [following, arguments, keywords]))

    def _require_items(self, value: Any, kinds: tuple[Kind, ...]) -> None:
        """Go on where the items of a tuple are of some kinds."""
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
            self._require_type(value, kind.of or "builtins:tuple")
            self._require_items(value, kind.items)

    def _require_type(self, value: Any, *places: str) -> None:
        """Go on where an object is of one of some types."""
        types = [self.object_at(place) for place in places]
        self.require_one_of(self.load(value, TYPE), types, self.other)

    def _require_array(self, value: Any, kind: Array) -> None:
        self._require_type(value, "numpy:ndarray", "numpy:memmap")
        self.require_equal(self.load(value, ARRAY_NDIM, 32), kind.ndim, self.other)
        mask, flags = LAYOUTS[kind.layout]
        flags |= ALIGNED | (WRITABLE if kind.writable else 0)
        found = self.load(value, ARRAY_FLAGS, 32)
        told = self.builder.and_(found, found.type(mask | ALIGNED | WRITABLE))
        self.require_equal(told, flags, self.other)
        self._require_dtype(self.load(value, ARRAY_DESCR), np.dtype(kind.dtype))

    def _require_dtype(self, value: Any, dtype: np.dtype[Any]) -> None:
        """Go on where a dtype is this one; two of NumPy's integers have 64 bits."""
        number = self.load(value, DESCR_NUMBER, 32)
        same = [np.dtype(code).num for code in CODES if np.dtype(code) == dtype]
        self.require_one_of(number, [number.type(one) for one in same], self.other)
        order = self.load(value, DESCR_BYTEORDER, 8)
        native = [order.type(ord("=")), order.type(ord("|"))]
        self.require_one_of(order, native, self.other)


def entry_code(kernel: str, kinds: tuple[Kind, ...]) -> bytes:
    """Object file of the entry to a kernel, by the name of Numba's wrapper of it."""
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        raise Unsupported("objects of a Python without a global lock")
    return EntryCode(kernel, kinds).compiled()
