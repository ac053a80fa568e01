"""What is written in LLVM's words runs as it says."""

import ctypes

import pytest

from campanula.stages.kernels.native.code import OBJECT, Code
from campanula.stages.kernels.native.image import placed
from campanula.stages.kernels.native.linking import linked
from tests.present import present
from tests.stages.kernels.native.objects import NEEDS_ELF, object_of

pytestmark = NEEDS_ELF


@pytest.fixture(autouse=True)
def target():
    object_of("")  # makes LLVM know this processor


def test_checks_loads_and_calls():
    """asked(address): 1 where its second byte is 7 and the number after is one of two, or labs."""
    code = Code("asked")
    (at,) = code.function("asked", [code.word])
    other = code.block()
    code.require_equal(code.load(at, 1, 8), 7, other)
    number = code.load(at, 4, 32)
    code.require_one_of(number, [number.type(10), number.type(20)], other)
    code.builder.ret(code.word(1))
    code.builder.position_at_end(other)
    code.builder.ret(code.call("labs", [code.word(-5)]))
    image = linked([code.compiled()])
    labs = present(ctypes.cast(ctypes.CDLL(None).labs, ctypes.c_void_p).value)
    start = placed(image, lambda name: labs)
    asked = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(start + image.places["asked"])
    for first, number_, expected in ((7, 10, 1), (7, 20, 1), (7, 30, 5), (8, 10, 5)):
        data = bytes((0, first, 0, 0)) + number_.to_bytes(4, "little")
        assert asked(ctypes.create_string_buffer(data)) == expected


def test_an_object_of_python_is_a_symbol():
    code = Code("asked")
    code.function("asked", [])
    assert code.object_at("builtins:int") is not None
    code.builder.ret(code.object_at("builtins:int"))
    image = linked([code.compiled()])
    assert image.names == ("", f"{OBJECT}builtins:int")
    start = placed(image, lambda name: id(int))
    asked = ctypes.PYFUNCTYPE(ctypes.c_void_p)(start + image.places["asked"])
    assert asked() == id(int)
