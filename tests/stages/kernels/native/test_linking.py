"""Images run what their object files say, in one piece and in several."""

import ctypes

import pytest

from campanula.stages.kernels.native import Unsupported
from campanula.stages.kernels.native.image import PAGE, placed
from campanula.stages.kernels.native.linking import linked
from tests.stages.kernels.native.objects import NEEDS_ELF, object_of

pytestmark = NEEDS_ELF

FIRST = """
@table = internal constant [3 x i64] [i64 5, i64 6, i64 7]
@shared = common global i64 0
@start = global i64* @shared
@held = internal global i64 40
declare i64 @doubled(i64)
define i64 @asked(i64 %x) {
  %p = getelementptr [3 x i64], [3 x i64]* @table, i64 0, i64 %x
  %v = load i64, i64* %p
  %s = load i64, i64* @shared
  %h = load i64, i64* @held
  %h1 = add i64 %h, 1
  store i64 %h1, i64* @held
  %w = add i64 %v, %s
  %w1 = add i64 %w, %h
  %r = call i64 @doubled(i64 %w1)
  ret i64 %r
}
"""
SECOND = """
@table = internal constant [3 x i64] [i64 1000, i64 2000, i64 3000]
declare i64 @labs(i64)
define i64 @doubled(i64 %x) {
  %n = sub i64 0, %x
  %a = call i64 @labs(i64 %n)
  %d = add i64 %a, %a
  %p = getelementptr [3 x i64], [3 x i64]* @table, i64 0, i64 %d
  %o = ptrtoint i64* %p to i64
  %b = ptrtoint [3 x i64]* @table to i64
  %m = sub i64 %o, %b
  %q = sdiv i64 %m, 8
  ret i64 %q
}
"""


def address_of(name):
    function = getattr(ctypes.CDLL(None), name)
    return ctypes.cast(function, ctypes.c_void_p).value


def called(image, name):
    start = placed(image, address_of)
    form = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)
    return form(start + image.places[name]), start


def test_two_files_and_the_process_work_together():
    image = linked([object_of(FIRST), object_of(SECOND)])
    assert image.names[1:] == ("labs",)
    asked, start = called(image, "asked")
    assert [asked(i) for i in range(3)] == [2 * (5 + 40), 2 * (6 + 41), 2 * (7 + 42)]
    shared = ctypes.c_int64.from_address(start + image.places["shared"])
    pointer = ctypes.c_void_p.from_address(start + image.places["start"])
    assert pointer.value == ctypes.addressof(shared)
    shared.value = 100
    assert asked(0) == 2 * (5 + 43 + 100)


def test_the_order_of_the_files_is_all_one():
    image = linked([object_of(SECOND), object_of(FIRST)])
    assert called(image, "asked")[0](0) == 90


def test_code_ends_at_a_page():
    image = linked([object_of(FIRST), object_of(SECOND)])
    assert image.code % PAGE == 0
    assert 0 < image.code < len(image.content)
    assert image.places["asked"] < image.code < image.places["shared"]


def test_the_same_files_give_the_same_image():
    first, second = (linked([object_of(FIRST), object_of(SECOND)]) for _ in range(2))
    assert first.content == second.content
    assert first.rows.tolist() == second.rows.tolist()


def test_memory_of_a_thread_is_refused():
    own = "@own = thread_local global i64 3\ndefine i64* @f() {\n  ret i64* @own\n}\n"
    with pytest.raises(Unsupported):
        linked([object_of(own)])


def test_what_runs_at_the_start_is_refused():
    begun = (
        "define void @f() {\n  ret void\n}\n@llvm.global_ctors = appending global "
        "[1 x { i32, void ()*, i8* }] [{ i32, void ()*, i8* } { i32 1, void ()* @f, i8* null }]\n"
    )
    with pytest.raises(Unsupported, match=r"section \.(ctors|init_array)"):
        linked([object_of(begun)])
