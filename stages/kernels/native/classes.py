"""The classes of a kernel's results, for Numba's wrappers, without unpickling.

A wrapper makes arrays and named tuples, whose classes Numba keeps pickled: unpickling one loads the
whole of Numba.  So machine code of ours replaces Numba's function under the same name, and knows
these classes by the digest that the wrapper passes with each:

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
    """Yield the classes of a Numba type that a kernel returns, with those of a tuple's items."""
    types: Any = import_module("numba.core.types")
    if isinstance(returned, types.Array):
        yield np.ndarray
    elif isinstance(returned, types.BaseTuple):
        yield from [returned.instance_class] if hasattr(returned, "instance_class") else []
        for item in returned.types:
            yield from classes_of(item)


def digest_of(cls: type) -> bytes:
    """Digest of a class's pickle, as Numba's wrappers pass it."""
    import hashlib

    # Numba's own pickling and SHA-1: any other bytes would have another digest than the wrapper's
    core: Any = import_module("numba.core.serialize")
    return hashlib.sha1(core.dumps(cls), usedforsecurity=False).digest()


def place_of(cls: type) -> str:
    """Return `module:Name` of a class; raise Unsupported for a class that has no such name."""
    place = "numpy:ndarray" if cls is np.ndarray else place_of_class(cls)
    if place is None:
        raise Unsupported(f"the class {cls}")
    return place


def unpickling_code(returned: Any) -> bytes:
    """Object file of our numba_unpickle for a kernel with this return type of Numba's."""
    code = Code(UNPICKLE)
    data, size, digest = code.function(UNPICKLE, [code.word, code.ir.IntType(32), code.word])
    builder = code.builder
    for cls in dict.fromkeys(classes_of(returned)):
        other = code.block()
        # 32 bits at a time, because a digest has 20 bytes and need not begin at a multiple of 8
        for place, number in enumerate(parts(digest_of(cls))):
            code.require_equal(code.load(digest, 4 * place, 32), number, other)
        class_object = code.object_at(place_of(cls))
        # unpickling returns a new reference, which the wrapper gives back after use
        code.call("Py_IncRef", [class_object])
        builder.ret(class_object)
        builder.position_at_end(other)
    builder.ret(code.call(OWN + UNPICKLE, [data, size, digest]))
    return code.compiled()


def parts(digest: bytes) -> list[int]:
    """A digest as 32-bit numbers, little-endian."""
    return [int(number) for number in np.frombuffer(digest, dtype="<u4")]
