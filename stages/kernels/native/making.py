"""Make a kernel's form from Numba's cache entry: its machine code, with an entry of ours."""

from __future__ import annotations

from typing import Any

import numpy as np

from campanula.stages.kernels.native import Unsupported, symbols
from campanula.stages.kernels.native.classes import unpickling_code
from campanula.stages.kernels.native.entry import entry_code
from campanula.stages.kernels.native.form import CLASS, DTYPE, Environment, Form
from campanula.stages.kernels.native.image import Image
from campanula.stages.kernels.native.kinds import Kind, kinds_of_types, place_of_class
from campanula.stages.kernels.native.linking import linked


def form_of(payload: tuple[Any, ...], kinds: tuple[Kind, ...], stamp: bytes) -> Form:
    """Return the form of a cache entry of Numba's; raise Unsupported if the form needs Numba.

    payload: the entry as Numba's FunctionCache loads it.
    """
    library, described, own, signature, of_objects, lifted, _, reload, others = payload
    _, library_kind, (code, *_) = library
    # object mode, lifted loops and functions to run after loading need Numba at run time
    if library_kind != "object" or of_objects or lifted or reload:
        raise Unsupported("more than machine code")
    if kinds_of_types(signature.args) != kinds:
        raise Unsupported(f"{kinds} for Numba's {signature.args}")
    entry = entry_code(described.llvm_cpython_wrapper_name, kinds)
    image = linked([code, entry, unpickling_code(signature.return_type)])
    by_name = {environment.env_name: environment for environment in (*others, own)}
    # by name, because functions that a kernel calls may share an environment
    environments = [_environment(by_name[name]) for name in by_name if name in image.places]
    check_addresses(image)
    return Form(repr(kinds), stamp, image, environments)


def _environment(environment: Any) -> Environment:
    constants = [_described(constant) for constant in environment.consts]
    return Environment(environment.env_name, constants)


def _described(constant: Any) -> tuple[str, str]:
    """Return a constant's kind and name as in Environment; raise Unsupported if it has none."""
    if isinstance(constant, np.dtype) and constant.names is None:
        return DTYPE, constant.str
    place = place_of_class(constant) if isinstance(constant, type) else None
    if place is None:
        raise Unsupported(f"the constant {constant!r}")
    return CLASS, place


def check_addresses(image: Image) -> None:
    """Raise Unsupported for a symbol that has no address, or another one in Numba's loader."""
    # a wrong address would end the process at the first call
    from llvmlite import binding

    for name in image.names[1:]:
        here, there = symbols.address_of(name), binding.address_of_symbol(name)
        if there not in (None, here):
            raise Unsupported(f"two symbols {name}")
