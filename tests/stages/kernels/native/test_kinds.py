"""Kinds of values are those of Numba's types of them."""

from typing import NamedTuple

import numba
import numpy as np
import pytest

from campanula.stages.kernels.native.kinds import (
    Array,
    Number,
    Tuple,
    kind_of,
    kind_of_type,
    kinds_of,
    kinds_of_types,
    object_at,
    place_of_class,
)


class Point(NamedTuple):
    x: object
    y: object


FROZEN = np.zeros(3)
FROZEN.flags.writeable = False
GRID = np.arange(12.0).reshape(3, 4)

KNOWN = {
    "int": (3, Number("int64")),
    "float": (0.5, Number("float64")),
    "bool": (True, Number("bool")),
    "numpy bool": (np.bool_(1), Number("bool")),
    "int32": (np.int32(3), Number("int32")),
    "float32": (np.float32(3), Number("float32")),
    "float64": (np.float64(3), Number("float64")),
    "array": (GRID, Array("float64", "C", 2, True)),
    "turned": (GRID.T, Array("float64", "F", 2, True)),
    "part": (GRID[:, ::2], Array("float64", "A", 2, True)),
    "frozen": (FROZEN, Array("float64", "C", 1, False)),
    "empty": (np.zeros((0, 3), np.uint8), Array("uint8", "C", 2, True)),
    "scalar": (np.array(1), Array("int64", "C", 0, True)),
    "flags": (GRID > 3, Array("bool", "C", 2, True)),
    "tuple": ((1, 2.0), Tuple("", (Number("int64"), Number("float64")))),
    "none": ((), Tuple("", ())),
    "named": (
        Point(1, (2, FROZEN)),
        Tuple(
            f"{__name__}:Point",
            (
                Number("int64"),
                Tuple("", (Number("int64"), Array("float64", "C", 1, False))),
            ),
        ),
    ),
    "same": (
        Point(1, 2),
        Tuple(f"{__name__}:Point", (Number("int64"), Number("int64"))),
    ),
}


@pytest.mark.parametrize("name", KNOWN)
def test_the_kind_of_a_value_is_that_of_its_type(name):
    value, kind = KNOWN[name]
    assert kind_of(value) == kind
    assert kind_of_type(numba.typeof(value)) == kind


def test_a_constant_has_no_kind():
    """Its code is for no other number."""
    assert kind_of_type(numba.types.literal(0)) is None
    assert kinds_of_types((numba.types.int64, numba.types.literal(0))) is None


def test_dtypes_of_kernels_have_kinds():
    for code in "?bBhHiIlLfd":
        array = np.zeros(2, code)
        assert kind_of(array) == kind_of_type(numba.typeof(array)) is not None
        assert kind_of(array[0]) == kind_of_type(numba.typeof(array[0])) is not None


def test_a_mapped_array_is_an_array(tmp_path):
    np.save(tmp_path / "a.npy", GRID)
    mapped = np.load(tmp_path / "a.npy", mmap_mode="r")
    assert kind_of(mapped) == kind_of_type(numba.typeof(mapped)) == Array("float64", "C", 2, False)


UNALIGNED = np.frombuffer(bytes(17), dtype=np.uint8)[1:].view(np.float64)


class Sub(np.ndarray):
    pass


class Sub2(tuple):
    pass


@pytest.mark.parametrize(
    "value",
    [
        *(2**63, -(2**63) - 1, None, "text", b"bytes", 1j, [1], len, object()),
        *(np.zeros(2, ">f8"), np.zeros(2, "M8[s]"), np.zeros(2, "S3"), np.zeros(2, complex)),
        *(np.zeros(2, [("x", int)]), UNALIGNED, np.zeros(2).view(Sub), np.float16(1)),
        *(Sub2((1, 2)), (1, "text"), Point(1, None), np.str_("text"), np.longdouble(1)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_has_no_kind(value):
    assert kind_of(value) is None
    assert kinds_of((1, value)) is None


def test_what_has_no_kind_among_types():
    types = numba.types
    text = types.unicode_type
    for known in (text, types.none, types.complex128, types.UniTuple(text, 2), types.pyobject):
        assert kind_of_type(known) is None
        assert kinds_of_types((types.int64, known)) is None
    assert kinds_of_types(()) == ()


def test_a_class_is_named_so_that_it_is_found_again():
    class Hidden(NamedTuple):
        x: int

    assert place_of_class(Point) == f"{__name__}:Point"
    assert object_at(f"{__name__}:Point") is Point
    assert place_of_class(Hidden) is None
    assert place_of_class(tuple) is None
    assert kind_of(Hidden(1)) is None
    assert object_at("no.module:Name") is None
    assert object_at("numpy:no_name") is None
