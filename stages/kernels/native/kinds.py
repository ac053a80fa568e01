"""Kinds of a kernel's arguments, for which it is compiled: of values and of Numba's types.

    Array("float64", "C", 2, True)     two dimensions, contiguous, which may be written
    Number("int64")                    an int of Python's or one of NumPy's
    Tuple("", (...))                   a tuple; Tuple("module:Name", (...)) one with names

A value that is none of these has no kind, and Numba takes the call.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any, NamedTuple, TypeAlias

import numpy as np

LEAST, MOST = -(2**63), 2**63 - 1  # of int64; Numba takes a larger int as uint64, or refuses it
NUMBERS = frozenset(
    (
        *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
        *("bool", "float32", "float64"),
    )
)
PLAIN = {bool: "bool", float: "float64"}


class Array(NamedTuple):
    """An array: dtype; layout C, F, or A for neither; ndim; whether it is writable."""

    dtype: str
    layout: str
    ndim: int
    writable: bool


class Number(NamedTuple):
    """A number of a dtype, Python's or NumPy's."""

    dtype: str


class Tuple(NamedTuple):
    """A tuple and its items' kinds; place: its class as place_of_class, "" for a plain one."""

    place: str
    items: tuple[Any, ...]


Kind: TypeAlias = Array | Number | Tuple


def kind_of(value: Any) -> Kind | None:
    """Return the kind of an argument; None if it has none."""
    # classes are compared exactly: a subclass may mean something else, and Numba has to decide
    cls = type(value)
    if cls is np.ndarray or cls is np.memmap:
        return _kind_of_array(value)
    if cls is int:
        return Number("int64") if LEAST <= value <= MOST else None
    if cls in PLAIN:
        return Number(PLAIN[cls])
    if isinstance(value, np.generic):
        name = value.dtype.name
        # `longlong` has the name int64 as well, and another class, which the entry would refuse
        return Number(name) if name in NUMBERS and cls is np.dtype(name).type else None
    if isinstance(value, tuple):
        return _kind_of_tuple(value)
    return None


def _kind_of_array(value: Any) -> Array | None:
    flags, dtype = value.flags, value.dtype
    if dtype.name not in NUMBERS or not dtype.isnative or not flags.aligned:
        return None
    # C first: an array of one dimension is both, and Numba takes it as C
    layout = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
    return Array(dtype.name, layout, value.ndim, flags.writeable)


def _kind_of_tuple(value: tuple[Any, ...]) -> Tuple | None:
    cls = type(value)
    place = "" if cls is tuple else place_of_class(cls)
    items = kinds_of(value)
    return None if place is None or items is None else Tuple(place, items)


def kinds_of(values: tuple[Any, ...]) -> tuple[Kind, ...] | None:
    """Return the kinds of arguments; None if one has no kind."""
    kinds = []
    for value in values:
        kind = kind_of(value)
        if kind is None:
            return None
        kinds.append(kind)
    return tuple(kinds)


def place_of_class(cls: type) -> str | None:
    """Return `module:Name` of a class of named tuples; None if that name does not lead to it."""
    place = f"{cls.__module__}:{cls.__qualname__}"
    return place if hasattr(cls, "_fields") and object_at(place) is cls else None


def object_at(place: str) -> Any:
    """Return the object `module:name` of a loaded module; None if there is none."""
    module, _, name = place.partition(":")
    return getattr(sys.modules.get(module), name, None)


def kind_of_type(numba_type: Any) -> Kind | None:
    """Return the kind of a type of Numba's, which is loaded; None if it has none."""
    types: Any = import_module("numba.core.types")
    # code for a constant argument is for this one number alone
    if isinstance(numba_type, types.Literal):
        return None
    as_dtype = import_module("numba.np.numpy_support").as_dtype
    if isinstance(numba_type, types.Array):
        name = as_dtype(numba_type.dtype).name
        fits = name in NUMBERS and numba_type.aligned
        array = Array(name, numba_type.layout, numba_type.ndim, numba_type.mutable)
        return array if fits else None
    if isinstance(numba_type, (types.Integer, types.Float, types.Boolean)):
        return Number(as_dtype(numba_type).name)
    if isinstance(numba_type, types.BaseTuple):
        cls = getattr(numba_type, "instance_class", tuple)
        place = "" if cls is tuple else place_of_class(cls)
        items = kinds_of_types(numba_type.types)
        return None if place is None or items is None else Tuple(place, items)
    return None


def kinds_of_types(numba_types: tuple[Any, ...]) -> tuple[Kind, ...] | None:
    """Return the kinds of types of Numba's; None if one has no kind."""
    kinds = tuple(map(kind_of_type, numba_types))
    return None if None in kinds else kinds  # type: ignore[return-value]
