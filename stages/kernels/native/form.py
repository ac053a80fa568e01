"""A kernel's compiled form for some kinds of arguments, as a file, and as what Python calls.

A file has its checksum first, then a map: of which kernel source and for what kinds it is, the
image, and what Numba's wrapper takes its constants from.
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
"""Name of what Python calls."""
WITH_KEYWORDS = 0x1 | 0x2  # METH_VARARGS | METH_KEYWORDS
DTYPE, CLASS = "dtype", "class"


class Environment(NamedTuple):
    """What a function of Numba's needs of Python: the objects that it returns."""

    symbol: str
    constants: list[tuple[str, str]]


class Form(NamedTuple):
    """The form for the kinds of which `key` is the text, of the source that `stamp` names."""

    key: str
    stamp: bytes
    image: Image
    environments: list[Environment]


def _constant(kind: str, name: str) -> Any:
    found = np.dtype(name) if kind == DTYPE else object_at(name)
    if found is None:
        raise Unsupported(f"no class {name}")
    return found


def to_bytes(form: Form) -> bytes:
    """Content of a form's file."""
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
    """Fields of a form's file; raises ValueError where it is damaged."""
    data = content[CHECKSUM:]
    if xxh3_128_digest(data) != content[:CHECKSUM]:
        raise ValueError("the checksum does not fit")
    fields: dict[str, Any] = msgpack.unpackb(data)
    return fields


class _Method(ctypes.Structure):
    """PyMethodDef."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("text", ctypes.c_char_p),
    )


_kept: list[Any] = []
"""What machine code refers to, which stays until the process ends."""


class Loaded:
    """A form in memory."""

    def __init__(self, name: str, fields: dict[str, Any]) -> None:
        """Place the image; raises Unsupported or OSError where the process cannot take it."""
        rows = np.frombuffer(fields["rows"], dtype=np.int64).reshape(-1, 3)
        image = Image(fields["content"], fields["code"], tuple(fields["names"]), rows, {})
        environments = [
            (place, symbols.environment([_constant(*one) for one in constants]))
            for place, constants in fields["environments"]
        ]
        start = placed(image, symbols.address_of)
        for place, one in environments:
            ctypes.c_void_p.from_address(start + place).value = id(one)
        self._method = _Method(name.encode(), start + fields["entry"], WITH_KEYWORDS, None)
        _kept.append((self._method, environments))

    def before(self, following: Callable[..., Any]) -> Callable[..., Any]:
        """A function of Python, which leaves calls with arguments of other kinds to the next."""
        create = ctypes.pythonapi.PyCFunction_NewEx
        create.restype = ctypes.py_object
        create.argtypes = (ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
        function: Callable[..., Any] = create(ctypes.addressof(self._method), following, None)
        return function
