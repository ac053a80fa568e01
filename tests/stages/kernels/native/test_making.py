"""Forms are made of what needs machine code alone."""

from types import SimpleNamespace

import numpy as np
import pytest

from campanula.stages.kernels.native import Unsupported
from campanula.stages.kernels.native.form import CLASS, DTYPE
from campanula.stages.kernels.native.image import Image
from campanula.stages.kernels.native.kinds import Number
from campanula.stages.kernels.native.making import _described, check_addresses, form_of


def payload(**changes):
    import numba

    parts = {
        "library": ("name", "object", (b"code", b"")),
        "described": SimpleNamespace(llvm_cpython_wrapper_name="kernel"),
        "own": None,
        "signature": numba.types.int64(numba.types.int64),
        "objectmode": False,
        "lifted": (),
        "text": "",
        "reload": [],
        "others": (),
    }
    return tuple((parts | changes).values())


@pytest.mark.parametrize(
    "changes",
    [
        {"library": ("name", "bitcode", (b"", b""))},
        {"objectmode": True},
        {"lifted": ("loop",)},
        {"reload": [len]},
    ],
)
def test_what_needs_numba_is_refused(changes):
    with pytest.raises(Unsupported, match="more than machine code"):
        form_of(payload(**changes), (Number("int64"),), b"")


def test_kinds_that_numba_sees_otherwise_are_refused():
    with pytest.raises(Unsupported, match="for Numba's"):
        form_of(payload(), (Number("float64"),), b"")


def test_what_another_version_keeps_is_an_error():
    with pytest.raises(ValueError, match="unpack"):
        form_of(payload()[:-1], (Number("int64"),), b"")


def test_constants():
    assert _described(np.dtype(np.int32)) == (DTYPE, "<i4")
    assert _described(Image) == (CLASS, f"{Image.__module__}:Image")
    for other in (np.dtype([("x", int)]), 3, "text", dict):
        with pytest.raises(Unsupported, match="the constant"):
            _described(other)


def test_a_symbol_that_llvm_finds_elsewhere_is_refused(monkeypatch):
    from llvmlite import binding

    image = Image(b"", 0, ("", "PyLong_AsLongLong"), np.zeros((0, 3), int), {})
    check_addresses(image)
    monkeypatch.setattr(binding, "address_of_symbol", lambda name: 1)
    with pytest.raises(Unsupported, match="two symbols PyLong_AsLongLong"):
        check_addresses(image)
