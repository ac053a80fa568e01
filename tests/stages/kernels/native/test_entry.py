"""An entry takes the arguments that are of its kinds, and leaves all others to the next."""

import ctypes
from typing import NamedTuple

import numpy as np
import pytest

from campanula.stages.kernels.native import symbols
from campanula.stages.kernels.native.entry import entry_code
from campanula.stages.kernels.native.form import ENTRY, WITH_KEYWORDS, _Method
from campanula.stages.kernels.native.image import placed
from campanula.stages.kernels.native.kinds import kinds_of
from campanula.stages.kernels.native.linking import linked
from tests.present import present
from tests.stages.kernels.native.objects import NEEDS_ELF, object_of

pytestmark = NEEDS_ELF

# A kernel that returns its arguments.
SAME = """
declare i64 @Py_IncRef(i64)
define i64 @kernel(i64 %next, i64 %arguments, i64 %keywords) {
  %r = call i64 @Py_IncRef(i64 %arguments)
  ret i64 %arguments
}
"""


class Point(NamedTuple):
    x: object
    y: object


class Other(NamedTuple):
    x: object
    y: object


def other(*arguments, **keywords):
    return "other", arguments, keywords


def entry_for(*arguments):
    """The entry for the kinds of some arguments, as a function of Python."""
    kernel = object_of(SAME)
    image = linked([kernel, entry_code("kernel", present(kinds_of(arguments)))])
    start = placed(image, symbols.address_of)
    method = _Method(b"entry", start + image.places[ENTRY], WITH_KEYWORDS, None)
    KEPT.append(method)
    create = ctypes.PYFUNCTYPE(
        ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p
    )(("PyCFunction_NewEx", ctypes.pythonapi))
    return create(ctypes.addressof(method), other, None)


KEPT: list[_Method] = []
GRID = np.arange(12.0).reshape(3, 4)
FROZEN = GRID.copy()
FROZEN.flags.writeable = False
UNALIGNED = np.frombuffer(bytearray(17), dtype=np.uint8)[1:].view(np.float64)

VALUES = [
    *(3, True, 0.5, None, "text", np.int64(3), np.int32(3), np.float32(1), np.float64(1)),
    *(np.bool_(1), np.uint64(3), np.uint8(3), np.longlong(3)),
    *(GRID, GRID.T, GRID[:, ::2], GRID[0], FROZEN, GRID.astype("f4"), GRID.astype(">f8")),
    *(GRID.astype(np.int64), GRID.astype(np.longlong), GRID.astype(np.uint64), GRID > 3),
    *(UNALIGNED, GRID.astype("M8[s]"), np.zeros((0, 4)), np.zeros(()), [1.0], GRID.view(np.matrix)),
    *((), (1,), (1, 2.0), (1, 2), [1, 2], Point(1, 2.0), Other(1, 2.0), Point(GRID, (1, FROZEN))),
]


def same(value):
    """Kinds as text, or the class of a value that has none."""
    kinds = kinds_of((value,))
    return repr(kinds) if kinds is not None else type(value)


@pytest.mark.parametrize("own", [value for value in VALUES if kinds_of((value,))], ids=same)
def test_an_entry_takes_what_is_of_its_kind_alone(own):
    entry = entry_for(own)
    for value in VALUES:
        arguments = (value,)
        taken = entry(*arguments)
        if kinds_of(arguments) == kinds_of((own,)):
            assert len(taken) == 1
            assert taken[0] is value
        else:
            assert taken[0] == "other"
            assert taken[1][0] is value


def test_numbers_and_names_of_arguments_count():
    entry = entry_for(1, 2.0)
    assert entry(1, 2.0) == (1, 2.0)
    for arguments in ((), (1,), (1, 2.0, 3)):
        assert entry(*arguments) == ("other", arguments, {})
    assert entry(1, b=2.0) == ("other", (1,), {"b": 2.0})


def test_a_mapped_array_is_taken_as_an_array(tmp_path):
    np.save(tmp_path / "a.npy", GRID)
    mapped = np.load(tmp_path / "a.npy", mmap_mode="r")
    assert entry_for(FROZEN)(mapped)[0] is mapped
    assert entry_for(mapped)(FROZEN)[0] is FROZEN


def test_an_exception_of_the_next_goes_on(monkeypatch):
    entry = entry_for(1)

    def fails(*arguments):
        raise KeyError("next")

    monkeypatch.setitem(globals(), "other", fails)
    with pytest.raises(KeyError):
        entry_for(1)("text")
    assert entry("text")[0] == "other"
