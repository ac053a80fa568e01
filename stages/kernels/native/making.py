"""Make a kernel's form of what Numba keeps on disk: its machine code, with an entry of ours."""

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
    """Form of what Numba keeps on disk; raises Unsupported for what needs Numba."""
    library, described, own, signature, of_objects, lifted, _, reload, others = payload
    _, how, (code, *_) = library
    if how != "object" or of_objects or lifted or reload:
        raise Unsupported("more than machine code")
    if kinds_of_types(signature.args) != kinds:
        raise Unsupported(f"{kinds} for Numba's {signature.args}")
    entry = entry_code(described.llvm_cpython_wrapper_name, kinds)
    image = linked([code, entry, unpickling_code(signature.return_type)])
    found = {one.env_name: one for one in (*others, own)}
    environments = [_environment(one) for name, one in found.items() if name in image.places]
    check_addresses(image)
    return Form(repr(kinds), stamp, image, environments)


def _environment(of: Any) -> Environment:
    constants = [_described(one) for one in of.consts]
    return Environment(of.env_name, constants)


def _described(constant: Any) -> tuple[str, str]:
    """What leads to a constant again."""
    if isinstance(constant, np.dtype) and constant.names is None:
        return DTYPE, constant.str
    place = place_of_class(constant) if isinstance(constant, type) else None
    if place is None:
        raise Unsupported(f"the constant {constant!r}")
    return CLASS, place


def check_addresses(image: Image) -> None:
    """Raise Unsupported where a symbol is none, or another for us than for Numba's loader."""
    from llvmlite import binding

    for name in image.names[1:]:
        here, there = symbols.address_of(name), binding.address_of_symbol(name)
        if there not in (None, here):
            raise Unsupported(f"two symbols {name}")
