"""Addresses of what a kernel's machine code needs from the process.

    PyLong_AsLongLong, memset    Python's and the C library's, as the process has them
    PyExc_TypeError              the exception itself, as Numba names it
    NRT_..., numba_..., exp      parts of Numba in C, which run without the rest of it
    object module:name           an object of Python

Numba's parts in C are loaded by their files.  Where Numba itself is loaded later, Python gives it
the same ones: they are loaded once in a process.
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
"""Module of Numba's in C that has the functions with a prefix; those of mathematics have none."""

ENVIRONMENTS = "numba._dynfunc"
EXCEPTION = "PyExc_"


@functools.cache
def folder_of(package: str) -> str:
    """Folder of a package, which is not loaded for it; raises Unsupported where there is none."""
    spec = util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise Unsupported(f"no package {package}")
    return spec.submodule_search_locations[0]


@functools.cache
def part(name: str) -> ModuleType:
    """A module of Numba's in C, loaded without the packages around it."""
    if name in sys.modules:
        return sys.modules[name]
    package, *parts = name.split(".")
    path = os.path.join(folder_of(package), *parts) + machinery.EXTENSION_SUFFIXES[0]
    spec = util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None or not os.path.exists(path):
        raise Unsupported(f"no file {path}")
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if package not in sys.modules:
        sys.modules.pop(name, None)  # Numba finds it by its own way, and then as its own attribute
    return module


@functools.cache
def address_of(name: str) -> int:
    """Address of a symbol; raises Unsupported where the process has none."""
    if name.startswith(OBJECT):
        return _address_of_object(name.removeprefix(OBJECT))
    name = name.removeprefix(OWN)
    if name.startswith(EXCEPTION):
        return id(getattr(builtins, name.removeprefix(EXCEPTION)))
    for prefix, module in PARTS.items():
        helpers: dict[str, int] = part(module).c_helpers
        if name.startswith(prefix) and name.removeprefix(prefix) in helpers:
            return helpers[name.removeprefix(prefix)]
    return _address_in_process(name)


def _address_of_object(place: str) -> int:
    found = object_at(place)
    if not isinstance(found, type):
        raise Unsupported(f"no class {place}")
    return id(found)


def _address_in_process(name: str) -> int:
    try:
        function = ctypes.pythonapi[name]
    except AttributeError:
        raise Unsupported(f"no symbol {name}") from None
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def environment(constants: list[Any]) -> Any:
    """What Numba's wrappers take their constants from.

    It has no globals: those are for code that Python runs.
    """
    found = part(ENVIRONMENTS).Environment({})
    found.consts.extend(constants)
    return found
