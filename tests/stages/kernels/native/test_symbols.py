"""Addresses are those that Numba's own loader finds."""

import builtins
import os
import subprocess
import sys

import numba
import pytest

from campanula.stages.kernels.native import Unsupported, symbols
from tests.stages.kernels.native.objects import NEEDS_ELF

LOADED = """
import sys
from campanula.stages.kernels.native import symbols
names = ["NRT_MemInfo_alloc_aligned", "numba_adapt_ndarray", "exp", "pow", "PyLong_AsLongLong"]
early = [symbols.address_of(name) for name in names]
environment = symbols.environment([int])
assert "numba" not in sys.modules
import numba, numpy as np
assert numba.njit(lambda x: np.exp(x).sum())(np.zeros(3)) == 3.0
from llvmlite import binding
from numba import _dynfunc, _helperlib
from numba.core.runtime import _nrt_python
assert numba._helperlib is _helperlib
for name, address in zip(names, early):
    assert binding.address_of_symbol(name) in (None, address), name
assert _helperlib.c_helpers["exp"] == early[2]
assert type(environment) is _dynfunc.Environment
assert environment.consts == [int]
"""


@NEEDS_ELF
def test_numba_that_is_loaded_later_has_the_same_parts():
    on = os.environ | {"NUMBA_DISABLE_JIT": "0"}
    subprocess.run([sys.executable, "-c", LOADED], check=True, env=on)


def test_objects_and_exceptions_are_themselves():
    assert symbols.address_of("object builtins:int") == id(int)
    assert symbols.address_of("PyExc_ValueError") == id(builtins.ValueError)
    own = symbols.address_of("own numba_unpickle")
    assert own == symbols.address_of("numba_unpickle") != 0


@pytest.mark.parametrize("name", ["no_such_symbol", "object builtins:none", "object no:int"])
def test_what_is_not_there_is_refused(name):
    with pytest.raises(Unsupported, match=name.removeprefix("object ")):
        symbols.address_of(name)


def test_a_folder_of_a_package():
    assert symbols.folder_of("numba") == os.path.dirname(numba.__file__)
    with pytest.raises(Unsupported):
        symbols.folder_of("no_such_package")
    with pytest.raises(Unsupported, match="no file"):
        symbols.part("numba._no_such_part")
