"""A kernel's compiled form for some kinds of arguments, as a file, and as a function of Python.

A file is a checksum, then a map: kinds of arguments, state of the kernel's source, the image, and
the constants of Numba's wrappers.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, NamedTuple

import msgpack
import numpy as np
from xxhash import xxh3_128_digest

from campanula.stages.kernels.native import Unsupported, symbols
from campanula.stages.kernels.native.image import Image, placed
from campanula.stages.kernels.native.kinds import object_at

CHECKSUM = 16  # bytes
ENTRY = "campanula_entry"
"""Name of the function in machine code that Python calls."""
WITH_KEYWORDS = 0x1 | 0x2  # METH_VARARGS | METH_KEYWORDS
DTYPE, CLASS = "dtype", "class"  # kinds of constants in a file


class Environment(NamedTuple):
    """Python objects that a function of Numba's needs; `symbol` is the variable that leads to them.

    constants: (DTYPE, name of a dtype) or (CLASS, `module:Name`).
    """

    symbol: str
    constants: list[tuple[str, str]]


class Form(NamedTuple):
    """The form for the kinds whose repr is `key`; `stamp` is the state of a user's own source.

    image: machine code, the entry included; environments: constants that its functions need.
    """

    key: str
    stamp: bytes
    image: Image
    environments: list[Environment]


def _constant(kind: str, name: str) -> Any:
    constant = np.dtype(name) if kind == DTYPE else object_at(name)
    if constant is None:
        raise Unsupported(f"no class {name}")
    return constant


def to_bytes(form: Form) -> bytes:
    """Return the content of a form's file."""
    image = form.image
    fields = {
        "key": form.key,
        "stamp": form.stamp,
        "content": image.content,
        "code": image.code,
        "names": image.names,
        "rows": image.rows.tobytes(),
        "entry": image.places[ENTRY],
        "environments": [(image.places[one.symbol], one.constants) for one in form.environments],
    }
    data: bytes = msgpack.packb(fields)
    return xxh3_128_digest(data) + data


def from_bytes(content: bytes) -> dict[str, Any]:
    """Return the fields of a form's file; raise ValueError if it is damaged."""
    # first of all, because damaged bytes may still unpack, to other fields
    data = content[CHECKSUM:]
    if xxh3_128_digest(data) != content[:CHECKSUM]:
        raise ValueError("the checksum does not fit")
    fields: dict[str, Any] = msgpack.unpackb(data)
    return fields


class _Method(ctypes.Structure):
    """Python's PyMethodDef, which describes a function in machine code."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("text", ctypes.c_char_p),
    )


_kept: list[Any] = []
"""Objects that machine code refers to without counting references; they stay until the end."""


class Loaded:
    """A form in memory, ready to be called."""

    def __init__(self, name: str, fields: dict[str, Any]) -> None:
        """Place the image; raise Unsupported or OSError where the process cannot take it."""
        rows = np.frombuffer(fields["rows"], dtype=np.int64).reshape(-1, 3)
        image = Image(fields["content"], fields["code"], tuple(fields["names"]), rows, {})
        environments = [
            (place, symbols.environment([_constant(*constant) for constant in constants]))
            for place, constants in fields["environments"]
        ]
        start = placed(image, symbols.address_of)
        # Numba's loader writes these pointers, too: a wrapper finds its constants through them
        for place, environment in environments:
            ctypes.c_void_p.from_address(start + place).value = id(environment)
        self._method = _Method(name.encode(), start + fields["entry"], WITH_KEYWORDS, None)
        _kept.append((self._method, environments))

    def before(self, following: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that runs the form, and passes calls of other kinds to `following`."""
        # as the function's `self`, `following` reaches the machine code as its first argument
        create = ctypes.pythonapi.PyCFunction_NewEx
        create.restype = ctypes.py_object
        create.argtypes = (ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
        function: Callable[..., Any] = create(ctypes.addressof(self._method), following, None)
        return function
