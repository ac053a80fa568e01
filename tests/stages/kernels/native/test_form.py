"""A form comes from its file as it was, or not at all."""

import ctypes

import numpy as np
import pytest

from campanula.stages.kernels.native import Unsupported
from campanula.stages.kernels.native.entry import entry_code
from campanula.stages.kernels.native.form import (
    CLASS,
    DTYPE,
    ENTRY,
    Environment,
    Form,
    Loaded,
    from_bytes,
    to_bytes,
)
from campanula.stages.kernels.native.kinds import kinds_of
from campanula.stages.kernels.native.linking import linked
from tests.present import present
from tests.stages.kernels.native.objects import NEEDS_ELF, object_of

pytestmark = NEEDS_ELF

# Returns the first argument, or the type of what is in `place`, when the argument is 0.0.
KERNEL = """
@place = common global i64 0
declare i64 @PyTuple_GetItem(i64, i64)
declare void @Py_IncRef(i64)
define i64 @kernel(i64 %next, i64 %arguments, i64 %keywords) {
  %r = call i64 @PyTuple_GetItem(i64 %arguments, i64 0)
  call void @Py_IncRef(i64 %r)
  ret i64 %r
}
"""


def form_for(*arguments, constants=()):
    kinds = present(kinds_of(arguments))
    image = linked([object_of(KERNEL), entry_code("kernel", kinds)])
    return Form(repr(kinds), b"stamp", image, [Environment("place", list(constants))])


def test_a_form_runs_and_leaves_what_is_not_its_own():
    form = form_for(1.5)
    fields = from_bytes(to_bytes(form))
    assert (fields["key"], fields["stamp"]) == (form.key, b"stamp")
    loaded = Loaded("kernel", fields)
    function = loaded.before(lambda *arguments: ("next", arguments))
    assert function(2.5) == 2.5
    assert function(3) == ("next", (3,))
    assert loaded.before(function)("text") == ("next", ("text",))
    assert function.__name__ == "kernel"


def test_constants_come_back():
    form = form_for(1.5, constants=[(DTYPE, "<f8"), (CLASS, "builtins:int")])
    fields = from_bytes(to_bytes(form))
    assert fields["environments"][0][1] == [[DTYPE, "<f8"], [CLASS, "builtins:int"]]
    Loaded("kernel", fields)
    missing = form_for(1.5, constants=[(CLASS, "no.module:Name")])
    with pytest.raises(Unsupported, match=r"no\.module:Name"):
        Loaded("kernel", from_bytes(to_bytes(missing)))


def test_an_environment_is_put_where_the_code_looks_for_it():
    from campanula.stages.kernels.native import form as module

    form = form_for(1.5, constants=[(DTYPE, "<f8")])
    Loaded("kernel", from_bytes(to_bytes(form)))
    method, environments = module._kept[-1]
    start = method.function - form.image.places[ENTRY]
    found = ctypes.py_object.from_address(start + form.image.places["place"]).value
    assert found is environments[0][1]
    assert found.consts == [np.dtype("<f8")]


def test_every_damage_is_noticed():
    data = to_bytes(form_for(1))
    for damaged in (b"", data[:-1], data[:8], data + b"x", bytes([data[0] ^ 1]) + data[1:]):
        with pytest.raises(ValueError, match="checksum"):
            from_bytes(damaged)
    middle = len(data) // 2
    flipped = data[:middle] + bytes([data[middle] ^ 8]) + data[middle + 1 :]
    with pytest.raises(ValueError, match="checksum"):
        from_bytes(flipped)
