"""Addresses of the symbols that a kernel's machine code needs from the process.

    PyLong_AsLongLong, memset    Python's and the C library's, as the process has them
    PyExc_TypeError              the exception itself, as Numba names it
    NRT_..., numba_..., exp      parts of Numba in C, which run without the rest of it
    object module:name           an object of Python

Numba's parts in C are loaded by their files.  If Numba itself is loaded later, Python gives it the
same modules: a file in C is loaded once in a process.
"""

from __future__ import annotations

import builtins
import ctypes
import functools
import os
import sys
from importlib import machinery, util
from types import ModuleType
from typing import Any

from campanula.stages.kernels.native import Unsupported
from campanula.stages.kernels.native.code import OBJECT, OWN
from campanula.stages.kernels.native.kinds import object_at

HELPERS = "numba._helperlib"
PARTS = {"NRT_": "numba.core.runtime._nrt_python", "numba_": HELPERS, "": HELPERS}
"""Modules of Numba's in C by the prefix of their functions; mathematical functions have none."""

ENVIRONMENTS = "numba._dynfunc"
EXCEPTION = "PyExc_"


@functools.cache
def folder_of(package: str) -> str:
    """Folder of a package, found without importing it; raise Unsupported if there is none."""
    spec = util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise Unsupported(f"no package {package}")
    return spec.submodule_search_locations[0]


@functools.cache
def part(name: str) -> ModuleType:
    """Return a module of Numba's in C, loaded without the packages around it."""
    if name in sys.modules:
        return sys.modules[name]
    package, *below = name.split(".")
    path = os.path.join(folder_of(package), *below) + machinery.EXTENSION_SUFFIXES[0]
    spec = util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None or not os.path.exists(path):
        raise Unsupported(f"no file {path}")
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if package not in sys.modules:
        # Numba, if it is imported later, must import the module itself, which then also becomes an
        # attribute of its package
        sys.modules.pop(name, None)
    return module


@functools.cache
def address_of(name: str) -> int:
    """Address of a symbol; raise Unsupported if the process has none."""
    if name.startswith(OBJECT):
        return _address_of_object(name.removeprefix(OBJECT))
    name = name.removeprefix(OWN)
    if name.startswith(EXCEPTION):
        return id(getattr(builtins, name.removeprefix(EXCEPTION)))
    # in this order: the empty prefix, which fits every name, is last
    for prefix, module in PARTS.items():
        helpers: dict[str, int] = part(module).c_helpers
        if name.startswith(prefix) and name.removeprefix(prefix) in helpers:
            return helpers[name.removeprefix(prefix)]
    return _address_in_process(name)


def _address_of_object(place: str) -> int:
    target = object_at(place)
    # classes alone: they outlive the machine code, which counts no references
    if not isinstance(target, type):
        raise Unsupported(f"no class {place}")
    return id(target)


def _address_in_process(name: str) -> int:
    try:
        function = ctypes.pythonapi[name]
    except AttributeError:
        raise Unsupported(f"no symbol {name}") from None
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def environment(constants: list[Any]) -> Any:
    """Return an object with constants in the layout that Numba's wrappers read.

    It has no globals: only code that Python runs needs them.
    """
    holder = part(ENVIRONMENTS).Environment({})
    holder.consts.extend(constants)
    return holder
