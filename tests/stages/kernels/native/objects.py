"""Object files that LLVM makes of a few lines of its text."""

import sys

import pytest

NEEDS_ELF = pytest.mark.skipif(sys.platform != "linux", reason="the object files of Linux")
ELSEWHERE = 183  # the number of ARM's processors


def object_of(text):
    """Object file of LLVM's text, as Numba has its own compiled."""
    from llvmlite import binding

    for begin in ("initialize_native_target", "initialize_native_asmprinter"):
        getattr(binding, begin)()
    target = binding.Target.from_default_triple()
    machine = target.create_target_machine(reloc="static", codemodel="large")
    return machine.emit_object(binding.parse_assembly(text))
