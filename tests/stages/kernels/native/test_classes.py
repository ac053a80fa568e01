"""Classes of what is returned are at hand; what is none of them goes to Numba's own function."""

import ctypes
from typing import NamedTuple

import numba
import numpy as np
import pytest

from campanula.stages.kernels.native import Unsupported, symbols
from campanula.stages.kernels.native.classes import (
    UNPICKLE,
    classes_of,
    digest_of,
    place_of,
    unpickling_code,
)
from campanula.stages.kernels.native.image import placed
from campanula.stages.kernels.native.linking import linked
from tests.stages.kernels.native.objects import NEEDS_ELF, object_of


class Point(NamedTuple):
    x: object
    y: object


def typeof(value):
    return numba.typeof(value)


def test_classes_of_what_is_returned():
    assert list(classes_of(typeof(1))) == []
    assert list(classes_of(typeof(np.zeros(2)))) == [np.ndarray]
    assert list(classes_of(typeof((1, Point(1, np.zeros(2)))))) == [Point, np.ndarray]
    assert list(classes_of(numba.types.none)) == []


def test_a_class_that_cannot_be_found_again_is_refused():
    class Hidden(NamedTuple):
        x: int

    assert place_of(Point) == f"{__name__}:Point"
    assert place_of(np.ndarray) == "numpy:ndarray"
    with pytest.raises(Unsupported):
        place_of(Hidden)


@NEEDS_ELF
def test_known_classes_come_by_their_digest_and_others_from_numba():
    from numba.core import serialize

    object_of("")  # makes LLVM know this processor
    image = linked([unpickling_code(typeof((Point(1, 2), np.zeros(2))))])
    start = placed(image, symbols.address_of)
    form = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p)
    unpickle = form(start + image.places[UNPICKLE])
    assert unpickle(b"none", 4, digest_of(np.ndarray)) is np.ndarray
    assert unpickle(b"none", 4, digest_of(Point)) is Point
    data = serialize.dumps((ValueError, "text"))
    assert unpickle(data, len(data), bytes(20)) == (ValueError, "text")
