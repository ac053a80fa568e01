"""The classes of what a kernel returns, at hand for Numba's wrappers.

A wrapper makes arrays and tuples with names, whose classes Numba keeps pickled: to unpickle one it
loads the whole of Numba.  So machine code of ours has the name of Numba's function, and knows these
classes by the digest that stands beside each:

    numba_unpickle(data, size, digest):
        digest is that of a class:   the class
        otherwise, an exception:     Numba's own numba_unpickle(data, size, digest)
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np

from campanula.stages.kernels.native import Unsupported
from campanula.stages.kernels.native.code import OWN, Code
from campanula.stages.kernels.native.kinds import place_of_class

UNPICKLE = "numba_unpickle"


def classes_of(returned: Any) -> Iterator[type]:
    """Yield the classes of a type of Numba's that is returned."""
    types: Any = import_module("numba.core.types")
    if isinstance(returned, types.Array):
        yield np.ndarray
    elif isinstance(returned, types.BaseTuple):
        yield from [returned.instance_class] if hasattr(returned, "instance_class") else []
        for item in returned.types:
            yield from classes_of(item)


def digest_of(cls: type) -> bytes:
    """Digest of a class as Numba pickles it."""
    import hashlib

    core: Any = import_module("numba.core.serialize")
    return hashlib.sha1(core.dumps(cls), usedforsecurity=False).digest()


def place_of(cls: type) -> str:
    """Name of a class that leads to it again."""
    place = "numpy:ndarray" if cls is np.ndarray else place_of_class(cls)
    if place is None:
        raise Unsupported(f"the class {cls}")
    return place


def unpickling_code(returned: Any) -> bytes:
    """Object file of numba_unpickle for a kernel that returns a type."""
    code = Code(UNPICKLE)
    data, size, digest = code.function(UNPICKLE, [code.word, code.ir.IntType(32), code.word])
    builder = code.builder
    for cls in dict.fromkeys(classes_of(returned)):
        other = code.block()
        for place, number in enumerate(parts(digest_of(cls))):
            code.require_equal(code.load(digest, 4 * place, 32), number, other)
        found = code.object_at(place_of(cls))
        code.call("Py_IncRef", [found])
        builder.ret(found)
        builder.position_at_end(other)
    builder.ret(code.call(OWN + UNPICKLE, [data, size, digest]))
    return code.compiled()


def parts(digest: bytes) -> list[int]:
    """A digest as numbers of 32 bits."""
    return [int(part) for part in np.frombuffer(digest, dtype="<u4")]
