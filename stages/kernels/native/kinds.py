"""What a kernel is compiled for: the kinds of its arguments, from values and from Numba's types.

    Array("float64", "C", 2, True)     two dimensions, contiguous, which may be written
    Number("int64")                    an int of Python's or one of NumPy's
    Tuple("", (...))                   a tuple; Tuple("module:Name", (...)) one with names

What is none of these has no kind, and Numba takes the call.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any, NamedTuple, TypeAlias

import numpy as np

LEAST, MOST = -(2**63), 2**63 - 1
NUMBERS = frozenset(
    (
        *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
        *("bool", "float32", "float64"),
    )
)
PLAIN = {bool: "bool", float: "float64"}


class Array(NamedTuple):
    """An array: its dtype; C, F, or A for neither; dimensions; whether it may be written."""

    dtype: str
    layout: str
    ndim: int
    writable: bool


class Number(NamedTuple):
    """A number of a dtype."""

    dtype: str


class Tuple(NamedTuple):
    """A tuple of a class, named as `place_of_class` does; of none, a plain one."""

    of: str
    items: tuple[Any, ...]


Kind: TypeAlias = Array | Number | Tuple


def kind_of(value: Any) -> Kind | None:
    """Kind of an argument."""
    cls = type(value)
    if cls is np.ndarray or cls is np.memmap:
        return _kind_of_array(value)
    if cls is int:
        return Number("int64") if LEAST <= value <= MOST else None
    if cls in PLAIN:
        return Number(PLAIN[cls])
    if isinstance(value, np.generic):
        name = value.dtype.name
        return Number(name) if name in NUMBERS and cls is np.dtype(name).type else None
    if isinstance(value, tuple):
        return _kind_of_tuple(value)
    return None


def _kind_of_array(value: Any) -> Array | None:
    flags, dtype = value.flags, value.dtype
    if dtype.name not in NUMBERS or not dtype.isnative or not flags.aligned:
        return None
    layout = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
    return Array(dtype.name, layout, value.ndim, flags.writeable)


def _kind_of_tuple(value: tuple[Any, ...]) -> Tuple | None:
    cls = type(value)
    of = "" if cls is tuple else place_of_class(cls)
    items = kinds_of(value)
    return None if of is None or items is None else Tuple(of, items)


def kinds_of(values: tuple[Any, ...]) -> tuple[Kind, ...] | None:
    """Kinds of some arguments; None when one has none."""
    kinds = []
    for value in values:
        kind = kind_of(value)
        if kind is None:
            return None
        kinds.append(kind)
    return tuple(kinds)


def place_of_class(cls: type) -> str | None:
    """`module:Name` of a class of tuples with names, which leads to it again."""
    place = f"{cls.__module__}:{cls.__qualname__}"
    return place if hasattr(cls, "_fields") and object_at(place) is cls else None


def object_at(place: str) -> Any:
    """What a loaded module has under a name; None when there is none."""
    module, _, name = place.partition(":")
    return getattr(sys.modules.get(module), name, None)


def kind_of_type(known: Any) -> Kind | None:
    """Kind of a type of Numba's, which is loaded; a constant's code is for no other number."""
    types: Any = import_module("numba.core.types")
    if isinstance(known, types.Literal):
        return None
    as_dtype = import_module("numba.np.numpy_support").as_dtype
    if isinstance(known, types.Array):
        name = as_dtype(known.dtype).name
        whole = name in NUMBERS and known.aligned
        return Array(name, known.layout, known.ndim, known.mutable) if whole else None
    if isinstance(known, (types.Integer, types.Float, types.Boolean)):
        return Number(as_dtype(known).name)
    if isinstance(known, types.BaseTuple):
        cls = getattr(known, "instance_class", tuple)
        of = "" if cls is tuple else place_of_class(cls)
        items = kinds_of_types(known.types)
        return None if of is None or items is None else Tuple(of, items)
    return None


def kinds_of_types(known: tuple[Any, ...]) -> tuple[Kind, ...] | None:
    """Kinds of some types of Numba's; None when one has none."""
    kinds = tuple(map(kind_of_type, known))
    return None if None in kinds else kinds  # type: ignore[return-value]
